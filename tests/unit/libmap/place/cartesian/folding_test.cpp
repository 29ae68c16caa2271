// Foldings of grids onto boxes: what they are, and that small ones are complete.
#include "libmap/place/cartesian/folding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace rankmap::test {
namespace {

Grid grid_of(const std::vector<Rank>& extents, bool periodic) {
  Grid grid;
  grid.extents = extents;
  for (const Rank extent : extents) {
    grid.periodic.push_back(periodic && extent > 2);
    grid.bytes.push_back(1);
  }
  return grid;
}

Rank distance(const std::vector<Rank>& a, const std::vector<Rank>& b, const std::vector<Rank>& box,
              bool rings) {
  Rank sum = 0;
  for (std::size_t d = 0; d < box.size(); ++d) {
    const Rank steps = std::abs(a[d] - b[d]);
    sum += rings ? std::min(steps, box[d] - steps) : steps;
  }
  return sum;
}

// The longest way of two ranks side by side.
Rank dilation(const Grid& grid, const Folding& folding, const std::vector<Rank>& box, bool rings) {
  const Folded folded(grid, folding);
  const std::vector<Rank> strides = grid.strides();
  Rank most = 0;
  std::vector<Rank> here, there;
  for (Rank rank = 0; rank < grid.ranks(); ++rank) {
    for (std::size_t d = 0; d < strides.size(); ++d) {
      const Rank along = rank / strides[d] % grid.extents[d];
      if (along + 1 == grid.extents[d] && !grid.periodic[d]) continue;
      folded.place(rank, here);
      folded.place(rank + ((along + 1) % grid.extents[d] - along) * strides[d], there);
      most = std::max(most, distance(here, there, box, rings));
    }
  }
  return most;
}

Rank least_dilation(const Grid& grid, const std::vector<Rank>& box, bool rings, int looked_at) {
  Rank least = 1 << 30;
  each_folding(grid, box, [&](const Folding& folding) {
    least = std::min(least, dilation(grid, folding, box, rings));
    return --looked_at > 0;
  });
  return least;
}

// Every rank has a place of its own inside the box, whatever the sizes.
TEST(Folding, IsOneToOne) {
  const std::vector<std::vector<Rank>> grids{{12},         {4, 6},    {3, 5},
                                             {2, 2, 2, 2}, {7, 2, 3}, {16, 4}};
  const std::vector<std::vector<Rank>> boxes{{8, 8}, {4, 4, 4}, {6, 4, 3}, {9, 9}, {64}};
  for (const auto& extents : grids) {
    for (const auto& box : boxes) {
      const Grid grid = grid_of(extents, true);
      int left = 400;
      each_folding(grid, box, [&](const Folding& folding) {
        const Folded folded(grid, folding);
        std::set<std::vector<Rank>> places;
        std::vector<Rank> place;
        for (Rank rank = 0; rank < grid.ranks(); ++rank) {
          folded.place(rank, place);
          for (std::size_t d = 0; d < box.size(); ++d) {
            EXPECT_GE(place[d], 0);
            EXPECT_LT(place[d], box[d]) << folding.text();
          }
          places.insert(place);
        }
        EXPECT_EQ(places.size(), static_cast<std::size_t>(grid.ranks())) << folding.text();
        return --left > 0;
      });
      EXPECT_LT(left, 400) << grid.text();
    }
  }
}

// On open lines: a snake needs no rings. A ring of n goes round in any box of n places with an even side.
TEST(Folding, OfARingHasDilationOne) {
  const std::vector<std::vector<Rank>> boxes{{4, 4}, {2, 8}, {6, 3}, {4, 3, 3}, {2, 2, 2, 2}};
  for (const auto& box : boxes) {
    Rank places = 1;
    for (const Rank extent : box) places *= extent;
    if (box.size() == 2 && box[1] != 3) {
      EXPECT_EQ(least_dilation(grid_of({places}, true), box, true, 5000), 1) << box[0];
    }
    EXPECT_EQ(least_dilation(grid_of({places}, false), box, false, 5000), 1) << box[0];
  }
}

// Gray codes: a grid of powers of two is a part of the hypercube.
TEST(Folding, OntoAHypercubeIsAGrayCode) {
  EXPECT_EQ(least_dilation(grid_of({8, 8}, true), {2, 2, 2, 2, 2, 2}, false, 5000), 1);
  EXPECT_EQ(least_dilation(grid_of({4, 2, 8}, true), {2, 2, 2, 2, 2, 2}, false, 5000), 1);
  EXPECT_EQ(least_dilation(grid_of({64}, true), {2, 2, 2, 2, 2, 2}, false, 5000), 1);
}

// There and back on the same line: 0 2 4 6 7 5 3 1.
TEST(Folding, OfARingOntoALineHasDilationTwo) {
  EXPECT_EQ(least_dilation(grid_of({8}, true), {8}, false, 100), 2);
}

TEST(Folding, OfAGridThatFitsHasDilationOne) {
  EXPECT_EQ(least_dilation(grid_of({5, 7}, false), {8, 8}, false, 1000), 1);
  EXPECT_EQ(least_dilation(grid_of({5, 7}, false), {7, 5}, false, 1000), 1);
  EXPECT_EQ(least_dilation(grid_of({16, 4}, false), {8, 8}, false, 1000), 2);
}

TEST(Folding, NeedsRoom) {
  each_folding(grid_of({9}, false), {8}, [](const Folding&) {
    ADD_FAILURE();
    return false;
  });
}

}  // namespace
}  // namespace rankmap::test
