// Hop-bytes, congestion and the rest of a score on a machine small enough to count by hand.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/model/objective.hpp"
#include "model_machines.hpp"

namespace rankmap::test {
namespace {

// gpu0 - gpu1 share pcie0, gpu2 - gpu3 share pcie1 (10 bytes/s each), the switches join at 4 bytes/s;
// gpu0 and gpu2 have an NVLink lane of 50 bytes/s.
NodeModel small_model() {
  NodeModel model;
  model.name = "small";
  model.gpus.resize(4);
  for (std::size_t gpu = 0; gpu < 4; ++gpu) model.gpus[gpu].numa = static_cast<int>(gpu / 2);
  const VertexId left = model.add_hub(HubKind::pcie_switch, "pcie0");
  const VertexId right = model.add_hub(HubKind::pcie_switch, "pcie1");
  for (VertexId gpu = 0; gpu < 4; ++gpu) {
    model.connections.push_back({LinkKind::pcie, gpu, gpu < 2 ? left : right, 1, 10, 0});
  }
  model.connections.push_back({LinkKind::cpu, left, right, 1, 4, 0});
  model.connections.push_back({LinkKind::nvlink, 0, 2, 1, 50, 0});
  return model;
}

Machine small_machine() {
  return Machine(small_model(), 1);
}

// Rank 0 -> 1: 100 bytes, 0 -> 2: 50, 1 -> 3: 8, in phase 0; 3 -> 2: 30 in phase 1.
CommGraph two_phases() {
  GraphBuilder builder(4);
  const std::int32_t second = builder.add_phase();
  builder.add({0, 1, 100, 1, 1, 0, none});
  builder.add({0, 2, 50, 1, 1, 0, none});
  builder.add({1, 3, 8, 1, 1, 0, none});
  builder.add({3, 2, 30, 1, 1, second, none});
  return std::move(builder).build("two phases");
}

TEST(Score, CountsHopBytesOverActualRoutes) {
  // Identity: 0>1 two hops 200; 0>2 NVLink 50; 1>3 three hops 24; 3>2 two hops 60.
  const Score scored = score(two_phases(), small_machine(), {{0, 1, 2, 3}});
  EXPECT_EQ(scored.hop_bytes, 200U + 50 + 24 + 60);
  EXPECT_DOUBLE_EQ(scored.J, 334 / 2.0);
  EXPECT_EQ(scored.max_dilation, 3);
  EXPECT_EQ(scored.off_node_bytes, 0U);
}

TEST(Score, AddsTheCongestionOfPhases) {
  // Phase 0: 100 bytes on 10 bytes/s = 10 s (the CPU link 8 / 4 = 2, NVLink 50 / 50 = 1).
  // Phase 1: 30 bytes on 10 bytes/s = 3 s. Together, not the maximum: 13 s.
  const Score scored = score(two_phases(), small_machine(), {{0, 1, 2, 3}});
  EXPECT_DOUBLE_EQ(scored.congestion_seconds, 13);
  EXPECT_DOUBLE_EQ(congestion_seconds(two_phases(), small_machine(), {{0, 1, 2, 3}}), 13);
}

TEST(Score, AddsTheLoadsOfMessagesThatShareALink) {
  // Ranks 0 and 1 on gpu0 and gpu1, both send 20 bytes across: 40 bytes on 4 bytes/s.
  GraphBuilder builder(4);
  builder.add({0, 3, 20, 1, 1, 0, none});
  builder.add({1, 2, 20, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("across");
  EXPECT_DOUBLE_EQ(congestion_seconds(app, small_machine(), {{0, 1, 2, 3}}), 10);
}

TEST(LinkLoads, HoldTheBytesOfEveryPhaseAndLink) {
  const Machine machine = small_machine();
  const auto loads = link_loads(two_phases(), machine, {{0, 1, 2, 3}});
  ASSERT_EQ(loads.size(), 2U);
  const auto load = [&](std::size_t phase, SlotId from, SlotId to, std::size_t hop) {
    return loads[phase][static_cast<std::size_t>(machine.route(from, to)[hop])];
  };
  EXPECT_EQ(load(0, 0, 1, 0), 100U);  // gpu0 > pcie0
  EXPECT_EQ(load(0, 0, 2, 0), 50U);   // NVLink
  EXPECT_EQ(load(0, 2, 0, 0), 0U);    // its other direction
  EXPECT_EQ(load(0, 1, 3, 1), 8U);    // pcie0 > pcie1
  EXPECT_EQ(load(0, 3, 2, 0), 0U);    // of the other phase
  EXPECT_EQ(load(1, 3, 2, 0), 30U);
}

TEST(Score, AcrossNodesHasBytesOffNodeAndNoEffbw) {
  const Machine machine(small_model(), 2);
  const Score scored = score(two_phases(), machine, {{0, 1, 4, 5}});
  EXPECT_EQ(scored.off_node_bytes, 50U + 8);
  EXPECT_FALSE(scored.effbw_ring.has_value());
  EXPECT_FALSE(scored.effbw_tree.has_value());
  EXPECT_FALSE(scored.effbw_mapa2021.has_value());
  EXPECT_FALSE(scored.preserved.has_value());
}

TEST(Score, OfASecondNodeIsThatOfTheFirst) {
  const Machine machine(small_model(), 2);
  const Score first = score(two_phases(), machine, {{0, 1, 2, 3}});
  const Score second = score(two_phases(), machine, {{4, 5, 6, 7}});
  EXPECT_EQ(second.effbw_ring, first.effbw_ring);
  EXPECT_EQ(second.preserved, first.preserved);
  EXPECT_EQ(second.congestion_seconds, first.congestion_seconds);
}

TEST(Score, OfRanksOnOneSlotHasNoLinksAndNoEffbw) {
  const Score scored = score(ring_app(2), small_machine(), {{1, 1}});
  EXPECT_EQ(scored.hop_bytes, 0U);
  EXPECT_EQ(scored.max_dilation, 0);
  EXPECT_EQ(scored.congestion_seconds, 0);
  EXPECT_EQ(scored.aggbw, 0);
  EXPECT_EQ(scored.counts, LinkCounts{});
  EXPECT_FALSE(scored.effbw_ring.has_value());
}

TEST(Score, GivesEquation2OutsideItsRangeOnlyWhenForced) {
  const Mapping six{{0, 1, 2, 3, 4, 5}};
  EXPECT_FALSE(score(ring_app(6), dgx1v(), six).effbw_mapa2021.has_value());
  ScoreOptions options;
  options.force_mapa2021 = true;
  EXPECT_TRUE(score(ring_app(6), dgx1v(), six, options).effbw_mapa2021.has_value());
}

TEST(Score, RefusesHopBytesBeyond64Bits) {
  // 2^62 bytes over two hops each way are 2^64.
  const CommGraph app = app_of(2, {{0, 1}}, (Bytes{1} << 62) - 1);
  GraphBuilder builder(3);
  builder.add({0, 1, (Bytes{1} << 62), 1, 1, 0, none});
  builder.add({1, 2, (Bytes{1} << 62) - 1, 1, 1, 0, none});
  const CommGraph huge = std::move(builder).build("huge");
  EXPECT_NO_THROW(hop_bytes(app, small_machine(), {{0, 2}}));
  EXPECT_THROW(hop_bytes(huge, small_machine(), {{0, 1, 3}}), InputError);
}

TEST(Objective, ValuesAreThoseOfTheScore) {
  const CommGraph app = two_phases();
  const Machine machine = small_machine();
  const Mapping mapping{{3, 1, 2, 0}};
  const Score scored = score(app, machine, mapping);
  const auto value = [&](ObjectiveKind kind, EffbwModel model = EffbwModel::ring) {
    return value_of({kind, model, PreserveCounts::all}, app, machine, mapping, {});
  };
  EXPECT_EQ(value(ObjectiveKind::effbw), scored.effbw_ring);
  EXPECT_EQ(value(ObjectiveKind::effbw, EffbwModel::tree), scored.effbw_tree);
  EXPECT_EQ(value(ObjectiveKind::effbw, EffbwModel::mapa2021), scored.effbw_mapa2021);
  EXPECT_EQ(value(ObjectiveKind::aggbw), scored.aggbw);
  EXPECT_EQ(value(ObjectiveKind::preserved), scored.preserved);
  EXPECT_EQ(value(ObjectiveKind::congestion), scored.congestion_seconds);
  EXPECT_EQ(value(ObjectiveKind::hopbytes), static_cast<double>(scored.hop_bytes));
  EXPECT_EQ(value(ObjectiveKind::offnode), static_cast<double>(scored.off_node_bytes));
}

TEST(Objective, OfOneNodeIsAUsageErrorAcrossNodes) {
  const Machine machine(small_model(), 2);
  const Objective effbw{ObjectiveKind::effbw, EffbwModel::ring, PreserveCounts::all};
  const Objective preserved{ObjectiveKind::preserved, EffbwModel::ring, PreserveCounts::all};
  EXPECT_THROW(value_of(effbw, ring_app(2), machine, {{0, 4}}, {}), UsageError);
  EXPECT_THROW(value_of(preserved, ring_app(2), machine, {{0, 4}}, {}), UsageError);
}

TEST(Objective, RowsAreFoundByNameAndKind) {
  for (const ObjectiveRow& row : objective_rows()) {
    EXPECT_EQ(objective_row_of(row.name).kind, row.kind);
    EXPECT_STREQ(row_of(row.kind).name, row.name);
  }
  EXPECT_TRUE(row_of(ObjectiveKind::effbw).maximise);
  EXPECT_FALSE(row_of(ObjectiveKind::congestion).maximise);
  EXPECT_THROW(objective_row_of("bandwidth"), UsageError);
}

}  // namespace
}  // namespace rankmap::test
