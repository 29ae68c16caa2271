// The parts of multilevel mapping, each against a plain count of what it should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "libmap/base/error.hpp"
#include "libmap/place/multilevel/grouping.hpp"
#include "libmap/place/multilevel/metis.hpp"
#include "libmap/place/multilevel/tree_mapping.hpp"
#include "libmap/place/multilevel/vcycle.hpp"
#include "tests/unit/libmap/place/multilevel/random_graphs.hpp"

namespace rankmap::test {
namespace {

std::vector<Block> random_blocks(const WeightedGraph& graph, std::uint64_t blocks, Random& random) {
  std::vector<Block> block;
  for (Vertex v = 0; v < graph.vertices(); ++v)
    block.push_back(static_cast<Block>(random.below(blocks)));
  return block;
}

TEST(WeightedGraphs, AddUpDirectionsPhasesAndGroups) {
  GraphBuilder builder(3);
  builder.add_phase();
  builder.add({0, 1, 5, 1, 1, 0, none});
  builder.add({1, 0, 7, 1, 1, 1, none});
  builder.add({1, 2, 0, 4, 1, 0, none});
  const WeightedGraph graph = weighted_graph(std::move(builder).build("three"));
  EXPECT_EQ(graph.begin, (std::vector<std::int64_t>{0, 1, 2, 2}));
  EXPECT_EQ(graph.edge_weight, (std::vector<Weight>{12, 12}));
  EXPECT_EQ(graph.total_edge_weight(), 12);
}

TEST(WeightedGraphs, RefuseBytesBeyond62Bits) {
  GraphBuilder builder(3);
  builder.add({0, 1, Bytes{1} << 61, 1, 1, 0, none});
  builder.add({1, 2, (Bytes{1} << 61) + 1, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("heavy");
  EXPECT_THROW(weighted_graph(app), InputError);
}

TEST(Coarsening, KeepsWeightsAndNeverMixesLabels) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const WeightedGraph graph = random_graph(200, 300, 5, random);
    std::vector<std::int64_t> labels;
    for (Vertex v = 0; v < graph.vertices(); ++v)
      labels.push_back(static_cast<std::int64_t>(random.below(3)));
    const CoarseLevel level = coarsen(graph, labels, 12, random);
    EXPECT_LT(level.graph.vertices(), graph.vertices());
    EXPECT_EQ(level.graph.total_vertex_weight(), graph.total_vertex_weight());
    for (const Weight weight : level.graph.vertex_weight) EXPECT_LE(weight, 12);
    const std::vector<std::int64_t> coarse = coarse_labels(level, labels);
    Weight kept = 0;
    for (Vertex v = 0; v < graph.vertices(); ++v) {
      const std::size_t at = static_cast<std::size_t>(v);
      EXPECT_EQ(coarse[static_cast<std::size_t>(level.coarse_of[at])], labels[at]);
      for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc)
        if (level.coarse_of[at] != level.coarse_of[static_cast<std::size_t>(graph.neighbour[arc])])
          kept += graph.edge_weight[arc];
    }
    EXPECT_EQ(level.graph.total_edge_weight(), kept / 2);
  }
}

TEST(Coarsening, PairsTheLeavesOfAStar) {
  GraphBuilder builder(101);
  for (Rank leaf = 1; leaf <= 100; ++leaf) builder.add({0, leaf, 1, 1, 1, 0, none});
  const WeightedGraph star = weighted_graph(std::move(builder).build("star"));
  Random random(7);
  EXPECT_LE(coarsen(star, {}, 10, random).graph.vertices(), 52);
}

TEST(Costs, OfATreeAreTheSameByGroups) {
  Random random(2);
  const TreeDistance distance({4, 8, 6}, {1, 10, 100});
  for (int i = 0; i < 50; ++i) {
    BlockShares shares(static_cast<std::size_t>(distance.blocks()));
    for (int j = 0; j < 40; ++j)
      shares.add(static_cast<Block>(random.below(192)), static_cast<Weight>(random.below(50)) + 1);
    BlockCosts<TreeDistance> costs(distance);
    costs.prepare(shares);
    for (const Block at : shares.touched) {
      Weight plain = 0;
      for (const Block other : shares.touched) plain += shares.of(other) * distance(at, other);
      EXPECT_EQ(costs.of(at), plain);
    }
    costs.done();
  }
}

TEST(Distances, OfATreeDoNotNeedTheirTable) {
  const TreeDistance small({4, 8}, {1, 10}), large({4, 8, 100}, {1, 10, 100});
  for (Block a = 0; a < 32; ++a)
    for (Block b = 0; b < 32; ++b) EXPECT_EQ(small(a, b), large(a, b));
  EXPECT_EQ(large(0, 3199), 100);
}

// By codes of 32 bits, and beyond them by division.
TEST(Distances, OfATreeAreThoseOfTheInnermostCommonGroup) {
  const std::vector<int> uneven{3, 1, 7, 10, 33}, deep(18, 3);
  Random random(5);
  for (const std::vector<int>& arity : {uneven, deep}) {
    std::vector<Weight> far;
    for (std::size_t level = 0; level < arity.size(); ++level)
      far.push_back(static_cast<Weight>(level * level + 1));
    const TreeDistance distance(arity, far);
    for (int i = 0; i < 3000; ++i) {
      const auto a =
          static_cast<Block>(random.below(static_cast<std::uint64_t>(distance.blocks())));
      const auto near = static_cast<std::uint64_t>(distance.group_size(random.below(arity.size())));
      const auto first = a - a % static_cast<Block>(near);
      const Block b = first + static_cast<Block>(random.below(near));
      Weight expected = 0;
      Block group_a = a, group_b = b;
      for (std::size_t level = 0; group_a != group_b; ++level) {
        expected = far[level];
        group_a /= arity[level];
        group_b /= arity[level];
      }
      ASSERT_EQ(distance(a, b), expected) << a << " and " << b;
    }
  }
}

template <class Distance>
void check_refiner(const Distance& distance, std::size_t blocks) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const WeightedGraph graph = random_graph(120, 200, 4, random);
    std::vector<Block> block = random_blocks(graph, blocks, random);
    const std::vector<Weight> before = loads(graph, block, blocks);
    const std::vector<Weight> capacity(blocks, *std::max_element(before.begin(), before.end()) + 3);
    const Weight value = weighted_distance(graph, block, distance);
    Refiner<Distance> refiner(distance, capacity);
    const Weight gained = refiner.refine(graph, block, {3, 0.1, 1}, random);
    EXPECT_GT(gained, 0);
    EXPECT_EQ(weighted_distance(graph, block, distance), value - gained);
    for (const Weight load : loads(graph, block, blocks)) EXPECT_LE(load, capacity[0]);
  }
}

TEST(Refinement, GainsWhatItSaysWithinTheCapacities) {
  check_refiner(CutDistance(), 6);
  check_refiner(TreeDistance({2, 3, 2}, {1, 7, 31}), 12);
}

TEST(Refinement, RepairsWhatIsTooFull) {
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    const WeightedGraph graph = random_graph(100, 100, 1, random);
    std::vector<Block> block(100, static_cast<Block>(random.below(5)));
    const std::vector<Weight> capacity{10, 20, 30, 25, 15};
    const CutDistance distance;
    Refiner<CutDistance> refiner(distance, capacity);
    EXPECT_TRUE(refiner.repair(graph, block));
    const std::vector<Weight> load = loads(graph, block, 5);
    for (std::size_t b = 0; b < 5; ++b) EXPECT_LE(load[b], capacity[b]);
  }
}

TEST(Swaps, GainWhatTheySayAndKeepTheLoads) {
  Random random(5);
  const TreeDistance distance({2, 3, 2}, {1, 7, 31});
  for (int i = 0; i < 40; ++i) {
    const WeightedGraph graph = random_graph(60, 80, 2, random);
    std::vector<Block> block = random_blocks(graph, 12, random);
    const std::vector<Weight> before = loads(graph, block, 12);
    const Weight value = weighted_distance(graph, block, distance);
    const Weight gained =
        Swapper<TreeDistance>(graph, block, distance).run({4, 50, 10, false}, random);
    EXPECT_GT(gained, 0);
    EXPECT_EQ(weighted_distance(graph, block, distance), value - gained);
    EXPECT_EQ(loads(graph, block, 12), before);
  }
}

TEST(Metis, TakesWeightsBeyond32Bits) {
  WeightedGraph graph = grid_graph({12, 12});
  for (Weight& weight : graph.edge_weight) weight = Weight{1} << 52;
  for (Weight& weight : graph.vertex_weight) weight = Weight{1} << 50;
  for (const MetisMethod method : {MetisMethod::recursive, MetisMethod::kway}) {
    const std::vector<Block> part = metis_partition(graph, 4, {}, 0.03, 1, method);
    EXPECT_LE(cut_of(graph, part), 40 * (Weight{1} << 52));
    for (const Weight load : loads(graph, part, 4)) EXPECT_LE(load, 40 * (Weight{1} << 50));
  }
}

TEST(Metis, GivesFewVerticesAPartEach) {
  EXPECT_EQ(metis_partition(grid_graph({3}), 8, {}, 0.03, 1, MetisMethod::kway),
            (std::vector<Block>{0, 1, 2}));
}

TEST(CutPartition, FillsUnequalPartsExactly) {
  const WeightedGraph graph = grid_graph({16, 16});
  const std::vector<Weight> capacity{128, 64, 64};
  const std::vector<Block> part =
      cut_partition(graph, capacity, std::vector<double>{128, 64, 64}, {}, 1);
  EXPECT_EQ(loads(graph, part, 3), capacity);
  EXPECT_LE(cut_of(graph, part), 30);  // 16 + 8 is the least
}

TEST(Grouping, OfAGridIsRegular) {
  const WeightedGraph graph = grid_graph({64, 64});
  const std::vector<int> arity{128, 8, 4};
  std::vector<Block> block = group_inside_out(graph, arity);
  EXPECT_EQ(weighted_distance(graph, block, TreeDistance({4, 8, 128}, {1, 10, 100})), 170496);
  std::sort(block.begin(), block.end());
  for (std::size_t i = 0; i < block.size(); ++i) EXPECT_EQ(block[i], static_cast<Block>(i));
}

TEST(Grouping, OfRandomGraphsIsAPermutation) {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    std::vector<Block> block =
        group_inside_out(random_graph(90, 60, 1, random), std::vector<int>{3, 6, 5});
    std::sort(block.begin(), block.end());
    for (std::size_t v = 0; v < block.size(); ++v) EXPECT_EQ(block[v], static_cast<Block>(v));
  }
}

}  // namespace
}  // namespace rankmap::test
