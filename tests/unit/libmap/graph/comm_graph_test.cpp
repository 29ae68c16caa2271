// GraphBuilder merges, orders and refuses; CommGraph gives what was put in.
#include "libmap/graph/comm_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"

namespace rankmap {
namespace {

Edge edge(Rank from, Rank to, Bytes bytes) {
  return {from, to, bytes, 1, 1, 0, none};
}

TEST(GraphBuilder, EqualEdgesBecomeOneWithTheSumAndTheLargerWeight) {
  GraphBuilder builder(2);
  builder.add({0, 1, 10, 2, 3, 0, none});
  builder.add({0, 1, 5, 1, 2, 0, none});
  const CommGraph graph = std::move(builder).build("two");
  ASSERT_EQ(graph.edges().size(), 1U);
  EXPECT_EQ(graph.edges()[0].bytes, 15U);
  EXPECT_EQ(graph.edges()[0].messages, 3U);
  EXPECT_EQ(graph.edges()[0].weight, 3U);
  EXPECT_EQ(graph.name, "two");
}

TEST(GraphBuilder, EdgesOfOtherPhasesAndGroupsStayApart) {
  GraphBuilder builder(2);
  const std::int32_t phase = builder.add_phase();
  const std::int32_t group = builder.add_group({"both", {0, 1}, 0});
  builder.add({0, 1, 1, 1, 1, phase, none});
  builder.add({0, 1, 1, 1, 1, 0, group});
  builder.add({0, 1, 1, 1, 1, 0, none});
  const CommGraph graph = std::move(builder).build("");
  EXPECT_EQ(graph.edges().size(), 3U);
  EXPECT_EQ(graph.edges_of_phase(0).size(), 2U);
  EXPECT_EQ(graph.edges_of_phase(1).size(), 1U);
  EXPECT_EQ(graph.total_bytes(), 3U);
}

TEST(GraphBuilder, EdgesComeOrderedWhateverTheOrderOfAdding) {
  GraphBuilder builder(3);
  builder.add(edge(2, 0, 1));
  builder.add(edge(0, 2, 2));
  builder.add(edge(0, 1, 3));
  const CommGraph graph = std::move(builder).build("");
  ASSERT_EQ(graph.edges().size(), 3U);
  EXPECT_EQ(graph.edges()[0].bytes, 3U);
  EXPECT_EQ(graph.edges()[1].bytes, 2U);
  EXPECT_EQ(graph.edges()[2].bytes, 1U);
}

TEST(GraphBuilder, APairStandsOnceWithTheLargestWeightOfBothDirections) {
  GraphBuilder builder(3);
  builder.add({1, 0, 1, 1, 2, 0, none});
  builder.add({0, 1, 1, 1, 5, 0, none});
  builder.add({2, 1, 1, 1, 1, 0, none});
  const CommGraph graph = std::move(builder).build("");
  ASSERT_EQ(graph.pairs().size(), 2U);
  EXPECT_EQ(graph.pairs()[0].low, 0);
  EXPECT_EQ(graph.pairs()[0].high, 1);
  EXPECT_EQ(graph.pairs()[0].weight, 5U);
  EXPECT_EQ(graph.pairs()[1].low, 1);
  EXPECT_EQ(graph.pairs()[1].high, 2);
}

TEST(GraphBuilder, DropsWhatARankSendsToItself) {
  GraphBuilder builder(1);
  builder.add(edge(0, 0, 7));
  const CommGraph graph = std::move(builder).build("");
  EXPECT_TRUE(graph.edges().empty());
  EXPECT_EQ(graph.total_bytes(), 0U);
}

TEST(GraphBuilder, KeepsPhasesWithoutEdges) {
  GraphBuilder builder(2);
  builder.add_phase();
  builder.add_phase();
  builder.add({0, 1, 1, 1, 1, 1, none});
  const CommGraph graph = std::move(builder).build("");
  EXPECT_EQ(graph.phases(), 3);
  EXPECT_EQ(graph.edges_of_phase(0).size(), 0U);
  EXPECT_EQ(graph.edges_of_phase(1).size(), 1U);
  EXPECT_EQ(graph.edges_of_phase(2).size(), 0U);
}

TEST(GraphBuilder, RefusesImpossibleNumbersOfRanks) {
  EXPECT_THROW(GraphBuilder(0), UsageError);
  EXPECT_THROW(GraphBuilder(-1), UsageError);
  EXPECT_THROW(GraphBuilder(GraphBuilder::most_ranks + 1), UsageError);
  EXPECT_NO_THROW(GraphBuilder(GraphBuilder::most_ranks));
}

TEST(GraphBuilder, RefusesPhasesBeyondTheLimit) {
  GraphBuilder builder(1);
  for (std::int32_t phase = 1; phase < GraphBuilder::most_phases; ++phase) builder.add_phase();
  EXPECT_THROW(builder.add_phase(), UsageError);
}

TEST(GraphBuilder, RefusesWhatIsNotThere) {
  GraphBuilder builder(2);
  EXPECT_THROW(builder.add(edge(0, 2, 1)), Bug);
  EXPECT_THROW(builder.add(edge(-1, 0, 1)), Bug);
  EXPECT_THROW(builder.add({0, 1, 1, 1, 1, 1, none}), Bug);
  EXPECT_THROW(builder.add({0, 1, 1, 1, 1, 0, 0}), Bug);
  EXPECT_THROW(builder.add_group({"", {}, 0}), Bug);
  EXPECT_THROW(builder.add_group({"", {2}, 0}), Bug);
  EXPECT_THROW(builder.add_group({"", {0}, 1}), Bug);
}

TEST(GraphBuilder, KeepsTheWorkOfRanks) {
  GraphBuilder builder(2);
  builder.set_work({3, 0});
  const CommGraph graph = std::move(builder).build("");
  ASSERT_EQ(graph.work().size(), 2U);
  EXPECT_EQ(graph.work()[0], 3U);
  EXPECT_THROW(GraphBuilder(2).set_work({1}), Bug);
}

TEST(GraphBuilder, KeepsFewerRanksIfNoneInUseIsLeftOut) {
  GraphBuilder builder(9);
  builder.add(edge(0, 2, 1));
  EXPECT_THROW(builder.keep_ranks(2), Bug);
  EXPECT_THROW(builder.keep_ranks(10), Bug);
  builder.keep_ranks(3);
  EXPECT_EQ(std::move(builder).build("").ranks(), 3);
  GraphBuilder grouped(9);
  grouped.add_group({"", {0, 5}, 0});
  EXPECT_THROW(grouped.keep_ranks(5), Bug);
}

// The oracle: one sort by all of the key. Sizes on both sides of "few edges beside the ranks".
TEST(GraphBuilder, ManyEdgesComeInTheOrderOfASort) {
  Random random(7);
  for (const Rank ranks : {3, 50, 4000})
    for (const std::int32_t phases : {1, 2, 5, 3000}) {
      GraphBuilder builder(ranks);
      for (std::int32_t phase = 1; phase < phases; ++phase) builder.add_phase();
      for (std::int32_t group = 0; group < 2; ++group) builder.add_group({"", {0, 1}, 0});
      std::map<std::array<std::int32_t, 4>, Bytes> expected;
      for (Bytes i = 1; i <= 2000; ++i) {
        const auto below = [&](std::int32_t bound) {
          return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(bound)));
        };
        const Edge made{below(ranks), below(ranks), i, 1, 1, below(phases), below(3) - 1};
        builder.add(made);
        if (made.source != made.destination)
          expected[{made.phase, made.source, made.destination, made.group}] += i;
      }
      const CommGraph graph = std::move(builder).build("");
      ASSERT_EQ(graph.edges().size(), expected.size());
      auto next = expected.begin();
      for (const Edge& found : graph.edges()) {
        EXPECT_EQ(next->first, (std::array<std::int32_t, 4>{found.phase, found.source,
                                                            found.destination, found.group}));
        EXPECT_EQ(next++->second, found.bytes);
      }
      const auto out_of_order = std::adjacent_find(
          graph.pairs().begin(), graph.pairs().end(), [](const Pair& a, const Pair& b) {
            return std::pair(a.low, a.high) >= std::pair(b.low, b.high);
          });
      EXPECT_EQ(out_of_order, graph.pairs().end());
    }
}

TEST(GraphBuilder, RefusesSumsBeyond63Bits) {
  constexpr Bytes half = Bytes{1} << 62;
  const auto build = [](Edge first, Edge second) {
    GraphBuilder builder(3);
    builder.add(first);
    builder.add(second);
    return std::move(builder).build("app");
  };
  EXPECT_EQ(message_of([&] { build(edge(0, 1, half), edge(0, 1, half)); }),
            "app: the bytes of an edge add up to more than 63 bits hold");
  EXPECT_EQ(message_of([&] { build(edge(0, 1, half), edge(1, 2, half)); }),
            "app: the bytes of the app add up to more than 63 bits hold");
  EXPECT_EQ(message_of([&] {
              build({0, 1, 1, half, 1, 0, none}, {1, 2, 1, half, 1, 0, none});
            }),
            "app: the messages of the app add up to more than 63 bits hold");
  EXPECT_EQ(build(edge(0, 1, half), edge(1, 2, half - 1)).total_bytes(), 2 * half - 1);
  EXPECT_THROW(build(edge(0, 1, half * 3), edge(0, 1, 1)), InputError);
}

}  // namespace
}  // namespace rankmap
