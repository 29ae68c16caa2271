// topology.conf and `scontrol show topology`: trees, blocks, and what is refused where.
#include <gtest/gtest.h>

#include "libmap/base/ids.hpp"
#include "libmap/machine/topology/topology_reader.hpp"
#include "topology_texts.hpp"

namespace rankmap::test {
namespace {

SwitchTopology read(const std::string& text) {
  return read_switch_topology(text, "file");
}

TEST(TopologyConf, JoinsATreeInAnyOrderOfLines) {
  const SwitchTopology topology = read(
      "SwitchName=top Switches=s[0-1]\n"
      "SwitchName=s0 Nodes=a[1-2]\n"
      "SwitchName=s1 Nodes=b1\n");
  EXPECT_EQ(ways_up(topology), "a1 s0 top\na2 s0 top\nb1 s1 top\n");
}

TEST(TopologyConf, KeepsLinkSpeedsAndUnevenLevels) {
  const SwitchTopology topology = read(uneven_conf);
  EXPECT_EQ(ways_up(topology),
            "n0 leaf0 spine0 core\nn1 leaf0 spine0 core\nn2 leaf0 spine0 core\n"
            "n3 leaf0 spine0 core\nn4 leaf0 spine0 core\nn5 leaf1 spine0 core\n"
            "n6 leaf1 spine0 core\nn7 leaf1 spine0 core\nn8 leaf2 core\nn9 leaf2 core\n");
  std::string speeds;
  for (const TopologySwitch& row : topology.switches)
    speeds += row.name + "=" + std::to_string(row.link_speed) + " ";
  EXPECT_EQ(speeds, "core=1 leaf2=4 spine0=1 leaf0=2 leaf1=1 ");
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_NE(topology.notes[0].find("LinkSpeed is taken as"), std::string::npos);
}

TEST(TopologyConf, TellsWhatIsTakenWithoutLinkSpeed) {
  const SwitchTopology topology = read("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1 Switches=a\n");
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_NE(topology.notes[0].find("no LinkSpeed"), std::string::npos);
}

TEST(TopologyConf, TakesKeysOfAnyCaseQuotesBackslashesAndComments) {
  EXPECT_EQ(ways_up(read("\r\nswitchname = s0  NODES=\"x[01-02]\" # both\r\n"
                         "SwitchName=s1 \\\n  Switches=s0 \\\r\n Nodes=y\r\n")),
            "x01 s0 s1\nx02 s0 s1\ny s1\n");
}

// scontrol repeats the nodes of a switch at those above it.
TEST(TopologyConf, ReadsScontrol) {
  EXPECT_EQ(ways_up(read("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0,2] \n"
                         "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1,3] \n"
                         "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=s[0-1] \n")),
            "n0 s0 top\nn2 s0 top\nn1 s1 top\nn3 s1 top\n");
  EXPECT_EQ(ways_up(read("SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-1] Switches=s[0-1]\n"
                         "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n0\n"
                         "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n1\n")),
            "n0 s0 top\nn1 s1 top\n");
}

TEST(TopologyConf, PutsOneSwitchAboveSeveralRoots) {
  const SwitchTopology topology = read("SwitchName=top Nodes=a\nSwitchName=other Nodes=b\n");
  EXPECT_EQ(ways_up(topology), "a top top_\nb other top_\n");
  EXPECT_EQ(topology.notes.size(), 2U);
}

TEST(TopologyConf, TakesTheFirstOfTwoLeavesOfAHost) {
  const SwitchTopology topology = read(
      "SwitchName=r0 Nodes=n[0-1]\nSwitchName=r1 Nodes=n[0-1]\nSwitchName=t Switches=r[0-1]\n");
  EXPECT_EQ(ways_up(topology), "n0 r0 t\nn1 r0 t\n");
  EXPECT_NE(topology.notes[0].find("several switches 2 times"), std::string::npos);
}

TEST(TopologyConf, JoinsBlocksToBlocksOfBlocks) {
  EXPECT_EQ(ways_up(read("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\n"
                         "BlockName=b3 Nodes=n[5-6]\nBlockName=b4 Nodes=n7\nBlockSizes=2,4\n")),
            "n1 b1 blocks of 4.0 all blocks\nn2 b1 blocks of 4.0 all blocks\n"
            "n3 b2 blocks of 4.0 all blocks\nn4 b2 blocks of 4.0 all blocks\n"
            "n5 b3 blocks of 4.1 all blocks\nn6 b3 blocks of 4.1 all blocks\n"
            "n7 b4 blocks of 4.1 all blocks\n");
  EXPECT_EQ(ways_up(read("BlockName=b1 Nodes=n1\nBlockName=b2 Nodes=n2\nBlockSizes=1,2,4\n")),
            "n1 b1 all blocks\nn2 b2 all blocks\n");
  EXPECT_EQ(ways_up(read("BlockName=only Nodes=n[1-2]\n")), "n1 only\nn2 only\n");
}

TEST(TopologyConf, ReadsBlocksOfScontrol) {
  EXPECT_EQ(ways_up(read("BlockName=b1 BlockIndex=0 Nodes=n1 BlockSize=1\n"
                         "BlockName=b2 BlockIndex=1 Nodes=n2 BlockSize=1\n"
                         "BlockName=b3 BlockIndex=2 Nodes=n3 BlockSize=1\n"
                         "AggregatedBlock=b[1-2] BlockIndex=3 Nodes=n[1-2] BlockSize=2\n")),
            "n1 b1 blocks of 2.0 all blocks\nn2 b2 blocks of 2.0 all blocks\n"
            "n3 b3 blocks of 2.1 all blocks\n");
}

struct Refused {
  const char* text;
  const char* where;
  const char* what;
};

class RefusedConf : public testing::TestWithParam<Refused> {};

TEST_P(RefusedConf, SaysWhereAndWhatWasExpected) {
  const std::string said = refusal_of(GetParam().text);
  EXPECT_EQ(said.rfind(GetParam().where, 0), 0U) << said;
  EXPECT_NE(said.find(GetParam().what), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, RefusedConf,
    testing::Values(
        Refused{"", "file:", "the text is empty"},
        Refused{"# nothing\n", "file:", "the text is empty"},
        Refused{"Nodes=n0\n", "file:1:1", "expected SwitchName, BlockName or BlockSizes"},
        Refused{"SwitchName=s0 Nodes=n0\nRingName=r Nodes=n1\n", "file:2:1", "\"ringname\""},
        Refused{"Include other.conf\n", "file:1:1", "found Include"},
        Refused{"SwitchName\n", "file:1:11", "expected '='"},
        Refused{"SwitchName=s0 Nodes=n0 = 3\n", "file:1:24", "expected KEY=VALUE"},
        Refused{"SwitchName=s0 Nodes=\"n0\n", "file:1:24", "expected"},
        Refused{"SwitchName= Nodes=n0\n", "file:1:1", "found the switch \"Nodes=n0\" alone"},
        Refused{"SwitchName=s0\n", "file:1:1", "expected Nodes= or Switches="},
        Refused{"SwitchName=s0 Colour=red Nodes=n0\n", "file:1:15", "\"colour\""},
        Refused{"SwitchName=s0 Nodes=n0 Nodes=n1\n", "file:1:24", "once a line"},
        Refused{"SwitchName=s0 Nodes=n0 LinkSpeed=fast\n", "file:1:34", "a whole number from 1"},
        Refused{"SwitchName=s0 Nodes=n0 LinkSpeed=0\n", "file:1:34", "a whole number from 1"},
        Refused{"SwitchName=s0 Nodes=n[0-\n", "file:1:21", "the list"},
        Refused{"SwitchName=s0 Nodes=n\x01[0-3]\n", "file:1:21", "control character"},
        Refused{"SwitchName=s0 Nodes=n0\nSwitchName=s0 Nodes=n1\n", "file:2:12", "(line 1)"},
        Refused{"SwitchName=s0 Switches=s1 Nodes=n0\n", "file:1:24", "\"s1\""},
        Refused{"SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c Nodes=n0\n",
                "file:2:23", "one switch above it"},
        Refused{"SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "file:1:12", "itself"},
        Refused{"SwitchName=t Nodes=n\nSwitchName=a Switches=a\n", "file:2:12", "itself"},
        Refused{"BlockSizes=4\n", "file:1:12", "expected BlockName="},
        Refused{"BlockName=b Nodes=n0\nBlockSizes=4,12\n", "file:2:12", "power of two times 4"},
        Refused{"BlockName=b Nodes=n0\nBlockSizes=4,x\n", "file:2:12", "a whole number"},
        Refused{"BlockName=b Nodes=n0\nSwitchName=s Nodes=n1\n", "file:", "expected either"},
        Refused{"BlockName=b\n", "file:", "no host"}));

}  // namespace
}  // namespace rankmap::test
