#include "libmap/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace rankmap {
namespace {

TEST(Random, FollowsThePublishedSequence) {
  // SplitMix64 from seed 1234567: the first values of the reference sequence.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(7);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 1000; ++i) ++seen[random.below(5)];
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(Random, ShuffleKeepsTheValues) {
  std::vector<int> values(50);
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> mixed = values;
  Random random(3);
  random.shuffle(mixed);
  EXPECT_NE(mixed, values);
  std::sort(mixed.begin(), mixed.end());
  EXPECT_EQ(mixed, values);
}

}  // namespace
}  // namespace rankmap
