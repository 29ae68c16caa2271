// The strategies, one function each; strategy.cpp has their rows.
#pragma once

#include "libmap/place/problem.hpp"

namespace rankmap {

// Apps that are grids: bricks, strips, cuts and foldings, the best refined. Infeasible: no grid.
PlaceResult place_cartesian(const Problem& problem);
// Proves the optimum, or says its gap when the time limit (default 10 s) ends.
PlaceResult place_exact(const Problem& problem);
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
