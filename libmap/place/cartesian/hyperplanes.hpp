// The least cut of a grid into parts of equal size by planes that go through whole boxes.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/cartesian/grid.hpp"

namespace rankmap {

// The ranks of the grid part after part: each of `size` ranks (the last of what is left) and a box, made
// by planes that divide the grid, then every piece. Of all ways to cut, the one with the least bytes
// across. nullopt: there is no such way, or the search is too large (2^13 parts, 2^24 planes).
// O(different boxes x sum of extents).
std::optional<std::vector<Rank>> hyperplane_order(const Grid& grid, std::int64_t size);

}  // namespace rankmap
