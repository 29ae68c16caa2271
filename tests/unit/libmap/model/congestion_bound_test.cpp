// No mapping beats the limit; where the cut decides, the best one reaches it.
#include "libmap/model/congestion_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "libmap/base/random.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/model/objective.hpp"
#include "model_machines.hpp"

namespace rankmap::test {
namespace {

MachineOptions shared() {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return options;
}

// Directed edges of random sizes, in up to two phases.
CommGraph random_app(Rank ranks, Random& random) {
  GraphBuilder builder(ranks);
  const std::int32_t second = builder.add_phase();
  const int edges = 1 + static_cast<int>(random.below(3 * static_cast<std::uint64_t>(ranks)));
  for (int i = 0; i < edges; ++i) {
    const auto from = static_cast<Rank>(random.below(static_cast<std::uint64_t>(ranks)));
    const auto to = static_cast<Rank>(random.below(static_cast<std::uint64_t>(ranks)));
    if (from == to) continue;
    const std::int32_t phase = random.below(3) == 0 ? second : 0;
    builder.add({from, to, 1 + random.below(1000), 1, 1, phase, none});
  }
  return std::move(builder).build("random");
}

// Over all ways to give the ranks different slots.
double best_seconds(const CommGraph& app, const Machine& machine) {
  std::vector<SlotId> slots(static_cast<std::size_t>(machine.slots()));
  std::iota(slots.begin(), slots.end(), 0);
  const auto ranks = static_cast<std::ptrdiff_t>(app.ranks());
  double best = 1e300;
  do {
    const Mapping mapping{{slots.begin(), slots.begin() + ranks}};
    best = std::min(best, congestion_seconds(app, machine, mapping));
    std::reverse(slots.begin() + ranks, slots.end());  // the next permutation changes the ranks'
  } while (std::next_permutation(slots.begin(), slots.end()));
  return best;
}

TEST(CongestionBound, NoMappingOfSmallCasesBeatsIt) {
  Random random(5);
  int positive = 0, reached = 0;
  for (const char* spec :
       {"torus:6", "torus:3x2", "mesh:3x2,gbps=1:3", "torus:3,slots=2,tie=plus", "mesh:5",
        "torus:3x2,routing=minpath", "tree:2:3:1", "fattree:2:3,up=1", "fattree:2:2,up=1,gbps=4:1",
        "dragonfly:groups=3,routers=2,nodes=1,global=1", "flat:3,slots=2", "nvlink:3,slots=2",
        "dragonfly:groups=3,routers=2,nodes=1,global=1,routing=valiant", "torus:3x3,part=0-1,3-4,8",
        "summit", "polaris"}) {
    const Machine machine = read_machine(spec, shared());
    ASSERT_LE(machine.slots(), 6);
    for (int i = 0; i < 12; ++i) {
      const auto ranks = static_cast<Rank>(2 + random.below(5));
      if (ranks > machine.slots()) continue;
      const CommGraph app = random_app(ranks, random);
      const double bound = congestion_bound(app, machine);
      const double best = best_seconds(app, machine);
      EXPECT_LE(bound, best * (1 + 1e-12)) << spec << " case " << i;
      positive += bound > 0 ? 1 : 0;
      reached += bound >= best * (1 - 1e-9) ? 1 : 0;
    }
  }
  EXPECT_GT(positive, 100);
  EXPECT_GT(reached, 20);
}

CommGraph all_to_all(Rank ranks) {
  GraphBuilder builder(ranks);
  for (Rank a = 0; a < ranks; ++a)
    for (Rank b = 0; b < ranks; ++b)
      if (a != b) builder.add({a, b, 1000, 1, 1, 0, none});
  return std::move(builder).build("alltoall");
}

Mapping in_order(Rank ranks) {
  Mapping mapping;
  for (Rank rank = 0; rank < ranks; ++rank) mapping.slot_of.push_back(rank);
  return mapping;
}

TEST(CongestionBound, OfAnAllToAllIsReachedWhereTheBisectionDecides) {
  // k^2/8 messages on every link of an even ring; (k/2)^2 on the middle of a line or a lone uplink.
  for (const char* spec : {"torus:8", "mesh:8", "tree:1:4:2", "torus:8x8"}) {
    const Machine machine = read_machine(spec, {});
    const CommGraph app = all_to_all(machine.slots());
    const double bound = congestion_bound(app, machine);
    EXPECT_NEAR(congestion_seconds(app, machine, in_order(app.ranks())), bound, 1e-9 * bound)
        << spec;
  }
}

TEST(CongestionBound, OfAllLinksIsTheirShareOfTheHops) {
  // Groups of 8 on 8 x 8 x 8: of its 7 peers a rank has 6 at one hop at best and one at two: 512 x
  // 8 hops over 3072 links.
  GraphBuilder builder(512);
  for (Rank a = 0; a < 512; ++a)
    for (Rank b = a / 8 * 8; b < a / 8 * 8 + 8; ++b)
      if (a != b) builder.add({a, b, 3000, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("groups");
  EXPECT_NEAR(congestion_bound(app, read_machine("torus:8x8x8,gbps=1", {})), 4000 / 1e9, 1e-15);
}

TEST(CongestionBound, OfOneMessageIsItsLink) {
  // Each message crosses some link as a whole where ties go one way.
  GraphBuilder builder(16);
  for (Rank a = 0; a < 16; ++a) builder.add({a, (a + 1) % 16, 1000, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("ring");
  EXPECT_NEAR(congestion_bound(app, read_machine("torus:4x4,tie=plus,gbps=1", {})), 1e-6, 1e-15);
}

TEST(CongestionBound, OfAHeavyRankIsItsNic) {
  // Rank 0 sends 1000 bytes to each of 7 others; two slots a node: six of them are on other nodes.
  GraphBuilder builder(8);
  for (Rank to = 1; to < 8; ++to) builder.add({0, to, 1000, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("star");
  const Machine machine = read_machine("flat:4,slots=2,gbps=1", {});
  EXPECT_NEAR(congestion_bound(app, machine), 6000 / 1e9, 1e-15);
  EXPECT_NEAR(congestion_bound(app, machine, 2), 4000 / 1e9, 1e-15);  // three more on the node
}

}  // namespace
}  // namespace rankmap::test
