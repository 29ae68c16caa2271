// The worked examples of the MAPA paper (arXiv 2110.03214), which counts GPUs from 1 and PCIe as 12.
#include <gtest/gtest.h>

#include "libmap/model/objective.hpp"
#include "model_machines.hpp"

namespace rankmap::test {
namespace {

TEST(Paper, RingOnGpus1And2And5Has87) {
  // 1-2 single 25 + 1-5 double 50 + 2-5 PCIe 12
  const Score scored = score(ring_app(3), golden_machine("dgx-v-paper12", 12), {{0, 1, 4}});
  EXPECT_DOUBLE_EQ(scored.aggbw, 87);
}

TEST(Paper, RingOnGpus1And3And4Has125) {
  // 1-3 single 25 + 3-4 double 50 + 1-4 double 50
  const Score scored = score(ring_app(3), golden_machine("dgx-v-paper12", 12), {{0, 2, 3}});
  EXPECT_DOUBLE_EQ(scored.aggbw, 125);
}

TEST(Paper, AllocationOf1And2And4Preserves250OfNvlinkAnd286OfAll) {
  // Left 3, 5, 6, 7, 8: 3-7, 5-6, 5-7, 6-8 single = 100; 5-8, 6-7, 7-8 double = 150; 3 PCIe pairs = 36
  const Machine machine = golden_machine("dgx-v-paper12", 12);
  ScoreOptions options;
  options.preserve = PreserveCounts::nvlink;
  const Score nvlink = score(ring_app(3), machine, {{0, 1, 3}}, options);
  EXPECT_DOUBLE_EQ(nvlink.aggbw, 100);  // 1-2 single + 2-4 single + 1-4 double
  EXPECT_DOUBLE_EQ(*nvlink.preserved, 250);
  const Score all = score(ring_app(3), machine, {{0, 1, 3}});
  EXPECT_DOUBLE_EQ(*all.preserved, 286);
}

TEST(Paper, RingOfAllEightOverDoubleLinksHas400) {
  // 0-3-2-1-5-6-7-4: eight double links of 50
  const Score scored =
      score(ring_app(8), golden_machine("dgx-v-paper12", 12), {{0, 3, 2, 1, 5, 6, 7, 4}});
  EXPECT_DOUBLE_EQ(scored.aggbw, 400);
  EXPECT_EQ(scored.counts, (LinkCounts{8, 0, 0, 2}));
}

}  // namespace
}  // namespace rankmap::test
