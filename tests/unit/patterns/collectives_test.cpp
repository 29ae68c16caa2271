// Collectives: the traffic of each algorithm by formula, conservation of data, and communicators.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

using Arcs = std::vector<Arc>;

Bytes total(const std::string& text) {
  return read_app(text).total_bytes();
}

std::string with(const std::string& kind, int n, const std::string& algorithm, Bytes bytes) {
  return kind + ":" + std::to_string(n) + ",algorithm=" + algorithm +
         ",bytes=" + std::to_string(bytes);
}

TEST(Alltoall, SendsItsBytesToEveryOtherRank) {
  const CommGraph graph = read_app("alltoall:5,bytes=3");
  EXPECT_EQ(graph.edges().size(), 20U);
  for (const Edge& edge : graph.edges()) EXPECT_EQ(edge.bytes, 3U);
  ASSERT_EQ(graph.groups().size(), 1U);
  EXPECT_EQ(graph.groups()[0].ranks, (std::vector<Rank>{0, 1, 2, 3, 4}));
}

TEST(Alltoall, OnARingPassesBlocksOn) {
  // n(n-1)/2 blocks over each of n links.
  EXPECT_EQ(total("alltoall:5,bytes=3,algorithm=ring"), 5U * 10U * 3U);
  EXPECT_EQ(edge_count("alltoall:5,algorithm=ring"), 5U);
}

TEST(Collectives, HaveTheirDefaultAlgorithm) {
  EXPECT_EQ(bytes_by_arc(read_app("alltoall:6")),
            bytes_by_arc(read_app("alltoall:6,algorithm=direct")));
  EXPECT_EQ(bytes_by_arc(read_app("allgather:6")),
            bytes_by_arc(read_app("allgather:6,algorithm=ring")));
  EXPECT_EQ(bytes_by_arc(read_app("allreduce:6")),
            bytes_by_arc(read_app("allreduce:6,algorithm=ring")));
  EXPECT_EQ(bytes_by_arc(read_app("bcast:6")),
            bytes_by_arc(read_app("bcast:6,algorithm=binomial")));
  EXPECT_EQ(bytes_by_arc(read_app("reduce:6")),
            bytes_by_arc(read_app("reduce:6,algorithm=binomial")));
}

TEST(Allgather, EveryRankReceivesAllOtherBuffers) {
  for (const char* algorithm : {"ring", "direct", "recursive-doubling"}) {
    const CommGraph graph = read_app(with("allgather", 8, algorithm, 5));
    std::vector<Bytes> received(8, 0);
    for (const Edge& edge : graph.edges())
      received[static_cast<std::size_t>(edge.destination)] += edge.bytes;
    for (const Bytes bytes : received) EXPECT_EQ(bytes, 7U * 5U) << algorithm;
  }
  EXPECT_EQ(arcs("allgather:8,algorithm=recursive-doubling"), arcs("hypercube:8"));
}

TEST(Allreduce, OnARingSendsTwiceAllBlocksButOne) {
  // 10 bytes in 4 blocks: 3, 3, 2, 2. Rank r sends 20 - |block r+1| - |block r+2| to r+1.
  const std::map<Arc, Bytes> expected = {{{0, 1}, 15}, {{1, 2}, 16}, {{2, 3}, 15}, {{3, 0}, 14}};
  const CommGraph graph = read_app("allreduce:4,bytes=10");
  EXPECT_EQ(bytes_by_arc(graph), expected);
  for (const Edge& edge : graph.edges()) EXPECT_EQ(edge.messages, 6U);
}

TEST(Allreduce, OnARingOfEvenBlocksIsTwoTimesNMinusOneBlocks) {
  // Each rank: 2(n-1) messages of bytes/n.
  const CommGraph graph = read_app("allreduce:8,bytes=8MiB");
  for (const Edge& edge : graph.edges())
    EXPECT_EQ(edge.bytes, 2U * 7U * (1U << 20));
}

TEST(Allreduce, TotalsAreExactWhateverTheRounding) {
  for (int n = 2; n <= 17; ++n) {
    const auto ranks = static_cast<Bytes>(n);
    for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{7}, Bytes{1000}}) {
      EXPECT_EQ(total(with("allreduce", n, "ring", bytes)), 2 * (ranks - 1) * bytes);
      EXPECT_EQ(total(with("allreduce", n, "direct", bytes)), ranks * (ranks - 1) * bytes);
      EXPECT_EQ(total(with("allreduce", n, "tree", bytes)), 2 * (ranks - 1) * bytes);
      EXPECT_EQ(total(with("allreduce", n, "binomial", bytes)), 2 * (ranks - 1) * bytes);
      Bytes p = 1;
      Bytes steps = 0;
      for (; 2 * p <= ranks; p *= 2) ++steps;
      const Bytes folding = 2 * (ranks - p) * bytes;
      EXPECT_EQ(total(with("allreduce", n, "recursive-doubling", bytes)),
                p * steps * bytes + folding);
      EXPECT_EQ(total(with("allreduce", n, "rabenseifner", bytes)), 2 * (p - 1) * bytes + folding);
    }
  }
}

TEST(Allreduce, RabenseifnerHalvesAndDoubles) {
  // 8 bytes, 4 ranks: partners at distance 1 carry 4+4, at distance 2 carry 2+2.
  const std::map<Arc, Bytes> expected = {{{0, 1}, 8}, {{0, 2}, 4}, {{1, 0}, 8}, {{1, 3}, 4},
                                         {{2, 0}, 4}, {{2, 3}, 8}, {{3, 1}, 4}, {{3, 2}, 8}};
  EXPECT_EQ(bytes_by_arc(read_app(with("allreduce", 4, "rabenseifner", 8))), expected);
}

TEST(Allreduce, FoldsRanksBeyondAPowerOfTwo) {
  // 3 ranks: 0 hands its buffer to 1 and gets it back; 1 and 2 exchange.
  EXPECT_EQ(arcs("allreduce:3,algorithm=recursive-doubling"),
            (Arcs{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
}

TEST(Bcast, RunsDownItsTree) {
  EXPECT_EQ(arcs("bcast:8"), (Arcs{{0, 1}, {0, 2}, {0, 4}, {2, 3}, {4, 5}, {4, 6}, {6, 7}}));
  EXPECT_EQ(arcs("bcast:4,algorithm=direct"), (Arcs{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(arcs("bcast:4,algorithm=ring"), (Arcs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(arcs("bcast:5,algorithm=tree"), (Arcs{{0, 1}, {0, 2}, {1, 3}, {1, 4}}));
  EXPECT_EQ(total("bcast:13,bytes=9"), 12U * 9U);
}

TEST(Reduce, IsABcastTurnedRound) {
  for (const char* algorithm : {"binomial", "direct", "ring", "tree"}) {
    std::map<Arc, Bytes> turned;
    for (const auto& [arc, bytes] : bytes_by_arc(read_app(with("bcast", 11, algorithm, 3))))
      turned[{arc.second, arc.first}] = bytes;
    EXPECT_EQ(bytes_by_arc(read_app(with("reduce", 11, algorithm, 3))), turned) << algorithm;
  }
}

TEST(Collectives, OfOneRankAreSilent) {
  for (const char* kind : {"alltoall", "allgather", "allreduce", "bcast", "reduce"}) {
    const CommGraph graph = read_app(std::string(kind) + ":1");
    EXPECT_TRUE(graph.edges().empty()) << kind;
    EXPECT_TRUE(graph.groups().empty()) << kind;
  }
}

TEST(Collectives, CountTheirCalls) {
  const CommGraph graph = read_app("allreduce:4,bytes=8,messages=5");
  for (const Edge& edge : graph.edges()) {
    EXPECT_EQ(edge.messages, 5U * 6U);
    EXPECT_EQ(edge.bytes, 5U * 12U);
  }
}

TEST(Vary, MakesACommunicatorOfRanksThatDifferOnlyThere) {
  // 9x3x8, rank = 24x + 8y + z; z stays: 8 communicators of 27.
  const CommGraph graph = read_app("alltoall:9x3x8,vary=xy");
  ASSERT_EQ(graph.groups().size(), 8U);
  EXPECT_EQ(graph.edges().size(), 8U * 27U * 26U);
  for (std::size_t z = 0; z < 8; ++z) {
    const Group& group = graph.groups()[z];
    EXPECT_EQ(group.name, "alltoall z=" + std::to_string(z));
    ASSERT_EQ(group.ranks.size(), 27U);
    for (std::size_t i = 0; i < 27; ++i)
      EXPECT_EQ(group.ranks[i], static_cast<Rank>(8 * i + z));  // ascending
  }
}

TEST(Vary, EdgesStayInsideTheirGroup) {
  const CommGraph graph = read_app("allreduce:4x3x2,vary=xz");
  EXPECT_EQ(graph.groups().size(), 3U);
  for (const Edge& edge : graph.edges()) {
    const std::vector<Rank>& ranks = graph.groups()[static_cast<std::size_t>(edge.group)].ranks;
    const std::set<Rank> members(ranks.begin(), ranks.end());
    EXPECT_TRUE(members.contains(edge.source) && members.contains(edge.destination));
  }
}

TEST(Vary, AlongOneDimensionOrAll) {
  // Rings along y of a 2x3 grid: 0 1 2 and 3 4 5.
  EXPECT_EQ(arcs("allgather:2x3,vary=1"), (Arcs{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  EXPECT_EQ(arcs("allgather:2x3,vary=xy"), arcs("allgather:6"));
  EXPECT_EQ(edge_count("allgather:1x3,vary=x"), 0U);
}

TEST(Algorithms, AllThatAreNamedAreThereAndCountTheirEdges) {
  for (const PatternRow& row : pattern_rows()) {
    for (const std::string_view algorithm : row.algorithms) {
      for (const std::string size : {":2", ":4", ":8", ":2x4,vary=y", ":4x2,vary=y"}) {
        const std::string text =
            std::string(row.name) + size + ",algorithm=" + std::string(algorithm);
        const Pattern pattern = parse_pattern(text);
        const PatternTerm& term = pattern.phases[0][0];
        // Two sends between the same ranks are one edge afterwards, so merged edges may be fewer.
        EXPECT_GE(term.kind->edges(term), generate(pattern).edges().size()) << text;
        EXPECT_LE(term.kind->edges(term), message_count(generate(pattern))) << text;
      }
    }
  }
}

}  // namespace
}  // namespace rankmap
