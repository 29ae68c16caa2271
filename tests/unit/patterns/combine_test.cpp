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

TEST(File, EveryKindOfPatternSurvivesBeingWritten) {
  for (const char* text : {"ring:5", "butterfly:8", "alltoall:2x3,vary=y", "random:9,weight=3",
                           "allreduce:6,algorithm=rabenseifner,bytes=1GiB", "bcast:7/nccl:7"}) {
    const std::string written = write_comm(read_app(text));
    EXPECT_EQ(write_comm(parse_comm_graph(written, "w")), written) << text;
  }
}

}  // namespace
}  // namespace rankmap
