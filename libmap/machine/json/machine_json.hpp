// rankmap's own machine format: JSON with a schema (share/schemas/machine.schema.json). One file is
// one node. This header is the whole description; unknown keys are warnings, keys that start with
// "_" and the keys source, notes, verified, unverified, $schema are comments.
//
//   {"schema_version": 1,            optional; only 1 exists
//    "name": "dgx1-v100",            default: the file's name
//    "gpus": 8                       or a list of {index, name, bus_id, uuid, device, numa,
//    package,
//                                    nic (a NIC's name), cpus, cpu_affinity, numa_affinity,
//                                    gpu_numa_id}; 0 or absent: a node whose slots are its cores
//    "index_base": 1,                the number of the first GPU in this file: 0 (default) or 1
//    "default_pcie_gbps": 12,        GPUs that no pcie, cpu, nic or memory link joins to a hub are
//                                    joined to one hub "pcie" by a connection of this bandwidth
//    "core_gbps": 12,                the same for the cores of a node without GPUs and "numaID"
//    "hubs": [{"name": "pcie0", "kind": "pcie_switch"}],     pcie_switch, host_bridge, numa,
//    package,
//                                    system, link_switch, nic
//    "links": [{"a": 1, "b": 2,      GPU numbers (of a node without GPUs: cores), or names of hubs
//               "type": "nvlink2",   or NICs; type nvlink1..nvlink5 implies kind and speeds
//               "kind": "nvlink",    nvlink, xgmi, xelink, c2c, pcie, cpu, nic, memory
//               "count": 2,          lanes, default 1
//               "gbps": 50,          GB/s, one direction, all lanes; or "gbps_per_lane": 25
//               "nccl_gbps": 20}],   achieved by one lane; default by type, else as nominal
//    "nics": [{"name": "mlx5_0", "numa": 0, "gbps": 12.5, "bus_id": "0000:05:00.0"}],
//    "numa_nodes": [{"id": 0, "cpus": "0-19,40-59", "memory_bytes": 274877906944, "subtype":
//    "DRAM",
//                    "package": 0}],
//    "threads_per_core": 2, "thread_numbering": "threads-last" | "threads-adjacent",
//                                    from which the cores follow; or a list:
//    "cores": [{"logical": 0, "cpus": "0,40", "numa": 0, "package": 0}],
//    "gpu_matrix": [["X", "NV2"], ["NV2", "X"]],             as some tool printed it
//    "warnings": [], "partial": false}
// What the program prints with --json has these keys too and reads back as the same node.
#pragma once

#include <string>
#include <string_view>

#include "libmap/machine/machine.hpp"
#include "libmap/machine/reader.hpp"

namespace rankmap {

inline constexpr int machine_schema_version = 1;
// Limits beside those of JsonDocument.
inline constexpr int most_json_gpus = 1024;
inline constexpr int most_json_links = 65536;
inline constexpr int most_json_hubs = 2048;
inline constexpr int most_json_nics = 1024;
inline constexpr int most_json_numa_nodes = 1024;
inline constexpr int most_json_cores = 2048;
inline constexpr double most_json_gbps = 1e6;

bool recognises_machine_json(std::string_view text);
// InputError with the place of what is wrong.
NodeModel read_machine_json(std::string_view text, const std::string& source,
                            const ReaderOptions& options);

// What `rankmap machine SPEC --json` prints: an object of name, source_format, nodes, slots, gpus,
// gpu_matrix (as read, else told from the connections; the diagonal "X"), links, nics, cpus (all OS
// CPUs), numa_nodes, cores, hubs, warnings, partial. Unknown values are null. Ends with a newline.
std::string machine_json(const Machine& machine);

}  // namespace rankmap
