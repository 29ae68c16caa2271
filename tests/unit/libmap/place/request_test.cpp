// What place() checks, and the simple strategies.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "place_cases.hpp"
#include "tests/unit/libmap/model/model_machines.hpp"

namespace rankmap::test {
namespace {

template <typename ErrorType>
std::string message_of(const std::string& strategy, const PlaceRequest& request) {
  try {
    place(strategy, request);
  } catch (const ErrorType& error) {
    return error.what();
  }
  return "no such error";
}

class Request : public testing::Test {
 protected:
  PlaceRequest of(const CommGraph& app, Objective objective = {}) const {
    PlaceRequest request;
    request.app = &app;
    request.machine = &machine_;
    request.objective = objective;
    return request;
  }
  Machine machine_ = dgx1v();
  CommGraph ring5_ = ring_app(5);
  CommGraph ring9_ = ring_app(9);
};

constexpr Objective ring_model{ObjectiveKind::effbw, EffbwModel::ring, PreserveCounts::all};
constexpr Objective mapa_model{ObjectiveKind::effbw, EffbwModel::mapa2021, PreserveCounts::all};

TEST_F(Request, TellsHowManySlotsAreNeededAndFree) {
  PlaceRequest request = of(ring5_);
  request.forbidden = {0, 1, 2, 3, 7};
  for (const StrategyRow& row : strategy_rows())
    EXPECT_EQ(message_of<Infeasible>(row.name, request),
              "5 ranks need 5 free slots, but 3 of 8 are free");
}

TEST_F(Request, CountsRanksPerSlot) {
  PlaceRequest request = of(ring9_);
  request.ranks_per_slot = 2;
  request.forbidden = {0, 1, 2, 3};
  EXPECT_EQ(message_of<Infeasible>("linear", request),
            "9 ranks at 2 a slot need 5 free slots, but 4 of 8 are free");
  request.forbidden = {0, 1, 2};
  EXPECT_EQ(place("linear", request).mapping, (Mapping{{3, 3, 4, 4, 5, 5, 6, 6, 7}}));
}

TEST_F(Request, RefusesSlotsAndRanksThatDoNotExist) {
  PlaceRequest request = of(ring5_);
  request.forbidden = {8};
  EXPECT_EQ(message_of<UsageError>("exact", request),
            "slot 8 does not exist: the machine has slots 0 to 7");
  request.forbidden = {};
  request.fixed = {{5, 0}};
  EXPECT_EQ(message_of<UsageError>("exact", request),
            "rank 5 cannot be fixed: the app has ranks 0 to 4");
  request.fixed = {{0, -1}};
  EXPECT_EQ(message_of<UsageError>("exact", request),
            "slot -1 does not exist: the machine has slots 0 to 7");
}

TEST_F(Request, RefusesFixedRanksThatContradict) {
  PlaceRequest request = of(ring5_);
  request.fixed = {{0, 1}, {0, 2}};
  EXPECT_EQ(message_of<UsageError>("exact", request), "rank 0 is fixed to slot 1 and to slot 2");
  request.fixed = {{0, 1}, {1, 1}};
  EXPECT_EQ(message_of<UsageError>("exact", request),
            "rank 1 is fixed to slot 1, which holds no more than 1");
  request.fixed = {{0, 1}};
  request.forbidden = {1};
  EXPECT_EQ(message_of<UsageError>("exact", request), "rank 0 is fixed to slot 1, which is busy");
}

TEST_F(Request, KeepsMapa2021InItsRangeUnlessForced) {
  const CommGraph ring6 = ring_app(6);
  PlaceRequest request = of(ring6, mapa_model);
  EXPECT_EQ(message_of<Infeasible>("exact", request),
            "mapa2021 is fitted to 2..5 ranks, the app has 6");
  request.force = true;
  EXPECT_TRUE(place("exact", request).value.has_value());
}

TEST_F(Request, GivesOneRankTheConstantOfMapa2021) {
  const CommGraph one = ring_app(1);
  EXPECT_NEAR(place("exact", of(one, mapa_model)).value.value(), 12.3351, 1e-4);  // f(0, 0, 0)
  EXPECT_FALSE(place("exact", of(one, ring_model)).value.has_value());
}

TEST_F(Request, KeepsEffbwInsideOneNode) {
  const Machine cluster(machine_.model(), 3);
  const CommGraph all = ring_app(24);
  PlaceRequest request = of(all, ring_model);
  request.machine = &cluster;
  EXPECT_THROW(place("exact", request), UsageError);
  request.app = &ring5_;
  request.fixed = {{0, 1}, {1, 9}};
  EXPECT_THROW(place("exact", request), UsageError);
  request.fixed = {};
  request.forbidden = {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 20};
  EXPECT_EQ(message_of<Infeasible>("exact", request),
            "5 ranks need 5 free slots on one node, but 4 of 8 are free");
  request.forbidden.resize(8);
  const PlaceResult result = place("exact", request);
  for (SlotId slot : result.mapping.slot_of) EXPECT_EQ(cluster.node_of(slot), 2);
}

TEST_F(Request, RefusesWeightsWhoseBandwidthDoesNotFit) {
  GraphBuilder builder(2);
  builder.add({0, 1, 1, 1, 4'000'000'000U, 0, none});
  const CommGraph heavy = std::move(builder).build("heavy");
  // 4e9 x 50e9 bytes/s = 2e20, more than 2^62 = 4.6e18
  EXPECT_EQ(message_of<InputError>("exact", of(heavy)),
            "heavy: the bandwidth of all pairs together leaves 62 bits, expected less weight");
}

TEST_F(Request, BoundsHeavyMapa2021JobsWithoutCountingThemAll) {
  GraphBuilder builder(3);
  builder.add({0, 1, 1, 1, 1'000'000U, 0, none});
  builder.add({1, 2, 1, 1, 1'000U, 0, none});
  const CommGraph heavy = std::move(builder).build("heavy");
  for (const char* strategy : {"exact", "linear"}) {
    const PlaceResult result = place(strategy, of(heavy, mapa_model));
    EXPECT_GE(result.bound.value(), result.value.value()) << strategy;
  }
}

TEST_F(Request, ListsTheStrategies) {
  EXPECT_EQ(message_of<UsageError>("fast", of(ring5_)),
            UsageError::unknown("strategy", "fast",
                                {"auto", "box", "cartesian", "exact", "exhaustive", "greedy",
                                 "linear", "multilevel", "near", "random"})
                .what());
}

TEST_F(Request, DefaultsToEffbwOnANodeWithGpusElseToCongestion) {
  const Machine cluster(machine_.model(), 3);
  EXPECT_EQ(default_objective(ring5_, machine_, 1), ObjectiveKind::effbw);
  EXPECT_EQ(default_objective(ring5_, cluster, 1), ObjectiveKind::effbw);
  EXPECT_EQ(default_objective(ring9_, cluster, 1), ObjectiveKind::congestion);
  EXPECT_EQ(default_objective(ring9_, cluster, 2), ObjectiveKind::effbw);
}

TEST_F(Request, LinearTakesTheFreeSlotsInOrderAroundFixedRanks) {
  PlaceRequest request = of(ring5_);
  request.forbidden = {1};
  request.fixed = {{0, 3}};
  EXPECT_EQ(place("linear", request).mapping, (Mapping{{3, 0, 2, 4, 5}}));
}

TEST_F(Request, RandomDependsOnTheSeedAlone) {
  PlaceRequest request = of(ring5_);
  request.forbidden = {1};
  request.fixed = {{2, 3}};
  std::vector<Mapping> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    request.seed = seed;
    const Mapping mapping = place("random", request).mapping;
    EXPECT_EQ(mapping, place("random", request).mapping);
    EXPECT_EQ(defect_of(mapping, machine_, 1, request.forbidden), "");
    EXPECT_EQ(mapping[2], 3);
    if (std::find(seen.begin(), seen.end(), mapping) == seen.end()) seen.push_back(mapping);
  }
  EXPECT_GT(seen.size(), 10U);
}

}  // namespace
}  // namespace rankmap::test
