// Lanes of a set and their minimum cut.
#include "libmap/model/lanes.hpp"

#include <gtest/gtest.h>

#include "model_machines.hpp"
#include "naive_packing.hpp"

namespace rankmap::test {
namespace {

TEST(MinimumCut, IsThePartitionBoundOfRings) {
  // min over partitions into p >= 2 parts of 2 x crossing / p, floored, by plain enumeration.
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const int size = 2 + static_cast<int>(random.below(7));
    const LaneMatrix lanes = random_lanes(random, size, 4, 70);
    std::int64_t least = 1'000'000;
    for_each_partition(size, [&](const std::vector<int>& block, int parts) {
      least = std::min(least, 2 * crossing_lanes(lanes, block) / parts);
    });
    EXPECT_EQ(minimum_cut(lanes), least) << "round " << round;
  }
}

TEST(MinimumCut, IsZeroWhereTheLanesDoNotJoinTheSet) {
  EXPECT_EQ(minimum_cut(lanes_of(4, {{0, 1, 2}, {2, 3, 2}})), 0);
}

TEST(LanesOf, KeepsLanesAndAchievedSpeedInTheOrderOfTheSet) {
  const std::vector<int> set = {3, 0, 7};
  const SetLanes lanes = lanes_of(dgx1v(), set);
  ASSERT_EQ(lanes.joints.size(), 2U);  // 3-0 double, 3-7 single; 0-7 has none
  EXPECT_EQ(lanes.at_least(0).at(0, 1), 2);
  EXPECT_EQ(lanes.at_least(0).at(0, 2), 1);
  EXPECT_EQ(lanes.at_least(0).at(1, 2), 0);
  EXPECT_EQ(lanes.lane_speeds, (std::vector<BytesPerSecond>{20'000'000'000}));
  EXPECT_FALSE(lanes.switch_domain.has_value());
}

TEST(AchievedByLane, IsTheNominalShareWhereNothingElseIsKnown) {
  const Connection plain{LinkKind::nvlink, 0, 1, 2, 50'000'000'000, 0};
  EXPECT_EQ(achieved_by_lane(plain), 25'000'000'000U);
  EXPECT_EQ(achieved_by_all(plain), 50'000'000'000U);
  const Connection measured{LinkKind::nvlink, 0, 1, 2, 50'000'000'000, 20'000'000'000};
  EXPECT_EQ(achieved_by_lane(measured), 20'000'000'000U);
  EXPECT_EQ(achieved_by_all(measured), 40'000'000'000U);
}

}  // namespace
}  // namespace rankmap::test
