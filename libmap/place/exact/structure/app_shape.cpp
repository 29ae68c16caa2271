// Tells cliques, forests and cycles from other apps.
#include "libmap/place/exact/structure/app_shape.hpp"

#include <algorithm>
#include <numeric>

namespace rankmap {
namespace {

class Parts {
 public:
  explicit Parts(int ranks) : parent_(static_cast<std::size_t>(ranks)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int rank) {
    int& parent = parent_[static_cast<std::size_t>(rank)];
    return parent == rank ? rank : parent = root(parent);
  }
  bool join(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[static_cast<std::size_t>(b)] = a;
    return true;
  }

 private:
  std::vector<int> parent_;
};

std::vector<int> around(const CommGraph& app, Rank first) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(app.ranks()));
  for (const Pair& pair : app.pairs()) {
    neighbours[static_cast<std::size_t>(pair.low)].push_back(pair.high);
    neighbours[static_cast<std::size_t>(pair.high)].push_back(pair.low);
  }
  for (const auto& both : neighbours)
    if (both.size() != 2) return {};
  std::vector<int> cycle{first};
  int before = -1;
  int rank = first;
  for (;;) {
    const auto& both = neighbours[static_cast<std::size_t>(rank)];
    const int next = both[0] != before ? both[0] : both[1];
    before = rank;
    rank = next;
    if (rank == first) break;
    cycle.push_back(rank);
  }
  return std::ssize(cycle) == app.ranks() ? cycle : std::vector<int>{};
}

// The app's pairs, then pairs that join the parts; empty when there is a cycle.
bool as_tree(const CommGraph& app, std::vector<std::pair<int, int>>& tree) {
  Parts parts(app.ranks());
  for (const Pair& pair : app.pairs()) {
    if (!parts.join(pair.low, pair.high)) return false;
    tree.emplace_back(pair.low, pair.high);
  }
  for (Rank rank = 1; rank < app.ranks(); ++rank)
    if (parts.join(0, rank)) tree.emplace_back(0, rank);
  return true;
}

}  // namespace

AppShape shape_of(const CommGraph& app, Rank first) {
  AppShape result;
  const auto ranks = static_cast<std::size_t>(app.ranks());
  if (app.pairs().size() < ranks && as_tree(app, result.tree)) {
    result.shape = Shape::forest;
    return result;
  }
  if (app.pairs().size() == ranks) result.cycle = around(app, first);
  if (!result.cycle.empty()) result.shape = Shape::cycle;
  if (app.pairs().size() == ranks * (ranks - 1) / 2) result.shape = Shape::clique;
  return result;
}

}  // namespace rankmap
