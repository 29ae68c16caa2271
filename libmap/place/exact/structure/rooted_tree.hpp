// A tree of ranks with the root and the order of children that make the subset program cheapest.
#pragma once

#include <utility>
#include <vector>

namespace rankmap {

struct RootedTree {
  std::vector<int> parent;                 // -1: the root
  std::vector<std::vector<int>> children;  // leaves first, then by size
  std::vector<int> size;                   // ranks of the subtree
  std::vector<int> post_order;             // children before parents
  int root() const { return post_order.back(); }
};

// `edges` join all ranks and have no cycle. O(ranks^2).
RootedTree cheapest_rooting(int ranks, const std::vector<std::pair<int, int>>& edges, int seats);

}  // namespace rankmap
