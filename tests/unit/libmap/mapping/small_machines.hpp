// Machines small enough to follow by hand.
#pragma once

#include <string>
#include <utility>

#include "libmap/machine/machine.hpp"

namespace rankmap::testing {

// A node with 2 GPUs joined by NVLink. 4 cores of 2 threads: core c has the OS numbers c and c + 4;
// cores 0, 1 and GPU 0 are on NUMA node 0, cores 2, 3 and GPU 1 on NUMA node 1.
inline NodeModel two_gpu_node(LinkKind kind = LinkKind::nvlink) {
  NodeModel model;
  model.name = "small";
  model.source_format = "test";
  model.threads_per_core = 2;
  for (int i = 0; i < 2; ++i) {
    Gpu gpu;
    gpu.bus_id = "0000:0" + std::to_string(6 + i) + ":00.0";
    gpu.numa = i;
    gpu.cpus = i == 0 ? CpuSet{0, 1, 4, 5} : CpuSet{2, 3, 6, 7};
    model.gpus.push_back(std::move(gpu));
    model.numa_nodes.push_back(
        {i, i == 0 ? CpuSet{0, 1, 4, 5} : CpuSet{2, 3, 6, 7}, Bytes{1} << 30, "DRAM"});
  }
  for (int core = 0; core < 4; ++core)
    model.cores.push_back({core, CpuSet{core, core + 4}, core / 2, core / 2});
  Connection connection;
  connection.kind = kind;
  connection.a = 0;
  connection.b = 1;
  connection.count = 2;
  connection.bytes_per_second = from_gbps(50);
  model.connections.push_back(connection);
  return model;
}

inline Machine two_gpu_machine(NodeId nodes = 1) {
  return Machine(two_gpu_node(), nodes);
}

}  // namespace rankmap::testing
