// A grid divided along the nested blocks of a machine, each time across its longest side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/cartesian/grid.hpp"

namespace rankmap {

// The ranks of the grid, those of the first leaf first. count[l]: the ranks of leaf l, any numbers whose
// sum is the grid's; arity: of the nested blocks, outermost first, their product the number of leaves.
// Blocks are halved by number, then divided: the ranks are cut across the dimension in which the least
// bytes cross, a plane that must be shared between both sides row by row. (A k-d tree with exact
// counts.) O(ranks x dimensions x log leaves).
std::vector<Rank> cut_order(const Grid& grid, std::span<const int> arity,
                            std::span<const std::int64_t> count);

}  // namespace rankmap
