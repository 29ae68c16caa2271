// The ring and tree models on machines whose values are known.
#include "libmap/model/effbw.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "model_machines.hpp"
#include "naive_packing.hpp"

namespace rankmap::test {
namespace {

using Set = std::vector<int>;

double ring_of(const Machine& machine, const Set& set) {
  const EffbwValue result = ring_effbw(machine, set);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.bound, result.value);
  EXPECT_GE(ring_effbw_bound(machine, set), result.value.value_or(0));
  return result.value.value_or(0);
}

double tree_of(const Machine& machine, const Set& set) {
  const EffbwValue result = tree_effbw(machine, set);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.bound, result.value);
  EXPECT_GE(tree_effbw_bound(machine, set), result.value.value_or(0));
  return result.value.value_or(0);
}

TEST(RingEffbw, OfTheWholeDgx1vIsSixRings) {
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {0, 1, 2, 3, 4, 5, 6, 7}), 6 * 20.0);
}

TEST(RingEffbw, TellsTheQuadFromTheCycleAcross) {
  // {0,1,2,3} has 9 lanes inside: 2 x 9 / 4 = 4.5, four rings. {0,3,4,7} has the one cycle 0-3-7-4 with a
  // single link in it: one ring each way.
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {0, 1, 2, 3}), 4 * 20.0);
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {0, 3, 4, 7}), 2 * 20.0);
}

TEST(RingEffbw, OfAPairIsItsLanes) {
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {0, 3}), 2 * 20.0);
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {1, 0}), 1 * 20.0);
}

TEST(RingEffbw, WithoutAnNvlinkRingIsOneRingOverPcie) {
  EXPECT_DOUBLE_EQ(ring_of(dgx1v(), {0, 7}), 12);
  // 0-1-2 ... no link 0-5: the ring 5-1-0 closes over PCIe.
  const EffbwValue mixed = ring_effbw(dgx1v(), Set{0, 1, 5});
  EXPECT_DOUBLE_EQ(*mixed.value, 12);
  EXPECT_NE(mixed.note.find("no ring of direct lanes"), std::string::npos);
}

TEST(RingEffbw, OfOneSlotHasNoValue) {
  const EffbwValue result = ring_effbw(dgx1v(), Set{3});
  EXPECT_FALSE(result.value.has_value());
  EXPECT_FALSE(result.bound.has_value());
  EXPECT_EQ(ring_effbw_bound(dgx1v(), Set{3}), 0);
}

TEST(RingEffbw, OnASwitchIsTheLanesOfAGpu) {
  // HGX H100: 18 lanes of 20.6 GB/s, any set.
  const Machine hgx = switch_machine(std::vector<int>(8, 18), 20.6);
  EXPECT_DOUBLE_EQ(ring_of(hgx, {0, 1, 2, 3, 4, 5, 6, 7}), 370.8);
  EXPECT_DOUBLE_EQ(ring_of(hgx, {2, 5}), 370.8);
  EXPECT_DOUBLE_EQ(tree_of(hgx, {2, 5, 7}), 370.8);
  EXPECT_DOUBLE_EQ(ring_of(switch_machine({6, 4, 6}, 20), {0, 1, 2}), 4 * 20.0);
}

// A triangle of two lanes a side with one slow side; pair 0-3 alone is fast.
Machine unequal_machine() {
  NodeModel model;
  model.name = "unequal";
  model.gpus.resize(3);
  const VertexId hub = model.add_hub(HubKind::host_bridge, "pcie0");
  for (VertexId gpu = 0; gpu < 3; ++gpu) {
    model.connections.push_back({LinkKind::pcie, gpu, hub, 1, from_gbps(12), 0});
  }
  const auto join = [&](VertexId a, VertexId b, double gbps) {
    model.connections.push_back({LinkKind::nvlink, a, b, 2, from_gbps(50), from_gbps(gbps)});
  };
  join(0, 1, 40);
  join(1, 2, 40);
  join(0, 2, 15);
  return Machine(std::move(model), 1);
}

TEST(RingEffbw, PacksUnequalLanesAtTheSlowestUsedAndSaysSo) {
  // The only cycle needs the slow side: 2 lanes each way round, 4 rings of 15.
  const EffbwValue result = ring_effbw(unequal_machine(), Set{0, 1, 2});
  EXPECT_DOUBLE_EQ(*result.value, 4 * 15.0);
  EXPECT_EQ(result.note, "lanes of unequal speed: packed at 15 GB/s, the slowest lane used");
}

TEST(TreeEffbw, LeavesSlowLanesOutWhereThatIsBetter) {
  // All 6 lanes at 15: packing 6 / 2 = 3, 45 x 4/3 = 60. The 4 fast lanes are a path: packing 2, 80 x 4/3.
  const EffbwValue result = tree_effbw(unequal_machine(), Set{0, 1, 2});
  EXPECT_DOUBLE_EQ(*result.value, 2 * 40 * 4 / 3.0);
  EXPECT_EQ(result.note, "lanes of unequal speed: packed at 40 GB/s, the slowest lane used");
}

TEST(TreeEffbw, IsThePackingAsBusBandwidth) {
  // DGX-1V. {0,1,2,3}: 9 lanes, 9 / 3 = 3 trees, 3 x 20 x 2 x 3/4 = 90. {0,3,4,7}: 7 / 3, 70.
  EXPECT_DOUBLE_EQ(tree_of(dgx1v(), {0, 1, 2, 3}), 90);
  EXPECT_DOUBLE_EQ(tree_of(dgx1v(), {0, 3, 4, 7}), 70);
  // All: 24 lanes, 24 / 7 trees, x 20 x 2 x 7/8 = 120, as the six rings.
  EXPECT_DOUBLE_EQ(tree_of(dgx1v(), {0, 1, 2, 3, 4, 5, 6, 7}), 120);
}

TEST(TreeEffbw, WithoutASpanningTreeOfLanesIsOneRingOverPcie) {
  const EffbwValue result = tree_effbw(dgx1v(), Set{0, 7});
  EXPECT_DOUBLE_EQ(*result.value, 12);
  EXPECT_NE(result.note.find("direct lanes do not join"), std::string::npos);
}

TEST(Effbw, BoundsHoldAndAreNoLessThanTheValuesOfEverySetOfTheDgx1v) {
  const Machine machine = dgx1v();
  for (unsigned mask = 1; mask < 256; ++mask) {
    Set set;
    for (int gpu = 0; gpu < 8; ++gpu) {
      if ((mask >> gpu & 1U) != 0) set.push_back(gpu);
    }
    ring_of(machine, set);
    tree_of(machine, set);
  }
}

TEST(Effbw, DoesNotDependOnTheOrderOfTheSet) {
  Random random(6);
  const Machine machine = dgx1v();
  for (int round = 0; round < 50; ++round) {
    Set set = {0, 1, 2, 3, 4, 5, 6, 7};
    random.shuffle(set);
    set.resize(3 + random.below(5));
    Set sorted = set;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(ring_effbw(machine, set).value, ring_effbw(machine, sorted).value);
    EXPECT_EQ(tree_effbw(machine, set).value, tree_effbw(machine, sorted).value);
  }
}

TEST(EffbwModel, NamesAreListedWhenOneIsUnknown) {
  EXPECT_EQ(effbw_model_of("tree"), EffbwModel::tree);
  EXPECT_STREQ(name_of(EffbwModel::mapa2021), "mapa2021");
  try {
    effbw_model_of("rings");
    FAIL() << "rings is no model";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("ring, tree, mapa2021"), std::string::npos);
  }
}

}  // namespace
}  // namespace rankmap::test
