// Spanning-tree packing against plain enumeration of partitions.
#include "libmap/model/tree_packing.hpp"

#include <gtest/gtest.h>

#include "model_machines.hpp"
#include "naive_packing.hpp"

namespace rankmap::test {
namespace {

void expect_packing(const LaneMatrix& lanes, std::int64_t numerator, std::int64_t denominator) {
  const Fraction packing = tree_packing(lanes);
  EXPECT_EQ(packing.numerator * denominator, numerator * packing.denominator)
      << packing.numerator << "/" << packing.denominator << ", expected " << numerator << "/"
      << denominator;
}

TEST(TreePacking, AgreesWithAllPartitionsOnRandomMultigraphs) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const int size = 2 + static_cast<int>(random.below(7));
    const LaneMatrix lanes = random_lanes(random, size, 4, 30 + 10 * (round % 7));
    Fraction least{1'000'000, 1};
    for_each_partition(size, [&](const std::vector<int>& block, int parts) {
      const Fraction ratio{crossing_lanes(lanes, block), parts - 1};
      if (ratio.numerator * least.denominator < least.numerator * ratio.denominator) least = ratio;
    });
    SCOPED_TRACE(round);
    expect_packing(lanes, least.numerator, least.denominator);
  }
}

TEST(TreePacking, OfATriangleWithADoubleSideIsHalfItsLanes) {
  // Five lanes (2, 2, 1): all singletons 5 / 2; the cut of the thinner corner 3 / 1.
  expect_packing(lanes_of(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 1}}), 5, 2);
}

TEST(TreePacking, IsHeldByThePartitionInTheMiddle) {
  // Two heavy triangles and a pendant vertex: parts {0,1,2}, {3,4,5}, {6} cross 2 + 1 + 1 = 4 lanes:
  // 4 / 2. The cuts are {6}: 2, {0,1,2}: 3; the singletons (4 + 6 x 9) / 6 = 29 / 3.
  expect_packing(lanes_of(7, {{0, 1, 9},
                              {1, 2, 9},
                              {0, 2, 9},
                              {3, 4, 9},
                              {4, 5, 9},
                              {3, 5, 9},
                              {2, 3, 2},
                              {0, 6, 1},
                              {5, 6, 1}}),
                 2, 1);
}

TEST(TreePacking, OfAPathIsItsThinnestLink) {
  expect_packing(lanes_of(4, {{0, 1, 3}, {1, 2, 2}, {2, 3, 5}}), 2, 1);
}

TEST(TreePacking, OfLanesThatDoNotJoinTheSetIsZero) {
  expect_packing(lanes_of(4, {{0, 1, 3}, {2, 3, 5}}), 0, 1);
}

}  // namespace
}  // namespace rankmap::test
