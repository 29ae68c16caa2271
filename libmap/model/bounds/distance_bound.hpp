// A lower limit of hop-bytes, whatever the mapping.
#pragma once

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/model/bounds/group_bound.hpp"

namespace rankmap {

// The largest of these limits, for at most `ranks_per_slot` ranks a slot:
//   reaches: only so many slots are near any slot (Machine::reaches), so each rank has at most so
//   many peers there, its largest at best: the sum over distances h of the bytes that go farther
//   than h; divisions: distances are at least sums over divisions of the machine
//   (Machine::divisions), and between the blocks of each go at least GroupBound::bytes_between.
// O(edges log edges + ranks x distances).
double hop_bytes_bound(const CommGraph& app, const Machine& machine, int ranks_per_slot);

// What a machine tells of distances, for several parts of an app (phases).
struct DistanceLimits {
  explicit DistanceLimits(const Machine& machine);
  std::vector<SlotReach> reaches;
  std::vector<std::vector<SlotDivision>> divisions;
};
double hop_bytes_bound(const GroupBound& groups, const DistanceLimits& limits, int ranks_per_slot);

}  // namespace rankmap
