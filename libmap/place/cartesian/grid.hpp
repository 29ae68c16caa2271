// An app as a grid: its ranks numbered row by row, its traffic between neighbours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// Rank r has the coordinate r / stride % extent in each dimension.
struct Grid {
  std::vector<Rank> extents;   // each at least 2, the last dimension counts fastest; {1}: one rank
  std::vector<char> periodic;  // of each; never where the extent is 2
  std::vector<double> bytes;   // of each: between two ranks side by side in it, both ways, the mean

  std::size_t dimensions() const { return extents.size(); }
  Rank ranks() const;
  std::vector<Rank> strides() const;
  std::string text() const;  // "8x8 periodic=y"
};

// How well a grid describes an app, each 0..1.
struct GridLikeness {
  Grid grid;
  double bytes_explained =
      0;                  // of the app's bytes, those between neighbours, diagonal ones included
  double pairs_used = 0;  // of the pairs side by side, those with traffic: the least dimension's
  bool is_good() const;   // three quarters of both
};

// The grid that describes the app best. A stride of a dimension is a difference of ranks that most ranks
// have; every chain of such differences, each dividing the next, is a grid that is tried, at most 64 of
// them. A dimension is periodic where three quarters of the pairs of its two ends have traffic. All
// phases count together; collectives (edges of groups) are left out where most bytes are not theirs.
// nullopt: no two ranks of different number communicate with a stride of 1.
// O(edges log degree + grids x pairs x dimensions).
std::optional<GridLikeness> likest_grid(const CommGraph& app);

}  // namespace rankmap
