// "+" and "/", and files.
#include <gtest/gtest.h>

#include <filesystem>

#include "libmap/base/files.hpp"
#include "libmap/graph/reader.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"
#include "tests/unit/patterns/edges_of.hpp"

namespace rankmap {
namespace {

TEST(Plus, AddsBytesAndKeepsTheLargerWeight) {
  const CommGraph graph = read_app("ring:4,bytes=10,weight=2+chain:4,bytes=5,weight=3");
  EXPECT_EQ(graph.phases(), 1);
  const std::map<Arc, Bytes> expected = {{{0, 1}, 15}, {{1, 0}, 5}, {{1, 2}, 15}, {{2, 1}, 5},
                                         {{2, 3}, 15}, {{3, 2}, 5}, {{3, 0}, 10}};
  EXPECT_EQ(bytes_by_arc(graph), expected);
  for (const Pair& pair : graph.pairs())
    EXPECT_EQ(pair.weight, pair.low == 0 && pair.high == 3 ? 2U : 3U);
}

TEST(Plus, IsTheSameInAnyOrder) {
  EXPECT_EQ(bytes_by_arc(read_app("ring:8,bytes=3+hypercube:2x4+star:8")),
            bytes_by_arc(read_app("star:8+hypercube:8+ring:8,bytes=3")));
}

TEST(Slash, BeginsTheNextPhase) {
  const CommGraph graph = read_app("ring:4/chain:4 / star:4+ring:2x2");
  ASSERT_EQ(graph.phases(), 3);
  EXPECT_EQ(graph.edges_of_phase(0).size(), 4U);
  EXPECT_EQ(graph.edges_of_phase(1).size(), 6U);
  // star: 01 10 02 20 03 30; ring adds 12 23, and 01 and 30 are there.
  EXPECT_EQ(graph.edges_of_phase(2).size(), 8U);
  EXPECT_EQ(graph.name, "ring:4/chain:4 / star:4+ring:2x2");
}

TEST(Slash, FollowsThePhasesOfAButterfly) {
  // The ring is added to the first of the butterfly's two phases; the chain comes after both.
  const CommGraph graph = read_app("ring:4+butterfly:4/chain:4");
  ASSERT_EQ(graph.phases(), 3);
  EXPECT_EQ(graph.edges_of_phase(0).size(), 4U + 4U - 2U);  // 0 -> 1 and 2 -> 3 are in both
  EXPECT_EQ(graph.edges_of_phase(1).size(), 4U);
  EXPECT_EQ(graph.edges_of_phase(2).size(), 6U);
}

TEST(Slash, GroupsKnowTheirPhase) {
  const CommGraph graph = read_app("bcast:4/reduce:4");
  ASSERT_EQ(graph.groups().size(), 2U);
  EXPECT_EQ(graph.groups()[0].phase, 0);
  EXPECT_EQ(graph.groups()[1].phase, 1);
  for (const Edge& edge : graph.edges()) EXPECT_EQ(edge.group, edge.phase);
}

TEST(File, IsReadAndNamedByItsText) {
  const std::string path = testing::TempDir() + "rankmap app+1,a/../graph.comm";
  std::filesystem::create_directories(testing::TempDir() + "rankmap app+1,a");
  write_text(path, write_comm(read_app("stencil:3x3/allreduce:3x3,vary=y")));
  const CommGraph graph = read_app("file:" + path);
  EXPECT_EQ(graph.name, "file:" + path);
  EXPECT_EQ(write_comm(graph), write_comm(read_app("stencil:3x3/allreduce:3x3,vary=y")));
}

TEST(File, IsNamedInItsErrors) {
  const std::string path = testing::TempDir() + "bad.comm";
  write_text(path, "# rankmap comm 1\nranks 2\n0 2 1\n");
  EXPECT_EQ(message_of([&] { read_app("file:" + path); }),
            path + ":3:3: found \"2\", expected a rank of 0 to 1");
}

// Rows are along the last dimension, planes follow each other along the first.
TEST(Pf3d, IsFourPhasesOfOtherKinds) {
  const std::string dims = "16x8x16,bytes=1KiB";
  CommGraph made = read_app("pf3d:" + dims);
  CommGraph other = read_app("alltoall:" + dims + ",vary=z/alltoall:" + dims +
                             ",vary=y/shift:" + dims + ",dim=x/stencil:" + dims);
  EXPECT_EQ(made.phases(), 4);
  EXPECT_EQ(made.groups().size(), 128U + 256U);
  EXPECT_EQ(write_comm(made), write_comm(other));
  EXPECT_EQ(message_of([] { parse_pattern("ring:4+pf3d:2x2"); }),
            "pattern:1:13: pf3d of 2 dimensions, expected 3: planes, their columns and rows");
}

std::string refusal(const std::string& text) {
  return message_of([&] { parse_pattern(text); });
}

// 2 layers a stage, 3 microbatches; tokens x hidden x 2 bytes: 10 x 1 x 6 x 2 = 120, a third of it
// for one of three tensor ranks: 40.
TEST(Parallel, IsTheTrafficOfATrainingStep) {
  const std::string model = ",layers=4,hidden=6,seq=10,microbatches=3";
  const CommGraph made = read_app("parallel:2x2x3" + model);
  const std::string dims = ":2x2x3";
  // 4 x 3 x 2 allreduces of 120 bytes; a stage passes 3 x 40 bytes on and as many back; 12 x 4 x 6
  // x 6 parameters of two bytes over 3 x 2 ranks: 576 bytes.
  const CommGraph other =
      read_app("allreduce" + dims + ",vary=z,bytes=120,messages=24/shift" + dims +
               ",dim=x,by=1,bytes=40,messages=3+shift" + dims +
               ",dim=x,by=-1,bytes=40,messages=3/allreduce" + dims + ",vary=y,bytes=576");
  EXPECT_EQ(write_comm(made), write_comm(other));
  EXPECT_EQ(write_comm(read_app("parallel:2x2x3,order=pp-dp-tp" + model)), write_comm(made));
}

// The keys and values of 5 tokens go round twice a pass of three; tokens go to 4 experts, 1/4 of 5
// x 6 x 2 bytes to each.
TEST(Parallel, SharesTheContextAndTheExperts) {
  const CommGraph made =
      read_app("parallel:4x2,order=ep-cp,layers=1,hidden=6,seq=10,microbatches=1");
  const CommGraph other =
      read_app("allgather:4x2,vary=y,bytes=120,messages=3/alltoall:4x2,vary=x,bytes=15,messages=4");
  EXPECT_EQ(write_comm(made), write_comm(other));
}

TEST(Parallel, RefusesOtherOrders) {
  EXPECT_NE(refusal("parallel:2x2,order=pp")
                .find("pattern:1:1: found 1 groups in the order, expected order="),
            std::string::npos);
  EXPECT_NE(refusal("parallel:2x2,order=pp-pp").find("found pp twice"), std::string::npos);
  EXPECT_NE(refusal("parallel:2x2,order=pp-xp").find("found the group \"xp\""), std::string::npos);
  EXPECT_NE(refusal("parallel:2x2x2x2x2x2").find("more dimensions than groups"), std::string::npos);
  EXPECT_NE(refusal("parallel:8,layers=0").find("a whole number of 1 to 1000000000"),
            std::string::npos);
  EXPECT_NE(refusal("parallel:8,bytes=1").find("unknown key \"bytes\""), std::string::npos);
  EXPECT_NE(refusal("parallel:8x2x2,layers=1000000000,hidden=1000000000").find("63 bits"),
            std::string::npos);
}

TEST(File, EveryKindOfPatternSurvivesBeingWritten) {
  for (const char* text : {"ring:5", "butterfly:8", "alltoall:2x3,vary=y", "random:9,weight=3",
                           "allreduce:6,algorithm=rabenseifner,bytes=1GiB", "bcast:7/nccl:7"}) {
    const std::string written = write_comm(read_app(text));
    EXPECT_EQ(write_comm(parse_comm_graph(written, "w")), written) << text;
  }
}

}  // namespace
}  // namespace rankmap
