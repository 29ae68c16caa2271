// Scotch: flags, bases, labels, and that lists which do not agree are refused.
#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/exchange/refusals.hpp"
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

const std::string one_edge = "0>1 1/1\n1>0 1/1\n";

TEST(Scotch, BothBasesMeanTheSame) {
  EXPECT_EQ(edges_text(parse_comm_graph("0\n2 2\n0 000\n1 1\n1 0\n", "f")), one_edge);
  EXPECT_EQ(edges_text(parse_comm_graph("0\n2 2\n1 0\n1 2\n1 1\n", "f")), one_edge);
}

TEST(Scotch, FlagsSayWhatStandsBesideTheNeighbours) {
  const CommGraph graph = parse_comm_graph("0\n2 2\n0 011\n8 1 5 1\n9 1 5 0\n", "f");
  EXPECT_EQ(edges_text(graph), "0>1 5/1\n1>0 5/1\n");
  ASSERT_EQ(graph.work().size(), 2U);
  EXPECT_EQ(graph.work()[0], 8U);
  EXPECT_EQ(graph.work()[1], 9U);
}

TEST(Scotch, ALabelIsTheNumberOfItsRank) {
  const CommGraph graph = parse_comm_graph("0\n3 2\n1 101\n3 9 0\n1 7 1 2\n2 8 1 1\n", "f");
  EXPECT_EQ(edges_text(graph), one_edge);
  EXPECT_EQ(graph.work()[2], 9U);
}

TEST(Scotch, LineEndsMeanNothing) {
  EXPECT_EQ(edges_text(parse_comm_graph("0\n2 2\n0\n000 1\n1 1 0", "f")), one_edge);
}

TEST(Scotch, SaysWhereWhatIsWrong) {
  const std::string header = "0\n2 2\n0 ";
  expect_refusals(
      "f.grf",
      {{"0\n1000000000000 2\n",
        ":2:1: found \"1000000000000\", expected a number of vertices of 1 to 16777216"},
       {"0\n2 1000000000000\n",
        ":2:3: found \"1000000000000\", expected a number of arcs of 0 to 67108864"},
       {"0\n2 2\n2 000\n", ":3:1: found \"2\", expected a first vertex of 0 to 1"},
       {header, ": ends early, expected flags"},
       {header + "0a\n",
        ":3:3: found \"0a\", expected up to three digits: labels, edge loads, vertex loads"},
       {header + "0\n1 1\n", ": ends early, expected a number of neighbours"},
       {header + "0\n1\n", ": ends early, expected a vertex"},
       {header + "0\n3 1\n", ":4:1: found \"3\", expected a number of neighbours of 0 to 2"},
       {header + "0\n1 2\n", ":4:3: found \"2\", expected a vertex of 0 to 1"},
       {header + "0\n1 0\n1 0\n", ":4:3: vertex 0 lists itself, expected other vertices"},
       {header + "0\n1 1\n1 0\n5\n", ":6:1: found \"5\" after the 2 vertices, expected the end"},
       {header + "0\n0\n0\n",
        ":2:3: found 2 arcs, but 0 neighbours in the lists, expected the same"},
       {header + "100\n1 0\n1 0\n", ":5:1: a second vertex of label 1, expected each once"},
       {header + "100\n2 0\n", ":4:1: found \"2\", expected a label of 0 to 1"},
       {header + "10\n1 0 1\n",
        ":4:3: found \"0\", expected the load of an edge of 1 to 4611686018427387904"},
       {header + "10\n1 5 1\n1 6 0\n",
        ":5:1: vertex 1 gives 6 for its edge to vertex 0, which gives 5 in line 4, expected the "
        "same"},
       {header + "100\n1 0\n0 2 1 1\n", ":5:1: vertex 0 lists vertex 1 2 times, expected once"},
       {"0\n2 1\n0 0\n1 1\n0\n",
        ":5:1: vertex 1 does not list vertex 0, which lists it in line 4, expected both or "
        "neither"}});
}

}  // namespace
}  // namespace rankmap
