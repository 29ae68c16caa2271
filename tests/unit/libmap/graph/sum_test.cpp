// Two recordings of one job in one graph.
#include "libmap/graph/sum.hpp"

#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

CommGraph graph_of(const std::string& lines) {
  return parse_comm_graph("# rankmap comm 1\n" + lines, "f");
}

TEST(Sum, EdgesAddUpAndGroupsStayApart) {
  const CommGraph a =
      graph_of("ranks 3\ngroup 0 0-2 bcast\n0 1 10 1 0 0\n1 2 5 1 0 -\n0 1 7 1 0 -\n");
  const CommGraph b = graph_of(
      "ranks 3\ngroup 1 1,2 x\ngroup 0 0-2 bcast\n0 1 1 2 0 1\n1 2 2 2 0 -\n1 2 3 1 1 0\n");
  EXPECT_EQ(write_comm(sum(a, b)),
            "# rankmap comm 1\nranks 3\nphases 2\n"
            "group 0 0-2 bcast\ngroup 1 1-2 x\ngroup 0 0-2 bcast\n"
            "# source destination bytes messages phase group weight\n"
            "0 1 7 1 0 - 1\n0 1 10 1 0 0 1\n0 1 1 2 0 2 1\n1 2 7 3 0 - 1\n1 2 3 1 1 1 1\n");
}

TEST(Sum, WithNothingAGraphStaysAsItIs) {
  const CommGraph graph = graph_of("ranks 2\nphases 3\ngroup 2 0-1 a\n0 1 10 1 2 0\n1 0 5 1 1 -\n");
  const CommGraph nothing = graph_of("ranks 2\n");
  EXPECT_EQ(write_comm(sum(graph, nothing)), write_comm(graph));
  EXPECT_EQ(write_comm(sum(nothing, graph)), write_comm(graph));
}

TEST(Sum, OtherNumbersOfRanksAreRefused) {
  EXPECT_EQ(message_of([] { sum(graph_of("ranks 2\n"), graph_of("ranks 3\n")); }),
            "one recording has 2 ranks, the other 3");
}

TEST(Sum, MoreThan63BitsAreRefused) {
  const CommGraph half = graph_of("ranks 2\n0 1 4611686018427387904\n");
  EXPECT_EQ(message_of([&] { sum(half, half); }),
            "f: the bytes of an edge add up to more than 63 bits hold");
}

}  // namespace
}  // namespace rankmap
