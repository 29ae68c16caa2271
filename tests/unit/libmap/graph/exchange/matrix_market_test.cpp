// Matrix Market: what an entry means, and what is refused where.
#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/exchange/refusals.hpp"
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

std::string mtx(const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + rest;
}

TEST(MatrixMarket, ARowSendsToAColumn) {
  const CommGraph graph = parse_comm_graph(mtx("integer general\n3 3 2\n1 3 5\n3 2 6\n"), "f");
  EXPECT_EQ(graph.ranks(), 3);
  EXPECT_EQ(edges_text(graph), "0>2 5/1\n2>1 6/1\n");
}

TEST(MatrixMarket, APatternIsOneByteAndASymmetricEntryGoesBothWays) {
  EXPECT_EQ(edges_text(parse_comm_graph(mtx("pattern symmetric\n2 2 2\n1 1\n2 1\n"), "f")),
            "0>1 1/1\n1>0 1/1\n");
}

TEST(MatrixMarket, ZeroIsNoMessage) {
  EXPECT_EQ(edges_text(parse_comm_graph(mtx("real general\n2 2 1\n1 2 0.0\n"), "f")), "");
}

TEST(MatrixMarket, SaysWhereWhatIsWrong) {
  const std::string sizes = mtx("integer general\n2 2 1\n");
  expect_refusals(
      "f.mtx",
      {{"%%MatrixMarket matrix\n2 2 1\n",
        ":1:16: 2 words, expected %%MatrixMarket matrix coordinate VALUES SYMMETRY"},
       {"%%MatrixMarket tensor coordinate real general\n",
        ":1:16: found \"tensor\", expected matrix"},
       {"%%MatrixMarket matrix array real general\n",
        ":1:23: an array is no list of edges, expected coordinate (a square table without this "
        "header is read as well)"},
       {mtx("complex general\n"),
        ":1:34: complex numbers are no bytes, expected real, integer or pattern"},
       {mtx("text general\n"), ":1:34: found \"text\", expected real or integer or pattern"},
       {mtx("real skew-symmetric\n"),
        ":1:39: half of a skew-symmetric matrix is negative, which no number of bytes is, expected "
        "general or symmetric"},
       {mtx("real hermitian\n"),
        ":1:39: complex numbers are no bytes, expected general or symmetric"},
       {mtx("real general\n% only a remark\n"), ": ends early, expected ROWS COLUMNS ENTRIES"},
       {mtx("real general\n2 2\n"), ":2:3: 2 fields, expected ROWS COLUMNS ENTRIES"},
       {mtx("real general\n2 3 1\n"),
        ":2:3: found \"3\" columns and 2 rows, expected as many: both are ranks"},
       {mtx("real general\n1000000000000 1000000000000 1\n"),
        ":2:1: found \"1000000000000\", expected a number of rows of 1 to 16777216"},
       {mtx("real general\n2 2 1000000000000\n"),
        ":2:5: found \"1000000000000\", expected a number of entries of 0 to 67108864"},
       {sizes + "1 2\n", ":3:3: 2 fields, expected ROW COLUMN VALUE"},
       {sizes + "0 2 1\n", ":3:1: found \"0\", expected a row of 1 to 2"},
       {sizes + "1 3 1\n", ":3:3: found \"3\", expected a column of 1 to 2"},
       {sizes + "1 2 -1\n", ":3:5: found \"-1\", expected a whole number of bytes"},
       {sizes + "1 2 0.5\n", ":3:5: found \"0.5\", expected a whole number of bytes"},
       {sizes, ": ends after 0 entries, expected 1"},
       {sizes + "1 2 1\n\n2 1 1\n",
        ":5:1: an entry more than the 1 that were told, expected the "
        "end"},
       {mtx("pattern general\n2 2 1\n1 2 1\n"), ":3:5: 3 fields, expected ROW COLUMN"},
       {mtx("pattern symmetric\n2 2 1\n1 2\n"),
        ":3:3: above the diagonal of a symmetric matrix, expected only below it"}});
}

}  // namespace
}  // namespace rankmap
