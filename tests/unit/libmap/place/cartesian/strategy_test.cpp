// The strategy `cartesian` on machines: what is known to be reachable, and what it must never break.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "patterns/pattern.hpp"
#include "tests/unit/libmap/place/cartesian_instances.hpp"
#include "tests/unit/libmap/place/place_cases.hpp"

namespace rankmap::test {
namespace {

Machine machine_of(const std::string& text) {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return read_machine(text, options);
}

struct Placed {
  CommGraph app;
  Machine machine;
  PlaceResult result;
};

// Checks what holds for every result.
Placed placed(const std::string& app, const std::string& machine, ObjectiveKind objective,
              Quality quality = Quality::medium) {
  Placed one{read_app(app), machine_of(machine), {}};
  PlaceRequest request;
  request.app = &one.app;
  request.machine = &one.machine;
  request.objective.kind = objective;
  request.quality = quality;
  one.result = place("cartesian", request);
  EXPECT_EQ(defect_of(one.result.mapping, one.machine, 1, {}), "") << app;
  const double linear = place("linear", request).value.value();
  EXPECT_LE(one.result.value.value(), linear * (1 + 1e-12)) << app << " on " << machine;
  EXPECT_GE(one.result.value.value(), one.result.bound.value() * (1 - 1e-12));
  return one;
}

double value(const std::string& app, const std::string& machine, ObjectiveKind objective,
             Quality quality = Quality::medium) {
  return placed(app, machine, objective, quality).result.value.value();
}

class Instances : public testing::TestWithParam<CartesianInstance> {};

TEST_P(Instances, ReachTheBestKnown) {
  EXPECT_LE(value(GetParam().app, GetParam().machine, ObjectiveKind::offnode, Quality::fast),
            GetParam().best_known);
}

INSTANTIATE_TEST_SUITE_P(Cartesian, Instances, testing::ValuesIn(cartesian_instances));

// 16x32 around both ways on 8x8x8: no link carries more than two messages of 100 kB at 2 GB/s.
TEST(CartesianStrategy, FoldsAFlatGridOntoACube) {
  EXPECT_LE(value("stencil:16x32,periodic,bytes=100000", "torus:8x8x8,gbps=2",
                  ObjectiveKind::congestion, Quality::fast),
            2 * 50e-6 * (1 + 1e-9));
}

TEST(CartesianStrategy, PutsACubeOnAFlatTorus) {
  EXPECT_LE(value("stencil:4x4x4,periodic", "torus:8x4x2,gbps=1", ObjectiveKind::congestion,
                  Quality::fast),
            5e-9 * (1 + 1e-9));
  EXPECT_LE(
      value("stencil:4x4x4,periodic", "torus:8x4x2,gbps=1", ObjectiveKind::hopbytes, Quality::fast),
      576);
}

// Every edge on a link of its own: as many hop-bytes as bytes.
TEST(CartesianStrategy, HasDilationOneWhereTheGridIsAPartOfTheMachine) {
  struct Row {
    const char* app;
    const char* machine;
    double edges;
  };
  for (const Row& row : {Row{"stencil:8x8x8,periodic", "torus:8x8x8", 3072},
                         Row{"stencil:8x12x16,periodic", "torus:16x8x12", 9216},
                         Row{"stencil:8x8,periodic", "torus:2x2x2x2x2x2", 256},
                         Row{"hypercube:64", "torus:4x4x4", 384}, Row{"ring:48", "torus:6x8", 48},
                         Row{"chain:27", "mesh:3x3x3", 52}, Row{"stencil:5x7", "mesh:8x8", 116}})
    EXPECT_EQ(value(row.app, row.machine, ObjectiveKind::hopbytes, Quality::fast), row.edges)
        << row.app;
}

// 32,768 ranks: 512 nodes of 64 slots are cubes of 4x4x4 in their order.
TEST(CartesianStrategy, PutsLargeGridsOnTheNodesOfATorus) {
  EXPECT_EQ(value("stencil:32x32x32,periodic", "torus:8x8x8,slots=64,gbps=1",
                  ObjectiveKind::hopbytes, Quality::fast),
            512 * 6 * 16);
}

// Grids and machines of all kinds: placed() has the checks.
TEST(CartesianStrategy, IsNeverWorseThanTheOrderOfTheRanks) {
  const std::string apps[] = {"stencil:6x5",       "stencil:6x4,periodic,points=9", "ring:29",
                              "stencil:4x3x2,all", "stencil:2x5x3,periodic=y",      "chain:30"};
  const std::string machines[] = {
      "flat:8,slots=4",       "torus:4x8,gbps=1:3",
      "mesh:3x4,slots=3",     "tree:4:3:3,distance=1:10:100",
      "fattree:4:4:2,up=2:1", "dragonfly:groups=3,routers=3,nodes=4,global=1",
      "dgx1-v100x4@torus:2x2"};
  constexpr ObjectiveKind objectives[] = {ObjectiveKind::hopbytes, ObjectiveKind::congestion,
                                          ObjectiveKind::offnode};
  std::size_t turn = 0;
  for (const std::string& app : apps)
    for (const std::string& machine : machines)
      value(app, machine, objectives[turn++ % 3], Quality::fast);
}

// Small grids reach what trying everything finds.
TEST(CartesianStrategy, EqualsTheOracleOnSmallGrids) {
  for (const std::string app : {"stencil:2x3", "ring:6", "stencil:5,periodic"}) {
    for (const std::string machine : {"torus:2x4", "mesh:2x3", "flat:3,slots=2", "tree:2:2:2"}) {
      const CommGraph graph = read_app(app);
      const Machine target = machine_of(machine);
      PlaceRequest request;
      request.app = &graph;
      request.machine = &target;
      request.quality = Quality::fast;
      for (const ObjectiveKind objective :
           {ObjectiveKind::hopbytes, ObjectiveKind::congestion, ObjectiveKind::offnode}) {
        request.objective.kind = objective;
        EXPECT_NEAR(place("cartesian", request).value.value(),
                    place("exhaustive", request).value.value(), 1e-15)
            << app << " on " << machine << " by " << row_of(objective).name;
      }
    }
  }
}

// A ring goes round a cube on links of its own: 2 ns of 2 bytes at 1 GB/s would be a shared one.
TEST(CartesianStrategy, PutsARingOnLinksOfItsOwn) {
  EXPECT_NEAR(value("stencil:64,periodic,bytes=1", "torus:4x4x4,gbps=1", ObjectiveKind::congestion,
                    Quality::fast),
              1e-9, 1e-18);
}

// Busy slots, fixed ranks, several ranks a slot: never better than the optimum, never invalid.
TEST(CartesianStrategy, StaysWithinRandomRequests) {
  Random random(23);
  int grids = 0;
  for (int i = 0; i < 80; ++i) {
    const ObjectiveKind kinds[] = {ObjectiveKind::hopbytes, ObjectiveKind::congestion,
                                   ObjectiveKind::offnode, ObjectiveKind::aggbw};
    RandomCase one = random_case(random, Objective{kinds[i % 4]}, 4, 2, 6);
    PlaceRequest request = one.request_of();
    request.quality = Quality::fast;
    PlaceResult found;
    try {
      found = place("cartesian", request);
    } catch (const Infeasible&) {
      continue;
    }
    ++grids;
    EXPECT_EQ(defect_of(found.mapping, one.machine, request.ranks_per_slot, request.forbidden), "");
    for (const auto& [rank, slot] : request.fixed) EXPECT_EQ(found.mapping[rank], slot);
    if (!found.value) continue;
    const double best = place("exhaustive", request).value.value();
    const double sign = row_of(request.objective.kind).maximise ? -1 : 1;
    EXPECT_GE(sign * found.value.value(), sign * best - 1e-12 * best);
  }
  EXPECT_GT(grids, 10);
}

// 1,000 ranks on 64 slots, 3 % over their share at most.
TEST(CartesianStrategy, SharesSlotsEvenly) {
  const CommGraph app = read_app("stencil:10x10x10");
  const Machine machine = machine_of("torus:4x4x4,gbps=1");
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.quality = Quality::fast;
  const PlaceResult found = place("cartesian", request);
  EXPECT_LT(found.value.value(), 0.8 * place("linear", request).value.value());
  std::vector<int> ranks_on(64, 0);
  for (const SlotId slot : found.mapping.slot_of) ++ranks_on[static_cast<std::size_t>(slot)];
  EXPECT_LE(*std::max_element(ranks_on.begin(), ranks_on.end()), 16);  // 1000 / 64 = 15.6
}

TEST(CartesianStrategy, SaysWhichCandidateWon) {
  const Placed one =
      placed("stencil:16x16", "flat:16,slots=16", ObjectiveKind::offnode, Quality::fast);
  ASSERT_EQ(one.result.notes.size(), 1U);
  EXPECT_EQ(one.result.notes[0].rfind("grid 16x16: ", 0), 0U) << one.result.notes[0];
}

TEST(CartesianStrategy, RefusesWhatIsNoGrid) {
  for (const std::string app : {"star:16", "random:24,degree=3", "shift:12,by=5"}) {
    const CommGraph graph = read_app(app);
    const Machine target = machine_of("flat:24");
    PlaceRequest request;
    request.app = &graph;
    request.machine = &target;
    try {
      place("cartesian", request);
      ADD_FAILURE() << app;
    } catch (const Infeasible& error) {
      EXPECT_NE(std::string(error.what()).find("multilevel"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace rankmap::test
