// Mapping onto trees: against every mapping of small cases, and against the best that is known.
#include "libmap/place/multilevel/tree_mapping.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "tests/unit/libmap/place/multilevel/random_graphs.hpp"

namespace rankmap::test {
namespace {

const std::vector<int> outermost_first{2, 2, 2};

Weight least_of_all(const WeightedGraph& graph, const TreeDistance& distance) {
  std::vector<Block> block(static_cast<std::size_t>(graph.vertices()));
  std::iota(block.begin(), block.end(), 0);
  Weight least = std::numeric_limits<Weight>::max();
  do least = std::min(least, weighted_distance(graph, block, distance));
  while (std::next_permutation(block.begin(), block.end()));
  return least;
}

TEST(TreeMapping, OfSmallGraphsIsNearlyAlwaysOptimal) {
  Random random(11);
  const TreeDistance distance({2, 2, 2}, {1, 4, 10});
  const std::vector<Weight> capacity(8, 1);
  int optimal = 0;
  constexpr int cases = 40;
  for (int i = 0; i < cases; ++i) {
    const WeightedGraph graph = random_graph(8, 8, 1, random);
    const std::vector<Block> block =
        map_to_tree(graph, distance, outermost_first, capacity, effort_of(Quality::strong), 1, 1);
    EXPECT_EQ(loads(graph, block, 8), capacity);
    const Weight value = weighted_distance(graph, block, distance),
                 least = least_of_all(graph, distance);
    EXPECT_GE(value, least);
    optimal += value == least;
  }
  EXPECT_GE(optimal, cases * 8 / 10);
}

TEST(TreeMapping, ReachesTheBestKnownOfACube) {
  const WeightedGraph graph = grid_graph({8, 8, 8});
  const TreeDistance distance({4, 8, 16}, {1, 10, 100});
  const std::vector<Block> block =
      map_to_tree(graph, distance, std::vector<int>{16, 8, 4}, std::vector<Weight>(512, 1),
                  effort_of(Quality::fast), 1, 1);
  EXPECT_EQ(loads(graph, block, 512), std::vector<Weight>(512, 1));
  EXPECT_EQ(weighted_distance(graph, block, distance), 37632);
}

TEST(TreeMapping, KeepsToUnequalCapacities) {
  Random random(12);
  const WeightedGraph graph = random_graph(400, 800, 5, random);
  const Weight total = graph.total_vertex_weight();
  std::vector<Weight> capacity;
  for (int i = 0; i < 12; ++i) capacity.push_back(i % 3 == 0 ? total / 5 : total / 15);
  const TreeDistance distance({2, 3, 2}, {1, 10, 100});
  for (const Quality quality : {Quality::fast, Quality::medium}) {
    const std::vector<Block> block =
        map_to_tree(graph, distance, std::vector<int>{2, 3, 2}, capacity, effort_of(quality), 3, 1);
    const std::vector<Weight> load = loads(graph, block, 12);
    for (std::size_t b = 0; b < 12; ++b) EXPECT_LE(load[b], capacity[b]);
  }
}

TEST(TreeMapping, IsTheSameForAnyNumberOfThreads) {
  Random random(13);
  const WeightedGraph graph = random_graph(3000, 6000, 1, random);
  const TreeDistance distance({4, 4, 4}, {1, 10, 100});
  const std::vector<Weight> capacity(64, 49);
  const auto mapped = [&](int threads) {
    return map_to_tree(graph, distance, std::vector<int>{4, 4, 4}, capacity,
                       effort_of(Quality::medium), 5, threads);
  };
  const std::vector<Block> alone = mapped(1);
  EXPECT_EQ(mapped(2), alone);
  EXPECT_EQ(mapped(7), alone);
}

}  // namespace
}  // namespace rankmap::test
