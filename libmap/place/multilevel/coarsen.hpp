// Coarsening: which vertices become one.
#pragma once

#include <span>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap {

struct CoarseLevel {
  WeightedGraph graph;
  std::vector<Vertex> coarse_of;  // of each fine vertex
};

// Heavy-edge matching in random order by weight^2 / (product of vertex weights); where that leaves more
// than three quarters of the vertices, also pairs that share their heaviest neighbour (two-hop), as in
// graphs with hubs. Only vertices with equal labels are paired (no labels: all are equal), and none
// becomes heavier than most_weight. O(vertices + edges).
// Source: Karypis and Kumar 1998; rating of Holtgrewe, Sanders and Schulz 2010; two-hop matching of
// LaSalle, Patwary, Satish et al. 2015.
CoarseLevel coarsen(const WeightedGraph& graph, std::span<const std::int64_t> labels,
                    Weight most_weight, Random& random);

// The labels of the coarse vertices.
std::vector<std::int64_t> coarse_labels(const CoarseLevel& level,
                                        std::span<const std::int64_t> labels);

}  // namespace rankmap
