// The strategy `multilevel` on machines: what is known to be reachable, and what it must never break.
#include <gtest/gtest.h>

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/place/multilevel/machine_tree.hpp"
#include "patterns/pattern.hpp"
#include "tests/unit/libmap/place/cartesian_instances.hpp"
#include "tests/unit/libmap/place/place_cases.hpp"

namespace rankmap::test {
namespace {

MachineOptions shared_machines() {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return options;
}

PlaceResult placed(const CommGraph& app, const std::string& machine, ObjectiveKind objective,
                   Quality quality = Quality::medium, std::uint64_t seed = 0) {
  const Machine target = read_machine(machine, shared_machines());
  PlaceRequest request;
  request.app = &app;
  request.machine = &target;
  request.objective.kind = objective;
  request.quality = quality;
  request.seed = seed;
  PlaceResult result = place("multilevel", request);
  EXPECT_EQ(defect_of(result.mapping, target, 1, {}), "");
  const PlaceResult linear = place("linear", request);
  EXPECT_LE(result.value.value(), linear.value.value()) << machine;
  return result;
}

double value(const std::string& app, const std::string& machine, ObjectiveKind objective,
             Quality quality = Quality::medium) {
  return placed(read_app(app), machine, objective, quality).value.value();
}

class Grids : public testing::TestWithParam<CartesianInstance> {};

TEST_P(Grids, ReachTheBestKnown) {
  EXPECT_LE(value(GetParam().app, GetParam().machine, ObjectiveKind::offnode),
            GetParam().best_known);
}

INSTANTIATE_TEST_SUITE_P(Cartesian, Grids, testing::ValuesIn(cartesian_instances));

TEST(MultilevelStrategy, FindsATorusInItself) {
  const CommGraph torus = read_app("stencil:8x8x8,periodic");
  std::vector<Rank> name(512);
  for (Rank rank = 0; rank < 512; ++rank) name[static_cast<std::size_t>(rank)] = rank;
  Random random(5);
  random.shuffle(name);
  GraphBuilder builder(512);
  for (Edge edge : torus.edges()) {
    edge.source = name[static_cast<std::size_t>(edge.source)];
    edge.destination = name[static_cast<std::size_t>(edge.destination)];
    builder.add(edge);
  }
  const CommGraph hidden = std::move(builder).build("hidden torus");
  EXPECT_EQ(placed(hidden, "torus:8x8x8", ObjectiveKind::hopbytes, Quality::fast).value, 3072.0);
}

TEST(MultilevelStrategy, PutsACubeOnAFlatTorus) {
  const CommGraph app = read_app("stencil:4x4x4,periodic");
  const std::string torus = "torus:8x4x2,gbps=1";
  const PlaceResult result = placed(app, torus, ObjectiveKind::hopbytes, Quality::medium, 1);
  EXPECT_LE(result.value.value(), 576);
  const Machine machine = read_machine(torus, shared_machines());
  EXPECT_LE(congestion_seconds(app, machine, result.mapping), 5e-9 * (1 + 1e-9));
}

TEST(MultilevelStrategy, PutsCommunicatorsOnCubes) {
  EXPECT_LE(
      value("alltoall:64x8,vary=y", "torus:8x8x8,gbps=1", ObjectiveKind::congestion, Quality::fast),
      4e-9 * (1 + 1e-9));
}

TEST(MultilevelStrategy, PutsARingOnDoubleLinks) {
  EXPECT_NEAR(value("ring:8", "dgx1-v100", ObjectiveKind::congestion), 2e-11, 1e-20);
}

TEST(MultilevelStrategy, PacksFewRanksTogether) {
  EXPECT_EQ(value("clique:8", "flat:16,slots=8", ObjectiveKind::offnode), 0);
}

// Bytes times distance would leave 63 bits.
TEST(MultilevelStrategy, TakesHeavyApps) {
  const CommGraph app = read_app("ring:64,bytes=60000000000000000");
  EXPECT_GT(placed(app, "torus:4x4x4,gbps=1", ObjectiveKind::congestion, Quality::fast).value, 0);
  const Machine far = read_machine("tree:4:4:4,distance=1:100:10000", shared_machines());
  PlaceRequest request;
  request.app = &app;
  request.machine = &far;
  request.objective.kind = ObjectiveKind::congestion;
  request.quality = Quality::fast;
  EXPECT_EQ(defect_of(place("multilevel", request).mapping, far, 1, {}), "");
}

// Ranks that talk to nobody are no vertices to match: they take what is left.
TEST(MultilevelStrategy, SeatsSilentRanks) {
  GraphBuilder builder(200'000);
  for (const Rank first : {3, 70'000, 199'000}) builder.add({first, first + 900, 5, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("few talk");
  EXPECT_EQ(placed(app, "flat:50000,slots=4", ObjectiveKind::offnode, Quality::fast).value, 0.0);
  const CommGraph silent = GraphBuilder(9).build("none talks");
  EXPECT_EQ(placed(silent, "flat:3,slots=4", ObjectiveKind::offnode, Quality::fast).value, 0.0);
}

// 24,389 ranks on 192 slots, 3 % over their share at most; the value is what a V-cycle more or less
// reaches, far below the launcher's order.
TEST(MultilevelStrategy, SharesSlotsEvenly) {
  const CommGraph app = read_app("stencil:29x29x29");
  const Machine machine = read_machine("tree:4:8:6,distance=1:10:100", shared_machines());
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective.kind = ObjectiveKind::hopbytes;
  request.quality = Quality::fast;
  const PlaceResult found = place("multilevel", request);
  std::vector<int> ranks_on(192, 0);
  for (const SlotId slot : found.mapping.slot_of) ++ranks_on[static_cast<std::size_t>(slot)];
  EXPECT_LE(*std::max_element(ranks_on.begin(), ranks_on.end()), 131);  // 1.03 x 128
  EXPECT_LT(found.value.value(), 0.5 * place("linear", request).value.value());
  request.imbalance = -1;
  EXPECT_THROW(place("multilevel", request), UsageError);
}

// Busy slots, fixed ranks, several ranks a slot: never worse than the optimum allows, never invalid.
TEST(MultilevelStrategy, StaysWithinRandomRequests) {
  Random random(17);
  for (const ObjectiveKind kind :
       {ObjectiveKind::hopbytes, ObjectiveKind::congestion, ObjectiveKind::offnode}) {
    for (int i = 0; i < 12; ++i) {
      RandomCase one = random_case(random, Objective{kind}, 4, 2, 6);
      PlaceRequest request = one.request_of();
      request.quality = Quality::fast;
      const PlaceResult found = place("multilevel", request);
      EXPECT_EQ(defect_of(found.mapping, one.machine, request.ranks_per_slot, request.forbidden),
                "");
      for (const auto& [rank, slot] : request.fixed) EXPECT_EQ(found.mapping[rank], slot);
      if (!found.value) continue;
      const PlaceResult best = place("exhaustive", request);
      EXPECT_GE(found.value.value(), best.value.value() * (1 - 1e-12));
    }
  }
}

TEST(MachineDistances, AreThoseOfTheMachine) {
  for (const char* const text : {"torus:5x4x3", "mesh:4x6,slots=3", "torus:2x1x7,slots=2",
                                 "torus:9", "dragonfly:groups=3,routers=4x1,nodes=2,global=2",
                                 "dgx-a100x6@torus:2x3", "dgx1-v100x4@torus:2x2"}) {
    const Machine machine = read_machine(text, shared_machines());
    const MachineTree tree = machine_tree(machine, ObjectiveKind::hopbytes);
    const MachineDistance distance(machine, tree);
    const auto leaves = static_cast<Block>(tree.slot_of.size());
    for (Block a = 0; a < leaves; ++a)
      for (Block b = 0; b < leaves; ++b)
        ASSERT_EQ(distance(a, b), machine.distance(tree.slot_of[static_cast<std::size_t>(a)],
                                                   tree.slot_of[static_cast<std::size_t>(b)]))
            << text << ", leaves " << a << " and " << b;
  }
}

}  // namespace
}  // namespace rankmap::test
