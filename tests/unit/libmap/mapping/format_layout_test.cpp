// How ranks lie over hosts, and what launchers write in short: lists of hosts, masks, blocks of tasks.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/host_list.hpp"
#include "libmap/mapping/formats/flux.hpp"
#include "libmap/mapping/formats/grid.hpp"
#include "libmap/mapping/formats/layout.hpp"
#include "tests/unit/libmap/mapping/launcher_maps.hpp"

namespace rankmap {
namespace {

using testing::map_of_places;
using Names = std::vector<std::string>;

TEST(Layout, TellsBlocksFromRounds) {
  const MapFile block = testing::block_map(), round = testing::permuted_map(),
                mixed = testing::mixed_map();
  EXPECT_TRUE(layout_by_first_rank(block).block);
  EXPECT_FALSE(layout_by_first_rank(block).cyclic);
  EXPECT_TRUE(layout_by_first_rank(round).cyclic);
  EXPECT_FALSE(layout_by_first_rank(round).block);
  EXPECT_FALSE(layout_by_first_rank(mixed).block || layout_by_first_rank(mixed).cyclic);
}

TEST(Layout, BlocksInAnotherOrderOfHostsAreNoneByName) {
  const MapFile map = map_of_places({{"n10", 0}, {"n10", 1}, {"n9", 0}, {"n9", 1}});
  EXPECT_TRUE(layout_by_first_rank(map).block);
  EXPECT_FALSE(layout_by_name(map).block);
  EXPECT_EQ(names_of(layout_by_name(map)), (Names{"n9", "n10"}));
  ExportOptions options;
  options.hosts = {"n8", "n10", "n9"};
  EXPECT_EQ(names_of(layout_in_given_order(map, options)), (Names{"n10", "n9"}));
}

TEST(Layout, UnevenRoundsAreCyclicAndNotEqual) {
  const MapFile map = map_of_places({{"a", 0}, {"b", 0}, {"a", 1}, {"b", 1}, {"a", 2}});
  EXPECT_TRUE(layout_by_first_rank(map).cyclic);
  EXPECT_FALSE(layout_by_first_rank(map).equal);
}

TEST(HostNumbers, CountUnusedHostsWhereTheJobIsKnown) {
  using Numbers = std::map<std::string, std::size_t>;
  const MapFile map = map_of_places({{"n10", 0}, {"n9", 0}});
  EXPECT_EQ(host_numbers(map, {}), (Numbers{{"n9", 0}, {"n10", 1}}));
  ExportOptions options;
  options.hosts = {"n8", "n10", "n9"};
  EXPECT_EQ(host_numbers(map, options), (Numbers{{"n8", 0}, {"n10", 1}, {"n9", 2}}));
  EXPECT_EQ(host_numbers(testing::torus_map(), {}).at("node3"), 3U);
}

TEST(NaturalOrder, ComparesNumbersAsNumbers) {
  Names names = {"n10", "n9", "n09", "login", "n1-2", "n1-10", "n", "n2b1"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names, (Names{"login", "n", "n1-2", "n1-10", "n2b1", "n09", "n9", "n10"}));
}

TEST(CompressedHosts, IsShortAndKeepsOrderAndZeros) {
  EXPECT_EQ(compressed_hosts({"n0", "n1"}), "n[0-1]");
  EXPECT_EQ(compressed_hosts({"n01", "n02", "n04", "login"}), "n[01-02,04],login");
  EXPECT_EQ(compressed_hosts({"n9", "n10"}), "n[9-10]");
  EXPECT_EQ(compressed_hosts({"n09", "n10", "n9"}), "n[09-10,9]");
  EXPECT_EQ(compressed_hosts({"n1", "n0"}), "n[1,0]");
  EXPECT_EQ(compressed_hosts({"a-b", "n12345678901234567890"}), "a-b,n12345678901234567890");
}

TEST(CompressedHosts, ExpandsToTheSameHosts) {
  Random random(7);
  for (int turn = 0; turn < 300; ++turn) {
    Names hosts;
    for (int i = 0; i < 12; ++i) {
      std::string number = std::to_string(random.below(30));
      if (random.below(3) == 0) number.insert(0, random.below(3), '0');
      hosts.push_back((random.below(4) == 0 ? "gpu-" : "n") + number);
    }
    EXPECT_EQ(expand_host_list(compressed_hosts(hosts), "test"), hosts) << compressed_hosts(hosts);
  }
}

TEST(HexMask, HasABitForEveryCpu) {
  EXPECT_EQ(hex_mask(CpuSet{8, 9, 10, 11}), "F00");
  EXPECT_EQ(hex_mask(CpuSet{0, 69}), "200000000000000001");
}

// The order that the blocks stand for, read as the task map format defines them.
std::vector<std::size_t> expanded(const std::string& blocks) {
  std::vector<std::size_t> numbers, tasks;
  std::string digits;
  for (const char c : blocks) {
    if (c >= '0' && c <= '9') digits += c;
    if (digits.empty() || (c >= '0' && c <= '9')) continue;
    numbers.push_back(*parse_unsigned(digits));
    digits.clear();
  }
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
    for (std::size_t repeat = 0; repeat < numbers[i + 3]; ++repeat)
      for (std::size_t node = 0; node < numbers[i + 1]; ++node)
        tasks.insert(tasks.end(), numbers[i + 2], numbers[i] + node);
  return tasks;
}

TEST(FluxBlocks, AreTheShortFormsOfBlockAndRound) {
  EXPECT_EQ(flux_blocks({0, 1, 0, 1, 0, 1, 0, 1}), "[[0,2,1,4]]");
  EXPECT_EQ(flux_blocks({0, 0, 0, 0, 1, 1, 1, 1}), "[[0,2,4,1]]");
  EXPECT_EQ(flux_blocks({3, 2, 1, 0}), "[[3,1,1,1],[2,1,1,1],[1,1,1,1],[0,1,1,1]]");
  EXPECT_EQ(flux_blocks({5}), "[[5,1,1,1]]");
}

TEST(FluxBlocks, StandForTheSameOrder) {
  Random random(11);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<std::size_t> tasks;
    for (int i = 0; i < 24; ++i) tasks.push_back(random.below(turn % 2 == 0 ? 2 : 4));
    EXPECT_EQ(expanded(flux_blocks(tasks)), tasks) << flux_blocks(tasks);
  }
}

TEST(Grid, CoordinatesAreRowMajor) {
  const std::vector<std::size_t> extents = grid_extents("torus:4x2x3,slots=2");
  EXPECT_EQ(extents, (std::vector<std::size_t>{4, 2, 3}));
  EXPECT_EQ(coordinates(7, extents), (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_EQ(node_at({1, 0, 1}, extents), 7U);
  EXPECT_TRUE(coordinates(24, extents).empty());
  for (const char* name :
       {"torus:", "torus:4x", "torus:0x4", "cluster", "torus:4x-1", "mesh:99999999999x2"})
    EXPECT_TRUE(grid_extents(name).empty()) << name;
  // A box is numbered within itself; a list of nodes is no grid.
  EXPECT_EQ(grid_extents("torus:8x8x8,box=0-3x2-7x5,slots=2"), (std::vector<std::size_t>{4, 6, 1}));
  EXPECT_TRUE(grid_extents("torus:8x8,part=0-15").empty());
}

TEST(ExportMap, QuotesWhatAShellWouldTakeApart) {
  ExportOptions options;
  options.map_path = "my map.rankmap";
  options.file_name = "a b";
  EXPECT_NE(export_map(testing::block_map(), "mpich", options)
                .command.find("-f 'a b' -n 8 rankmap exec --map 'my map.rankmap' --"),
            std::string::npos);
}

TEST(ExportMap, RefusesHostsThatMeanSomethingToAShell) {
  for (const char* host : {"n0;rm", "$(x)", "-n0", "n0 n1", "n[0-1]"}) {
    MapFile map = testing::block_map();
    for (MapRow& row : map.rows)
      if (row.host == "n1") row.host = host;
    for (const LauncherFormat& format : launcher_formats()) {
      if (format.name == "rankmap" || format.name == "csv") continue;
      EXPECT_THROW(export_map(map, format.name, {}), Infeasible) << format.name << " " << host;
    }
  }
}

TEST(ExportMap, HostsOfANamedMapGiveTheLaunchersOrder) {
  ExportOptions options;
  options.hosts = {"n1", "x", "n0"};
  EXPECT_NE(export_map(testing::block_map(), "jsrun", options).text.find("rank: 0: { host: 3;"),
            std::string::npos);
  options.hosts = {"n1", "x"};
  EXPECT_THROW(export_map(testing::block_map(), "jsrun", options), UsageError);
}

}  // namespace
}  // namespace rankmap
