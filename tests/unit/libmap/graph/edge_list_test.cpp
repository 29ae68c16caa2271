// Our own edge list: what is read, what is refused, and that what is written reads back.
#include <gtest/gtest.h>

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/graph/reader.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"

namespace rankmap {
namespace {

CommGraph read(const std::string& body) {
  return parse_comm_graph("# rankmap comm 1\n" + body, "app.comm");
}

std::string refusal(const std::string& body) {
  return message_of([&] { read(body); });
}

TEST(EdgeList, ReadsEdgesWithTheirDefaults) {
  const CommGraph graph = read("ranks 3\n\n# a remark\n0 1 64KiB\n 2\t1 10 4\r\n");
  EXPECT_EQ(graph.ranks(), 3);
  EXPECT_EQ(graph.name, "app.comm");
  ASSERT_EQ(graph.edges().size(), 2U);
  EXPECT_EQ(graph.edges()[0].bytes, 65536U);
  EXPECT_EQ(graph.edges()[0].messages, 1U);
  EXPECT_EQ(graph.edges()[0].weight, 1U);
  EXPECT_EQ(graph.edges()[0].group, none);
  EXPECT_EQ(graph.edges()[1].source, 2);
  EXPECT_EQ(graph.edges()[1].destination, 1);
  EXPECT_EQ(graph.edges()[1].messages, 4U);
  EXPECT_EQ(graph.phases(), 1);
}

TEST(EdgeList, ReadsPhasesGroupsAndWeights) {
  const CommGraph graph = read("ranks 4\ngroup 1 2,0-1 row of three\n0 1 5 1 1 0 3\n0 1 5 1 2 -\n");
  EXPECT_EQ(graph.phases(), 3);
  ASSERT_EQ(graph.groups().size(), 1U);
  EXPECT_EQ(graph.groups()[0].name, "row of three");
  EXPECT_EQ(graph.groups()[0].ranks, (std::vector<Rank>{2, 0, 1}));
  EXPECT_EQ(graph.groups()[0].phase, 1);
  ASSERT_EQ(graph.edges_of_phase(1).size(), 1U);
  EXPECT_EQ(graph.edges_of_phase(1)[0].group, 0);
  EXPECT_EQ(graph.edges_of_phase(1)[0].weight, 3U);
}

TEST(EdgeList, WhatIsWrittenReadsBackEqual) {
  GraphBuilder builder(5);
  builder.add_phase();
  builder.add_phase();
  builder.add_group({"first group", {0, 1, 2, 4}, 0});
  builder.add_group({"", {3, 2}, 2});
  builder.add({0, 1, Bytes{1} << 40, 7, 2, 0, 0});
  builder.add({4, 0, 0, 1, 1, 2, none});
  builder.add({3, 2, 9, 1, 1, 2, 1});
  const CommGraph graph = std::move(builder).build("built");
  const std::string text = write_comm(graph);
  EXPECT_EQ(text,
            "# rankmap comm 1\n"
            "ranks 5\n"
            "phases 3\n"
            "group 0 0-2,4 first group\n"
            "group 2 3,2 \n"
            "# source destination bytes messages phase group weight\n"
            "0 1 1099511627776 7 0 0 2\n"
            "3 2 9 1 2 1 1\n"
            "4 0 0 1 2 - 1\n");
  EXPECT_EQ(write_comm(parse_comm_graph(text, "again")), text);
}

TEST(EdgeList, ReadsTheWorkOfRanks) {
  const CommGraph graph = read("ranks 6\nwork 7 1,3-4\n0 1 5\nwork 0 5\n");
  EXPECT_EQ(std::vector<std::uint64_t>(graph.work().begin(), graph.work().end()),
            (std::vector<std::uint64_t>{1, 7, 1, 7, 7, 0}));
  EXPECT_TRUE(read("ranks 6\nwork 1 0-5\n").work().empty());
  EXPECT_NE(write_comm(graph).find("\nwork 0 5\nwork 7 1,3-4\n#"), std::string::npos);
  EXPECT_EQ(write_comm(parse_comm_graph(write_comm(graph), "again")), write_comm(graph));
}

TEST(EdgeList, WorkOfManyRanksIsCutIntoLinesAndReadsBack) {
  constexpr Rank ranks = 200'000;
  std::vector<std::uint64_t> work(ranks);
  for (std::size_t rank = 0; rank < work.size(); ++rank) work[rank] = rank % 3;
  GraphBuilder builder(ranks);
  builder.set_work(work);
  const CommGraph again = parse_comm_graph(write_comm(std::move(builder).build("")), "again");
  EXPECT_TRUE(std::equal(work.begin(), work.end(), again.work().begin(), again.work().end()));
}

TEST(EdgeList, RefusesWorkThatIsWrong) {
  EXPECT_EQ(refusal("ranks 4\nwork 3\n"),
            "app.comm:3:1: found \"work 3\", expected work AMOUNT RANKS");
  EXPECT_EQ(refusal("ranks 4\nwork -3 0\n"),
            "app.comm:3:6: found \"-3\", expected work of 0 to 4611686018427387904");
  EXPECT_EQ(refusal("ranks 4\nwork 3 0-4\n"),
            "app.comm:3:10: found \"4\", expected a rank of 0 to 3");
  EXPECT_EQ(refusal("ranks 4\nwork 3 0-2\nwork 1 2\n"),
            "app.comm:4:8: the work of rank 2 was told above");
}

TEST(EdgeList, AGroupNameIsOneLine) {
  GraphBuilder builder(2);
  builder.add_group({"a\nb", {0, 1}, 0});
  const CommGraph again = parse_comm_graph(write_comm(std::move(builder).build("")), "again");
  EXPECT_EQ(again.groups()[0].name, "a b");
}

TEST(EdgeList, SaysWhereWhatIsWrong) {
  EXPECT_EQ(refusal("0 1 2\n"), "app.comm:2:1: found \"0\", expected \"ranks N\"");
  EXPECT_EQ(refusal(""), "app.comm: the edge list ends early, expected \"ranks N\"");
  EXPECT_EQ(refusal("ranks 0\n"),
            "app.comm:2:7: found \"0\", expected a number of ranks of 1 to 16777216");
  EXPECT_EQ(refusal("ranks 4 4\n"), "app.comm:2:9: expected one number after \"ranks\"");
  EXPECT_EQ(refusal("ranks 4\n0 4 1\n"), "app.comm:3:3: found \"4\", expected a rank of 0 to 3");
  EXPECT_EQ(refusal("ranks 4\n0  1  1.5\n"), "app.comm:3:7: found \"1.5\", expected bytes");
  EXPECT_EQ(refusal("ranks 4\n0 1\n"),
            "app.comm:3:3: 2 fields, expected SOURCE DESTINATION BYTES "
            "[MESSAGES [PHASE [GROUP [WEIGHT]]]]");
  EXPECT_EQ(refusal("ranks 4\n0 1 1 0\n"),
            "app.comm:3:7: found \"0\", expected messages of 1 to 4611686018427387904");
  EXPECT_EQ(refusal("ranks 4\n0 1 1 1 0 0\n"),
            "app.comm:3:11: no group is declared above, expected -");
  EXPECT_EQ(refusal("ranks 4\nphases 2\n0 1 1 1 2\n"),
            "app.comm:4:9: phase 2 of 2 phases, expected 0 to 1");
  EXPECT_EQ(refusal("ranks 4\n0 1 1 1 2\nphases 2\n"),
            "app.comm:4:8: phase 2 was used above, expected a larger number of phases");
  EXPECT_EQ(refusal("ranks 4\nphases 2\nphases 2\n"),
            "app.comm:4:1: a second line \"phases\", expected only one");
  EXPECT_EQ(refusal("ranks 4\ngroup 0 0-1,3-2 g\n"), "app.comm:3:13: the range \"3-2\" goes down");
  EXPECT_EQ(refusal("ranks 4\ngroup 0 0-1,1 g\n"), "app.comm:3:9: rank 1 is in the group twice");
  EXPECT_EQ(refusal("ranks 4\ngroup 0\n"),
            "app.comm:3:1: found \"group 0\", expected group PHASE RANKS NAME");
}

TEST(EdgeList, RefusesOtherVersions) {
  EXPECT_EQ(message_of([] { parse_comm_graph("# rankmap comm 2\nranks 1\n", "f"); }),
            "f:1:16: found \"2\", expected version 1 (\"# rankmap comm 1\")");
}

TEST(EdgeList, RefusesGroupsThatAreLargeOutOfProportion) {
  std::string body = "ranks 16777216\n";
  for (int i = 0; i < 3; ++i) body += "group 0 0-16777215 g\n";
  // Four of them are 2^26 members, the limit; a rank more is refused before it is held.
  EXPECT_THROW(read(body + "group 0 0-16777215 g\ngroup 0 0 g\n"), InputError);
}

TEST(CommGraphFiles, OtherContentIsRefusedWithWhatCanBeRead) {
  std::string readable;  // a line each
  for (const GraphFormatRow& row : graph_formats())
    readable += (readable.empty() ? "expected " : ", or ") + std::string(row.summary);
  EXPECT_EQ(message_of([] { parse_comm_graph("hello\n", "f"); }),
            "f:1:1: found \"hello\", " + readable);
  EXPECT_EQ(message_of([] { parse_comm_graph(" \n\n", "f"); }),
            "f: the communication graph is empty, " + readable);
}

TEST(CommGraphFiles, AFileThatIsNotThereIsASystemError) {
  EXPECT_THROW(read_comm_graph("/nonexistent/app.comm"), SystemError);
}

}  // namespace
}  // namespace rankmap
