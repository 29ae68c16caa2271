// Broken topologies: read or refused with a place, never anything else.
#include <gtest/gtest.h>

#include "libmap/base/random.hpp"
#include "libmap/machine/topology/switches.hpp"
#include "libmap/machine/topology/topology_reader.hpp"
#include "topology_texts.hpp"

namespace rankmap::test {
namespace {

const std::vector<std::string> seeds = {
    uneven_conf,
    "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0,2]\nSwitchName=top Level=1 Nodes=n[0-3] "
    "Switches=s0\n",
    "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockName=b3 Nodes=n5\nBlockSizes=2,4\n",
    "---\n- topology: a\n  cluster_default: true\n  tree:\n    switches:\n      - switch: r\n"
    "        children: s[1-2]\n      - switch: s1\n        nodes: n[1-2]\n      - switch: s2\n"
    "        nodes: \"n3\" # last\n- topology: b\n  block:\n    block_sizes: [2, 4]\n    blocks:\n"
    "    - block: x\n      nodes: n[1-2]\n- topology: c\n  flat: true\n"};

const std::vector<std::string> pieces = {"SwitchName=",
                                         "Switches=",
                                         "Nodes=",
                                         "LinkSpeed=",
                                         "BlockName=",
                                         "BlockSizes=",
                                         "\\\n",
                                         "\n",
                                         "\"",
                                         "'",
                                         "[",
                                         "]",
                                         "-",
                                         "- ",
                                         ": ",
                                         "#",
                                         "\t",
                                         "  ",
                                         "n[0-3]",
                                         "n[0-9999999]",
                                         "s[1-2]",
                                         ",",
                                         "=",
                                         "\r\n",
                                         "---",
                                         "tree:\n",
                                         "0",
                                         "4294967296",
                                         "nodes: ",
                                         "&a",
                                         std::string(1, '\0'),
                                         "\xff"};

std::string broken(std::string text, Random& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(random.below(12), text.size() - at);
    switch (random.below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces[random.below(pieces.size())]);
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size() + 1), 20));
        break;
      default:
        text.replace(at, length, pieces[random.below(pieces.size())]);
        break;
    }
  }
  return text;
}

bool is_tree(const SwitchTopology& topology) {
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    const int parent = topology.switches[i].parent;
    if ((i == 0) != (parent == none) || parent >= static_cast<int>(i)) return false;
  }
  return !topology.switches.empty();
}

TEST(TopologyFuzz, IsReadOrRefusedWithAPlace) {
  Random random(3);
  int read = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = broken(seeds[random.below(seeds.size())], random);
    try {
      const SwitchTopology topology = read_switch_topology(text, "file");
      ++read;
      ASSERT_TRUE(is_tree(topology)) << text;
      std::vector<std::string> notes;
      if (!topology.hosts.empty() && topology.hosts.size() < 100)
        switch_network(topology, topology.hosts, {"file", from_gbps(1)}, notes)->shape();
    } catch (const InputError& error) {
      ++refused;
      ASSERT_EQ(error.where().source, "file") << text;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 300);
}

TEST(TopologyFuzz, RefusesMoreThanItsLimits) {
  const std::string lists = "SwitchName=a Nodes=n[0-600000]\nSwitchName=b Nodes=m[0-600000]\n";
  const std::string said = refusal_of(lists);
  EXPECT_NE(said.find("more hosts than"), std::string::npos) << said;
}

// A chain of switches takes no stack.
TEST(TopologyFuzz, TakesDeepTrees) {
  std::string chain = "SwitchName=s0 Nodes=a\n";
  constexpr int deep = 20000;
  for (int i = 1; i <= deep; ++i)
    chain += "SwitchName=s" + std::to_string(i) + " Switches=s" + std::to_string(i - 1) +
             (i == deep ? " Nodes=b\n" : "\n");
  const SwitchTopology topology = read_switch_topology(chain, "file");
  std::vector<std::string> notes;
  EXPECT_EQ(switch_network(topology, {"a", "b"}, {"file", 1}, notes)->hops(0, 1), deep);
}

}  // namespace
}  // namespace rankmap::test
