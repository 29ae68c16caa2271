// Kinds whose edges are plain messages: ring, shift, chain, star, tree, clique, hypercube, butterfly,
// nccl.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

using Arcs = std::vector<Arc>;

TEST(Ring, SendsToTheNextRankAndCloses) {
  EXPECT_EQ(arcs("ring:4"), (Arcs{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
}

TEST(Ring, OfTwoIsOnePairWithAnEdgeEachWay) {
  EXPECT_EQ(arcs("ring:2"), (Arcs{{0, 1}, {1, 0}}));
  EXPECT_EQ(pairs("ring:2"), (Arcs{{0, 1}}));
}

TEST(Ring, OfOneIsSilent) {
  EXPECT_EQ(edge_count("ring:1"), 0U);
}

TEST(Ring, OfAGridRunsThroughAllItsRanks) {
  EXPECT_EQ(arcs("ring:2x3"), arcs("ring:6"));
}

TEST(Shift, IsOneWayAndNotPeriodic) {
  // 3x2, row-major: rank = 2 * x + y; x -> x+1 is rank -> rank+2.
  EXPECT_EQ(arcs("shift:3x2"), (Arcs{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
  EXPECT_EQ(arcs("shift:3x2,dim=y"), (Arcs{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(arcs("shift:3x2,dim=1"), arcs("shift:3x2,dim=y"));
  EXPECT_EQ(arcs("shift:3x2,dim=x,by=-2"), (Arcs{{4, 0}, {5, 1}}));
  EXPECT_EQ(edge_count("shift:3x2,by=3"), 0U);
}

TEST(Shift, WrapsWherePeriodic) {
  EXPECT_EQ(arcs("shift:3,periodic"), arcs("ring:3"));
  EXPECT_EQ(arcs("shift:3,by=-1,periodic"), (Arcs{{0, 2}, {1, 0}, {2, 1}}));
  EXPECT_EQ(arcs("shift:3,by=4,periodic=x"), arcs("ring:3"));
  EXPECT_EQ(edge_count("shift:3,by=3,periodic"), 0U);
  EXPECT_EQ(arcs("shift:2x3,dim=x,periodic=y"), arcs("shift:2x3,dim=x"));
}

TEST(Chain, JoinsNeighboursEachWay) {
  EXPECT_EQ(arcs("chain:3"), (Arcs{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(edge_count("chain:1"), 0U);
}

TEST(Star, JoinsRankZeroWithAllOthers) {
  EXPECT_EQ(pairs("star:4"), (Arcs{{0, 1}, {0, 2}, {0, 3}}));
}

TEST(Tree, JoinsEveryRankWithItsParent) {
  EXPECT_EQ(pairs("tree:7"), (Arcs{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}}));
  EXPECT_EQ(pairs("tree:6,arity=3"), (Arcs{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}}));
  EXPECT_EQ(pairs("tree:5,arity=1"), pairs("chain:5"));
  EXPECT_EQ(pairs("tree:5,arity=4"), pairs("star:5"));
}

TEST(Clique, JoinsEveryPair) {
  EXPECT_EQ(pairs("clique:4"), (Arcs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(edge_count("clique:17"), 17U * 16U);
}

TEST(Hypercube, JoinsRanksThatDifferInOneBit) {
  EXPECT_EQ(pairs("hypercube:4"), (Arcs{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(edge_count("hypercube:64"), 64U * 6U);  // n log2 n
  EXPECT_EQ(edge_count("hypercube:1"), 0U);
}

TEST(Butterfly, HasOnePhaseABit) {
  const CommGraph graph = read_app("butterfly:8");
  ASSERT_EQ(graph.phases(), 3);
  for (std::int32_t k = 0; k < 3; ++k) {
    ASSERT_EQ(graph.edges_of_phase(k).size(), 8U);
    for (const Edge& edge : graph.edges_of_phase(k))
      EXPECT_EQ(edge.source ^ edge.destination, 1 << k);
  }
  EXPECT_EQ(read_app("butterfly:1").phases(), 1);
}

TEST(Nccl, IsRingAndBinaryTreeWithoutDuplicates) {
  EXPECT_EQ(pairs("nccl:3"), (Arcs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairs("nccl:5"),
            (Arcs{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {3, 4}}));
  EXPECT_EQ(edge_count("nccl:1"), 0U);
  for (int n = 1; n <= 20; ++n) {
    const std::string size = std::to_string(n);
    EXPECT_EQ(pairs("nccl:" + size), pairs("ring:" + size + "+tree:" + size)) << n;
    EXPECT_EQ(read_app("nccl:" + size).total_bytes(), edge_count("nccl:" + size)) << n;
  }
}

TEST(EachWayKinds, AreSymmetric) {
  for (const char* text : {"chain:9", "star:9", "tree:9,arity=3", "clique:9", "hypercube:16",
                           "butterfly:16", "nccl:9", "random:9"})
    EXPECT_TRUE(is_symmetric(read_app(text))) << text;
  EXPECT_FALSE(is_symmetric(read_app("ring:9")));
}

TEST(Messages, CarryTheirBytesCountAndWeight) {
  const CommGraph graph = read_app("chain:3,bytes=2KiB,messages=3,weight=4");
  for (const Edge& edge : graph.edges()) {
    EXPECT_EQ(edge.bytes, 3U * 2048U);  // all messages together
    EXPECT_EQ(edge.messages, 3U);
    EXPECT_EQ(edge.weight, 4U);
    EXPECT_EQ(edge.group, none);
  }
  EXPECT_EQ(graph.total_bytes(), 4U * 3U * 2048U);
  EXPECT_EQ(graph.pairs()[0].weight, 4U);
}

// The number told by parse_pattern (and refused when too large) is what generate really makes.
TEST(PromisedEdges, AreTheMessagesThatAreMade) {
  for (const char* text : {"ring:1",
                           "ring:2",
                           "ring:7",
                           "shift:4x3,by=2",
                           "shift:4x3,by=-3,periodic",
                           "shift:4x3,by=9",
                           "shift:4x3,dim=y,by=3,periodic",
                           "chain:7",
                           "star:7",
                           "tree:9,arity=3",
                           "clique:6",
                           "hypercube:8",
                           "butterfly:8",
                           "nccl:1",
                           "nccl:2",
                           "nccl:3",
                           "nccl:4",
                           "nccl:9",
                           "random:9",
                           "random:9,degree=7",
                           "random:2",
                           "random:1",
                           "pf3d:4x3x5",
                           "pf3d:1x1x6",
                           "stencil:2x3x1,all,periodic=xz",
                           "stencil:4x3,points=9",
                           "stencil:2x2x2x2x2x2,corner,periodic",
                           "stencil:1"}) {
    const Pattern pattern = parse_pattern(text);
    const PatternTerm& term = pattern.phases[0][0];
    EXPECT_EQ(term.kind->edges(term), message_count(generate(pattern))) << text;
  }
}

}  // namespace
}  // namespace rankmap
