// topology.yaml: its topologies, and what of YAML is refused where.
#include <gtest/gtest.h>

#include "libmap/machine/topology/topology_reader.hpp"
#include "libmap/machine/topology/yaml_subset.hpp"
#include "topology_texts.hpp"

namespace rankmap::test {
namespace {

SwitchTopology read(const std::string& text) {
  return read_switch_topology(text, "file");
}

constexpr const char* three_topologies =
    "---\n"
    "# of a site with three partitions\n"
    "- topology: blocks\n"
    "  block:\n"
    "    block_sizes: [2, 4]\n"
    "    blocks:\n"
    "    - block: b1\n"
    "      nodes: g[1-2]\n"
    "    - block: b2\n"
    "      nodes: g[3-4]\n"
    "    - block: b3\n"
    "      nodes: 'g5'\n"
    "- topology: tree\n"
    "  cluster_default: True   # the usual one\n"
    "  tree:\n"
    "    switches:\n"
    "      - switch: root\n"
    "        children: s[1-2]\n"
    "      - switch: s1\n"
    "        nodes: node[01-02]\n"
    "      -\n"
    "        switch: \"s2\"\n"
    "        nodes: node03\n"
    "- topology: rest\n"
    "  flat: true\n";

TEST(TopologyYaml, TakesTheDefaultOfSeveral) {
  const SwitchTopology topology = read(three_topologies);
  EXPECT_EQ(ways_up(topology), "node01 s1 root\nnode02 s1 root\nnode03 s2 root\n");
  EXPECT_NE(topology.notes.back().find("of 3 topologies \"tree\""), std::string::npos);
}

TEST(TopologyYaml, TakesTheFirstWithoutADefault) {
  std::string text = three_topologies;
  text.replace(text.find("True"), 4, "no");
  EXPECT_EQ(ways_up(read(text)),
            "g1 b1 blocks of 4.0 all blocks\ng2 b1 blocks of 4.0 all blocks\n"
            "g3 b2 blocks of 4.0 all blocks\ng4 b2 blocks of 4.0 all blocks\n"
            "g5 b3 blocks of 4.1 all blocks\n");
}

TEST(TopologyYaml, TakesSizesAsAListOrOne) {
  const auto with = [](const std::string& sizes) {
    return ways_up(read("- topology: a\n  block:\n    block_sizes:" + sizes +
                        "    blocks:\n    - block: x\n      nodes: n0\n    - block: y\n"
                        "      nodes: n1\n    - block: z\n      nodes: n2\n"));
  };
  const std::string two_levels =
      "n0 x blocks of 2.0 all blocks\nn1 y blocks of 2.0 all blocks\nn2 z blocks of 2.1 all "
      "blocks\n";
  EXPECT_EQ(with("\n    - 1\n    - 2\n"), two_levels);
  EXPECT_EQ(with("\n      - 1\n      - 2\n"), two_levels);
  EXPECT_EQ(with(" 1\n"), "n0 x all blocks\nn1 y all blocks\nn2 z all blocks\n");
}

TEST(TopologyYaml, KnowsThatNothingIsKnown) {
  EXPECT_TRUE(read("- topology: a\n  flat: true\n").flat);
}

struct Refused {
  const char* text;
  const char* where;
  const char* what;
};

class RefusedYaml : public testing::TestWithParam<Refused> {};

TEST_P(RefusedYaml, SaysWhereAndWhatWasExpected) {
  const std::string said = refusal_of(GetParam().text);
  EXPECT_EQ(said.rfind(GetParam().where, 0), 0U) << said;
  EXPECT_NE(said.find(GetParam().what), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedYaml,
    testing::Values(
        Refused{"---\n", "file:", "the text is empty"},
        Refused{"--- x\n", "file:1:1", "found \"--- x\""},
        Refused{"---\ntopology: a\n", "file:2:1", "a list of topologies"},
        Refused{"- a\n", "file:1:3", "KEY: VALUE"},
        Refused{"- tree: x\n", "file:1:3", "found no \"topology\""},
        Refused{"- topology: a\n", "file:1:3", "found no kind"},
        Refused{"- topology: a\n  flat: false\n", "file:1:3", "found no kind"},
        Refused{"- topology: a\n  flat: maybe\n", "file:2:9", "true or false"},
        Refused{"- topology: a\n  flat: true\n  tree:\n    switches: []\n", "file:1:3",
                "several kinds"},
        Refused{"- topology: a\n  torus3d:\n    x: 4\n", "file:2:3", "\"torus3d\""},
        Refused{"- topology: a\n  topology: b\n", "file:2:3", "each key once"},
        Refused{"- topology: a\n  tree:\n    switches: []\n", "file:", "found no switch"},
        Refused{"- topology: a\n  tree:\n    switches: s0\n", "file:3:15", "a list of switches"},
        Refused{"- topology: a\n  tree:\n", "file:2:3", "with the keys switches"},
        Refused{"- topology: a\n  tree:\n    switches:\n    - nodes: n0\n", "file:4:7",
                "\"switch\""},
        Refused{"- topology: a\n  tree:\n    switches:\n    - switch: s\n      nodes: [n0, n1]\n",
                "file:5:14", "hosts as in"},
        Refused{"- topology: a\n  tree:\n    switches:\n    - switch: s\n      nodes: n[0\n",
                "file:5:14", "the list"},
        Refused{"- topology: a\n  block:\n    block_sizes: [4, x]\n    blocks:\n    - block: b\n",
                "file:3:22", "a whole number"},
        Refused{"- topology: a\n\ttree: x\n", "file:2:1", "a tab"},
        Refused{"- topology: a\n    tree: x\n", "file:2:5", "indentation"},
        Refused{"- topology: a\n tree: x\n", "file:2:2", "indentation"},
        Refused{"- topology: &x a\n", "file:1:13", "an anchor"},
        Refused{"- topology: *x\n", "file:1:13", "an alias"},
        Refused{"- topology: |\n    a\n", "file:1:13", "a block of text"},
        Refused{"- topology: {a: b}\n", "file:1:13", "a mapping in braces"},
        Refused{"- topology: \"a\n", "file:1:13", "without its end"},
        Refused{"- topology: \"a\\n\"\n", "file:1:13", "backslash"},
        Refused{"- topology: [a\n", "file:1:13", "without ']'"},
        Refused{"- topology: [a, , b]\n", "file:1:17", "words with ','"},
        Refused{"- : a\n", "file:1:3", "KEY: VALUE"},
        Refused{"- topology: a\n  flat: true\n---\n- topology: b\n", "file:3:1",
                "second document"}));

TEST(YamlSubset, EndsWhereItIsTooDeep) {
  std::string lists, mappings;
  for (int i = 0; i < 40; ++i) {
    lists += "- ";
    mappings += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  EXPECT_THROW(read_yaml_subset(lists + "a\n", "file"), InputError);
  EXPECT_THROW(read_yaml_subset(mappings, "file"), InputError);
}

TEST(YamlSubset, KeepsMarksInsideWords) {
  const YamlNode node = read_yaml_subset("a: n#1:2 # x\nb: 'x: # y'\nc:\n", "file");
  EXPECT_EQ(node.find("a")->word, "n#1:2");
  EXPECT_EQ(node.find("b")->word, "x: # y");
  EXPECT_EQ(node.find("c")->kind, YamlNode::Kind::empty);
  EXPECT_EQ(node.find("d"), nullptr);
}

}  // namespace
}  // namespace rankmap::test
