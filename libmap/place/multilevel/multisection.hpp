// Hierarchical multisection: the graph is cut along the machine's own levels, from the outermost in.
// Source: Schulz and Woydt, "Shared-memory hierarchical process mapping" (2025); Kirchbach, Schulz and
// Traeff, "Better process mapping and sparse quadratic assignment" (2020).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/multilevel/cut_partition.hpp"

namespace rankmap {

struct MultisectionEffort {
  PartitionEffort partition;
  std::vector<int> repetitions{1};  // outermost level first; the last holds for all below
};

// The leaf of every vertex. arity: outermost first, their product is the number of leaves; capacity: the
// most weight of each leaf, together at least the graph's. `threads` work on blocks side by side; the
// result does not depend on their number.
std::vector<Block> multisection(const WeightedGraph& graph, std::span<const int> arity,
                                std::span<const Weight> capacity, const MultisectionEffort& effort,
                                std::uint64_t seed, int threads);

}  // namespace rankmap
