// Orders of a grid's ranks brick by brick: whoever takes the places in this order has a compact part of
// the grid on every node, whatever its size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/place/cartesian/grid.hpp"

namespace rankmap {

using Extents = std::vector<Rank>;

// The ranks of the grid, each once. `bricks` are nested, outermost first; none needs to divide the next
// or the grid: those at the far ends are cut. Both the bricks and the ranks inside the last of them
// follow a snake whose slowest dimension is the one with most steps. O(ranks x dimensions).
std::vector<Rank> brick_order(const Grid& grid, const std::vector<Extents>& bricks);

// A brick of about `ranks` ranks and what it is expected to cost.
struct Brick {
  Extents extents;
  double surface = 0;        // bytes that leave a run of so many ranks, and enter it
  std::string text() const;  // "4x4x2"
};

// Bricks that suit runs of `ranks` ranks, the least surface first, at most `count`: those of exactly that
// volume, and strips along one dimension that the runs cut across. At most 2^16 are looked at.
std::vector<Brick> brick_shapes(const Grid& grid, std::int64_t ranks, std::size_t count);

// The multiple of `inner` of `times` the volume with the least surface that fits the grid; nullopt: none.
std::optional<Extents> brick_of_bricks(const Grid& grid, const Extents& inner, std::int64_t times);

}  // namespace rankmap
