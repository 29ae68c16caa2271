// The same graph in every format: the files of tests/golden/graphs read as equal graphs.
#include <gtest/gtest.h>

#include <filesystem>

#include "libmap/base/files.hpp"
#include "libmap/graph/reader.hpp"

namespace rankmap {
namespace {

std::string golden(const std::string& file) {
  return (std::filesystem::path(RANKMAP_SOURCE_DIR) / "tests/golden/graphs" / file).string();
}

class SameGraph : public ::testing::TestWithParam<const char*> {};

TEST_P(SameGraph, ReadsAsTheEdgeListOfItsName) {
  const std::string file = GetParam();
  const std::string name = file.substr(0, file.find_first_of("_."));
  EXPECT_EQ(write_comm(read_comm_graph(golden(file))), read_text(golden(name + ".comm")));
}

// Contents without an extension are recognised as well, but for what could be two formats.
TEST_P(SameGraph, IsRecognisedByContent) {
  const std::string file = GetParam();
  const std::string name = file.substr(0, file.find_first_of("_."));
  EXPECT_EQ(write_comm(parse_comm_graph(read_text(golden(file)), "-")),
            read_text(golden(name + ".comm")));
}

INSTANTIATE_TEST_SUITE_P(Files, SameGraph,
                         ::testing::Values("halo.comm", "halo.mtx", "halo_general.mtx",
                                           "halo.graph", "halo.grf", "halo.mat", "halo.csv",
                                           "halo_plain.csv", "work.comm", "work.graph",
                                           "work.grf"));

std::string first_edge(const std::string& content, const std::string& name) {
  const CommGraph graph = parse_comm_graph(content, name);
  return std::to_string(graph.ranks()) + " ranks, " + std::to_string(graph.edges().size()) +
         " edges";
}

TEST(GraphFormats, TheExtensionDecidesWhereContentDoesNot) {
  // Three rows of three numbers; and METIS with two vertices of weights 5 and 6 and one edge of 7.
  const std::string either = "2 1 11\n5 2 7\n6 1 7\n";
  EXPECT_EQ(first_edge(either, "app"), "3 ranks, 6 edges");
  EXPECT_EQ(first_edge(either, "app.mat"), "3 ranks, 6 edges");
  EXPECT_EQ(first_edge(either, "app.Graph"), "2 ranks, 2 edges");
}

TEST(GraphFormats, ContentDecidesAgainstTheExtension) {
  EXPECT_EQ(first_edge("2 1\n2\n1\n", "app.mat"), "2 ranks, 2 edges");
  EXPECT_EQ(first_edge("0 1\n1 0\n", "app.graph"), "2 ranks, 2 edges");
  EXPECT_EQ(first_edge("0\n2 2\n0 0\n1 1\n1 0\n", "app.csv"), "2 ranks, 2 edges");
  EXPECT_EQ(first_edge("# rankmap comm 1\nranks 4\n0 1 2\n", "app.mat"), "4 ranks, 1 edges");
}

TEST(GraphFormats, AByteOrderMarkMeansNothing) {
  EXPECT_EQ(first_edge("\xEF\xBB\xBFsource,destination,bytes\r\n0,1,5\r\n", "app"),
            "2 ranks, 1 edges");
  EXPECT_EQ(first_edge("\xEF\xBB\xBF"
                       "0 1\n1 0\n",
                       "app"),
            "2 ranks, 2 edges");
}

}  // namespace
}  // namespace rankmap
