// The networks of share/networks are read and have the sizes that their machines are known for.
#include <gtest/gtest.h>

#include <map>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"

namespace rankmap {
namespace {

MachineOptions shared() {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return options;
}

TEST(NetworkPresets, AllAreReadAndNamedHere) {
  const std::map<std::string, NodeId> nodes = {
      {"aurora", 166 * 64},   {"edison", 15 * 96 * 4},
      {"frontier", 74 * 128}, {"fugaku", 158976},
      {"lumi-g", 24 * 128},   {"mira", 49152},
      {"nvl72", 18},          {"perlmutter", 12 * 128},
      {"polaris", 560},       {"summit", 18 * 18 * 15},
      {"superpod-h100", 128}, {"theta", 9 * 96 * 4},
  };
  for (const std::string& name : network_names(shared().share_directory)) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(nodes.contains(name));
    EXPECT_EQ(read_machine("@" + name, shared()).nodes(), nodes.at(name));
  }
  EXPECT_EQ(network_names(shared().share_directory).size(), nodes.size());
}

TEST(NetworkPresets, JoinNodesAndTakeMoreKeys) {
  const Machine part = read_machine("frontier@frontier,part=0-127", shared());
  EXPECT_EQ(part.nodes(), 128);
  EXPECT_EQ(part.slots(), 128 * 8);
  EXPECT_EQ(read_machine("@mira,slots=16,part=0-511", shared()).slots(), 512 * 16);
  EXPECT_THROW(read_machine("@mira,gbps=1", shared()), UsageError);  // it has one already
  EXPECT_THROW(read_machine("@nowhere", shared()), UsageError);
  EXPECT_THROW(read_machine("polaris@nowhere", shared()), UsageError);
}

TEST(NetworkPresets, LumiHasItsBandwidthBetweenGroups) {
  // 276 TB/s over all links between groups, both directions of each pair counted once a direction.
  const Machine lumi = read_machine("@lumi-g", shared());
  double sum = 0;
  for (LinkId link = 0; link < lumi.links(); ++link)
    if (lumi.link(link).kind == LinkKind::global)
      sum += static_cast<double>(lumi.link(link).bytes_per_second);
  EXPECT_DOUBLE_EQ(sum, 276e12);
}

}  // namespace
}  // namespace rankmap
