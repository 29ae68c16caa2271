// Dense tables: row i, column j is what i sends to j.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/graph/reader.hpp"
#include "tests/unit/libmap/graph/message_of.hpp"

namespace rankmap {
namespace {

std::string refusal(const std::string& text) {
  return message_of([&] { parse_comm_graph(text, "app.mat"); });
}

TEST(DenseMatrix, RowsSendToColumnsAndTheDiagonalIsDropped) {
  const CommGraph graph = parse_comm_graph("% three ranks\n9 5 0\n0, 0, 1e3\n7.0\t0 0", "app.mat");
  EXPECT_EQ(graph.ranks(), 3);
  ASSERT_EQ(graph.edges().size(), 3U);
  EXPECT_EQ(graph.edges()[0].destination, 1);
  EXPECT_EQ(graph.edges()[0].bytes, 5U);
  EXPECT_EQ(graph.edges()[1].source, 1);
  EXPECT_EQ(graph.edges()[1].destination, 2);
  EXPECT_EQ(graph.edges()[1].bytes, 1000U);
  EXPECT_EQ(graph.edges()[2].source, 2);
  EXPECT_EQ(graph.edges()[2].destination, 0);
  EXPECT_EQ(graph.total_bytes(), 1012U);
}

TEST(DenseMatrix, IsRefusedWhenItIsNotSquare) {
  const std::string hint = " (an edge list begins with \"# rankmap comm 1\")";
  EXPECT_EQ(refusal("0 1\n1 0 2\n"),
            "app.mat:2:1: a row of 3 numbers, expected 2 rows of 2 numbers" + hint);
  EXPECT_EQ(refusal("0 1\n\n1 0\n0 0\n"),
            "app.mat:4:1: a row too many, expected 2 rows of 2 numbers" + hint);
  EXPECT_EQ(refusal("0 1 2\n1 0 2\n"),
            "app.mat: the table has 2 rows, expected 3 rows of 3 numbers" + hint);
}

TEST(DenseMatrix, RefusesWhatIsNoNumberOfBytes) {
  EXPECT_EQ(refusal("0 1\n 0.5 0\n"),
            "app.mat:2:2: found \"0.5\", expected a whole number of bytes");
  EXPECT_EQ(refusal("0 -1\n0 0\n"), "app.mat:1:3: found \"-1\", expected a whole number of bytes");
  EXPECT_EQ(refusal("0 18446744073709551615\n0 0\n"),
            "app.mat:1:3: found \"18446744073709551615\", expected a whole number of bytes");
  EXPECT_EQ(refusal("0 x\n0 0\n"), "app.mat:1:3: found \"x\", expected a whole number of bytes");
}

}  // namespace
}  // namespace rankmap
