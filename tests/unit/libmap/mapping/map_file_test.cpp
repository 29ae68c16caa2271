#include "libmap/mapping/map_file.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "tests/unit/libmap/mapping/small_machines.hpp"

namespace rankmap {
namespace {

using testing::two_gpu_machine;
using testing::two_gpu_node;

template <typename Failure>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& error) {
    return error.what();
  }
  return "no error";
}

MapFile swapped() {
  return map_file_of(Mapping{{1, 0}}, two_gpu_machine(), "effbw");
}

TEST(MapFileOf, TakesTheRowOfTheSlot) {
  const MapFile map = swapped();
  ASSERT_EQ(map.rows.size(), 2U);
  const MapRow& row = map.rows[0];
  EXPECT_EQ(row.host, "*");
  EXPECT_EQ(row.gpu, 1);
  EXPECT_EQ(row.gpu_id, "0000:07:00.0");
  EXPECT_EQ(row.cpus.to_string(), "2-3,6-7");
  EXPECT_EQ(row.cores.to_string(), "2-3");
  EXPECT_EQ(row.memory_nodes.to_string(), "1");
  EXPECT_EQ(row.memory_policy, "preferred");
}

TEST(MapFileOf, ListsTheGpusOfAHostByLocalRank) {
  // ranks 0, 2 on node 0 (GPUs 1, 0), ranks 1, 3 on node 1 (GPUs 0, 1)
  const MapFile map = map_file_of(Mapping{{1, 2, 0, 3}}, two_gpu_machine(2), "congestion");
  EXPECT_EQ(map.rows[0].node_gpus, (std::vector<int>{1, 0}));
  EXPECT_EQ(map.rows[3].node_gpus, (std::vector<int>{0, 1}));
}

TEST(MapFileOf, DividesASlotByWholeCores) {
  const MapFile map = map_file_of(Mapping{{0, 0}}, two_gpu_machine(), "effbw");
  EXPECT_EQ(map.rows[0].cpus.to_string(), "0,4");
  EXPECT_EQ(map.rows[0].cores.to_string(), "0");
  EXPECT_EQ(map.rows[1].cpus.to_string(), "1,5");
}

TEST(MapFileOf, SharesASlotWithFewerCoresThanRanks) {
  const MapFile map = map_file_of(Mapping{{0, 0, 0}}, two_gpu_machine(), "effbw");
  for (const MapRow& row : map.rows) EXPECT_EQ(row.cpus.to_string(), "0-1,4-5");
}

TEST(MapFileOf, KnowsTheMakerByTheLinks) {
  const Machine amd(two_gpu_node(LinkKind::xgmi), 1);
  EXPECT_EQ(map_file_of(Mapping{{0}}, amd, "effbw").rows[0].vendor, "amd");
  EXPECT_EQ(swapped().rows[0].vendor, "");
}

TEST(MapText, ReadsBackWhatWasWritten) {
  MapFile map = map_file_of(Mapping{{1, 2, 0, 3}}, two_gpu_machine(2), "offnode,congestion");
  map.rows[2].nic = "mlx5_0";
  map.rows[2].vendor = "amd";
  map.rows[3].memory_policy = "bind";
  map.rows[3].slot = 1;
  map.machine = "a machine, 100%";
  EXPECT_TRUE(map.hosts_unnamed);
  EXPECT_EQ(read_map(write_map(map), "map"), map);
}

TEST(MapText, IsReadableByPeople) {
  const std::string text = write_map(swapped());
  EXPECT_EQ(text.rfind("# rankmap 1 ranks=2 width=55 machine=small objective=effbw body=", 0), 0U);
  EXPECT_EQ(text.substr(256),
            "0 * 1 0000:07:00.0 1,0 - 2-3,6-7 preferred:1 cores=2-3\n"
            "1 * 0 0000:06:00.0 1,0 - 0-1,4-5 preferred:0 cores=0-1\n");
}

TEST(MapText, IsTheSameForTheSameMap) {
  EXPECT_EQ(write_map(swapped()), write_map(swapped()));
}

TEST(MapText, CutsALongMachineName) {
  MapFile map = swapped();
  map.machine = std::string(300, 'x');
  EXPECT_EQ(read_map(write_map(map), "map").machine, std::string(112, 'x'));
}

TEST(MapText, RefusesARankThatDoesNotFitALine) {
  MapFile map = swapped();
  // growing gaps leave no ranges: 0, 1, 3, 6, 10 ... are 200 numbers of up to 5 digits
  for (int i = 0; i < 200; ++i) map.rows[1].cpus.add(i * (i + 1) / 2);
  EXPECT_EQ(message_of<Infeasible>([&] { write_map(map); }),
            "rank 1 cannot be written in a map file: a line would be longer than 512 bytes");
}

TEST(MapText, RefusesANameWithBlanks) {
  MapFile map = swapped();
  map.rows[0].host = "my host";
  EXPECT_NE(message_of<Infeasible>([&] { write_map(map); }).find("rank 0"), std::string::npos);
}

TEST(MapText, SaysWhereATextIsDamaged) {
  std::string text = write_map(swapped());
  text.replace(text.find("preferred:1"), 11, "preferted:1");
  const std::size_t column = text.find("preferted") - 256 + 1;
  EXPECT_EQ(message_of<InputError>([&] { read_map(text, "job.rankmap"); }),
            "job.rankmap:2:" + std::to_string(column) +
                ": bad memory policy, expected preferred:LIST or bind:LIST");
}

TEST(MapText, SaysThatATextWasChanged) {
  std::string text = write_map(swapped());
  text.replace(text.find("0000:07"), 7, "0000:08");
  EXPECT_NE(message_of<InputError>([&] { read_map(text, "m"); }).find("checksum"),
            std::string::npos);
}

TEST(MapText, RefusesAnEmptyText) {
  EXPECT_THROW(read_map("", "m"), InputError);
  EXPECT_THROW(read_map("rank 0=n0 slot=1\n", "m"), InputError);
}

TEST(MapText, DamagedTextsAreReadOrRefused) {
  const std::string good = write_map(map_file_of(Mapping{{1, 2, 0, 3}}, two_gpu_machine(2), "x"));
  Random random(3);
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text =
        good.substr(0, random.below(4) == 0 ? random.below(good.size()) : good.size());
    for (std::uint64_t i = random.below(6); i > 0 && !text.empty(); --i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    try {
      EXPECT_EQ(read_map(text, "m").rows.size(), 4U);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3000);
}

TEST(MappingOf, IsTheWayBack) {
  const Machine machine = two_gpu_machine(2);
  const Mapping mapping{{1, 2, 0, 3}};
  EXPECT_EQ(mapping_of(read_map(write_map(map_file_of(mapping, machine, "x")), "m"), machine),
            mapping);
  EXPECT_EQ(mapping_of(swapped(), two_gpu_machine()), (Mapping{{1, 0}}));
}

TEST(MappingOf, FindsRealHostsByTheirOrder) {
  const Machine machine = two_gpu_machine(2);
  const MapFile map = with_hosts(map_file_of(Mapping{{1, 2}}, machine, "x"), {"beta", "alpha"});
  EXPECT_EQ(mapping_of(map, machine), (Mapping{{1, 2}}));
}

TEST(MappingOf, FindsNamedHostsByName) {
  Machine machine = two_gpu_machine(2);
  machine.set_hosts({"alpha", "beta"});
  const MapFile map = map_file_of(Mapping{{3, 0}}, machine, "x");
  EXPECT_EQ(map.rows[0].host, "beta");
  EXPECT_EQ(mapping_of(map, machine), (Mapping{{3, 0}}));
}

TEST(MappingOf, RefusesWhatIsNotInTheMachine) {
  MapFile map = swapped();
  map.rows[1].gpu = 5;
  EXPECT_EQ(message_of<InputError>([&] { mapping_of(map, two_gpu_machine()); }),
            "map:3:0: rank 1: GPU 5 is not in the machine small");
  const MapFile two_nodes = map_file_of(Mapping{{0, 2}}, two_gpu_machine(2), "x");
  EXPECT_THROW(mapping_of(two_nodes, two_gpu_machine()), InputError);
  Machine named = two_gpu_machine(2);
  named.set_hosts({"alpha", "beta"});
  EXPECT_THROW(mapping_of(with_hosts(two_nodes, {"alpha", "gamma"}), named), InputError);
}

TEST(WithHosts, GivesNamesToNodes) {
  MapFile map = map_file_of(Mapping{{2, 0}}, two_gpu_machine(2), "x");
  ASSERT_TRUE(has_nameless_hosts(map));
  map = with_hosts(map, {"n0", "n1"});
  EXPECT_FALSE(has_nameless_hosts(map));
  EXPECT_EQ(hosts_of(map), (std::vector<std::string>{"n1", "n0"}));
  EXPECT_EQ(with_hosts(swapped(), {"n7"}).rows[1].host, "n7");
}

TEST(WithHosts, RefusesTooFewTwiceTheSameAndNamedMaps) {
  const MapFile map = map_file_of(Mapping{{2, 0}}, two_gpu_machine(2), "x");
  EXPECT_THROW(with_hosts(map, {"n0"}), UsageError);
  EXPECT_THROW(with_hosts(map, {"n0", "n0"}), UsageError);
  EXPECT_THROW(with_hosts(map, {"n0", "n 1"}), UsageError);
  EXPECT_THROW(with_hosts(with_hosts(map, {"n0", "n1"}), {"a", "b"}), UsageError);
}

}  // namespace
}  // namespace rankmap
