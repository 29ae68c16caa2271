// CSV: columns by name or in order, and what is refused where.
#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/exchange/refusals.hpp"
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

TEST(Csv, ColumnsComeInAnyOrder) {
  const CommGraph graph =
      parse_comm_graph("phase,bytes,messages,source,destination\n1,64KiB,4,2,0\n,7,,0,1\n", "f");
  EXPECT_EQ(graph.ranks(), 3);
  EXPECT_EQ(graph.phases(), 2);
  EXPECT_EQ(edges_text(graph), "0>1 7/1\n2>0 65536/4\n");
}

TEST(Csv, EqualEdgesAddUpAndQuotesAndBlanksAreTakenOff) {
  EXPECT_EQ(edges_text(parse_comm_graph("# made by hand\n\"source\", Destination ,BYTES\r\n"
                                        "0,1,5\r\n 0 ,\"1\",\"6 B\"\n\n1,1,9\n",
                                        "f")),
            "0>1 11/2\n");
}

TEST(Csv, WithoutNamesColumnsAreInOrder) {
  EXPECT_EQ(edges_text(parse_comm_graph("0,1,5,2\n1,0,6,3\n", "f")), "0>1 5/2\n1>0 6/3\n");
  EXPECT_EQ(parse_comm_graph("0,1,5,2,3\n", "f.csv").phases(), 4);
}

TEST(Csv, ATableThatIsSquareIsATableUnlessItsNameSaysCsv) {
  const std::string square = "0,1,5\n1,0,5\n2,0,0\n";
  EXPECT_EQ(parse_comm_graph(square, "f").ranks(), 3);
  expect_refusals("f.csv",
                  {{square,
                    ": 3 lines of 3 numbers are edges or a square table, expected a first "
                    "line with the columns source,destination,bytes[,messages[,phase]], or "
                    "the extension .mat"}});
}

TEST(Csv, SaysWhereWhatIsWrong) {
  const std::string header = "source,destination,bytes\n";
  expect_refusals(
      "f.csv",
      {{"source,target,bytes\n",
        ":1:8: found \"target\", expected the columns "
        "source,destination,bytes[,messages[,phase]]"},
       {"source,source,bytes\n", ":1:8: a second column source, expected each once"},
       {"source,destination\n",
        ":1:1: no column bytes, expected the columns "
        "source,destination,bytes[,messages[,phase]]"},
       {header + "0,1\n", ":2:3: 2 fields, expected 3 as in the first line"},
       {header + "0,1,5,\n", ":2:7: 4 fields, expected 3 as in the first line"},
       {header + " x,1,5\n", ":2:2: found \"x\", expected a rank of 0 to 16777215"},
       {header + "0,16777216,5\n", ":2:3: found \"16777216\", expected a rank of 0 to 16777215"},
       {header + "0, \"1\",\"\"\n", ":2:9: found \"\", expected bytes"},
       {header + "0,1,1.5\n", ":2:5: found \"1.5\", expected bytes"},
       {"source,destination,bytes,messages\n0,1,5,0\n",
        ":2:7: found \"0\", expected messages of 1 to 4611686018427387904"},
       {"source,destination,bytes,phase\n0,1,5,1048576\n",
        ":2:7: found \"1048576\", expected a phase of 0 to 1048575"}});
}

}  // namespace
}  // namespace rankmap
