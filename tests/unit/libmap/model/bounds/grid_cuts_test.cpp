// The limits of grids against all sets of cells of small ones.
#include "libmap/model/bounds/grid_cuts.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "libmap/base/random.hpp"

namespace rankmap::test {
namespace {

struct SmallGrid {
  std::vector<int> extents;
  std::vector<bool> wraps;
  std::vector<double> bytes;  // of a pair along each side

  int cells() const {
    int product = 1;
    for (const int extent : extents) product *= extent;
    return product;
  }
  std::vector<GridSide> sides() const {
    std::vector<GridSide> result;
    for (std::size_t d = 0; d < extents.size(); ++d)
      result.push_back({extents[d], wraps[d], bytes[d], bytes[d]});
    return result;
  }
};

struct CellPair {
  int low, high;
  double bytes;
};

std::vector<CellPair> pairs_of(const SmallGrid& grid) {
  std::vector<CellPair> pairs;
  int stride = 1;
  for (std::size_t d = grid.extents.size(); d-- > 0; stride *= grid.extents[d]) {
    const int extent = grid.extents[d];
    for (int cell = 0; cell < grid.cells(); ++cell) {
      const int x = cell / stride % extent;
      if (x + 1 < extent) pairs.push_back({cell, cell + stride, grid.bytes[d]});
      if (x == 0 && grid.wraps[d] && extent > 2)
        pairs.push_back({cell, cell + stride * (extent - 1), grid.bytes[d]});
    }
  }
  return pairs;
}

// Of every number of cells: the most bytes inside a set of so many, and the fewest that leave one.
struct Extremes {
  std::vector<double> inside, leaving;
};

Extremes extremes_of(const SmallGrid& grid) {
  const auto cells = static_cast<std::size_t>(grid.cells());
  Extremes found{std::vector<double>(cells + 1, 0), std::vector<double>(cells + 1, 1e300)};
  const std::vector<CellPair> pairs = pairs_of(grid);
  for (std::uint32_t set = 0; set < 1U << cells; ++set) {
    double inside = 0, leaving = 0;
    for (const CellPair& pair : pairs) {
      const bool low = (set >> pair.low & 1) != 0, high = (set >> pair.high & 1) != 0;
      inside += low && high ? pair.bytes : 0;
      leaving += low != high ? pair.bytes : 0;
    }
    const auto size = static_cast<std::size_t>(std::popcount(set));
    found.inside[size] = std::max(found.inside[size], inside);
    found.leaving[size] = std::min(found.leaving[size], leaving);
  }
  return found;
}

const std::vector<SmallGrid> open_grids = {
    {{16}, {false}, {1}},
    {{4, 4}, {false, false}, {1, 1}},
    {{2, 8}, {false, false}, {1, 1}},
    {{3, 5}, {false, false}, {1, 1}},
    {{5, 3}, {false, false}, {1, 1}},
    {{2, 2, 4}, {false, false, false}, {1, 1, 1}},
    {{4, 2, 2}, {false, false, false}, {1, 1, 1}},
    {{2, 3, 3}, {false, false, false}, {1, 1, 1}},
    {{2, 2, 2, 2}, {false, false, false, false}, {1, 1, 1, 1}}};

TEST(GridCuts, MostNeighboursIsWhatTheBestSetHas) {
  for (const SmallGrid& grid : open_grids) {
    const Extremes best = extremes_of(grid);
    for (int cells = 0; cells <= grid.cells(); ++cells)
      EXPECT_EQ(static_cast<double>(most_neighbours(cells, grid.extents)),
                best.inside[static_cast<std::size_t>(cells)])
          << grid.extents.size() << " sides, " << cells << " cells";
  }
}

TEST(GridCuts, InThePlaneIsHararyAndHarborth) {
  const int wide[] = {1000, 1000};
  for (int p = 1; p < 2000; ++p)
    ASSERT_EQ(most_neighbours(p, wide),
              static_cast<std::int64_t>(std::floor(2.0 * p - 2 * std::sqrt(p))))
        << p;
}

// In space never above floor(3p - 3 p^(2/3)) (Loomis and Whitney), equal at cubes.
TEST(GridCuts, InSpaceIsWithinLoomisAndWhitney) {
  const int wide[] = {100, 100, 100};
  for (int p = 1; p < 2000; ++p)
    ASSERT_LE(static_cast<double>(most_neighbours(p, wide)),
              3.0 * p - 3 * std::pow(p, 2.0 / 3) + 1e-9);
  for (int side = 1; side < 20; ++side)
    EXPECT_EQ(most_neighbours(side * side * side, wide), 3 * side * side * (side - 1));
}

std::vector<SmallGrid> any_grids() {
  std::vector<SmallGrid> grids = open_grids;
  grids.push_back({{3, 6}, {true, true}, {1, 1}});
  grids.push_back({{4, 4}, {true, true}, {1, 1}});
  for (const SmallGrid& open : open_grids) {
    SmallGrid grid = open;
    for (std::size_t d = 0; d < grid.wraps.size(); ++d) grid.wraps[d] = grid.extents[d] > 2;
    grids.push_back(grid);
    for (std::size_t d = 0; d < grid.bytes.size(); ++d)
      grid.bytes[d] = 1 + 2.5 * static_cast<double>(d);
    grids.push_back(grid);
    grid.wraps[0] = false;
    grids.push_back(grid);
    grid.bytes[0] = 0;
    grids.push_back(grid);
  }
  return grids;
}

// Parts that reach around no ring are as in the open grid.
TEST(GridCuts, SmallPartsOfRingsHaveNoMoreNeighbours) {
  for (SmallGrid grid : open_grids) {
    int shortest = grid.cells() + 1;
    for (std::size_t d = 0; d < grid.wraps.size(); ++d) {
      grid.wraps[d] = grid.extents[d] > 2;
      if (grid.wraps[d]) shortest = std::min(shortest, grid.extents[d]);
    }
    const Extremes best = extremes_of(grid);
    for (int cells = 1; cells < std::min(shortest, grid.cells() + 1); ++cells)
      EXPECT_LE(best.inside[static_cast<std::size_t>(cells)],
                static_cast<double>(most_neighbours(cells, grid.extents)));
  }
}

TEST(GridCuts, TwoSetsHaveNoMoreNeighboursThanOne) {
  const std::vector<int> boxes[] = {{40}, {7, 9}, {2, 30}, {4, 4, 4}, {2, 3, 12}, {3, 3, 3, 3}};
  for (const std::vector<int>& box : boxes) {
    std::int64_t cells = 1;
    for (const int extent : box) cells *= extent;
    for (std::int64_t a = 1; a < cells; ++a)
      for (std::int64_t b = a; a + b <= cells; ++b)
        ASSERT_LE(most_neighbours(a, box) + most_neighbours(b, box), most_neighbours(a + b, box));
  }
}

TEST(GridCuts, NoSetHoldsMoreOrLosesLess) {
  for (const SmallGrid& grid : any_grids()) {
    const Extremes best = extremes_of(grid);
    const std::vector<GridSide> sides = grid.sides();
    for (int cells = 1; cells <= grid.cells(); ++cells) {
      const auto at = static_cast<std::size_t>(cells);
      EXPECT_GE(most_inside(cells, sides), best.inside[at] - 1e-9) << cells;
      EXPECT_LE(leaving_rate(sides) * cells * (grid.cells() - cells), best.leaving[at] + 1e-9)
          << cells;
    }
  }
}

// Too many sets to try all of a cube of 64: grown cell by cell and bettered by exchanges.
TEST(GridCuts, NoSetThatIsFoundInACubeLosesLess) {
  const SmallGrid grid{{4, 4, 4}, {true, true, true}, {1, 1, 1}};
  const std::vector<CellPair> pairs = pairs_of(grid);
  std::vector<std::vector<int>> near(64);
  for (const CellPair& pair : pairs) {
    near[static_cast<std::size_t>(pair.low)].push_back(pair.high);
    near[static_cast<std::size_t>(pair.high)].push_back(pair.low);
  }
  Random random(3);
  int met = 0;
  for (int cells = 2; cells <= 32; ++cells) {
    int most = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<int> in(64, 0);
      const auto near_in = [&](int cell) {
        int count = 0;
        for (const int other : near[static_cast<std::size_t>(cell)])
          count += in[static_cast<std::size_t>(other)];
        return count;
      };
      const auto best = [&](int state, int sign) {
        int found = -1;
        for (int i = 0; i < 64; ++i) {
          const int cell = (i + static_cast<int>(random.below(64))) % 64;
          if (in[static_cast<std::size_t>(cell)] == state &&
              (found < 0 || sign * near_in(cell) > sign * near_in(found)))
            found = cell;
        }
        return found;
      };
      int inside = 0, count = 0;
      for (int step = 0; step < 200; ++step) {
        if (count == cells) {
          const int out = best(1, -1);
          if (out < 0) continue;
          inside -= near_in(out);
          in[static_cast<std::size_t>(out)] = 0;
          --count;
        }
        const int add = best(0, 1);
        if (add < 0) continue;
        inside += near_in(add);
        in[static_cast<std::size_t>(add)] = 1;
        if (++count == cells) most = std::max(most, inside);
      }
    }
    const double limit = most_inside(cells, grid.sides());
    EXPECT_LE(most, limit + 1e-9) << cells;
    met += most >= std::floor(limit + 1e-9) ? 1 : 0;
  }
  EXPECT_GE(met, 3);  // a line of 4, planes of 16 and 32 at least
}

TEST(GridCuts, MostInsideGrowsWithTheSetPerCell) {
  for (const SmallGrid& grid : any_grids())
    for (int cells = 1; cells < grid.cells(); ++cells)
      EXPECT_LE(most_inside(cells, grid.sides()) / cells,
                most_inside(cells + 1, grid.sides()) / (cells + 1) + 1e-9);
}

// A half of the torus 4 x 4 x 4 has 32 pairs with the other half at least: two faces of 16.
TEST(GridCuts, HalvesOfATorusMeetInTwoFaces) {
  const GridSide sides[] = {{4, true, 1, 1}, {4, true, 1, 1}, {4, true, 1, 1}};
  EXPECT_DOUBLE_EQ(leaving_rate(sides) * 32 * 32, 32);
}

}  // namespace
}  // namespace rankmap::test
