// Where a process is, for the order of ranks: its NUMA node by its CPUs, else by the map.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "libmap/base/files.hpp"
#include "libmap/mapping/map_file.hpp"
extern "C" {
#include "mpi_shim/reorder/here.h"
}

namespace rankmap::testing {
namespace {

namespace fs = std::filesystem;

class Site : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "rankmap.site.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    setenv("RANKMAP_SYSROOT", root_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("RANKMAP_SYSROOT");
    unsetenv("RANKMAP_MAP");
    fs::remove_all(root_);
  }

  void node(int number, const std::string& cpus) const {
    const std::string nodes = root_ + "/sys/devices/system/node";
    const std::string own = nodes + "/node" + std::to_string(number);
    fs::create_directories(own);
    write_text(own + "/cpulist", cpus + "\n");
    write_text(nodes + "/online", number == 0 ? "0\n" : "0-" + std::to_string(number) + "\n");
  }

  // A map of two ranks whose memory is planned on the NUMA node of their number.
  void use_map() const {
    MapFile map{"test", "effbw", false, {}};
    for (int rank = 0; rank < 2; ++rank) {
      MapRow row;
      row.rank = rank;
      row.host = "*";
      row.memory_policy = "preferred";
      row.memory_nodes.add(rank);
      map.rows.push_back(row);
    }
    write_text(root_ + "/map", write_map(map));
    setenv("RANKMAP_MAP", (root_ + "/map").c_str(), 1);
  }

  std::string root_;
};

TEST_F(Site, IsTheNodeThatHoldsAllAllowedCpus) {
  node(0, "8191");
  node(1, "0-8190");
  EXPECT_EQ(rankmap_site_here(0, 2).domain, 1);
}

TEST_F(Site, IsNoneWhereNoNodeHoldsThemAll) {
  node(0, "8190");
  node(1, "8191");
  EXPECT_EQ(rankmap_site_here(0, 2).domain, -1);
}

TEST_F(Site, IsNoneOnAMachineThatDoesNotSay) {
  EXPECT_EQ(rankmap_site_here(0, 2).domain, -1);
}

TEST_F(Site, IsTheMapsWhereTheRankIsNotBound) {
  use_map();
  EXPECT_EQ(rankmap_site_here(0, 2).domain, 0);
  EXPECT_EQ(rankmap_site_here(1, 2).domain, 1);
}

TEST_F(Site, IsNotThatOfAMapForAnotherJob) {
  use_map();
  EXPECT_EQ(rankmap_site_here(1, 3).domain, -1);
}

TEST_F(Site, HasOneHostForAllProcessesHere) {
  EXPECT_EQ(rankmap_site_here(0, 2).host, rankmap_site_here(1, 2).host);
  EXPECT_NE(rankmap_site_here(0, 2).host, 0U);
}

}  // namespace
}  // namespace rankmap::testing
