// Two recordings of one job in one graph.
#pragma once

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// All edges and groups of both, phase by phase; the groups of `a` come first, and the name is a's.
// Edges without a group add up; groups stay apart. UsageError: they have different numbers of
// ranks; else the errors of GraphBuilder. O(edges log edges).
CommGraph sum(const CommGraph& a, const CommGraph& b);

}  // namespace rankmap
