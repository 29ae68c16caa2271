// Mapping from the inside out, where every leaf takes one vertex: the vertices that talk most become the
// group of one innermost block, those groups the next, and so on.
// Source: in the manner of TreeMatch, Jeannot, Mercier and Tessier 2014.
#pragma once

#include <span>
#include <vector>

#include "libmap/place/multilevel/distances.hpp"

namespace rankmap {

// The leaf of every vertex; as many vertices as leaves, the product of `arity` (outermost first). Groups
// grow by their heaviest neighbour, in the order of the vertices, so that a regular numbering gives
// regular groups. O(edges x number of prime factors + vertices x largest prime factor).
std::vector<Block> group_inside_out(const WeightedGraph& graph, std::span<const int> arity);

}  // namespace rankmap
