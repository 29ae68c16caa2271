// METIS: the digits of the format, and that lists which do not agree are refused.
#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/exchange/refusals.hpp"
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

std::vector<std::uint64_t> work_of(const CommGraph& graph) {
  return {graph.work().begin(), graph.work().end()};
}

TEST(Metis, AnEdgeIsItsWeightEachWay) {
  const CommGraph plain = parse_comm_graph("% a path\n3 2\n2\n1 3\n2\n", "f");
  EXPECT_EQ(edges_text(plain), "0>1 1/1\n1>0 1/1\n1>2 1/1\n2>1 1/1\n");
  EXPECT_TRUE(plain.work().empty());
}

TEST(Metis, EveryFormatReadsWhatItsDigitsSay) {
  struct Row {
    const char* content;
    Bytes bytes;
    std::vector<std::uint64_t> work;
  };
  const std::vector<Row> rows = {
      {"2 1 000\n2\n1\n", 1, {}},
      {"2 1 001\n2 7\n1 7\n", 7, {}},
      {"2 1 010\n4 2\n5 1\n", 1, {4, 5}},
      {"2 1 10 1\n4 2\n5 1\n", 1, {4, 5}},
      {"2 1 011\n4 2 7\n5 1 7\n\n", 7, {4, 5}},
      {"2 1 100\n9 2\n8 1\n", 1, {}},
      {"2 1 111\n9 4 2 7\n8 5 1 7\n", 7, {4, 5}},
      {"2 1 1 0\n2 7\n1 7\n", 7, {}},
      {"2 1 10\n1 2\n1 1\n", 1, {}},  // all 1 is what no work means
  };
  for (const Row& row : rows) {
    const CommGraph graph = parse_comm_graph(row.content, "f.graph");
    ASSERT_EQ(graph.edges().size(), 2U) << row.content;
    EXPECT_EQ(graph.edges()[0].bytes, row.bytes) << row.content;
    EXPECT_EQ(work_of(graph), row.work) << row.content;
  }
}

TEST(Metis, ABlankLineIsAVertexWithoutNeighbours) {
  const CommGraph graph = parse_comm_graph("4 1\n\n4\n\n2\n \n", "f");
  EXPECT_EQ(graph.ranks(), 4);
  EXPECT_EQ(edges_text(graph), "1>3 1/1\n3>1 1/1\n");
  EXPECT_EQ(parse_comm_graph("1 0\n\n", "f").ranks(), 1);
}

TEST(Metis, SaysWhereWhatIsWrong) {
  expect_refusals(
      "f.graph",
      {{"1000000000000 1\n2\n1\n",
        ":1:1: found \"1000000000000\", expected a number of vertices of 1 to 16777216"},
       {"2 1000000000000\n2\n1\n",
        ":1:3: found \"1000000000000\", expected a number of edges of 0 to 33554432"},
       {"2 1 2\n2\n1\n",
        ":1:5: found \"2\", expected up to three digits 0 or 1: vertex sizes, vertex weights, edge "
        "weights"},
       {"2 1 011 2\n1 1 2 7\n1 1 1 7\n",
        ":1:9: found \"2\" weights of a vertex, expected 1, as a rank has one amount of work"},
       {"2 1 001 1\n2 7\n1 7\n",
        ":1:9: found \"1\" weights of a vertex, expected 0, as \"001\" says that vertices have "
        "none"},
       {"2 1\n2\n", ": ends after 1 vertices, expected a line for each of 2"},
       {"2 1\n2\n1\n\n2\n", ":5:1: a line more than the 2 vertices have, expected the end"},
       {"2 1\n3\n1\n", ":2:1: found \"3\", expected a vertex of 1 to 2"},
       {"2 1\n2 x\n1\n", ":2:3: found \"x\", expected a vertex of 1 to 2"},
       {"2 1\n1\n1\n", ":2:1: vertex 1 lists itself, expected other vertices"},
       {"2 1 1\n2\n1 5\n", ":2:2: the line ends, expected the weight of the edge"},
       {"2 1 1\n2 0\n1 0\n",
        ":2:3: found \"0\", expected the weight of an edge of 1 to 4611686018427387904"},
       {"2 1 10\n\n1 1\n", ":2:1: the line ends, expected the weight of the vertex"},
       {"2 1 100\n\n1 1\n", ":2:1: the line ends, expected the size of the vertex"},
       {"3 1\n2 3\n1\n1\n",
        ":3:1: a neighbour more than two for each of 1 edges, expected as many as the first line "
        "says"},
       {"3 2\n2\n1\n\n",
        ":1:3: found 2 edges, but 2 neighbours in the lists, expected two for an edge"}});
}

TEST(Metis, BothEndsMustListAnEdge) {
  const std::string tail = ", expected both or neither";
  expect_refusals(
      "f.graph",
      {{"3 1\n2 3\n\n\n", ":3:1: vertex 2 does not list vertex 1, which lists it in line 2" + tail},
       {"3 1\n% remark\n\n1\n1\n",
        ":3:1: vertex 1 does not list vertex 2, which lists it in line 4" + tail},
       {"4 2\n3\n3\n1 4\n\n",
        ":4:1: vertex 3 does not list vertex 2, which lists it in line 3" + tail},
       {"4 2\n4\n3\n2 4\n\n",
        ":5:1: vertex 4 does not list vertex 1, which lists it in line 2" + tail},
       {"3 2\n3\n3\n2 1 \n3\n", ":5:1: a line more than the 3 vertices have, expected the end"},
       {"3 1\n\n3\n1\n", ":2:1: vertex 1 does not list vertex 3, which lists it in line 4" + tail},
       {"2 1 1\n2 7\n1 8\n",
        ":3:1: vertex 2 gives 8 for its edge to vertex 1, which gives 7 in line 2, expected the "
        "same"},
       {"2 2\n2 2\n1 1\n", ":2:1: vertex 1 lists vertex 2 2 times, expected once"}});
}

TEST(Metis, WorkBeyond63BitsIsRefused) {
  const std::string most = "4611686018427387904";
  expect_refusals("f.graph", {{"2 0 10\n" + most + "\n" + most + "\n",
                               ": the work of the ranks add up to more than 63 bits hold"}});
}

}  // namespace
}  // namespace rankmap
