// Logs of the NCCL inspector: communicators joined into one job, rings, and refusals.
#include <algorithm>

#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

struct Who {
  std::string communicator = "0x1";
  int rank = 0;
  int ranks = 2;
  std::string host = "a";
  int pid = 1;
};

std::string header(const Who& who) {
  return R"({"header":{"id":")" + who.communicator + R"(","rank":)" + std::to_string(who.rank) +
         R"(,"n_ranks":)" + std::to_string(who.ranks) + R"(,"nnodes":1},"metadata":{"hostname":")" +
         who.host + R"(","pid":)" + std::to_string(who.pid) + "},";
}

std::string collective(const Who& who, const std::string& name, const std::string& bytes) {
  return header(who) + R"("coll_perf":{"coll":")" + name +
         R"(","coll_sn":1,"coll_msg_size_bytes":)" + bytes + "}}\n";
}

// All ranks of one communicator, a process each.
std::string all_ranks(int ranks, const std::string& name, const std::string& bytes) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank)
    text += collective({.rank = rank, .ranks = ranks, .pid = rank}, name, bytes);
  return text;
}

std::string edges_of(const std::string& log) {
  return edges_text(parse_comm_graph(log, "f"));
}

TEST(NcclInspector, AllReduceSendsTwiceAllPartsButOne) {
  // 2(n-1)M/n = 2 x 2 x 100 / 3 = 133.3 in 2(n-1) = 4 messages.
  EXPECT_EQ(edges_of(all_ranks(3, "AllReduce", "100")),
            "0>1 133/4 AllReduce 0x1\n1>2 133/4 AllReduce 0x1\n2>0 133/4 AllReduce 0x1\n");
}

TEST(NcclInspector, AllGatherAndReduceScatterSendThePartsOfTheOthers) {
  for (const std::string name : {"AllGather", "ReduceScatter"})  // (n-1)M
    EXPECT_EQ(edges_of(all_ranks(3, name, "100")), "0>1 200/2 " + name + " 0x1\n1>2 200/2 " + name +
                                                       " 0x1\n2>0 200/2 " + name + " 0x1\n");
}

TEST(NcclInspector, BroadcastAndReduceAreChains) {
  EXPECT_EQ(edges_of(all_ranks(3, "Broadcast", "100")),
            "0>1 100/1 Broadcast 0x1\n1>2 100/1 Broadcast 0x1\n");
  EXPECT_EQ(edges_of(all_ranks(3, "Reduce", "100")),
            "1>2 100/1 Reduce 0x1\n2>0 100/1 Reduce 0x1\n");
}

TEST(NcclInspector, AlltoAllGoesToEachAndARootThatIsNotToldIsRank0) {
  EXPECT_EQ(edges_of(all_ranks(3, "AlltoAll", "100")),
            "0>1 100/1 AlltoAll 0x1\n0>2 100/1 AlltoAll 0x1\n1>0 100/1 AlltoAll 0x1\n"
            "1>2 100/1 AlltoAll 0x1\n2>0 100/1 AlltoAll 0x1\n2>1 100/1 AlltoAll 0x1\n");
  EXPECT_EQ(edges_of(all_ranks(3, "Gather", "100")),
            "1>0 100/1 Gather 0x1\n2>0 100/1 Gather 0x1\n");
  EXPECT_EQ(edges_of(all_ranks(3, "Scatter", "100")),
            "0>1 100/1 Scatter 0x1\n0>2 100/1 Scatter 0x1\n");
}

TEST(NcclInspector, LargeMessagesAreExact) {
  // 2^62 x 2 x 2 / 3 leaves 64 bits on the way, not in the end: 2^64 / 3 = 6148914691236517205.3
  EXPECT_EQ(edges_of(collective({.rank = 0, .ranks = 1}, "AllReduce", "4611686018427387904")), "");
  EXPECT_EQ(refusal_of(all_ranks(3, "AllReduce", "4611686018427387904")),
            "f: the bytes of the app add up to more than 63 bits hold");
  EXPECT_EQ(refusal_of(all_ranks(3, "AllGather", "4611686018427387904")),
            "f:1:136: more bytes around the ring than 63 bits hold");
}

TEST(NcclInspector, AFolderOfLogsIsJoinedByTheCommunicatorOfAll) {
  const CommGraph graph = read_comm_graph(sample("nccl"));
  EXPECT_EQ(graph.ranks(), 4);
  EXPECT_EQ(graph.name, sample("nccl"));
  // The world of 4: node-a has ranks 2 and 3, node-b 0 and 1; the pairs are of one node each.
  EXPECT_EQ(edges_text(graph),
            "0>1 1500/6 AllReduce 0xaa01\n0>1 64/1 Broadcast 0xaa01\n"
            "0>1 8192/2 AllGather 0xbb01 tp\n0>1 512/1 Send 0xbb01 tp\n"
            "1>0 8192/2 AllGather 0xbb01 tp\n"
            "1>2 1500/6 AllReduce 0xaa01\n1>2 64/1 Broadcast 0xaa01\n"
            "2>3 1500/6 AllReduce 0xaa01\n2>3 64/1 Broadcast 0xaa01\n"
            "2>3 8192/2 AllGather 0xbb00 tp\n2>3 512/1 Send 0xbb00 tp\n"
            "3>0 1500/6 AllReduce 0xaa01\n"
            "3>2 8192/2 AllGather 0xbb00 tp\n");
  const auto pair = std::find_if(graph.groups().begin(), graph.groups().end(),
                                 [](const Group& g) { return g.name == "Send 0xbb00 tp"; });
  ASSERT_NE(pair, graph.groups().end());
  EXPECT_EQ(pair->ranks, (std::vector<Rank>{2, 3}));
}

TEST(NcclInspector, WithoutSuchACommunicatorRanksFollowHostAndProcess) {
  std::string log;
  log += collective({"0x1", 0, 2, "b", 5}, "AllGather", "10");  // the last of a1, a7, b5
  log += collective({"0x1", 1, 2, "a", 7}, "AllGather", "10");
  log += collective({"0x2", 0, 2, "a", 7}, "Broadcast", "3");
  log += collective({"0x2", 1, 2, "a", 1}, "Broadcast", "3");
  const CommGraph graph = parse_comm_graph(log, "f");
  EXPECT_EQ(graph.name, "f (ranks in the order of host and process)");
  EXPECT_EQ(edges_text(graph),
            "1>0 3/1 Broadcast 0x2\n1>2 10/1 AllGather 0x1\n"
            "2>1 10/1 AllGather 0x1\n");
}

TEST(NcclInspector, OneProcessMayHoldAllRanksOfTheOnlyCommunicator) {
  EXPECT_EQ(edges_of(collective({.rank = 0}, "AllGather", "5") +
                     collective({.rank = 1}, "AllGather", "5")),
            "0>1 5/1 AllGather 0x1\n1>0 5/1 AllGather 0x1\n");
  EXPECT_EQ(refusal_of(collective({.rank = 0}, "AllGather", "5") +
                       collective({.rank = 1}, "AllGather", "5") +
                       collective({"0x2", 0, 1}, "AllGather", "5")),
            "f: a process holds several ranks of communicator \"0x1\": with more than one "
            "communicator these cannot be told apart, expected one GPU a process");
}

TEST(NcclInspector, RanksWithoutRecordsAreRefused) {
  EXPECT_EQ(refusal_of(collective({.rank = 2, .ranks = 4}, "AllReduce", "1")),
            "f: communicator \"0x1\" has 4 ranks, but records of 1 (nothing of ranks 0, 1, 3), "
            "expected the logs of all processes");
}

TEST(NcclInspector, RecordsThatContradictAreRefused) {
  EXPECT_EQ(refusal_of(collective({.rank = 0}, "AllReduce", "1") +
                       collective({.rank = 0, .ranks = 3}, "AllReduce", "1")),
            "f:2:32: communicator \"0x1\" of 3 ranks, but of 2 above");
  EXPECT_EQ(refusal_of(collective({.rank = 0}, "AllReduce", "1") +
                       collective({.rank = 0, .pid = 2}, "AllReduce", "1")),
            "f:2:23: rank 0 of communicator \"0x1\" is another process above: expected the logs of "
            "one run");
}

TEST(NcclInspector, LinesOutsideTheGrammarAreRefused) {
  EXPECT_EQ(refusal_of(collective({}, "AllToAll", "1")),
            "f:1:105: found \"AllToAll\", expected one of AllReduce, AllGather, ReduceScatter, "
            "Broadcast, Reduce, AlltoAll, Gather, Scatter");
  EXPECT_EQ(refusal_of(collective({.rank = 2}, "AllReduce", "1")),
            "f:1:23: found \"2\", expected rank of 0 to 1");
  EXPECT_EQ(refusal_of(collective({}, "AllReduce", "-1")),
            "f:1:136: found \"-1\", expected coll_msg_size_bytes of 0 to 9223372036854775807");
  EXPECT_EQ(refusal_of(collective({}, "AllReduce", "\"1\"")),
            "f:1:136: found \"\\\"1\\\"\", expected coll_msg_size_bytes of 0 to "
            "9223372036854775807");
  EXPECT_EQ(refusal_of(header({}) + "\"x\":1}\n"), "f:1:1: no coll_perf in the record");
  EXPECT_EQ(refusal_of(collective({}, "AllReduce", "1") + "{\"a\":\n"),
            "f:2:6: not JSON, expected one object a line");
  EXPECT_EQ(refusal_of(collective({}, "AllReduce", "1") + "7\n"),
            "f:2:1: found \"7\", expected one JSON object a line");
}

}  // namespace
}  // namespace rankmap
