// Nested blocks of a grid of nodes that are boxes at every level.
#pragma once

#include <span>

#include "libmap/machine/network.hpp"

namespace rankmap {

// Splits the longest side left (the first of equals) by its smallest prime factor until every block
// is one node. Nodes are row-major, the last dimension fastest.
NetworkShape box_shape(std::span<const int> extents);
// The sides of the blocks of each level, outermost first.
std::vector<std::vector<int>> box_sides(std::span<const int> extents);

}  // namespace rankmap
