// Open MPI's monitoring: the recordings of a real run against Open MPI's own sums, and refusals.
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

// Bytes (or messages) of i to j, in group or outside all.
std::uint64_t between(const CommGraph& graph, Rank from, Rank to, std::int32_t group,
                      std::uint64_t Edge::*what) {
  for (const Edge& edge : graph.edges())
    if (edge.source == from && edge.destination == to && edge.group == group) return edge.*what;
  return 0;
}

// profile2mat gives half of both directions' sum, rounded.
void expect_sums(const CommGraph& graph, std::int32_t group, const std::string& table,
                 std::uint64_t Edge::*what) {
  const CommGraph sums = read_comm_graph(sample("monitoring_2/" + table));
  ASSERT_EQ(graph.ranks(), sums.ranks());
  for (Rank i = 0; i < graph.ranks(); ++i)
    for (Rank j = 0; j < graph.ranks(); ++j) {
      if (i == j) continue;
      const std::uint64_t both =
          between(graph, i, j, group, what) + between(graph, j, i, group, what);
      EXPECT_EQ((both + 1) / 2, between(sums, i, j, none, &Edge::bytes))
          << table << " " << i << " " << j;
    }
}

TEST(Monitoring, TheFolderEqualsTheSumsOfOpenMpiItself) {
  const CommGraph graph = read_comm_graph(sample("monitoring_2"));
  EXPECT_EQ(graph.ranks(), 6);
  ASSERT_EQ(graph.groups().size(), 1U);
  EXPECT_EQ(graph.groups()[0].name, "collectives (internal)");
  EXPECT_EQ(graph.groups()[0].ranks, (std::vector<Rank>{0, 1, 2, 3, 4, 5}));
  expect_sums(graph, none, "all_size_external.mat", &Edge::bytes);
  expect_sums(graph, none, "all_msg_external.mat", &Edge::messages);
  expect_sums(graph, 0, "all_size_internal.mat", &Edge::bytes);
  expect_sums(graph, 0, "all_msg_internal.mat", &Edge::messages);
}

TEST(Monitoring, TheStencilIsThere) {
  const CommGraph graph = read_comm_graph(sample("monitoring_2"));
  // Rank 0 of 3x2, the short side periodic: both neighbours along it are rank 1, so 2 faces of 100
  // doubles, 10 times; rank 2 gets one face of 1000 doubles, 10 times.
  EXPECT_EQ(between(graph, 0, 1, none, &Edge::bytes), 2U * 10 * 100 * 8);
  EXPECT_EQ(between(graph, 0, 1, none, &Edge::messages), 20U);
  EXPECT_EQ(between(graph, 0, 2, none, &Edge::bytes), 10U * 1000 * 8);
  EXPECT_EQ(between(graph, 0, 3, none, &Edge::bytes), 0U);
}

TEST(Monitoring, OneFileOfAllIsTheSameGraph) {
  EXPECT_EQ(write_comm(read_comm_graph(sample("monitoring_2/all.prof"))),
            write_comm(read_comm_graph(sample("monitoring_2"))));
}

TEST(Monitoring, WithoutTheFilterCollectivesStandAmongTheRest) {
  const CommGraph graph = read_comm_graph(sample("monitoring_1"));
  EXPECT_TRUE(graph.groups().empty());
  EXPECT_EQ(between(graph, 0, 1, none, &Edge::bytes), 16000U + 92U);  // what I says with 2
}

constexpr std::string_view heading = "# POINT TO POINT\n";

std::string both_ranks(const std::string& lines) {
  return std::string(heading) + lines + std::string(heading);
}

TEST(Monitoring, OneSidedDataFlowsTowardsTheReader) {
  const CommGraph graph =
      parse_comm_graph(both_ranks("S\t0\t1\t10 bytes\t1 msgs sent\nR\t0\t1\t30 bytes\t2 msgs sent\n"
                                  "C\t0\t1\t99 bytes\t9 msgs sent\n"),
                       "f");
  EXPECT_EQ(edges_text(graph), "0>1 10/1\n1>0 30/2\n");
}

TEST(Monitoring, CountsAreOf64Bits) {
  const std::string most = "9223372036854775807";
  const CommGraph graph =
      parse_comm_graph(both_ranks("E\t0\t1\t" + most + " bytes\t3 msgs sent\n"), "f");
  EXPECT_EQ(edges_text(graph), "0>1 " + most + "/3\n");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t9223372036854775808 bytes\t3 msgs sent\n")),
            "f:2:7: found \"9223372036854775808\", expected a number and \" bytes\"");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t" + most + " bytes\t3 msgs sent\n" + "E\t1\t0\t" +
                                  most + " bytes\t3 msgs sent\n")),
            "f: the bytes of the app add up to more than 63 bits hold");
}

TEST(Monitoring, LinesOutsideTheGrammarAreRefused) {
  EXPECT_EQ(refusal_of(both_ranks("X\t0\t1\t1 bytes\t1 msgs sent\n")),
            "f:2:1: found \"X\", expected a line of E, I, S, R, C, D, O2A, A2O or A2A");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\tone\t1 bytes\t1 msgs sent\n")),
            "f:2:5: found \"one\", expected a rank of 0 to 16777215");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t1 byte\t1 msgs sent\n")),
            "f:2:7: found \"1 byte\", expected a number and \" bytes\"");
  EXPECT_EQ(refusal_of(both_ranks("C\t0\t1\t1 bytes\tx msgs sent\n")),
            "f:2:15: found \"x\", expected a number and \" msgs sent\"");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t1 bytes\t1 msgs sent\t0,1,?\n")),
            "f:2:31: found \"?\", expected how many messages there are of a size");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t1 bytes\n")),
            "f:2:7: 4 fields between tabs, expected KIND, RANK, PEER, bytes, msgs sent and perhaps "
            "the messages by size");
  EXPECT_EQ(refusal_of(both_ranks("E\t0\t1\t1 bytes\t0 msgs sent\n")),
            "f:2:15: bytes without messages");
  EXPECT_EQ(refusal_of(both_ranks("D\tMPI_COMM_WORLD\tranks: 0,1\n")),
            "f:2:18: found \"ranks: 0,1\", expected \"procs: \" and ranks");
  EXPECT_EQ(refusal_of(both_ranks("D\tMPI_COMM_WORLD\tprocs: 0,\n")),
            "f:2:27: found \"\", expected a rank of 0 to 16777215");
}

TEST(Monitoring, AJobIsReadAsAWholeOrNotAtAll) {
  EXPECT_EQ(message_of([] { read_comm_graph(sample("monitoring_2/prof.3.prof")); }),
            sample("monitoring_2/prof.3.prof") +
                ": 1 of the recordings of 6 ranks (nothing of ranks 0, 1, 2 and 2 more), expected "
                "all: their folder, or one file of them all");
  EXPECT_EQ(refusal_of(both_ranks("D\tMPI_COMM_WORLD\tprocs: 0,1\n") +
                       "D\tMPI_COMM_WORLD\tprocs: 0,1,2\n"),
            "f:4:18: MPI_COMM_WORLD of 3 ranks, but of 2 above: expected the recordings of one "
            "job");
  EXPECT_EQ(refusal_of(both_ranks("D\tMPI_COMM_WORLD\tprocs: 0,1\n") + std::string(heading)),
            "f: 3 recordings of 2 ranks, expected one a rank");
  EXPECT_EQ(
      refusal_of(both_ranks("D\tMPI_COMM_WORLD\tprocs: 0,1\nE\t0\t2\t1 bytes\t1 msgs sent\n")),
      "f: rank 2 in a job whose MPI_COMM_WORLD has 2 ranks");
}

TEST(Monitoring, RanksThatNeverSpeakCountToo) {
  EXPECT_EQ(parse_comm_graph(both_ranks(""), "f").ranks(), 2);
}

TEST(MonitoringFolder, AMissingFileIsRefusedWithItsRank) {
  const TestFolder folder;
  folder.copy(sample("monitoring_2"));
  std::filesystem::remove(folder.path() + "/prof.4.prof");
  EXPECT_EQ(folder.refusal(),
            "DIR: 5 of the recordings of 6 ranks (nothing of rank 4), expected all: their folder, "
            "or one file of them all");
}

TEST(MonitoringFolder, ErrorsNameTheFile) {
  const TestFolder folder;
  folder.copy(sample("monitoring_1"));
  folder.write("prof.2.prof", std::string(heading) + "E\t2\t0\t1 bytes\n");
  EXPECT_EQ(folder.refusal(),
            "DIR/prof.2.prof:2:7: 4 fields between tabs, expected KIND, RANK, PEER, bytes, msgs "
            "sent and perhaps the messages by size");
  folder.write("prof.2.prof", std::string(heading) + "E\t3\t0\t1 bytes\t1 msgs sent\n");
  EXPECT_EQ(folder.refusal(), "DIR/prof.2.prof:2:3: rank 3 in the recording of rank 2");
  folder.write("prof.2.prof", "hello\n");
  EXPECT_EQ(folder.refusal(),
            "DIR/prof.2.prof:1:1: found \"hello\", expected \"# POINT TO POINT\"");
}

TEST(MonitoringFolder, TwoRecordingsInOneFolderAreRefused) {
  const TestFolder folder;
  folder.write("a.0.prof", std::string(heading));
  folder.write("b.0.prof", std::string(heading));
  EXPECT_EQ(folder.refusal(),
            "DIR: recordings of two names, \"a\" and \"b\": expected those of "
            "one (or its files put into one)");
}

TEST(RecordingFolder, WithoutRecordingsItIsRefused) {
  const TestFolder folder;
  folder.write("notes.txt", "hello\n");
  EXPECT_EQ(folder.refusal(),
            "DIR: no recording is recognised in this folder, expected prof.R.prof of Open MPI's "
            "monitoring, profile.N.0.0 of TAU, logs of the NCCL inspector, part.HOST.PID of "
            "rankmap's NCCL recorder");
}

}  // namespace
}  // namespace rankmap
