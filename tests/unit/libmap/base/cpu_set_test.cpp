#include "libmap/base/cpu_set.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

TEST(CpuSet, WritesRunsAsRanges) {
  EXPECT_EQ(CpuSet({0, 1, 2, 3, 4, 40, 41, 42}).to_string(), "0-4,40-42");
  EXPECT_EQ(CpuSet({7}).to_string(), "7");
  EXPECT_EQ(CpuSet().to_string(), "");
}

TEST(CpuSet, WritesThreeOrMoreWithAStrideAsOneRange) {
  EXPECT_EQ(CpuSet({8, 10, 12, 14}).to_string(), "8-14:2");
  EXPECT_EQ(CpuSet({8, 10}).to_string(), "8,10");
}

TEST(CpuSet, ReadsBlanksAndSingleRanges) {
  EXPECT_EQ(CpuSet::parse_list(" 0-0, 8-9 ,12-16:4"), CpuSet({0, 8, 9, 12, 16}));
  EXPECT_EQ(CpuSet::parse_list(""), CpuSet());
}

TEST(CpuSet, RefusesWhatIsNoList) {
  for (const char* text :
       {"-", "1-", "-1", "3-1", "1,,2", "a", "1-2:0", "1 2", "65536", "0-99999999", "1:2", "0x3"})
    EXPECT_FALSE(CpuSet::parse_list(text).has_value()) << text;
}

TEST(CpuSet, ReadsMasksMostSignificantGroupFirst) {
  EXPECT_EQ(CpuSet::parse_mask("000000,0fffffff,c0000000")->to_string(), "30-59");
  EXPECT_EQ(CpuSet::parse_mask("c0c0")->to_string(), "6-7,14-15");
  EXPECT_FALSE(CpuSet::parse_mask("").has_value());
  EXPECT_FALSE(CpuSet::parse_mask("fffffffff").has_value());
  EXPECT_FALSE(CpuSet::parse_mask("1,,2").has_value());
}

TEST(CpuSet, RefusesNumbersOutOfBounds) {
  CpuSet set;
  EXPECT_THROW(set.add(-1), Bug);
  EXPECT_THROW(set.add(CpuSet::max_number + 1), Bug);
}

TEST(CpuSet, SetOperationsAgreeWithMembership) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    CpuSet a;
    CpuSet b;
    for (int i = 0; i < 20; ++i) {
      a.add(static_cast<int>(random.below(32)));
      b.add(static_cast<int>(random.below(32)));
    }
    for (int number = 0; number < 32; ++number) {
      EXPECT_EQ(a.intersection(b).contains(number), a.contains(number) && b.contains(number));
      EXPECT_EQ(a.united(b).contains(number), a.contains(number) || b.contains(number));
    }
    EXPECT_TRUE(a.contains_all(a.intersection(b)));
    EXPECT_EQ(CpuSet::parse_list(a.to_string()), a);
  }
}

TEST(CpuSet, AnyBytesAreReadOrRefused) {
  Random random(2);
  constexpr std::string_view alphabet = "0123456789-,: fx";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(16); i > 0; --i)
      text += alphabet[random.below(alphabet.size())];
    const auto list = CpuSet::parse_list(text);
    if (list) {
      EXPECT_EQ(CpuSet::parse_list(list->to_string()), list) << text;
    }
    CpuSet::parse_mask(text);
  }
}

}  // namespace
}  // namespace rankmap
