// Ring packing against plain enumeration, and where theorems give the number.
#include "libmap/model/ring_packing.hpp"

#include <gtest/gtest.h>

#include "libmap/model/hamilton.hpp"
#include "model_machines.hpp"
#include "naive_packing.hpp"

namespace rankmap::test {
namespace {

constexpr std::uint64_t plenty = 20'000'000;

LaneMatrix mesh(int size, int lanes_a_pair) {
  LaneMatrix lanes(size);
  for (int a = 0; a < size; ++a) {
    for (int b = a + 1; b < size; ++b) lanes.set(a, b, lanes_a_pair);
  }
  return lanes;
}

void expect_rings(const LaneMatrix& lanes, std::int64_t rings) {
  const RingPacking packing = pack_rings(lanes, plenty);
  EXPECT_EQ(packing.rings, rings);
  EXPECT_TRUE(packing.proven());
}

TEST(RingPacking, AgreesWithPlainEnumerationOnRandomMultigraphs) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const int size = 2 + static_cast<int>(random.below(4));
    const LaneMatrix lanes = random_lanes(random, size, 3, 80);
    SCOPED_TRACE(round);
    expect_rings(lanes, naive_ring_packing(lanes));
  }
}

TEST(RingPacking, AgreesWithPlainEnumerationOnSixMembers) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const LaneMatrix lanes = random_lanes(random, 6, 2, 60);
    SCOPED_TRACE(round);
    expect_rings(lanes, naive_ring_packing(lanes));
  }
}

TEST(RingPacking, OfTwoMembersUsesEveryLane) {
  expect_rings(lanes_of(2, {{0, 1, 6}}), 6);
}

TEST(RingPacking, OfATriangleIsTwiceItsThinnestSide) {
  // One ring each way round; the minimum cut, 3, is not reached.
  expect_rings(lanes_of(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 1}}), 2);
}

TEST(RingPacking, OfFullMeshesFollowsTillson) {
  // The complete directed graph of n vertices decomposes into n - 1 cycles, except for n = 4 and 6.
  expect_rings(mesh(3, 1), 2);
  expect_rings(mesh(4, 1), 2);
  expect_rings(mesh(5, 1), 4);
  expect_rings(mesh(6, 1), 4);
  expect_rings(mesh(7, 1), 6);
  expect_rings(mesh(8, 1), 7);
  expect_rings(mesh(12, 2), 22);
}

TEST(RingPacking, OfFourGpusWithFourLanesAPairUsesAllTwelveLanes) {
  // Each of the six directed cycles twice: every arc is on two of the six, so all four lanes are used.
  expect_rings(mesh(4, 4), 12);
}

TEST(RingPacking, OfATorusOfSixteenUsesAllFourLanes) {
  // The 4 x 4 torus is the 4-cube, two undirected Hamiltonian cycles (Aubert and Schneider 1982), each
  // used both ways.
  LaneMatrix torus(16);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      torus.set(4 * row + column, 4 * row + (column + 1) % 4, 1);
      torus.set(4 * row + column, 4 * ((row + 1) % 4) + column, 1);
    }
  }
  expect_rings(torus, 4);
}

TEST(RingPacking, OfAGraphWithoutAHamiltonianCycleIsZero) {
  // Two triangles that share vertex 0: every ring would pass it twice.
  expect_rings(lanes_of(5, {{0, 1, 2}, {1, 2, 2}, {0, 2, 2}, {0, 3, 2}, {3, 4, 2}, {0, 4, 2}}), 0);
}

TEST(RingPacking, ReachesTheMinimumCutWhereThereAreTooManyCyclesToList) {
  // Ten members, all pairs but 0-1: far more than 50,000 cycles; vertices 0 and 1 have 8 lanes.
  LaneMatrix lanes = mesh(10, 1);
  lanes.set(0, 1, 0);
  expect_rings(lanes, 8);
}

TEST(RingPacking, SaysWhenTheBudgetEnds) {
  const RingPacking packing = pack_rings(mesh(6, 1), 10);
  EXPECT_FALSE(packing.proven());
  EXPECT_EQ(packing.bound, 5);  // minimum cut; the maximum is 4
  EXPECT_GE(packing.rings, 1);
}

TEST(RingPacking, BundlesHostileLaneCounts) {
  const RingPacking packing = pack_rings(lanes_of(2, {{0, 1, 1'000'000'000}}), plenty);
  EXPECT_LE(packing.rings, 1'000'000'000);
  EXPECT_GE(packing.rings, 990'000'000);
  EXPECT_EQ(packing.bound, 1'000'000'000);
}

TEST(ListCycles, FindsEachDirectedCycleOnce) {
  // (n - 1)! in the complete graph: 120 for 6.
  const Followers complete = {62, 61, 59, 55, 47, 31};
  const CycleList all = list_cycles(complete, 1000);
  EXPECT_EQ(all.count(), 120U);
  EXPECT_TRUE(all.complete);
  const CycleList some = list_cycles(complete, 50);
  EXPECT_EQ(some.count(), 50U);
  EXPECT_FALSE(some.complete);
}

}  // namespace
}  // namespace rankmap::test
