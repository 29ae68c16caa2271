// Mappings of other tools: what a good one means, and what is said of a bad one.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/mapping/read/host_file.hpp"
#include "libmap/mapping/read/map_reader.hpp"
#include "tests/unit/libmap/mapping/launcher_maps.hpp"

namespace rankmap {
namespace {

using testing::gpu_cluster;
using testing::named_cluster;
using Slots = std::vector<SlotId>;

Slots slots_of(std::string_view text, const Machine& machine, std::string_view format = "") {
  return read_mapping(text, "f", format, machine).slot_of;
}

// Four nodes of two slots on a torus of two by two.
class Torus : public Network {
 public:
  std::string text() const override { return "torus:2x2"; }
  NodeId nodes() const override { return 4; }
  LinkId links() const override { return 0; }
  NetworkLink link(LinkId) const override { return {LinkKind::torus, 1}; }
  std::string link_name(LinkId) const override { return ""; }
  void append_route(NodeId, NodeId, std::vector<LinkId>&) const override {}
};

Machine torus_machine() {
  NodeModel model;
  model.name = "point";
  model.bare = true;
  model.cores = {{0, {}, none, none}, {1, {}, none, none}};
  return Machine(model, 4, std::make_shared<Torus>());
}

// Slot 4n + g is GPU g of node n.
TEST(ReadRankfile, PlacesRanksByTheirCores) {
  EXPECT_EQ(slots_of("# comment\nrank 0=n0 slot=8-11\nrank 1=n1 slot=0-3 // more\n"
                     "/* and\nmore */ rank 2 = n1 slots = 4,6\nrank 3=n0 slot=13",
                     named_cluster()),
            (Slots{2, 4, 5, 3}));
}

TEST(ReadRankfile, CountsCoresWithinPackages) {
  EXPECT_EQ(slots_of("rank 0=n0 slot=1:0-3\nrank 1=n0 slot=1:4-5;1:7\nrank 2=n1 slot=S1\n"
                     "rank 3=n1 slot=0:*\nrank 4=n1 slot=P1",
                     named_cluster()),
            (Slots{2, 3, 6, 4, 7}));
}

TEST(ReadRankfile, TakesHostsByOrderOfAppearanceWhereTheMachineHasNoNames) {
  EXPECT_EQ(slots_of("rank 0=b slot=0-3\nrank 1=a slot=0-3\nrank 2=b slot=4-7", gpu_cluster()),
            (Slots{0, 4, 1}));
  EXPECT_EQ(slots_of("rank 0=+n1 slot=0-3\nrank 1=+n0 slot=0-3", gpu_cluster()), (Slots{4, 0}));
}

TEST(ReadRankfile, KnowsAHostByItsNameUpToTheDot) {
  Machine machine = gpu_cluster();
  machine.set_hosts({"n0.cluster", "n1.cluster"});
  EXPECT_EQ(slots_of("rank 0=n1 slot=0", machine), (Slots{4}));
}

TEST(ReadRankfile, SharesASlotOnlyWhereTheCoresSaySo) {
  EXPECT_EQ(slots_of("rank 0=n0 slot=0-1\nrank 1=n0 slot=2-3", named_cluster()), (Slots{0, 0}));
  EXPECT_EQ(slots_of("rank 0=n0 slot=0-15\nrank 1=n0 slot=0-3", named_cluster()), (Slots{1, 0}));
}

TEST(ReadRankOrder, CountsProcessesInBlocks) {
  EXPECT_EQ(slots_of("0,2,4,6\n1,3,5,7 # the second node\n", gpu_cluster()),
            (Slots{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(slots_of("3,0-2", gpu_cluster()), (Slots{1, 4, 5, 0}));     // two on each node
  EXPECT_EQ(slots_of("4,0-3", gpu_cluster()), (Slots{1, 2, 3, 4, 0}));  // five: nodes are filled
}

TEST(ReadTaskHosts, GivesLocalRanksInOrder) {
  EXPECT_EQ(slots_of("n0\nn1\nn0\n", named_cluster()), (Slots{0, 4, 1}));
  EXPECT_EQ(slots_of("n1*2\nn0,n1", named_cluster()), (Slots{4, 5, 0, 6}));
}

TEST(ReadBluegene, TakesCoordinatesAndT) {
  EXPECT_EQ(slots_of("1 0 1\n0 1 0\n1 1 0\n", torus_machine()), (Slots{5, 2, 6}));
  EXPECT_EQ(slots_of("1 0\n0 1\n", torus_machine()), (Slots{4, 2}));
}

TEST(ReadCsv, TakesTheColumnsItKnows) {
  EXPECT_EQ(slots_of("rank,colour,host,gpu\n1,red,n1,3\n0,\"a \"\"b\"\"\",n0,2\n", named_cluster()),
            (Slots{2, 7}));
  EXPECT_EQ(slots_of("rank,host,cpus\n0,n1,\"8,9\"\n1,n1,\n", named_cluster()), (Slots{6, 4}));
  EXPECT_EQ(slots_of("host,cores,rank\r\nn1,4-7,0\r\n", named_cluster(), "csv"), (Slots{5}));
}

TEST(ReadMapping, OwnMapFilesAreReadAsWell) {
  EXPECT_EQ(slots_of(write_map(testing::permuted_map()), named_cluster()),
            (Slots{2, 4, 0, 7, 3, 5, 1, 6}));
}

TEST(ReadMapping, NamesTheFormatsWhereOneIsUnknown) {
  try {
    slots_of("n0", named_cluster(), "orderfile");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(
        std::string(error.what()).find("rankmap, csv, rankfile, bluegene, rank-order, hostfile"),
        std::string::npos)
        << error.what();
  }
}

struct Bad {
  const char* text;
  const char* says;
  const char* format = "";
};

class BadMaps : public ::testing::TestWithParam<Bad> {};

TEST_P(BadMaps, AreRefusedWithTheirPlace) {
  try {
    const Machine machine =
        GetParam().format == std::string_view("bluegene") ? torus_machine() : named_cluster();
    slots_of(GetParam().text, machine, GetParam().format);
    FAIL() << "it was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadMaps,
    ::testing::Values(
        Bad{"rank 0=n0 slot=0\r\nrank 1=n0 slot=1", "f:1:17: a line that ends in CR LF"},
        Bad{"rank 0=n0 slot=0:0,1", "f:1:20: a core without its package"},
        Bad{"rank 0=n0 slot=*", "f:1:16: slot=* means core 0"},
        Bad{"rank 0=n0 slot=3-1", "f:1:17: a range that goes down"},
        Bad{"rank 0=n0 slot=70000", "f:1:16: core 70000, expected at most 65535"},
        Bad{"rank 0=n0 slot=20", "f:1:1: cores 20 belong to no slot"},
        Bad{"rank 0=n0 slot=2:0", "f:1:1: package 2 or its cores are not in the machine"},
        Bad{"rank 0=n7 slot=0", "f:1:1: host \"n7\" is not in the machine"},
        Bad{"rank 0=+n2 slot=0", "f:1:1: node 2 is not in the machine"},
        Bad{"rank 0=n0 slot=0\nrank 0=n1 slot=0", "f:2:1: rank 0 is already in line 1"},
        Bad{"rank 0=n0 slot=0\nrank 2=n1 slot=0", "f:2:1: rank 2 is here, but rank 1 is not"},
        Bad{"rank 0=n0", "f:1:10: found \"\", expected slot=CORES"},
        Bad{"rank 0=n0 slot=0 1", "f:1:18: found \"1\" behind the cores"},
        Bad{"rank =n0 slot=0", "f:1:6: found \"=\", expected a rank"},
        Bad{"rank 99999999999999999999=n0 slot=0", "f:1:1: rank 1099511627776, expected 0 to"},
        Bad{"/* rank 0=n0 slot=0", "f:1:1: a comment that does not end", "rankfile"},
        Bad{"", "f: no rank is in it"}, Bad{"# nothing\n", "f: no rank is in it", "rankfile"},
        Bad{"0,1\n0", "f:2:1: rank 0 is already in line 1"},
        Bad{"0,2", "f:1:3: rank 2 is here, but rank 1 is not"},
        Bad{"0-1000000", "f:1:1: found \"0-1000000\", expected a range that goes up"},
        Bad{"3-1", "f:1:1: found \"3-1\", expected a range that goes up"},
        Bad{"0-8", "f:1:1: found \"0-8\", expected a range that goes up and has at most 8"},
        Bad{"0-6,7,8", "f:1:7: more ranks than the machine cluster has slots (8)"},
        Bad{"0,-1", "f:1:3: found \"\", expected a rank or a range"},
        Bad{"n0*9", "f:1:1: 9 ranks on one node, but cluster has 4 slots"},
        Bad{"n0*x", "f:1:4: found \"x\", expected the number of ranks behind *"},
        Bad{"n0*4\nn0", "f:2:1: rank 4 finds no free slot"},
        Bad{"n[0-1]", "f:1:1: found \"n[0-1]\", expected a host a rank"},
        Bad{"n2", "f:1:1: host \"n2\" is not in the machine"},
        Bad{"1 2", "f:1:3: coordinate 2, expected 0 to 1", "bluegene"},
        Bad{"1 1 2", "f:1:1: slot 2 of a node, but a node of", "bluegene"},
        Bad{"1 1 0 0", "f:1:1: found 4 numbers, expected 2 coordinates and T", "bluegene"},
        Bad{"1 x", "f:1:3: found \"x\", expected a coordinate", "bluegene"},
        Bad{"0 0 0 0", "f: coordinates of a torus, but the machine is \"cluster\""},
        Bad{"rank,hosts\n0,n0", "f:1:1: the columns rank and host are not both"},
        Bad{"rank,host\n0", "f:2:1: found 1 columns, expected 2"},
        Bad{"rank,host,gpu\n0,n0,9", "f:2:1: GPU 9 is not in the machine"},
        Bad{"rank,host,gpu\n0,n0,x", "f:2:6: found \"x\", expected the index of a GPU"},
        Bad{"rank,host,cores\n0,n0,\"a\"", "f:2:6: found \"a\", expected logical cores"},
        Bad{"rank,host\n0,\"n0", "f:2:3: a quote that does not end"},
        Bad{"rank,host\n0,\"n0\"x", "f:2:7: "}, Bad{"rank,host\n0,", "f:2:3: no host"},
        Bad{"# rankmap 1 ranks=", "f:1:"}));

TEST(ReadHostFile, TakesTheSpellingsOfLaunchers) {
  EXPECT_EQ(
      read_host_file("# hosts\nn0 slots=4\nn1:4\n\nn2 slots=2 max_slots=4 # last\r\n"
                     "n0\nn[08-10] \n10.0.0.1:2 binding=user:0\nfe80::1\n",
                     "f"),
      (std::vector<std::string>{"n0", "n1", "n2", "n08", "n09", "n10", "10.0.0.1", "fe80::1"}));
}

TEST(ReadHostFile, SaysWhatIsWrongWhere) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"n0\nn1 4\n", "f:2:4: found \"4\" behind a host"},
      {" n0 slots=x", "f:1:5: found \"slots=x\", expected a number"},
      {"n0:x", "f:1:1: found \"n0:x\", expected a number of ranks"},
      {"slots=4", "f:1:1: found \"slots=4\", expected the name of a host"},
      {"n[0-", "f:1:1: "},
      {"# none\n", "f: no host is in it"},
  };
  for (const auto& [text, says] : bad) try {
      read_host_file(text, "f");
      ADD_FAILURE() << "it was read: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace rankmap
