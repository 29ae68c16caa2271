// Mapping a graph onto a tree of blocks: multisection, then refinement on the true distances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/multilevel/multisection.hpp"
#include "libmap/place/multilevel/swaps.hpp"
#include "libmap/place/strategy.hpp"

namespace rankmap {

struct MultilevelEffort {
  MultisectionEffort multisection;
  int cycles = 2;  // V-cycles on the true distances
  RefineEffort refine;
  int mappings = 1;  // whole mappings, each combined with the best before it
  SwapEffort swaps;  // where every block is full
  // Where every block takes one vertex: groups of neighbours from the inside out alone, which takes a
  // tenth of the time of multisection.
  bool only_groups = false;
};

MultilevelEffort effort_of(Quality quality);

// The block of every vertex with a small sum over edges of weight x distance, no block over its capacity
// (unless vertices are too heavy to fit). Deterministic in the seed, whatever the number of threads.
std::vector<Block> map_to_tree(const WeightedGraph& graph, const TreeDistance& distance,
                               std::span<const int> arity_outermost_first,
                               std::span<const Weight> capacity, const MultilevelEffort& effort,
                               std::uint64_t seed, int threads);

template <class Distance>
Weight weighted_distance(const WeightedGraph& graph, std::span<const Block> block,
                         const Distance& distance) {
  Weight twice = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v)
    for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc)
      twice += graph.edge_weight[arc] *
               static_cast<Weight>(distance(block[static_cast<std::size_t>(v)],
                                            block[static_cast<std::size_t>(graph.neighbour[arc])]));
  return twice / 2;
}

}  // namespace rankmap
