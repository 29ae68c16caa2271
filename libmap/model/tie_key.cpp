// The order among mappings of equal value: congestion, aggbw, NICs, PCIe uplinks, NUMA nodes.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "libmap/model/aggbw.hpp"
#include "libmap/model/objective.hpp"

namespace rankmap {
namespace {

using OnNode = std::pair<NodeId, int>;  // something of a node, by its number there

int numa_of(const NodeModel& model, int local) {
  const auto index = static_cast<std::size_t>(local);
  return model.gpus.empty() ? model.cores[index].numa : model.gpus[index].numa;
}

int most(const std::map<OnNode, int>& counts) {
  int largest = 0;
  for (const auto& [place, count] : counts) largest = std::max(largest, count);
  return largest;
}

}  // namespace

TieKey tie_key(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  std::map<OnNode, int> on_nic;
  std::map<OnNode, int> on_uplink;
  std::set<OnNode> numa_nodes;
  for (const SlotId slot : mapping.slot_of) {
    const NodeId node = machine.node_of(slot);
    const int local = machine.local_of(slot);
    const int nic = machine.nic_of(local);
    const std::int32_t uplink = machine.uplink_of(local);
    if (nic != none) ++on_nic[{node, nic}];
    if (uplink != none) ++on_uplink[{node, uplink}];
    numa_nodes.insert({node, numa_of(machine.model(), local)});
  }
  return {congestion_seconds(app, machine, mapping),
          -to_gbps(aggregated_bandwidth(app, machine, mapping)), most(on_nic), most(on_uplink),
          static_cast<int>(numa_nodes.size())};
}

}  // namespace rankmap
