// Nodes on which every set of GPUs is equal: NIC, uplink and NUMA node decide.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

// Whether every mapping has the same value and the same congestion by symmetry: one uniform node,
// one rank a slot.
bool is_uniform(const Instance& instance);

struct UniformChoice {
  std::optional<std::vector<int>> slot_of;  // nullopt: every set is excluded
  bool complete = true;
};
// The set with the fewest ranks per NIC and uplink and the fewest NUMA nodes, ranks ascending.
UniformChoice best_of_uniform(const Search& search);

}  // namespace rankmap
