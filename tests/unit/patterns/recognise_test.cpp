// What recorded graphs look like.
#include "patterns/recognise.hpp"

#include <gtest/gtest.h>

#include "libmap/base/random.hpp"
#include "patterns/pattern.hpp"

namespace rankmap {
namespace {

std::string likest(const CommGraph& graph) {
  const std::vector<Likeness> found = recognise(graph, 1);
  return found.empty() ? "" : found.front().pattern;
}

// A pattern is recognised as itself, or as a simpler text with the same pairs.
TEST(Recognise, KnowsPatternsAgain) {
  for (const char* text :
       {"ring:12", "chain:9", "star:7", "tree:15", "clique:6", "stencil:3x2", "stencil:4x4",
        "stencil:8x6,periodic", "stencil:4x6,periodic=x", "stencil:5x4x3", "stencil:4x4x4,periodic",
        "stencil:6x5,all", "hypercube:16", "alltoall:4x3,vary=x", "alltoall:3x4,vary=y",
        "alltoall:2x3x4,vary=xz", "stencil:3x3x3x3"}) {
    const CommGraph graph = read_app(text);
    const std::vector<Likeness> found = recognise(graph, 1);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_DOUBLE_EQ(found[0].fit, 1) << text << " as " << found[0].pattern;
    const CommGraph again = read_app(found[0].pattern);
    ASSERT_EQ(again.pairs().size(), graph.pairs().size()) << text;
    for (std::size_t i = 0; i < again.pairs().size(); ++i) {
      EXPECT_EQ(again.pairs()[i].low, graph.pairs()[i].low);
      EXPECT_EQ(again.pairs()[i].high, graph.pairs()[i].high);
    }
  }
}

TEST(Recognise, PrefersTheSimplerText) {
  EXPECT_EQ(likest(read_app("stencil:8,periodic")), "ring:8");
  EXPECT_EQ(likest(read_app("alltoall:5")), "clique:5");
}

// A halo with a little traffic of another kind above it.
TEST(Recognise, SeesThroughALittleNoise) {
  const CommGraph graph = read_app("stencil:6x4,bytes=64KiB+star:24,bytes=8");
  const std::vector<Likeness> found = recognise(graph, 3);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].pattern, "stencil:6x4");
  EXPECT_GT(found[0].fit, 0.99);
  EXPECT_LT(found[0].bytes_explained, 1);
}

// Open MPI's barrier sends a few bytes between ranks 0 and 4 of a 3x2 stencil: no periodic dimension.
TEST(Recognise, LeavesCollectivesAside) {
  GraphBuilder builder(6);
  const CommGraph halo = read_app("stencil:3x2,bytes=8000");
  for (const Edge& edge : halo.edges()) builder.add(edge);
  const std::int32_t world = builder.add_group({"collectives", {0, 1, 2, 3, 4, 5}, 0});
  builder.add({0, 4, 12, 3, 1, 0, world});
  EXPECT_EQ(likest(std::move(builder).build("recorded")), "stencil:3x2");
}

TEST(Recognise, FindsNothingWhereThereIsNothing) {
  EXPECT_TRUE(recognise(GraphBuilder(4).build("empty"), 3).empty());
  EXPECT_TRUE(recognise(GraphBuilder(1).build("one"), 3).empty());
}

TEST(Recognise, NeverClaimsMoreThanThereIs) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Rank ranks = 2 + static_cast<Rank>(random.below(30));
    GraphBuilder builder(ranks);
    for (std::uint64_t i = 0; i < 1 + random.below(60); ++i) {
      const auto source = static_cast<Rank>(random.below(static_cast<std::uint64_t>(ranks)));
      const auto target = static_cast<Rank>(random.below(static_cast<std::uint64_t>(ranks)));
      builder.add({source, target, static_cast<Bytes>(random.below(1000)), 1, 1, 0, none});
    }
    for (const Likeness& like : recognise(std::move(builder).build("random"), 5)) {
      EXPECT_GT(like.fit, 0);
      EXPECT_LE(like.bytes_explained, 1 + 1e-12);
      EXPECT_LE(like.pairs_used, 1 + 1e-12);
      EXPECT_EQ(read_app(like.pattern).ranks(), ranks);
    }
  }
}

}  // namespace
}  // namespace rankmap
