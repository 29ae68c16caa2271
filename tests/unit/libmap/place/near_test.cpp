// The strategy near, and the map of a job that nobody planned.
#include "libmap/place/near.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/random.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/place/near_map.hpp"
#include "libmap/place/strategy.hpp"
#include "patterns/pattern.hpp"

namespace rankmap {
namespace {

NodeModel shared_node(const std::string& name) {
  MachineOptions options;
  options.share_directory = std::string(RANKMAP_SOURCE_DIR) + "/share";
  return read_machine(name, options).model();
}

std::vector<Rank> ranks_from(Rank first, Rank count) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < count; ++rank) ranks.push_back(first + rank);
  return ranks;
}

MapFile near_on(const std::string& name, Rank ranks) {
  return near_map({{"*", shared_node(name), ranks_from(0, ranks)}});
}

std::string gpus_of(const MapFile& map) {
  std::vector<std::string> gpus;
  for (const MapRow& row : map.rows) gpus.push_back(std::to_string(row.gpu));
  return join(gpus, ",");
}

std::string nics_of(const MapFile& map) {
  std::vector<std::string> nics;
  for (const MapRow& row : map.rows) nics.push_back(row.nic);
  return join(nics, ",");
}

struct Site {
  const char* machine;
  int ranks;
  const char* gpus;
  const char* nics;  // "": not part of what is published
};

class PublishedBindings : public ::testing::TestWithParam<Site> {};

// The bindings that the sites tell their users to write by hand (sources: README, "No map").
TEST_P(PublishedBindings, AreWhatNearGives) {
  const Site& site = GetParam();
  const MapFile map = near_on(site.machine, site.ranks);
  EXPECT_EQ(gpus_of(map), site.gpus);
  if (*site.nics != '\0') {
    EXPECT_EQ(nics_of(map), site.nics);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sites, PublishedBindings,
    ::testing::Values(
        Site{"polaris", 4, "3,2,1,0", ""}, Site{"perlmutter", 4, "3,2,1,0", "hsn0,hsn1,hsn2,hsn3"},
        Site{"lumi-g", 8, "4,5,2,3,6,7,0,1", "hsn0,hsn0,hsn1,hsn1,hsn2,hsn2,hsn3,hsn3"},
        Site{"frontier", 8, "4,5,2,3,6,7,0,1", "hsn0,hsn0,hsn1,hsn1,hsn2,hsn2,hsn3,hsn3"},
        Site{"juwels-booster", 4, "1,0,3,2", "mlx5_0,mlx5_1,mlx5_2,mlx5_3"},
        Site{"aurora", 12, "0,1,2,3,4,5,6,7,8,9,10,11", ""}),
    [](const auto& info) {
      std::string name = info.param.machine;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// The same from what tools printed on such nodes.
class RecordedBindings : public ::testing::TestWithParam<Site> {};

TEST_P(RecordedBindings, AreWhatNearGives) {
  const char* const corpus = std::getenv("RANKMAP_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "RANKMAP_CORPUS is not set";
  const std::string path = std::string(corpus) + "/" + GetParam().machine;
  const NodeModel node = read_node_model(read_text(path), path);
  const MapFile map = near_map({{"*", node, ranks_from(0, GetParam().ranks)}});
  EXPECT_EQ(gpus_of(map), GetParam().gpus);
  EXPECT_EQ(nics_of(map), GetParam().nics);
}

INSTANTIATE_TEST_SUITE_P(Nodes, RecordedBindings,
                         ::testing::Values(
                             // `nvidia-smi topo -m` of a Polaris node, and another one
                             Site{"smi_topo/026.txt", 4, "3,2,1,0", "mlx5_0,mlx5_1,mlx5_1,mlx5_0"},
                             Site{"smi_topo/047.txt", 4, "3,2,1,0", "mlx5_0,mlx5_1,mlx5_1,mlx5_0"},
                             // hwloc of Tioga, a node as Frontier's and LUMI's
                             Site{"hwloc_xml/058.xml", 8, "4,5,2,3,6,7,0,1",
                                  "hsi2,hsi2,hsi1,hsi1,hsi3,hsi3,hsi0,hsi0"}));

TEST(NearMap, GivesCoresAndMemoryOfTheGpusNumaNode) {
  const MapFile map = near_on("juwels-booster", 4);
  EXPECT_EQ(map.rows[0].cpus.to_string(), "6-11,54-59");  // NUMA node 1
  EXPECT_EQ(map.rows[0].memory_nodes.to_string(), "1");
  EXPECT_EQ(map.rows[1].cpus.to_string(), "18-23,66-71");  // NUMA node 3
  EXPECT_EQ(map.rows[3].node_gpus, (std::vector<int>{1, 0, 3, 2}));
}

// LUMI: two GPUs a NUMA node of 14 cores that are not reserved; each rank has seven of them.
TEST(NearMap, DividesTheCoresOfANumaNodeAmongItsRanks) {
  const MapFile map = near_on("lumi-g", 8);
  EXPECT_EQ(map.rows[0].cpus.to_string(), "1-7,65-71");
  EXPECT_EQ(map.rows[1].cpus.to_string(), "9-15,73-79");
  EXPECT_EQ(map.rows[7].cpus.to_string(), "57-63,121-127");
}

TEST(NearMap, LetsMoreRanksShareGpusEvenly) {
  const MapFile map = near_on("lumi-g", 16);
  EXPECT_EQ(gpus_of(map), "4,4,5,5,2,2,3,3,6,6,7,7,0,0,1,1");
  EXPECT_EQ(map.rows[0].cpus.to_string(), "1-3,65-67");  // 14 cores among four ranks
  const MapFile uneven = near_on("perlmutter", 6);
  std::map<int, int> users;
  for (const MapRow& row : uneven.rows) ++users[row.gpu];
  for (const auto& [gpu, count] : users) EXPECT_TRUE(count == 1 || count == 2) << gpu;
  EXPECT_EQ(users.size(), 4U);
}

TEST(NearMap, SpreadsFewerRanksOverNicsAndSockets) {
  EXPECT_EQ(nics_of(near_on("lumi-g", 4)), "hsn0,hsn1,hsn2,hsn3");
  const MapFile two = near_on("summit", 2);
  EXPECT_NE(two.rows[0].memory_nodes, two.rows[1].memory_nodes);
  const MapFile one = near_on("perlmutter", 1);
  EXPECT_EQ(one.rows[0].cpus.to_string(), "0-15,64-79");
  // all cores of the socket, although two of its three GPUs are not used
  EXPECT_EQ(two.rows[0].cpus.to_string(), "0-83");
}

TEST(NearMap, DividesTheCoresOfANodeWithoutGpus) {
  const NodeModel node = shared_node("cpu-2socket");
  const MapFile map = near_on("cpu-2socket", 2);
  EXPECT_EQ(map.rows[0].gpu, none);
  CpuSet all;
  for (const Core& core : node.cores) all = all.united(core.cpus);
  EXPECT_EQ(map.rows[0].cpus.united(map.rows[1].cpus), all);
  EXPECT_NE(map.rows[0].memory_nodes, map.rows[1].memory_nodes);
  const MapFile one = near_on("cpu-2socket", 1);
  EXPECT_EQ(one.rows[0].cpus, all);
  EXPECT_EQ(one.rows[0].memory_nodes.size(), 2U);
}

TEST(NearMap, TakesRanksWhereTheirLauncherPutsThem) {
  const NodeModel lumi = shared_node("lumi-g"), polaris = shared_node("polaris");
  const MapFile map = near_map({{"n0", lumi, {0, 2, 4}}, {"n1", polaris, {1, 3}}});
  EXPECT_EQ(map.rows[1].host, "n1");
  EXPECT_EQ(map.rows[2].host, "n0");
  EXPECT_EQ(map.rows[3].node_gpus.size(), 2U);
  EXPECT_EQ(read_map(write_map(map), "again"), map);
  EXPECT_THROW(near_map({{"n0", lumi, {0, 1}}, {"n1", lumi, {1, 2}}}), InputError);
  EXPECT_THROW(near_map({}), InputError);
}

TEST(NearMap, WritesManyRanksOnOneNode) {
  const MapFile map = near_on("lumi-g", 512);
  EXPECT_EQ(read_map(write_map(map), "again").rows.size(), 512U);
  EXPECT_FALSE(map.rows[0].cpus.empty());
}

// Every rank has a place, no place more than it has, in ascending near order.
TEST(NearSlots, KeepsToThePlaces) {
  Random random(7);
  for (const char* name : {"lumi-g", "summit", "dgx1-v100", "cpu-2socket"}) {
    const Machine machine(shared_node(name), 1);
    const std::vector<int> order = near_order(machine);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<int> places(static_cast<std::size_t>(machine.slots_per_node()));
      int room = 0;
      for (int& place : places) room += place = static_cast<int>(random.below(4));
      if (room == 0) continue;
      const int ranks = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(room)));
      std::vector<int> used(places.size(), 0);
      std::size_t last = 0;
      for (const int slot : near_slots(machine, ranks, places)) {
        ++used[static_cast<std::size_t>(slot)];
        const auto position =
            static_cast<std::size_t>(std::find(order.begin(), order.end(), slot) - order.begin());
        EXPECT_GE(position, last);
        last = position;
      }
      int placed = 0;
      for (std::size_t i = 0; i < used.size(); ++i) {
        EXPECT_LE(used[i], places[i]);
        placed += used[i];
      }
      EXPECT_EQ(placed, ranks);
    }
  }
}

TEST(PlaceNear, IgnoresTheAppButNotWhatIsFixedOrBusy) {
  MachineOptions options;
  options.share_directory = std::string(RANKMAP_SOURCE_DIR) + "/share";
  const Machine machine = read_machine("lumi-gx2", options);
  const CommGraph app = read_app("ring:10");
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective.kind = ObjectiveKind::congestion;
  request.forbidden = {4};
  request.fixed = {{9, 15}};
  const PlaceResult result = place("near", request);
  EXPECT_EQ(result.mapping.slot_of, (std::vector<SlotId>{5, 2, 3, 6, 7, 0, 1, 12, 10, 15}));
  EXPECT_EQ(defect_of(result.mapping, machine, 1, request.forbidden), "");
}

}  // namespace
}  // namespace rankmap
