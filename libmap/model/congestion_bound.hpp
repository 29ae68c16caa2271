// A lower limit of the congestion time of an app on a machine, whatever the mapping.
#pragma once

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"

namespace rankmap {

// In seconds, summed over phases, up to rounding; at most `ranks_per_slot` ranks share a slot. From
// the machine's cuts (Machine::cuts): what leaves and enters slots, NICs, nodes, subtrees, groups,
// and boxes and slabs of tori; and from all links together: hop-bytes over their bandwidths.
// O(edges log edges + ranks x cuts) a phase.
double congestion_bound(const CommGraph& app, const Machine& machine, int ranks_per_slot = 1);

}  // namespace rankmap
