// Locality without an app: every rank on the GPU nearest to its share of the node's cores, in an order
// that leaves ranks where launchers put them (rank i on the i-th block of cores).
#pragma once

#include <span>
#include <vector>

#include "libmap/machine/machine.hpp"

namespace rankmap {

// The slots of a node in the order of their near cores (first OS number), then by index; slots whose
// cores are not known come last. This is the order of the bindings that sites publish: 3,2,1,0 on
// Polaris, 4,5,2,3,6,7,0,1 on LUMI and Frontier.
std::vector<int> near_order(const Machine& machine);

// The slot of each of `ranks` ranks of one node, by local rank, ascending in near order.
// places[slot]: how many ranks it may take (0: none), in all at least `ranks`. Fewer ranks than slots
// with places spread over packages, NICs, NUMA nodes and PCIe uplinks; more share the slots evenly as
// far as the places go. O(ranks * slots).
std::vector<int> near_slots(const Machine& machine, int ranks, std::span<const int> places);

}  // namespace rankmap
