// Medians, their intervals, and the comparison of maps.
#include "libmap/report/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

TEST(SpreadOf, IsTheRangeOfFewValues) {
  const Spread spread = spread_of({3, 1, 2});
  EXPECT_EQ(spread.median, 2);
  EXPECT_EQ(spread.low, 1);
  EXPECT_EQ(spread.high, 3);
  EXPECT_FALSE(spread.covers);
  EXPECT_THROW(spread_of({}), Bug);
}

// n = 6: P(X < 1) = 1/64 <= 2.5 %, so smallest and largest; n = 10: P(X < 2) = 11/1024 = 1.1 %, while
// P(X < 3) = 56/1024 = 5.5 %: the second and the ninth.
TEST(SpreadOf, CoversTheMedianByOrderStatistics) {
  const Spread six = spread_of({1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(six.covers);
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_EQ(six.median, 3.5);
  const Spread ten = spread_of({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(ten.low, 2);
  EXPECT_EQ(ten.high, 9);
}

// Of uniform values the interval holds the true median 0.5 in at least 95 of 100 cases (by chance a
// little fewer: 2,000 cases, 93 %).
TEST(SpreadOf, HoldsTheTrueMedianOftenEnough) {
  Random random(5);
  int held = 0;
  constexpr int cases = 2000;
  for (int i = 0; i < cases; ++i) {
    std::vector<double> values;
    for (int k = 0; k < 15; ++k)
      values.push_back(static_cast<double>(random.below(1 << 30)) / (1 << 30));
    const Spread spread = spread_of(values);
    held += spread.low <= 0.5 && 0.5 <= spread.high ? 1 : 0;
  }
  EXPECT_GE(held, cases * 93 / 100);
}

TEST(Comparison, SaysHowManyTimesFasterThanTheFirst) {
  const std::vector<Timing> timings = {{"default", {2, 4, 6}}, {"a.rankmap", {1, 2, 2}}};
  const std::string text = comparison_text(timings);
  EXPECT_NE(text.find("2 (2 to 3)"), std::string::npos) << text;
  EXPECT_NE(text.find("3 rounds by turns"), std::string::npos);
  const auto json = nlohmann::json::parse(comparison_json(timings));
  EXPECT_EQ(json["maps"][1]["times_faster_than_first"]["median"], 2);
  EXPECT_EQ(json["maps"][0]["median_seconds"], 4);
  EXPECT_THROW(comparison_text({{"a", {1}}, {"b", {}}}), Bug);
}

}  // namespace
}  // namespace rankmap
