// What goes between groups: never above what random and hand-made groups send.
#include "libmap/model/bounds/group_bound.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "libmap/base/random.hpp"
#include "libmap/model/bounds/distance_bound.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

double between(const CommGraph& app, const std::vector<int>& group_of) {
  double sum = 0;
  for (const Edge& edge : app.edges())
    if (group_of[static_cast<std::size_t>(edge.source)] !=
        group_of[static_cast<std::size_t>(edge.destination)])
      sum += static_cast<double>(edge.bytes);
  return sum;
}

double bound_of(const CommGraph& app, std::int64_t most, std::int64_t count) {
  const GroupRow row{most, count};
  return GroupBound(app.ranks(), app.edges()).bytes_between({&row, 1});
}

// Nodes x ranks of a node, the grid, the limit that is known (each neighbour one message each way),
// and ours where it is higher. Sources: Harary and Harborth, Loomis and Whitney; for the last two
// the exact number of neighbours of 32 and 24 cells in space is 64 and 46 (not 65 and 47).
struct NodeGrid {
  std::int64_t nodes, per_node;
  const char* app;
  double known, ours;
};
constexpr NodeGrid node_grids[] = {
    {4, 6, "stencil:4x6", 20, 20},       {16, 16, "stencil:16x16", 192, 192},
    {18, 24, "stencil:24x18", 276, 276}, {24, 16, "stencil:16x24", 304, 304},
    {20, 20, "stencil:20x20", 280, 280}, {21, 18, "stencil:18x21", 300, 300},
    {8, 28, "stencil:14x16", 116, 116},  {27, 8, "stencil:6x6x6", 432, 432},
    {16, 16, "stencil:8x8x4", 384, 384}, {12, 32, "stencil:8x8x6", 424, 448},
    {10, 24, "stencil:6x8x5", 264, 284},
};

TEST(GroupBound, OfGridsOnNodesIsTheKnownOneOrBetter) {
  for (const NodeGrid& row : node_grids) {
    const double bound = bound_of(read_app(row.app), row.per_node, row.nodes);
    EXPECT_GE(bound, row.known) << row.app;
    EXPECT_DOUBLE_EQ(bound, row.ours) << row.app;
  }
}

TEST(GroupBound, OfAGridIsInItsMessages) {
  EXPECT_DOUBLE_EQ(bound_of(read_app("stencil:6x8x5,bytes=1000"), 24, 10), 284'000);
}

// Peers beyond the group: each of 8 ranks sends 7 messages, 4 of them out of its group of 4.
TEST(GroupBound, OfAllToAllIsWhatHasNoPlaceInside) {
  EXPECT_DOUBLE_EQ(bound_of(read_app("alltoall:8"), 4, 2), 32);
}

TEST(GroupBound, OfOneGroupIsNothing) {
  for (const char* app :
       {"stencil:4x4", "stencil:4x4,periodic", "stencil:3x3x3,points=27", "ring:16"})
    EXPECT_DOUBLE_EQ(bound_of(read_app(app), 64, 1), 0) << app;
}

constexpr const char* apps[] = {"stencil:6x6",
                                "stencil:6x6,periodic",
                                "stencil:4x9,periodic=x,points=9",
                                "stencil:4x3x3,periodic",
                                "stencil:3x3x4,points=27",
                                "stencil:2x18,periodic",
                                "ring:36",
                                "stencil:36,periodic",
                                "stencil:2x2x9",
                                "stencil:6x6+stencil:6x6,points=9,bytes=7",
                                "stencil:6x6/ring:36,bytes=3",
                                "random:36,degree=3",
                                "clique:36",
                                "hypercube:2x2x2x2x2"};

// Blocks of the row-major order, boxes and random groups of uneven sizes, improved by exchanges.
TEST(GroupBound, IsNeverAboveWhatGroupsSend) {
  Random random(5);
  for (const char* text : apps) {
    const CommGraph app = read_app(text);
    const auto ranks = static_cast<std::size_t>(app.ranks());
    const GroupBound bound(app.ranks(), app.edges());
    for (int round = 0; round < 60; ++round) {
      std::vector<int> room = {0};
      const int spare = round % 3;  // groups may have more room than there are ranks
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (random.below(4) == 0) room.push_back(0);
        ++room.back();
      }
      std::vector<GroupRow> rows;
      std::vector<int> group_of;
      for (std::size_t g = 0; g < room.size(); ++g) {
        rows.push_back({room[g] + spare, 1});
        group_of.insert(group_of.end(), static_cast<std::size_t>(room[g]), static_cast<int>(g));
      }
      if (round % 2 == 1) random.shuffle(group_of);
      double value = between(app, group_of);
      for (int swap = 0; swap < 300; ++swap) {
        const std::size_t a = random.below(ranks), b = random.below(ranks);
        std::swap(group_of[a], group_of[b]);
        const double next = between(app, group_of);
        if (next > value) std::swap(group_of[a], group_of[b]);
        value = std::min(value, next);
      }
      ASSERT_LE(bound.bytes_between(rows), value + 1e-9) << text << ", round " << round;
    }
  }
}

TEST(FindGrid, FindsSidesAndWraps) {
  struct Row {
    const char* app;
    std::vector<int> extents;
    std::vector<bool> wraps;
  };
  const Row rows[] = {{"stencil:5x7", {5, 7}, {false, false}},
                      {"stencil:5x7,periodic", {5, 7}, {true, true}},
                      {"stencil:4x5x6,periodic=y", {4, 5, 6}, {false, true, false}},
                      {"stencil:4x5x6,points=27", {4, 5, 6}, {false, false, false}},
                      {"ring:9", {9}, {true}},
                      {"stencil:2x3x2x3,periodic", {2, 3, 2, 3}, {false, true, false, true}}};
  for (const Row& row : rows) {
    const CommGraph app = read_app(row.app);
    const std::optional<GridApp> grid = find_grid(app.ranks(), pair_bytes(app.edges()));
    ASSERT_TRUE(grid.has_value()) << row.app;
    std::vector<int> extents;
    std::vector<bool> wraps;
    for (const GridSide& side : grid->sides) {
      extents.push_back(side.extent);
      wraps.push_back(side.wraps);
      EXPECT_GT(side.least, 0) << row.app;
    }
    EXPECT_EQ(extents, row.extents) << row.app;
    EXPECT_EQ(wraps, row.wraps) << row.app;
  }
}

TEST(FindGrid, FindsNoneWhereNeighboursSeldomTalk) {
  const CommGraph app = read_app("star:30");
  EXPECT_FALSE(find_grid(app.ranks(), pair_bytes(app.edges())).has_value());
}

}  // namespace
}  // namespace rankmap::test
