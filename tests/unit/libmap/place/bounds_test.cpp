// Bounds on networks: the optimum of all mappings is never below them, nor is any strategy's.
#include <gtest/gtest.h>

#include <map>

#include "libmap/machine/machine_spec.hpp"
#include "libmap/model/bounds/distance_bound.hpp"
#include "libmap/place/strategy.hpp"
#include "libmap/place/trivial_bound.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

Machine machine_of(const char* text) {
  return read_machine(text, {});
}

constexpr ObjectiveKind kinds[] = {ObjectiveKind::hopbytes, ObjectiveKind::offnode,
                                   ObjectiveKind::congestion};

PlaceRequest request_of(const CommGraph& app, const Machine& machine, ObjectiveKind kind) {
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective.kind = kind;
  request.quality = Quality::fast;
  request.time_limit_seconds = 1;
  return request;
}

void expect_within(const PlaceResult& result, ObjectiveKind kind, const std::string& what) {
  ASSERT_TRUE(result.value.has_value() && result.bound.has_value()) << what;
  const double sign = row_of(kind).maximise ? -1 : 1;
  EXPECT_LE(sign * *result.bound, sign * *result.value + 1e-9 * std::abs(*result.value)) << what;
}

double mappings(const CommGraph& app, const Machine& machine) {
  double product = 1;
  for (Rank rank = 0; rank < app.ranks(); ++rank) product *= machine.slots() - rank;
  return product;
}

constexpr const char* small_machines[] = {"torus:6",
                                          "torus:2x3",
                                          "mesh:2x3",
                                          "mesh:7",
                                          "torus:2x2,slots=2",
                                          "fattree:2:3,up=1",
                                          "tree:2:2:2,distance=1:10:100",
                                          "tree:3:2",
                                          "dragonfly:groups=3,routers=2,nodes=1,global=1",
                                          "flat:3,slots=2",
                                          "torus:5"};
constexpr const char* small_apps[] = {"stencil:2x3",
                                      "stencil:2x3,periodic",
                                      "ring:6",
                                      "chain:5",
                                      "star:6",
                                      "clique:5",
                                      "stencil:6,periodic",
                                      "alltoall:4",
                                      "random:6,degree=3",
                                      "stencil:2x2,points=9"};

TEST(Bounds, AreNeverAboveTheOptimumOfAllMappings) {
  for (const char* machine_text : small_machines) {
    const Machine machine = machine_of(machine_text);
    for (const char* app_text : small_apps) {
      const CommGraph app = read_app(app_text);
      if (app.ranks() > machine.slots() || mappings(app, machine) > 7000) continue;
      for (const ObjectiveKind kind : kinds) {
        PlaceRequest request = request_of(app, machine, kind);
        const double bound = place("linear", request).bound.value();
        request.time_limit_seconds.reset();
        PlaceResult best = place("exhaustive", request);
        best.bound = bound;
        expect_within(best, kind, std::string(machine_text) + ", " + app_text);
      }
    }
  }
}

TEST(Bounds, AreNeverPassedByAnyStrategy) {
  int jobs = 0;
  const char* machines[] = {"torus:4x4x2",
                            "mesh:8x4",
                            "tree:4:8,distance=1:10",
                            "fattree:4:4:2,up=2:1",
                            "dragonfly:groups=4,routers=4,nodes=2,global=2",
                            "flat:8,slots=4",
                            "torus:4x4,slots=2"};
  const char* apps[] = {"stencil:4x8",         "stencil:4x8,periodic", "stencil:4x4x2",
                        "hypercube:2x2x2x2x2", "stencil:4x8,points=9", "alltoall:4x8,vary=x",
                        "stencil:5x6/ring:30"};
  for (const char* machine_text : machines) {
    const Machine machine = machine_of(machine_text);
    for (const char* app_text : apps) {
      const CommGraph app = read_app(app_text);
      for (const ObjectiveKind kind : kinds)
        for (const char* strategy : {"linear", "near", "random", "multilevel"}) {
          if (strategy == std::string("multilevel") && ++jobs % 5 != 0)
            continue;  // it takes longer
          const PlaceResult result = place(strategy, request_of(app, machine, kind));
          expect_within(result, kind,
                        std::string(strategy) + ", " + machine_text + ", " + app_text);
        }
    }
  }
}

// Facts that the literature or a short count gives.
TEST(Bounds, AreAsHighAsKnown) {
  struct Row {
    const char* app;
    const char* machine;
    ObjectiveKind kind;
    double bound;
  };
  const Row rows[] = {
      // Every neighbour a hop away at least: 512 ranks x 4 messages.
      {"stencil:16x32,periodic", "torus:8x8x8", ObjectiveKind::hopbytes, 2048},
      // Each half of the torus 4x4x4 has 32 pairs with the other; the machine's 4 + 2 + 1 pairs of
      // opposite cuts part it into halves: 7 x 64 messages. One hop each were 384.
      {"stencil:4x4x4,periodic", "torus:8x4x2", ObjectiveKind::hopbytes, 448},
      // 32 of these messages over the 16 links of a cut, one way; a link gives 2e9 bytes/s.
      {"stencil:4x4x4,periodic", "torus:8x4x2,gbps=2", ObjectiveKind::congestion, 1e-9},
      // 27 nodes of 8 hold 12 pairs each at most, of 540.
      {"stencil:6x6x6", "flat:27,slots=8", ObjectiveKind::offnode, 432},
      // A node of 4 x 4 cells, or of two whole rows, sends 16 messages through its port of 1e9
      // bytes/s.
      {"stencil:8x8,periodic", "flat:4,slots=16,gbps=1", ObjectiveKind::congestion, 16e-9},
      // All 16 ranks: 3 peers at distance 1, 4 at 10, 8 at 100.
      {"alltoall:16", "tree:4:2:2,distance=1:10:100", ObjectiveKind::hopbytes, 16 * (3 + 40 + 800)},
  };
  for (const Row& row : rows) {
    const CommGraph app = read_app(row.app);
    const Machine machine = machine_of(row.machine);
    const PlaceResult result = place("linear", request_of(app, machine, row.kind));
    EXPECT_NEAR(result.bound.value(), row.bound, 1e-9 * row.bound)
        << row.app << " on " << row.machine;
  }
}

TEST(Bounds, AreProofsWhereTheyAreMet) {
  const CommGraph app = read_app("stencil:8x8");
  const Machine machine = machine_of("mesh:8x8");
  const PlaceResult result = place("linear", request_of(app, machine, ObjectiveKind::hopbytes));
  EXPECT_EQ(result.value, 224);  // 2 x 7 x 8 pairs, each both ways
  EXPECT_TRUE(result.optimal);
}

// What large machines tell by formula, counted: never fewer slots within a distance, never more
// distance.
TEST(Reaches, OfLargeMachinesHoldForEverySlot) {
  const char* machines[] = {"torus:12x10x9,slots=1",
                            "mesh:35x31",
                            "torus:9x12x5,slots=2",
                            "fattree:8:12:12,up=4:2",
                            "tree:8:12:12,distance=1:10:100",
                            "dragonfly:groups=9,routers=6x5,nodes=4,global=2",
                            "dragonfly:groups=12,routers=16,nodes=6,global=1",
                            "flat:300,slots=4"};
  for (const char* text : machines) {
    const Machine machine = machine_of(text);
    ASSERT_GT(machine.slots(), 1024) << text;
    const std::vector<SlotReach> reaches = machine.reaches();
    ASSERT_EQ(reaches.back().slots, machine.slots()) << text;
    for (SlotId a = 0; a < machine.slots(); a += 1 + machine.slots() / 64) {
      std::map<int, std::int64_t> counts;
      for (SlotId b = 0; b < machine.slots(); ++b) ++counts[machine.distance(a, b)];
      std::int64_t within = 0;
      for (const auto& [distance, count] : counts) {
        within += count;
        std::int64_t most = 0;
        for (const SlotReach& row : reaches)
          if (row.distance <= distance) most = row.slots;
        ASSERT_LE(within, most) << text << ", slot " << a << ", distance " << distance;
      }
    }
  }
}

}  // namespace
}  // namespace rankmap::test
