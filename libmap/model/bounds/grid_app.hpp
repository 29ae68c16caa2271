// Apps that are grids of ranks, row-major: found from the differences of the ranks that talk.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "libmap/model/bounds/peers.hpp"

namespace rankmap {

// One dimension of a grid. Its pairs are next neighbours, and first and last of a line where it
// wraps.
struct GridSide {
  int extent;
  bool wraps;    // some pair joins the first and last of a line; extent > 2
  double most;   // the largest bytes of one of its pairs
  double least;  // the smallest; 0 where not every two neighbours talk
};

struct GridApp {
  std::vector<GridSide> sides;  // the last one fastest; their product is the number of ranks
  double bytes = 0;             // of all pairs that are neighbours in the grid
  std::vector<PairBytes> rest;  // the other pairs
};

// The grid whose neighbours have the most bytes; nullopt: no difference of ranks is common enough.
// O(chains of divisors among the differences x pairs), at most 64 chains.
std::optional<GridApp> find_grid(Rank ranks, std::span<const PairBytes> pairs);

}  // namespace rankmap
