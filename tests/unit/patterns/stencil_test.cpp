// Stencils: counts by formula, neighbours by hand, periodic extents of 1 and 2.
#include <gtest/gtest.h>

#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

using Arcs = std::vector<Arc>;

TEST(Stencil, OfOneDimensionIsAChain) {
  EXPECT_EQ(arcs("stencil:5"), arcs("chain:5"));
  EXPECT_EQ(arcs("stencil:5,points=3"), arcs("chain:5"));
  EXPECT_EQ(arcs("stencil:5,all"), arcs("chain:5"));
  EXPECT_EQ(arcs("stencil:5,corner"), arcs("chain:5"));
}

TEST(Stencil, HasTheNeighboursOfARowMajorGrid) {
  // 2x3: ranks 0 1 2 / 3 4 5.
  EXPECT_EQ(pairs("stencil:2x3"), (Arcs{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(pairs("stencil:2x2,points=9"), pairs("clique:4"));
}

TEST(Stencil, OfFivePointsHasTwoEdgesAPair) {
  // A x B has (A-1)B + A(B-1) = 2AB - A - B pairs.
  for (std::size_t a = 1; a <= 5; ++a)
    for (std::size_t b = 1; b <= 5; ++b)
      EXPECT_EQ(edge_count("stencil:" + std::to_string(a) + "x" + std::to_string(b) + ",points=5"),
                2 * (2 * a * b - a - b));
}

TEST(Stencil, OfNinePointsAddsTheDiagonals) {
  // Two diagonals in each of (A-1)(B-1) cells.
  EXPECT_EQ(edge_count("stencil:4x6,points=9"), 2 * (2 * 24 - 4 - 6) + 4 * 3 * 5U);
}

TEST(Stencil, OfThreeDimensionsByPoints) {
  // 4x5x6 = 120 ranks. Faces: 2(3*5*6 + 4*4*6 + 4*5*5) = 572; corners: 8 * 3*4*5 = 480.
  EXPECT_EQ(edge_count("stencil:4x5x6"), 572U);
  EXPECT_EQ(edge_count("stencil:4x5x6,points=7"), 572U);
  EXPECT_EQ(edge_count("stencil:4x5x6,points=14"), 572U + 480U);
  EXPECT_EQ(edge_count("stencil:4x5x6,corner"), 572U + 480U);
  // All 27: per dimension extent + 2(extent-1) = 3e - 2 ways to step; less the rank itself.
  EXPECT_EQ(edge_count("stencil:4x5x6,points=27"), 10U * 13U * 16U - 120U);
}

TEST(Stencil, PeriodicRanksHaveAllTheirNeighbours) {
  for (const auto& [flag, neighbours] : std::vector<std::pair<std::string, std::size_t>>{
           {"face", 8}, {"corner", 8 + 16}, {"all", 80}})
    EXPECT_EQ(edge_count("stencil:3x4x3x3,periodic," + flag), 108 * neighbours) << flag;
}

TEST(Stencil, OfSixDimensionsCountsByFormula) {
  // 2^6 ranks, 6 face neighbours each (one a dimension: the extent is 2 and not periodic).
  EXPECT_EQ(edge_count("stencil:2x2x2x2x2x2"), 64U * 6U);
  EXPECT_EQ(edge_count("stencil:2x2x2x2x2x2,all"), 64U * 63U);
  EXPECT_EQ(edge_count("stencil:3x3x3x3x3x3,periodic,all"), 729U * 728U);
}

TEST(Stencil, IsPeriodicInTheNamedDimensionsOnly) {
  // 3x4: periodic x gives 2*12 edges along x, along y stay 3 lines of 2*3.
  EXPECT_EQ(edge_count("stencil:3x4,periodic=x"), 24U + 18U);
  EXPECT_EQ(arcs("stencil:3x4,periodic=x"), arcs("stencil:3x4,periodic=0"));
  EXPECT_EQ(arcs("stencil:3x4,periodic=yx"), arcs("stencil:3x4,periodic"));
  EXPECT_EQ(pairs("stencil:5,periodic"), pairs("ring:5"));
}

TEST(Stencil, APeriodicExtentOfTwoCountsBothMessages) {
  const CommGraph graph = read_app("stencil:2x3,periodic=x,bytes=10");
  for (const Edge& edge : graph.edges()) {
    const bool along_x = edge.destination - edge.source == 3 || edge.source - edge.destination == 3;
    EXPECT_EQ(edge.messages, along_x ? 2U : 1U);
    EXPECT_EQ(edge.bytes, along_x ? 20U : 10U);
  }
  EXPECT_EQ(graph.edges().size(), 6U + 2U * 4U);
}

TEST(Stencil, APeriodicExtentOfOneHasNoNeighbours) {
  EXPECT_EQ(edge_count("stencil:1,periodic"), 0U);
  EXPECT_EQ(arcs("stencil:1x4,periodic"), arcs("stencil:4,periodic"));
  // The diagonals of 1x4 leave the grid in x: none, periodic or not.
  EXPECT_EQ(arcs("stencil:1x4,periodic,all"), arcs("stencil:4,periodic"));
}

TEST(Stencil, IsSymmetricAndSendsTheSameEverywhereWhenPeriodic) {
  for (const char* text : {"stencil:3x4", "stencil:3x2x4,all,periodic=y", "stencil:2x2,periodic",
                           "stencil:4x3x2,corner,periodic=xz"})
    EXPECT_TRUE(is_symmetric(read_app(text))) << text;
  // 2n messages a rank of 7 bytes: 24 ranks * 6 * 7.
  EXPECT_EQ(read_app("stencil:2x3x4,periodic,bytes=7").total_bytes(), 24U * 6U * 7U);
}

}  // namespace
}  // namespace rankmap
