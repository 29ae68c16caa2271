// Tries every rank as the root and counts the steps of the subset program.
#include "libmap/place/exact/structure/rooted_tree.hpp"

#include <algorithm>
#include <limits>

#include "libmap/place/exact/programs/subset_index.hpp"

namespace rankmap {
namespace {

using Neighbours = std::vector<std::vector<int>>;

void visit(const Neighbours& neighbours, int rank, int parent, RootedTree& tree) {
  const auto at = static_cast<std::size_t>(rank);
  tree.parent[at] = parent;
  tree.size[at] = 1;
  tree.children[at].clear();
  for (int next : neighbours[at]) {
    if (next == parent) continue;
    visit(neighbours, next, rank, tree);
    tree.children[at].push_back(next);
    tree.size[at] += tree.size[static_cast<std::size_t>(next)];
  }
  std::stable_sort(tree.children[at].begin(), tree.children[at].end(), [&](int a, int b) {
    return tree.size[static_cast<std::size_t>(a)] < tree.size[static_cast<std::size_t>(b)];
  });
  tree.post_order.push_back(rank);
}

RootedTree rooted_at(const Neighbours& neighbours, int root) {
  const std::size_t ranks = neighbours.size();
  RootedTree tree{
      std::vector<int>(ranks), std::vector<std::vector<int>>(ranks), std::vector<int>(ranks), {}};
  visit(neighbours, root, -1, tree);
  return tree;
}

// Rows times steps a row: of attaching every subtree, and of merging it into its parent.
double steps_of(const RootedTree& tree, int seats) {
  double steps = 0;
  for (std::size_t rank = 0; rank < tree.size.size(); ++rank) {
    int merged = 1;
    for (int child : tree.children[rank]) {
      const int size = tree.size[static_cast<std::size_t>(child)];
      const int both = merged + size;
      const double ways = merged == 1 ? 1 : static_cast<double>(choose(both, size));
      steps += static_cast<double>(choose(seats, size)) * size;
      steps += static_cast<double>(choose(seats, both)) * ways;
      merged = both;
    }
  }
  return steps;
}

}  // namespace

RootedTree cheapest_rooting(int ranks, const std::vector<std::pair<int, int>>& edges, int seats) {
  Neighbours neighbours(static_cast<std::size_t>(ranks));
  for (const auto& [a, b] : edges) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  RootedTree best;
  double fewest = std::numeric_limits<double>::max();
  for (int root = 0; root < ranks; ++root) {
    RootedTree tree = rooted_at(neighbours, root);
    const double steps = steps_of(tree, seats);
    if (steps >= fewest) continue;
    fewest = steps;
    best = std::move(tree);
  }
  return best;
}

}  // namespace rankmap
