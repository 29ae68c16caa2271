// Graphs that mapping_bench makes itself, the same for the same text on every machine.
#pragma once

#include <optional>
#include <string>

#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap::bench {

// rgg:N       N points in a square, those near each other tied (average degree about 0.95 ln N)
// tri:WxH     a triangulated grid of moved points
// road:WxH    a grid's spanning tree and a fifth of its other edges
// rmat:SCALE  2^SCALE vertices, 8 times as many edges, of skewed degrees (0.45, 0.22, 0.22, 0.11)
// Vertices are in random order; those without edges are left out. nullopt: none of these kinds.
std::optional<WeightedGraph> made_graph(const std::string& text);

}  // namespace rankmap::bench
