// The largest number of arc-disjoint directed Hamiltonian cycles in a set's lanes.
#pragma once

#include <cstdint>

#include "libmap/model/lanes.hpp"

namespace rankmap {

struct RingPacking {
  std::int64_t rings = 0;  // found
  std::int64_t bound = 0;  // proven: rings <= maximum <= bound
  bool proven() const { return rings == bound; }
};

// Exact for 2..20 members unless the budget ends: one step is one cycle looked at by one node of the
// search, some 10 ns. Beyond 20 members nothing is searched: rings is 0, bound the minimum cut.
RingPacking pack_rings(const LaneMatrix& lanes, std::uint64_t step_budget);

}  // namespace rankmap
