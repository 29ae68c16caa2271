// NVLink racks as leaves of other networks.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "link_graph.hpp"

namespace rankmap::test {
namespace {

Machine read(const std::string& spec) {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return read_machine(spec, options);
}

std::string kinds_on(const Machine& machine, NodeId from, NodeId to) {
  std::string text;
  for (const LinkId link : machine.route(machine.slot_at(from, 0), machine.slot_at(to, 0)))
    text += std::string(text.empty() ? "" : " ") + name_of(machine.link(link).kind);
  return text;
}

// Two racks of 18 trays, each on a leaf switch; the same without racks for comparison.
TEST(Domain, KeepsBytesOfARackOffTheTree) {
  const Machine racks = read("gb200-tray@fattree:18:2,up=9,domain=18,gbps=50");
  EXPECT_EQ(kinds_on(racks, 0, 17), "nvlink nvlink");
  EXPECT_EQ(kinds_on(racks, 0, 18), "c2c pcie nic up down nic pcie c2c");
  EXPECT_EQ(kinds_on(racks, 19, 35), "nvlink nvlink");
  const Machine plain = read("gb200-tray@fattree:18:2,up=9,gbps=50");
  EXPECT_EQ(kinds_on(plain, 0, 17), "c2c pcie nic nic pcie c2c");
  EXPECT_EQ(kinds_on(plain, 0, 18), kinds_on(racks, 0, 18));
}

TEST(Domain, IsALevelOfItsOwn) {
  EXPECT_EQ(network("flat:72,domain=18")->shape().arity, (std::vector<int>{4, 18}));
  EXPECT_EQ(network("fattree:6:3:4,domain=18")->shape().arity, (std::vector<int>{4, 3, 6}));
  EXPECT_EQ(network("fattree:36:2,up=9,domain=18")->shape().arity, (std::vector<int>{2, 2, 18}));
  EXPECT_EQ(network("fattree:4:9,domain=18")->shape().arity, (std::vector<int>{9, 4}));
}

// A rack over several leaves goes past their links up.
TEST(Domain, LeavesNoCutsThatItGoesPast) {
  EXPECT_EQ(network("fattree:6:3:4")->cuts().size(), 2U);
  const std::vector<NetworkCut> cuts = network("fattree:6:3:4,domain=18")->cuts();
  ASSERT_EQ(cuts.size(), 1U);
  EXPECT_EQ(cuts[0].nodes, 18);
  EXPECT_TRUE(network("fattree:18:4,domain=18,part=0-35")->cuts().empty());
}

TEST(Domain, IsConsistentWithRailsAndParts) {
  const auto racks = network("fattree:4:12,up=4,rails=4,domain=4,part=0-5,8-9");
  EXPECT_EQ(racks->switch_domain(), 4);
  EXPECT_EQ(racks->rails(), 4);
  expect_consistent(*racks, 7);
}

TEST(Domain, IsRefusedWhereItCannotBe) {
  EXPECT_NE(refusal("fattree:4:4,domain=17"), "");
  EXPECT_NE(refusal("fattree:4:4,domain=0"), "");
  EXPECT_NE(refusal("torus:4x4,domain=4"), "");
  EXPECT_THROW(read("fattree:4:4,domain=4"), UsageError);
}

}  // namespace
}  // namespace rankmap::test
