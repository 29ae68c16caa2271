// How much of a grid's traffic stays inside parts of it at most, and leaves them at least.
#pragma once

#include <cstdint>
#include <span>

#include "libmap/model/bounds/grid_app.hpp"

namespace rankmap {

// Most pairs of neighbours among `cells` cells of an open grid of these extents (as many cells at
// least). Exact. O(cells^(1/sides) x sides^2).
// Source: Ahlswede and Bezrukov, "Edge isoperimetric theorems for integer point arrays" (1995):
// nested sets, boxes as near to cubes as the extents allow, are best at every size. In the plane
// this is Harary and Harborth's floor(2p - 2 sqrt(p)).
std::int64_t most_neighbours(std::int64_t cells, std::span<const int> extents);

// An upper limit of the bytes inside any `cells` cells; a multiple of `cells` at least as large for
// more cells. O(sides^2). Proof. Let a set of p cells meet x_d lines along dimension d, and fill
// f_d of them wholly. Along an open line one pair fewer than cells lies inside at most, and along
// one that wraps too, unless it is full: at most p - x_d + f_d pairs lie along d. Loomis and
// Whitney (1949): the product of the x_d is at least p^(k - 1). Further x_d >= p / extent, and x_d
// - f_d lines have a cell each beside the full ones: f_d <= (p - x_d) / (extent - 1). The least sum
// of bytes x (x_d - f_d) under these is found with Lagrange's multiplier. In the plane and on even
// cubes that wrap, better limits:
//   plane: where a set fills no line that wraps, f = 0 above. Where it fills one along side 1, it
//   meets all e_1 lines along side 2; filling none of these it loses one pair on each. Where it
//   fills lines both ways, it meets all lines, of which p / e_1 and p / e_2 are full at most.
//   cubes of k sides of even extent e, sets of up to half of it: x_d - f_d add up to r p^(1 - 1/r)
//   e^(k/r - 1) at least for some r from 1 to k. Source: Bollobas and Leader, "Edge-isoperimetric
//   inequalities in the grid" (1991).
double most_inside(double cells, std::span<const GridSide> sides);

// A lower limit of the bytes that leave any set of `cells` cells is this number x cells x (all
// cells - cells). Proof. Let every cell send one unit to every other, dimension by dimension, the
// shorter way round. What a set sends out crosses its border, and no pair along d takes more than
// so much in one direction: floor(e / 2) ceil(e / 2) n / e on open lines, a ring's e^2 / 8 n / e
// (odd: e^2 - 1). 0 where some neighbours do not talk.
double leaving_rate(std::span<const GridSide> sides);

}  // namespace rankmap
