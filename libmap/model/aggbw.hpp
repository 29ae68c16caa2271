// Equations 1 and 3 of the MAPA paper (arXiv 2110.03214), in integer bytes/s.
#pragma once

#include <span>

#include "libmap/model/node_set.hpp"
#include "libmap/model/objective.hpp"

namespace rankmap {

// Equation 1: the sum over unordered pairs with traffic of weight x w(pair). w is
// Machine::pair_bandwidth on one node, the least nominal bandwidth of the route between nodes, and
// 0 for two ranks of one slot. O(pairs x hops).
BytesPerSecond aggregated_bandwidth(const CommGraph& app, const Machine& machine,
                                    const Mapping& mapping);

// Equation 3: the sum of w over the unordered pairs of the set's node whose slots are both free,
// neither in the set nor busy. `nvlink` counts only pairs joined by lanes: a dedicated connection
// or a link switch. O(slots^2).
BytesPerSecond preserved_bandwidth(const Machine& machine, const NodeSet& set,
                                   std::span<const SlotId> busy, PreserveCounts counts);

}  // namespace rankmap
