// Lists of neighbours: every edge has to stand in the lists of both its ends.
#pragma once

#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// Where the lists of a file are, for messages in its own words.
struct NeighbourLists {
  std::vector<std::size_t> lines;  // of each rank's list
  std::int64_t base;               // the number of the first vertex in the file
};

// InputError{graph.name, line of a list that is wrong} unless each pair with traffic has one edge of
// one message each way, of equal bytes. For graphs of one phase without groups, built from edges of
// one message each. O(edges + ranks).
void check_both_ways(const CommGraph& graph, const NeighbourLists& lists);

}  // namespace rankmap
