// Aggregated and preserved bandwidth.
#include "libmap/model/aggbw.hpp"

#include <vector>

namespace rankmap {
namespace {

bool joined_by_lanes(const Machine& machine, int a, int b) {
  return machine.dedicated_lanes(a, b) > 0 ||
         (machine.switch_lanes(a) > 0 && machine.switch_lanes(b) > 0);
}

std::vector<int> free_slots(const Machine& machine, const NodeSet& set,
                            std::span<const SlotId> busy) {
  std::vector<char> taken(static_cast<std::size_t>(machine.slots_per_node()), 0);
  for (const int local : set.locals) taken[static_cast<std::size_t>(local)] = 1;
  for (const SlotId slot : busy) {
    if (machine.node_of(slot) == set.node) {
      taken[static_cast<std::size_t>(machine.local_of(slot))] = 1;
    }
  }
  std::vector<int> free;
  for (int local = 0; local < machine.slots_per_node(); ++local) {
    if (taken[static_cast<std::size_t>(local)] == 0) free.push_back(local);
  }
  return free;
}

}  // namespace

BytesPerSecond aggregated_bandwidth(const CommGraph& app, const Machine& machine,
                                    const Mapping& mapping) {
  BytesPerSecond sum = 0;
  std::vector<LinkId> room;
  for (const Pair& pair : app.pairs()) {
    sum += pair.weight * machine.bandwidth_between(mapping[pair.low], mapping[pair.high], room);
  }
  return sum;
}

BytesPerSecond preserved_bandwidth(const Machine& machine, const NodeSet& set,
                                   std::span<const SlotId> busy, PreserveCounts counts) {
  const std::vector<int> free = free_slots(machine, set, busy);
  BytesPerSecond sum = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t j = i + 1; j < free.size(); ++j) {
      if (counts == PreserveCounts::nvlink && !joined_by_lanes(machine, free[i], free[j])) continue;
      sum += machine.pair_bandwidth(free[i], free[j]);
    }
  }
  return sum;
}

}  // namespace rankmap
