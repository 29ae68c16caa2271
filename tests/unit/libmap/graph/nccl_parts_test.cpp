// Parts of rankmap's recorder of NCCL: joined into one job by its ranks, roots and phases,
// refusals.
#include "libmap/graph/foreign/nccl_parts.hpp"

#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

// The head of a part and one communicator of `ranks`, in which the process is `own`.
std::string part(const std::string& process, const std::string& job, int ranks, int own,
                 const std::string& rest = "") {
  return "# rankmap nccl 1\nprocess " + process + "\nrank " + job + "\ncomm 0 1 " +
         std::to_string(ranks) + " " + std::to_string(own) + "\n" + rest;
}

NcclParts parts_in(const TestFolder& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files.push_back(entry.path().string());
  return read_nccl_parts(files, "f");
}

// Of one process that holds all ranks of a communicator of two.
std::string edges_of_both(const std::string& first, const std::string& second) {
  return edges_text(parse_comm_graph(
      "# rankmap nccl 1\nprocess a 1\nrank - -\ncomm 0 1 2 0\ncomm 1 1 2 1\n" + first + second,
      "f"));
}

std::string refusal_of_line(const std::string& line) {
  return refusal_of(part("a 1", "0 1", 2, 0, line));
}

TEST(NcclParts, AFolderIsJoinedByTheRanksOfTheJob) {
  const CommGraph graph = read_comm_graph(sample("nccl_parts"));
  EXPECT_EQ(graph.ranks(), 4);
  EXPECT_EQ(graph.phases(), 2);
  EXPECT_EQ(graph.name, sample("nccl_parts"));
  // Rank r of the job is 3 - r of the communicator aa01, whose ring goes 3 > 2 > 1 > 0 > 3 of the
  // job. AllReduce: 2 x 3 x 1000 / 4 in 2 calls of 6 messages. Broadcast from 1, job rank 2:
  // 2 > 1 > 0 > 3. AlltoAll: each to each; Gather to 3 and Scatter from it: job rank 0; 6 bytes in
  // 2 calls.
  EXPECT_EQ(
      edges_text(graph),
      "0>1 7/1 AlltoAll 0xaa01\n0>1 6/2 Scatter root=0 0xaa01\n"
      "0>1 40/4 Send 0xbb00 tp of a job\n"
      "0>2 7/1 AlltoAll 0xaa01\n0>2 6/2 Scatter root=0 0xaa01\n"
      "0>3 1500/12 AllReduce 0xaa01\n0>3 64/1 Broadcast root=2 0xaa01\n"
      "0>3 7/1 AlltoAll 0xaa01\n0>3 6/2 Scatter root=0 0xaa01\n"
      "1>0 1500/12 AllReduce 0xaa01\n1>0 64/1 Broadcast root=2 0xaa01\n"
      "1>0 7/1 AlltoAll 0xaa01\n1>0 5/1 Gather root=0 0xaa01\n"
      "1>2 7/1 AlltoAll 0xaa01\n1>3 7/1 AlltoAll 0xaa01\n"
      "2>0 7/1 AlltoAll 0xaa01\n2>0 5/1 Gather root=0 0xaa01\n"
      "2>1 1500/12 AllReduce 0xaa01\n2>1 64/1 Broadcast root=2 0xaa01\n"
      "2>1 7/1 AlltoAll 0xaa01\n2>3 7/1 AlltoAll 0xaa01\n2>3 40/4 Send 0xbb01 tp of a job\n"
      "3>0 7/1 AlltoAll 0xaa01\n3>0 5/1 Gather root=0 0xaa01\n3>1 7/1 AlltoAll 0xaa01\n"
      "3>2 1500/12 AllReduce 0xaa01\n3>2 7/1 AlltoAll 0xaa01\n"
      // Phase 1. AllGather: 300 bytes in 3 calls of one message. Reduce to 2, job rank 1: the chain
      // begins behind it.
      "0>1 300/3 AllGather 0xbb00 tp of a job\n0>3 32/1 Reduce root=1 0xaa01\n"
      "1>0 300/3 AllGather 0xbb00 tp of a job\n2>1 32/1 Reduce root=1 0xaa01\n"
      "2>3 300/3 AllGather 0xbb01 tp of a job\n3>2 32/1 Reduce root=1 0xaa01\n"
      "3>2 300/3 AllGather 0xbb01 tp of a job\n");
  EXPECT_EQ(graph.groups()[0].ranks, (std::vector<Rank>{3, 2, 1, 0}));  // in communicator order
}

TEST(NcclParts, WhatIsNotListedIsToldApart) {
  const TestFolder folder;
  folder.copy(sample("nccl_parts"));
  const NcclParts parts = parts_in(folder);
  EXPECT_TRUE(parts.in_job_ranks);
  EXPECT_EQ(parts.other_calls, 2U);
}

TEST(NcclParts, TheJobMayHaveRanksWithoutNccl) {
  const TestFolder folder;
  folder.write("part.a.1", part("a 1", "5 8", 2, 0, "call 0 AllGather - 1 10 0\n"));
  folder.write("part.a.2", part("a 2", "2 8", 2, 1));
  const NcclParts parts = parts_in(folder);
  EXPECT_TRUE(parts.in_job_ranks);
  EXPECT_EQ(parts.graph.ranks(), 8);
  EXPECT_EQ(edges_text(parts.graph), "5>2 10/1 AllGather 0x1\n");
}

TEST(NcclParts, ASizeThatNobodyKnowsIsTheLargestRank) {
  const TestFolder folder;
  folder.write("part.a.1", part("a 1", "5 -", 2, 0, "send 0 1 1 3 0\n"));
  folder.write("part.a.2", part("a 2", "2 -", 2, 1));
  EXPECT_EQ(parts_in(folder).graph.ranks(), 6);
}

TEST(NcclParts, RanksOfTheJobMustBeEachAnotherOne) {
  for (const std::string second : {"5 8", "- -", "4 7"}) {
    const TestFolder folder;
    folder.write("part.a.1", part("a 1", "5 8", 2, 0, "send 0 1 1 3 0\n"));
    folder.write("part.a.2", part("a 2", second, 2, 1));
    const NcclParts parts = parts_in(folder);
    EXPECT_FALSE(parts.in_job_ranks) << second;
    EXPECT_EQ(edges_text(parts.graph), "0>1 3/1 Send 0x1\n") << second;
  }
}

TEST(NcclParts, OneProcessMayHoldAllRanks) {
  EXPECT_EQ(edges_of_both("call 0 Scatter 0 1 9 0\n", "call 1 Scatter 0 1 9 0\n"),
            "0>1 9/1 Scatter root=0 0x1\n");
  EXPECT_EQ(edges_of_both("call 0 Gather 0 1 9 0\n", "call 1 Gather 0 1 9 0\n"),
            "1>0 9/1 Gather root=0 0x1\n");
  EXPECT_EQ(edges_of_both("call 0 AlltoAll - 1 9 0\n", ""), "0>1 9/1 AlltoAll 0x1\n");
}

TEST(NcclParts, RanksThatAreMissingOrContradictAreRefused) {
  EXPECT_EQ(
      refusal_of(part("a 1", "0 1", 2, 0)),
      "f: communicator \"0x1\" has 2 ranks, but records of 1 (nothing of rank 1), expected the "
      "logs of all processes");
  EXPECT_EQ(refusal_of_line("comm 1 1 3 0\n"),
            "f:5:10: communicator \"0x1\" of 3 ranks, but of 2 above");
  const TestFolder folder;
  folder.write("part.a.1", part("a 1", "0 1", 2, 0));
  folder.write("part.a.2", part("a 2", "0 1", 2, 0));
  EXPECT_EQ(
      folder.refusal(),
      "DIR/part.a.2:4:12: rank 0 of communicator \"0x1\" is another process above: expected the "
      "logs of one run");
  folder.write("part.a.2", part("a 1", "1 2", 2, 0));
  EXPECT_EQ(folder.refusal(),
            "DIR/part.a.2:4:1: process 1 of host \"a\" is another rank of the job above");
}

TEST(NcclParts, MoreThan63BitsAreRefused) {
  const std::string large = "4611686018427387904";  // 2^62
  EXPECT_EQ(refusal_of(part("a 1", "0 1", 3, 0, "call 0 AllGather - 1 " + large + " 0\n")),
            "f:5:22: more bytes around the ring than 63 bits hold");
  EXPECT_EQ(refusal_of(part("a 1", "0 1", 3, 0, "call 0 AllGather - " + large + " 1 0\n")),
            "f:5:20: more messages around the ring than 63 bits hold");
}

TEST(NcclParts, LinesOutsideTheGrammarAreRefused) {
  const std::pair<const char*, const char*> table[] = {
      {"hello 1\n", "f:5:1: found \"hello\", expected comm, call, send or other"},
      {"comm 1 1\n", "f:5:8: 3 fields, expected comm NUMBER ID RANKS OWN [NAME]"},
      {"comm 2 1 2 0\n", "f:5:6: found \"2\", expected the number of 1 to 1"},
      {"comm 1 XY 2 0\n", "f:5:8: found \"XY\", expected up to 16 hex digits"},
      {"comm 1 2 2 2\n", "f:5:12: found \"2\", expected a rank of 0 to 1"},
      {"call 0 AllReduce 0 1 1 0\n", "f:5:18: found \"0\", expected -: AllReduce has no root"},
      {"call 0 Reduce 2 1 1 0\n", "f:5:15: found \"2\", expected a root of 0 to 1"},
      {"call 0 Reduce - 1 1 0\n", "f:5:15: found \"-\", expected a root of 0 to 1"},
      {"call 0 AllReduce - 1 1 0 0\n",
       "f:5:26: 8 fields, expected call NUMBER OPERATION ROOT CALLS BYTES PHASE"},
      {"call 1 AllReduce - 1 1 0\n", "f:5:6: found \"1\", expected the number of a comm of 0 to 0"},
      {"call 0 AllReduce - 0 1 0\n",
       "f:5:20: found \"0\", expected calls of 1 to 9223372036854775807"},
      {"call 0 AllReduce - 1 1 -1\n", "f:5:24: found \"-1\", expected a phase of 0 to 1048575"},
      {"send 0 2 1 1 0\n", "f:5:8: found \"2\", expected a peer of 0 to 1"},
      {"other 1\n", "f:5:7: 2 fields, expected other CALLS BYTES"},
  };
  for (const auto& [line, refusal] : table) EXPECT_EQ(refusal_of_line(line), refusal);
  EXPECT_EQ(refusal_of_line("call 0 AllToAll - 1 1 0\n").substr(0, 48),
            "f:5:8: found \"AllToAll\", expected one of AllRedu");
}

TEST(NcclParts, HeadsOutsideTheGrammarAreRefused) {
  const std::pair<const char*, const char*> table[] = {
      {"# rankmap nccl 2\n", "f:1:16: found \"2\", expected version 1 (\"# rankmap nccl 1\")"},
      {"# rankmap nccl 1\n", "f: the part ends early, expected process HOST PID"},
      {"# rankmap nccl 1\nprocess a\n", "f:2:1: found \"process a\", expected process HOST PID"},
      {"# rankmap nccl 1\nprocess a b\n",
       "f:2:11: found \"b\", expected a process of 0 to 9223372036854775807"},
      {"# rankmap nccl 1\nprocess a 1\n", "f: the part ends early, expected rank RANK RANKS"},
      {"# rankmap nccl 1\nprocess a 1\nrank 4 4\n",
       "f:3:8: found \"4\", expected a number of ranks of 5 to 16777216"},
      {"# rankmap nccl 1\nprocess a 1\nrank - -\nsend 0 1 1 1 0\n",
       "f:4:6: no comm is declared above"},
      {"# rankmap nccl 1\nprocess a 1\nrank - -\n",
       "f: no record in it, expected one an operation of NCCL"},
  };
  for (const auto& [text, refusal] : table) EXPECT_EQ(refusal_of(text), refusal);
}

}  // namespace
}  // namespace rankmap
