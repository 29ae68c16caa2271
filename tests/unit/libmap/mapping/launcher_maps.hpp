// Maps for the launcher formats: two nodes n0, n1 of four GPUs and sixteen cores, GPU g near cores 4g to
// 4g+3, whose OS numbers are the same.
#pragma once

#include <string>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/mapping/map_file.hpp"

namespace rankmap::testing {

struct Place {
  const char* host;
  int gpu;
};

inline MapFile map_of_places(const std::vector<Place>& places) {
  MapFile map{"cluster", "congestion", false, {}};
  for (const Place& place : places) {
    MapRow row;
    row.rank = static_cast<Rank>(map.rows.size());
    row.host = place.host;
    row.gpu = place.gpu;
    row.gpu_id = "0000:0" + std::to_string(place.gpu + 1) + ":00.0";
    row.nic = "mlx5_" + std::to_string(place.gpu);
    row.cpus.add_range(4 * place.gpu, 4 * place.gpu + 3);
    row.cores = row.cpus;
    row.memory_nodes.add(place.gpu / 2);
    row.memory_policy = "preferred";
    map.rows.push_back(row);
  }
  for (MapRow& row : map.rows)
    for (const MapRow& other : map.rows)
      if (other.host == row.host) row.node_gpus.push_back(other.gpu);
  return map;
}

// Ranks go round the hosts: the example that the launchers' formats are described by.
inline MapFile permuted_map() {
  return map_of_places(
      {{"n0", 2}, {"n1", 0}, {"n0", 0}, {"n1", 3}, {"n0", 3}, {"n1", 1}, {"n0", 1}, {"n1", 2}});
}

// Ranks in blocks, and both nodes alike.
inline MapFile block_map() {
  return map_of_places(
      {{"n0", 2}, {"n0", 0}, {"n0", 3}, {"n0", 1}, {"n1", 2}, {"n1", 0}, {"n1", 3}, {"n1", 1}});
}

// Neither in blocks nor round.
inline MapFile mixed_map() {
  return map_of_places(
      {{"n0", 2}, {"n0", 0}, {"n1", 0}, {"n1", 3}, {"n1", 1}, {"n0", 3}, {"n0", 1}, {"n1", 2}});
}

// Three ranks on n0, one on n1.
inline MapFile uneven_map() {
  return map_of_places({{"n0", 0}, {"n0", 1}, {"n0", 2}, {"n1", 3}});
}

// Eight ranks on the four nodes of a torus of two by two, two slots each; no names, no CPUs.
inline MapFile torus_map() {
  MapFile map{"torus:2x2,slots=2", "hopbytes", true, {}};
  for (Rank rank = 0; rank < 8; ++rank) {
    MapRow row;
    row.rank = rank;
    row.host = "node" + std::to_string((rank * 3) % 4);
    row.slot = rank / 4;
    map.rows.push_back(row);
  }
  return map;
}

inline Machine gpu_cluster(NodeId nodes = 2) {
  NodeModel model;
  model.name = "cluster";
  model.source_format = "test";
  for (int i = 0; i < 4; ++i) {
    Gpu gpu;
    gpu.bus_id = "0000:0" + std::to_string(i + 1) + ":00.0";
    gpu.numa = i / 2;
    CpuSet near;
    near.add_range(i / 2 * 8, i / 2 * 8 + 7);
    gpu.cpus = near;
    model.gpus.push_back(gpu);
    if (i % 2 == 0) model.numa_nodes.push_back({i / 2, near, Bytes{1} << 30, "DRAM"});
  }
  for (int core = 0; core < 16; ++core)
    model.cores.push_back({core, CpuSet{core}, core / 8, core / 8});
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      Connection connection;
      connection.kind = LinkKind::nvlink;
      connection.a = a;
      connection.b = b;
      connection.bytes_per_second = from_gbps(25);
      model.connections.push_back(connection);
    }
  return Machine(model, nodes);
}

inline Machine named_cluster() {
  Machine machine = gpu_cluster();
  machine.set_hosts({"n0", "n1"});
  return machine;
}

}  // namespace rankmap::testing
