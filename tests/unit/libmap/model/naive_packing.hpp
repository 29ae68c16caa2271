// Slow and obvious twins of the packings: plain enumeration, for small sets.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/model/lanes.hpp"

namespace rankmap::test {

// Calls visit(block of every vertex, parts) for every partition into two or more parts.
void for_each_partition(int size, const std::function<void(const std::vector<int>&, int)>& visit);
std::int64_t crossing_lanes(const LaneMatrix& lanes, const std::vector<int>& block);

// All directed Hamiltonian cycles by permutation, then every multiset of them.
std::int64_t naive_ring_packing(const LaneMatrix& lanes);
// max over all orders of min over links of achieved bandwidth / uses.
double naive_single_ring(const Machine& machine, std::vector<int> set);

// Each pair has 1..most_lanes lanes with probability percent / 100, else none.
LaneMatrix random_lanes(Random& random, int size, int most_lanes, unsigned percent);

}  // namespace rankmap::test
