// The shape of an app's pairs: which search is exact and fast for it.
#pragma once

#include <utility>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

enum class Shape { clique, forest, cycle, general };

struct AppShape {
  Shape shape = Shape::general;
  std::vector<std::pair<int, int>> tree;  // forest: its pairs, and more that join its parts
  std::vector<int> cycle;                 // cycle: the ranks in order around it, from `first`
};

// Clique: every two of three or more ranks talk (whether alike is for the caller to check). Cycle:
// one cycle through all ranks, written from `first` on; three ranks that all talk are a
// clique with a cycle. O(ranks + pairs).
AppShape shape_of(const CommGraph& app, Rank first);

}  // namespace rankmap
