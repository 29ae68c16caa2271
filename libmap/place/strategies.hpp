// The strategies, one function each; strategy.cpp has their rows.
#pragma once

#include "libmap/place/problem.hpp"

namespace rankmap {

// The best of several strategies: exact where exact_takes(), and unless that proves its answer
// linear, greedy, cartesian for grids, and multilevel. With a time limit multilevel goes from fast up
// to the quality asked for while the time allows.
PlaceResult place_auto(const Problem& problem);
// What a script says; without one, what the best script says that a search over tiles, orders and
// tilts finds (the quality says how many are tried). Infeasible: the box has not as many cells as
// the app has ranks and the machine has places, or ranks come where they may not be.
PlaceResult place_box(const Problem& problem);
// Apps that are grids: bricks, strips, cuts and foldings, the best refined. Infeasible: no grid.
PlaceResult place_cartesian(const Problem& problem);
// Is the app such a grid?
bool cartesian_takes(const Problem& problem);
// Proves the optimum, or says its gap when the time limit (default 10 s) ends.
PlaceResult place_exact(const Problem& problem);
// May exact search the problem, rather than fall back on swaps?
bool exact_takes(const Problem& problem);
// The most tied rank next, to the nearest free place of a neighbour; never worse than linear.
// O(edges x (degree + levels x arity) + slots x levels).
PlaceResult place_greedy(const Problem& problem);
// Every mapping, one by one: the oracle of the tests. O(slots! / (slots - ranks)!) values.
PlaceResult place_exhaustive(const Problem& problem);
// Multisection along the machine's nested blocks, refined on the objective; for large inputs.
PlaceResult place_multilevel(const Problem& problem);
// Rank i on the i-th free place: slots ascending, each filled with ranks_per_slot ranks before the
// next.
PlaceResult place_linear(const Problem& problem);
// Locality alone: near.hpp, node after node.
PlaceResult place_near(const Problem& problem);
// Every mapping equally likely, from the seed.
PlaceResult place_random(const Problem& problem);

}  // namespace rankmap
