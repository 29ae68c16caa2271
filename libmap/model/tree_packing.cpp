// Spanning-tree packing by Dinkelbach's iteration over minimum-cost partitions.
#include "libmap/model/tree_packing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace rankmap {
namespace {

// Maximum flow by shortest augmenting paths on a dense matrix; the sets here are small.
class DenseFlow {
 public:
  explicit DenseFlow(std::size_t vertices)
      : vertices_(vertices), residual_(vertices * vertices, 0), parent_(vertices) {}

  void add(std::size_t from, std::size_t to, std::int64_t capacity) {
    residual_[from * vertices_ + to] += capacity;
  }

  // Saturates the network; afterwards reached(v) tells the source's side of the least minimum cut.
  void run(std::size_t source, std::size_t sink) {
    while (search(source, sink)) {
      std::int64_t amount = std::numeric_limits<std::int64_t>::max();
      for (std::size_t v = sink; v != source; v = parent_[v]) {
        amount = std::min(amount, residual_[parent_[v] * vertices_ + v]);
      }
      for (std::size_t v = sink; v != source; v = parent_[v]) {
        residual_[parent_[v] * vertices_ + v] -= amount;
        residual_[v * vertices_ + parent_[v]] += amount;
      }
    }
  }

  bool reached(std::size_t vertex) const { return parent_[vertex] != vertices_; }

 private:
  bool search(std::size_t source, std::size_t sink) {
    std::fill(parent_.begin(), parent_.end(), vertices_);
    parent_[source] = source;
    queue_.assign(1, source);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::size_t from = queue_[head];
      for (std::size_t to = 0; to < vertices_; ++to) {
        if (reached(to) || residual_[from * vertices_ + to] <= 0) continue;
        parent_[to] = from;
        if (to == sink) return true;
        queue_.push_back(to);
      }
    }
    return false;
  }

  std::size_t vertices_;
  std::vector<std::int64_t> residual_;
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> queue_;
};

using Blocks = std::vector<int>;  // block of every vertex

// Minimises the sum over blocks S of g(S) = q x cut(S) - 2 x p, that is 2q x (crossing - parts x p/q).
// Greedy over the vertices: x(v) = min of g(S) - x(S - v) over sets S of v and earlier vertices; the
// blocks that a minimiser touches become one (Dilworth truncation; Frank and Tardos 1988).
class PartitionStep {
 public:
  PartitionStep(const LaneMatrix& lanes, Fraction lambda)
      : lanes_(lanes),
        lambda_(lambda),
        x_(static_cast<std::size_t>(lanes.size()), 0),
        block_(static_cast<std::size_t>(lanes.size())) {
    std::iota(block_.begin(), block_.end(), 0);
  }

  Blocks run() {
    for (int v = 0; v < lanes_.size(); ++v) add(v);
    return block_;
  }

 private:
  static std::size_t at(int v) { return static_cast<std::size_t>(v); }

  void add(int v) {
    const std::vector<char> set = minimiser(v);
    std::int64_t value = -2 * lambda_.numerator;
    for (int a = 0; a < lanes_.size(); ++a) {
      if (set[at(a)] == 0) continue;
      if (a != v) value -= x_[at(a)];
      for (int b = 0; b < lanes_.size(); ++b) {
        if (set[at(b)] == 0) value += lambda_.denominator * lanes_.at(a, b);
      }
    }
    x_[at(v)] = value;
    join(set, v);
  }

  // The set S by a minimum cut: v is the source; a member u earns x(u), or costs -x(u).
  std::vector<char> minimiser(int v) const {
    const std::size_t sink = at(lanes_.size());
    DenseFlow flow(sink + 1);
    for (int a = 0; a <= v; ++a) {
      for (int b = 0; b < lanes_.size(); ++b) {
        flow.add(at(a), b <= v ? at(b) : sink, lambda_.denominator * lanes_.at(a, b));
      }
      if (a == v) continue;
      if (x_[at(a)] > 0) flow.add(at(v), at(a), x_[at(a)]);
      if (x_[at(a)] < 0) flow.add(at(a), sink, -x_[at(a)]);
    }
    flow.run(at(v), sink);
    std::vector<char> set(at(lanes_.size()), 0);
    for (int a = 0; a <= v; ++a) set[at(a)] = flow.reached(at(a)) ? 1 : 0;
    return set;
  }

  void join(const std::vector<char>& set, int v) {
    for (int a = 0; a < v; ++a) {
      if (set[at(a)] == 0 || block_[at(a)] == block_[at(v)]) continue;
      const int old = block_[at(a)];
      std::replace(block_.begin(), block_.end(), old, block_[at(v)]);
    }
  }

  const LaneMatrix& lanes_;
  Fraction lambda_;
  std::vector<std::int64_t> x_;
  Blocks block_;
};

// crossing / (parts - 1); {0, 0} for the trivial partition.
Fraction ratio_of(const LaneMatrix& lanes, Blocks block) {
  std::int64_t crossing = 0;
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = a + 1; b < lanes.size(); ++b) {
      const bool same = block[static_cast<std::size_t>(a)] == block[static_cast<std::size_t>(b)];
      if (!same) crossing += lanes.at(a, b);
    }
  }
  std::sort(block.begin(), block.end());
  const auto parts = std::unique(block.begin(), block.end()) - block.begin();
  return {crossing, parts - 1};
}

bool less(Fraction a, Fraction b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

}  // namespace

Fraction tree_packing(const LaneMatrix& lanes) {
  // Starts from the lesser of all singletons and the best cut; every step finds a smaller ratio.
  Fraction best{lanes.total(), lanes.size() - 1};
  const Fraction cut{minimum_cut(lanes), 1};
  if (less(cut, best)) best = cut;
  while (best.numerator > 0) {
    const Fraction found = ratio_of(lanes, PartitionStep(lanes, best).run());
    if (found.denominator == 0 || !less(found, best)) break;
    best = found;
  }
  return best;
}

}  // namespace rankmap
