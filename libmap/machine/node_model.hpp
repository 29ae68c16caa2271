// What one host is made of: GPUs, NICs, NUMA nodes, cores, and the connections between them.
// Plain tables, copied once out of a file, hwloc or NVML; readers fill them, finish() checks them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/base/ids.hpp"
#include "libmap/base/units.hpp"

namespace rankmap {

enum class LinkKind : std::uint8_t {
  nvlink,
  xgmi,
  xelink,
  c2c,
  pcie,
  cpu,
  nic,
  torus,
  local,
  global,
  up,
  down,
  memory
};
const char* name_of(LinkKind kind);
std::optional<LinkKind> link_kind_of(std::string_view name);

struct Gpu {
  std::string name;            // model, or ""
  std::string bus_id;          // "0000:06:00.0" (lower case, 4-digit domain), or ""
  std::string uuid;            // "GPU-..." or "MIG-...", or ""
  std::string vendor;          // "nvidia", "amd", "intel", or "": not told
  int device = none;           // the physical GPU's index where it differs (MIG, tiles)
  std::optional<CpuSet> cpus;  // OS numbers of the CPUs near it; nullopt: unknown
  std::string cpu_affinity;    // as read ("" when the source has none)
  std::string numa_affinity;   // as read
  std::string gpu_numa_id;     // as read: the GPU's own memory as a NUMA node
  int numa = none;             // OS number of its CPU-bearing NUMA node; none: unknown
  int nic = none;              // index of its nearest NIC; none: unknown
  int package = none;          // GPUs of one package (GCDs, tiles) share the number
};

struct Nic {
  std::string name;  // "mlx5_0", "hsn0", as the launchers want it
  std::string bus_id;
  int numa = none;
  BytesPerSecond bytes_per_second = 0;  // 0: unknown
};

struct NumaNode {
  int id = 0;              // OS number; ids may be sparse
  CpuSet cpus;             // OS numbers; empty for memory-only nodes
  Bytes memory_bytes = 0;  // 0: unknown
  std::string subtype;     // "DRAM", "HBM", "GPUMemory", ... or ""
};

struct Core {
  int logical = 0;  // hwloc's logical core number over the machine
  CpuSet cpus;      // OS numbers of its hardware threads
  int numa = none;  // OS number of its NUMA node
  int package = none;
};

// Hubs: everything inside a node that links end at and that is not a slot.
enum class HubKind : std::uint8_t {
  pcie_switch,
  host_bridge,
  numa,
  package,
  system,
  link_switch,
  nic
};

// A vertex is a GPU (0..gpus-1; on a node without GPUs a core: 0..cores-1), then the hubs in order.
using VertexId = std::int32_t;

struct Hub {
  HubKind kind;
  std::string name;  // unique in the node: "pcie0", "numa1", "nvswitch", "nic:mlx5_0"
};

// A physical connection: two links, one a direction.
struct Connection {
  LinkKind kind;
  VertexId a;
  VertexId b;
  int count = 1;                        // lanes
  BytesPerSecond bytes_per_second = 0;  // one direction, all lanes together, nominal
  BytesPerSecond nccl_bytes_per_second =
      0;  // achieved by one lane (facts: NCCL's table); 0: as nominal
};

// How the tree below is used: a GPU pair with a dedicated connection uses it; else both over a link
// switch; else up and down the tree of pcie, cpu, memory and nic connections.
struct NodeModel {
  std::string name;
  std::string source_format;  // "rankmap-json", "nvidia-smi-topo", "nccl-xml", "hwloc-xml", ...
  std::vector<Gpu> gpus;
  std::vector<Nic> nics;
  std::vector<NumaNode> numa_nodes;  // by id
  std::vector<Core> cores;           // in logical order; empty: unknown
  int threads_per_core = 1;          // as far as known
  std::vector<Hub> hubs;
  std::vector<Connection> connections;
  std::vector<std::vector<std::string>>
      gpu_matrix;  // tokens as read, diagonal "X"; empty: none read
  std::vector<std::vector<std::string>> gpu_nic_matrix;  // [gpu][nic] tokens as read; empty: none
  std::vector<std::string> warnings;                     // what was not understood
  bool partial = false;                                  // the source was cut
  bool bare = false;  // slots of a bare network: nothing inside the node limits

  int slots() const { return static_cast<int>(gpus.empty() ? cores.size() : gpus.size()); }
  VertexId vertices() const {
    return static_cast<VertexId>(slots()) + static_cast<VertexId>(hubs.size());
  }
  VertexId hub_vertex(std::size_t hub) const {
    return static_cast<VertexId>(slots() + static_cast<int>(hub));
  }
  VertexId add_hub(HubKind kind, std::string hub_name);  // all slots must be known before
  std::string vertex_name(VertexId vertex) const;        // "gpu3", "core5", or the hub's name
  void warn(std::string message) { warnings.push_back(std::move(message)); }
};

}  // namespace rankmap
