// The host's tree of PCIe switches, host bridges and NUMA nodes, from "how far apart" of device
// pairs, as the vendors' topology matrices tell it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

// What the path between two devices has to cross, nearest first.
enum class PathLevel { one_switch, switches, host_bridge, numa_node, system };

// PIX, PSB -> one_switch; PXB; PHB; NODE; SYS, SOC -> system. nullopt: not such a token.
std::optional<PathLevel> path_level_of(std::string_view token);

// Devices are the GPUs, then the NICs of a model.
struct DevicePath {
  std::size_t a;
  std::size_t b;
  PathLevel level;
};

struct TreeSpeeds {
  BytesPerSecond pcie;          // one device's or switch's slot
  BytesPerSecond cpu;           // a NUMA node to the others
  BytesPerSecond cpu_achieved;  // what NCCL reaches there
};

// Adds a hub "nic:NAME" a NIC and the hubs and connections that join all devices: devices that a
// chain of paths of at most a level joins stand under one hub of that level. NUMA hubs always stand
// under the system hub, and devices without any path are joined there. A host bridge is as wide as
// what hangs below it. O(paths + devices).
void build_path_tree(NodeModel& model, const std::vector<DevicePath>& paths, TreeSpeeds speeds);

}  // namespace rankmap
