// A multilevel partition of one graph into a few parts with capacities: METIS on the coarsest level, our
// own refinement from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/multilevel/refiner.hpp"

namespace rankmap {

struct PartitionEffort {
  int tries = 4;        // of METIS on the coarsest graph, the best of which goes on
  int cycles = 0;       // V-cycles more
  int repetitions = 1;  // whole partitions, each combined with the best before it
  RefineEffort refine;
};

// The part of every vertex, with few and light edges between parts. capacity[p]: the most weight of part
// p; aim[p] the weight that it should have (sums to about the graph's). A part is over its capacity only
// where the vertices are too heavy to fit. Deterministic in the seed.
std::vector<Block> cut_partition(const WeightedGraph& graph, std::span<const Weight> capacity,
                                 std::span<const double> aim, const PartitionEffort& effort,
                                 std::uint64_t seed);

// The weight of the edges between parts.
Weight cut_of(const WeightedGraph& graph, std::span<const Block> part);

}  // namespace rankmap
