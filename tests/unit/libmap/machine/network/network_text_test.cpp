// What is said of network texts that mean nothing, and what the good ones mean.
#include "libmap/machine/network/network_text.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "link_graph.hpp"

namespace rankmap::test {
namespace {

struct Refused {
  const char* text;
  const char* part;  // of the message
};

const Refused refused[] = {
    {"ring:4", "unknown network \"ring\", expected one of: flat, torus"},
    {"torus", "found \"torus\" in the network \"torus\", expected sizes as in torus:8x8x8"},
    {"torus:", "found \"\" in the network \"torus:\", expected KEY=VALUE"},
    {"torus:8y8", "found \"8y8\" in the network \"torus:8y8\", expected whole numbers from 1"},
    {"torus:8x0", "expected whole numbers from 1 as in torus:8x8x8"},
    {"torus:8x-1", "expected whole numbers from 1"},
    {"torus:65536x65536", "expected at most 16777216 places in all"},
    {"torus:2x2x2x2x2x2x2", "expected at most 6 dimensions"},
    {"torus:8x8,8", "found \"8\" in the network \"torus:8x8,8\", expected KEY=VALUE"},
    {"torus:8x8,turns=2",
     "found \"turns=2\" in the network \"torus:8x8,turns=2\", expected one of the keys mesh, gbps, "
     "routing, order, tie, box, slots, part"},
    {"torus:8x8,tie=plus,tie=plus", "found \"tie=\""},
    {"torus:8x8,tie=plus,tie=plus", "expected each key once"},
    {"torus:8x8,tie=both", "expected one of split, plus, minus"},
    {"torus:8x8,routing=valiant", "expected one of dor, ldf, minpath"},
    {"torus:8x8,order=xx", "expected dimensions among xy, each at most once"},
    {"torus:8x8,order=xz", "expected dimensions among xy"},
    {"torus:8x8x8,order=xy", "expected every dimension once as in xyz"},
    {"torus:8x8,order=yx,routing=ldf", "expected order= only with routing=dor"},
    {"torus:8x8,mesh=z", "expected dimensions among xy"},
    {"mesh:8x8,mesh=x", "expected one of the keys gbps"},
    {"torus:8x8,gbps=0", "expected GB/s above 0"},
    {"torus:8x8,gbps=-1", "expected GB/s above 0"},
    {"torus:8x8,gbps=fast", "expected GB/s above 0"},
    {"torus:8x8,gbps=1:2:3", "expected one number or 2 with ':' between"},
    {"torus:8x8,slots=0", "expected a whole number from 1 to 1024"},
    {"torus:8x8,slots=2000", "expected a whole number from 1 to 1024"},
    {"torus:8x8,part=0-64", "expected nodes from 0 to 63 as in 0-3,8"},
    {"torus:8x8,part=5-2", "expected nodes from 0 to 63"},
    {"torus:8x8,part=", "expected nodes from 0 to 63"},
    {"torus:8x8,part=0-3,2", "expected each node once, but 2 is there twice"},
    {"torus:8x8,box=0-3", "expected 2 ranges with 'x' between"},
    {"torus:8x8,box=0-3x4-8", "expected a range of coordinates a dimension"},
    {"torus:8x8,box=0-3x0x0", "expected a range of coordinates a dimension"},
    {"torus:8x8,box=0-3x0-3,part=1", "expected either box= or part="},
    {"flat:4:4", "expected one size as in flat:16"},
    {"nvlink", "expected sizes as in nvlink:18"},
    {"nvlink:2:2", "expected one size as in nvlink:18"},
    {"tree:4:8:6,distance=1:10", "expected 3 numbers with ':' between"},
    {"tree:4:8:6,distance=1:ten:100", "expected a whole number from 0"},
    {"tree:4:8:6,slots=4", "expected one of the keys distance, gbps, part"},
    {"tree:2000:2", "expected at most 1024 slots of a node, the first number"},
    {"fattree:8:8:4,up=8", "expected 2 numbers with ':' between"},
    {"fattree:8,up=8", "expected no such key where there is one level of switches"},
    {"fattree:8:8,up=0", "expected a whole number from 1 to 4096"},
    {"fattree:8:8,routing=minimal", "expected one of ecmp, dmodk"},
    {"fattree:8:8,rails=3", "expected a number of switches that it divides: there are 8"},
    {"dragonfly:9", "expected keys as in groups=9,routers=16x6"},
    {"dragonfly:groups=9", "expected routers= too"},
    {"dragonfly:routers=4,nodes=1,global=1", "expected groups= too"},
    {"dragonfly:groups=9,routers=4,global=2", "expected nodes= too"},
    {"dragonfly:groups=9,routers=4,nodes=1", "expected either global="},
    {"dragonfly:groups=9,routers=4,nodes=1,global=2,links=1", "expected either global="},
    {"dragonfly:groups=9,routers=4,nodes=1,global=1",
     "a group has 4 global ports for 8 other groups"},
    {"dragonfly:groups=9,routers=4x2x2,nodes=1,global=1", "expected one size or two as in 16x6"},
    {"dragonfly:groups=9,routers=4,nodes=1,global=2,local=1:2",
     "expected one number a dimension of the group"},
    {"dragonfly:groups=9,routers=4,nodes=1,global=2,routing=dor",
     "expected one of minimal, valiant, ugal"},
    {"dragonfly:groups=9,routers=4,nodes=1,global=2,gbps=1:2", "expected one number or 3"},
    {"dragonfly:groups=1000000,routers=4096x4096,nodes=1,links=1", "expected at most 16777216"},
    {"dragonfly:groups=4096,routers=4,nodes=1,links=1000000", "is too large"},
    {"fattree:64:64:64:64,up=4096:4096:4096", "is too large"},
};

TEST(NetworkText, BadTextsSayWhatWasFoundAndExpected) {
  for (const Refused& one : refused) {
    const std::string message = refusal(one.text);
    EXPECT_NE(message.find(one.part), message.npos) << one.text << ": " << message;
  }
}

TEST(NetworkText, PartsWithoutAKeyGoOnWithTheValueBefore) {
  const NetworkText text("torus:8x8,part=0-3,8,12-15,tie=plus");
  EXPECT_EQ(text.kind(), "torus");
  EXPECT_EQ(text.sizes(), "8x8");
  EXPECT_EQ(*text.value("part"), "0-3,8,12-15");
  EXPECT_EQ(*text.value("tie"), "plus");
  EXPECT_EQ(text.value("gbps"), nullptr);
}

TEST(NetworkText, FamiliesAreKnownByTheirFirstWord) {
  EXPECT_TRUE(is_network_text("torus:8x8"));
  EXPECT_TRUE(is_network_text("nvlink"));
  EXPECT_FALSE(is_network_text("torus2d-16"));
  EXPECT_FALSE(is_network_text("frontier"));
}

TEST(NetworkText, EveryRowHasAnExampleThatIsRead) {
  for (const NetworkRow& row : network_rows()) {
    EXPECT_EQ(refusal(std::string(row.example)), "");
    EXPECT_FALSE(row.summary.empty());
  }
}

}  // namespace
}  // namespace rankmap::test
