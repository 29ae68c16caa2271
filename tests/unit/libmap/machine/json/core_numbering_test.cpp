#include "libmap/machine/json/core_numbering.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

NumaNode node(int id, const char* cpus) {
  return {id, *CpuSet::parse_list(cpus), 0, ""};
}

TEST(CoreNumbering, SecondThreadsComeAfterAllFirstThreads) {
  // 8 CPUs, two a core: core i has i and i + 4.
  const auto cores =
      number_cores({node(0, "0-1,4-5"), node(1, "2-3,6-7")}, 2, ThreadNumbering::threads_last);
  ASSERT_EQ(cores.size(), 4U);
  EXPECT_EQ(cores[0].cpus.to_string(), "0,4");
  EXPECT_EQ(cores[3].cpus.to_string(), "3,7");
  EXPECT_EQ(cores[1].numa, 0);
  EXPECT_EQ(cores[2].numa, 1);
}

TEST(CoreNumbering, ThreadsOfACoreStandSideBySideOnPower) {
  const auto cores =
      number_cores({node(0, "0-7"), node(8, "88-95")}, 4, ThreadNumbering::threads_adjacent);
  ASSERT_EQ(cores.size(), 4U);
  EXPECT_EQ(cores[1].cpus.to_string(), "4-7");
  EXPECT_EQ(cores[2].cpus.to_string(), "88-91");
  EXPECT_EQ(cores[2].numa, 8);
}

TEST(CoreNumbering, LogicalNumbersFollowTheNumaNodesWhereTheOsInterleavesThem) {
  // Even CPUs on node 0, odd ones on node 1: hwloc counts node 0's cores first.
  const auto cores =
      number_cores({node(0, "0,2"), node(1, "1,3")}, 1, ThreadNumbering::threads_last);
  ASSERT_EQ(cores.size(), 4U);
  EXPECT_EQ(cores[0].cpus, CpuSet({0}));
  EXPECT_EQ(cores[1].cpus, CpuSet({2}));
  EXPECT_EQ(cores[2].cpus, CpuSet({1}));
  EXPECT_EQ(cores[2].logical, 2);
}

TEST(CoreNumbering, WhatMakesNoWholeCoresGivesNone) {
  EXPECT_TRUE(number_cores({node(0, "0-2")}, 2, ThreadNumbering::threads_last).empty());
  // CPU 1 in two nodes.
  EXPECT_TRUE(
      number_cores({node(0, "0-1"), node(1, "1-2")}, 1, ThreadNumbering::threads_last).empty());
  // Core {0, 1} would lie in two nodes.
  EXPECT_TRUE(
      number_cores({node(0, "0,2"), node(1, "1,3")}, 2, ThreadNumbering::threads_adjacent).empty());
}

}  // namespace
}  // namespace rankmap
