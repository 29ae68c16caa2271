// Orders of a grid's ranks: bricks, planes, cuts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "libmap/base/random.hpp"
#include "libmap/place/cartesian/bricks.hpp"
#include "libmap/place/cartesian/cuts.hpp"
#include "libmap/place/cartesian/hyperplanes.hpp"

namespace rankmap::test {
namespace {

Grid grid_of(const Extents& extents, const std::string& periodic = "") {
  Grid grid;
  grid.extents = extents;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    grid.periodic.push_back(extents[d] > 2 && periodic.find("xyz"[d]) != std::string::npos);
    grid.bytes.push_back(1);
  }
  return grid;
}

bool has_every_rank(std::vector<Rank> order, Rank ranks) {
  std::sort(order.begin(), order.end());
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

// Pairs side by side in different parts, when the parts take the order in turn.
int cut_between(const Grid& grid, const std::vector<Rank>& order,
                const std::vector<std::int64_t>& counts) {
  std::vector<int> part(order.size());
  std::size_t next = 0;
  for (std::size_t p = 0; p < counts.size(); ++p)
    for (std::int64_t i = 0; i < counts[p]; ++i)
      part[static_cast<std::size_t>(order[next++])] = static_cast<int>(p);
  const std::vector<Rank> strides = grid.strides();
  int cut = 0;
  for (Rank rank = 0; rank < grid.ranks(); ++rank) {
    for (std::size_t d = 0; d < strides.size(); ++d) {
      const Rank along = rank / strides[d] % grid.extents[d];
      if (along + 1 == grid.extents[d] && !grid.periodic[d]) continue;
      const Rank to = rank + ((along + 1) % grid.extents[d] - along) * strides[d];
      cut += part[static_cast<std::size_t>(rank)] != part[static_cast<std::size_t>(to)];
    }
  }
  return cut;
}

int cut_between(const Grid& grid, const std::vector<Rank>& order, std::int64_t size) {
  return cut_between(
      grid, order, std::vector<std::int64_t>(static_cast<std::size_t>(grid.ranks() / size), size));
}

TEST(BrickOrder, GoesThroughWholeBricksAsASnake) {
  EXPECT_EQ(brick_order(grid_of({2, 4}), {{2, 2}}), (std::vector<Rank>{0, 1, 5, 4, 2, 3, 7, 6}));
}

TEST(BrickOrder, TakesEveryRankOnceWhateverTheBricks) {
  Random random(1);
  const auto below = [&](std::uint64_t n) { return static_cast<Rank>(random.below(n)); };
  for (int i = 0; i < 200; ++i) {
    const Grid grid = grid_of({1 + below(7), 1 + below(7), 1 + below(7)});
    const Extents inner{1 + below(4), 1 + below(4), 1 + below(4)};
    const Extents outer{1 + below(8), 1 + below(8), 1 + below(8)};
    EXPECT_TRUE(has_every_rank(brick_order(grid, {outer, inner}), grid.ranks()));
  }
}

// 4x4 bricks of 16x16: 3 + 3 lines of 16 pairs are cut.
TEST(BrickShapes, BeginWithTheMostCompact) {
  const Grid grid = grid_of({16, 16});
  const std::vector<Brick> shapes = brick_shapes(grid, 16, 5);
  ASSERT_EQ(shapes.size(), 5U);
  EXPECT_EQ(shapes[0].text(), "4x4");
  EXPECT_EQ(shapes[0].surface, 16);
  EXPECT_EQ(cut_between(grid, brick_order(grid, {shapes[0].extents}), 16), 96);
}

TEST(BrickShapes, KnowWhatTheDimensionsCarry) {
  Grid grid = grid_of({16, 16});
  grid.bytes = {16, 1};
  EXPECT_EQ(brick_shapes(grid, 16, 1)[0].text(), "16x1");
}

TEST(BrickOfBricks, IsAMultipleThatFits) {
  const Grid grid = grid_of({16, 16, 4});
  EXPECT_EQ(brick_of_bricks(grid, {2, 2, 4}, 4), (Extents{4, 4, 4}));
  EXPECT_EQ(brick_of_bricks(grid, {16, 16, 4}, 2), std::nullopt);
}

// 6x8x5 on 10 nodes of 24: 5 = 3 + 2, then bricks of 2x4x3 and 3x4x2; 48 + 66 + 28 pairs.
TEST(HyperplaneOrder, IsTheLeastOfItsKind) {
  const Grid grid = grid_of({6, 8, 5});
  const auto order = hyperplane_order(grid, 24);
  ASSERT_TRUE(order);
  EXPECT_TRUE(has_every_rank(*order, 240));
  EXPECT_EQ(cut_between(grid, *order, 24), 142);
}

// The oracle: every plane at every step, no table.
double least_cut_plainly(const Grid& grid, const Extents& box, std::int64_t size) {
  std::int64_t volume = 1;
  for (const Rank extent : box) volume *= extent;
  if (volume <= size) return 0;
  double best = 1e300;
  for (std::size_t d = 0; d < box.size(); ++d) {
    for (Rank position = 1; position < box[d]; ++position) {
      if (volume / box[d] * position % size != 0) continue;
      Extents first = box, second = box;
      first[d] = position;
      second[d] = box[d] - position;
      const double sides = grid.periodic[d] && box[d] == grid.extents[d] ? 2 : 1;
      best = std::min(best, sides * static_cast<double>(volume / box[d]) +
                                least_cut_plainly(grid, first, size) +
                                least_cut_plainly(grid, second, size));
    }
  }
  return best;
}

TEST(HyperplaneOrder, EqualsItsOracle) {
  Random random(2);
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    const auto extent = [&] { return static_cast<Rank>(1 + random.below(4)); };
    const Grid grid = grid_of({extent(), extent(), extent()}, random.below(2) == 0 ? "xz" : "");
    const auto size = static_cast<std::int64_t>(2 + random.below(8));
    if (grid.ranks() % size != 0) continue;
    const auto order = hyperplane_order(grid, size);
    const double plainly = least_cut_plainly(grid, grid.extents, size);
    EXPECT_EQ(order.has_value(), plainly < 1e300);
    if (!order) continue;
    ++found;
    EXPECT_TRUE(has_every_rank(*order, grid.ranks()));
    EXPECT_EQ(cut_between(grid, *order, size), plainly) << grid.text() << " by " << size;
  }
  EXPECT_GT(found, 20);
}

TEST(CutOrder, HalvesAcrossTheLongestSide) {
  const Grid grid = grid_of({4, 16});
  const std::vector<int> arity{2, 2};
  const std::vector<std::int64_t> counts(4, 16);
  EXPECT_EQ(cut_between(grid, cut_order(grid, arity, counts), counts), 12);  // 3 lines of 4
}

TEST(CutOrder, KeepsAnyCounts) {
  Random random(4);
  const auto below = [&](std::uint64_t n) { return static_cast<Rank>(random.below(n)); };
  for (int i = 0; i < 100; ++i) {
    const Grid grid = grid_of({1 + below(6), 1 + below(6), 1 + below(6)}, "y");
    const std::vector<int> arity{1 + below(4), 1 + below(3)};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(arity[0] * arity[1]), 0);
    for (Rank rank = 0; rank < grid.ranks(); ++rank) ++counts[random.below(counts.size())];
    EXPECT_TRUE(has_every_rank(cut_order(grid, arity, counts), grid.ranks()));
  }
}

}  // namespace
}  // namespace rankmap::test
