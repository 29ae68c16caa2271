// The best single ring over whatever joins the members of a set: lanes, PCIe, CPU links.
#pragma once

#include <cstdint>
#include <span>

#include "libmap/machine/machine.hpp"

namespace rankmap {

struct SingleRing {
  double bytes_per_second = 0;  // found
  double bound = 0;             // proven: at least the maximum
};

// max over the orders of the set of min over the links of its ring's routes of achieved bandwidth (all
// lanes together) / uses. Size >= 2. Tries the values in falling order, each by a depth-first search
// with link capacities behind a test for any Hamiltonian cycle; exact unless the budget ends.
SingleRing single_ring(const Machine& machine, std::span<const int> set, std::uint64_t node_budget);

// An upper limit: the largest bandwidth at which hops alone join all members. O(size^2 x hops).
double single_ring_bound(const Machine& machine, std::span<const int> set);

}  // namespace rankmap
