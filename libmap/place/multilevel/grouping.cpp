#include "libmap/place/multilevel/grouping.hpp"

#include <algorithm>

#include "libmap/base/ids.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// Largest first: what is grouped last is grouped in the coarsest steps.
std::vector<int> prime_factors(int number) {
  std::vector<int> factors;
  for (int factor = 2; number > 1; ++factor)
    for (; number % factor == 0; number /= factor) factors.push_back(factor);
  std::reverse(factors.begin(), factors.end());
  return factors;
}

class Grouping {
 public:
  Grouping(const WeightedGraph& graph, int size)
      : graph_(graph),
        size_(size),
        taken_(at(graph.vertices()), 0),
        pull_(at(graph.vertices()), 0) {}

  // members[g * size + i]: the i-th vertex of group g.
  std::vector<Vertex> run() {
    for (Vertex v = 0; v < graph_.vertices(); ++v)
      if (!taken_[at(v)]) grow_from(v);
    // Whose neighbours all found other groups.
    for (Vertex v = 0; v < graph_.vertices(); ++v)
      if (!taken_[at(v)]) members_.push_back(v);
    return std::move(members_);
  }

 private:
  // Keeps the group only if it found enough neighbours.
  void grow_from(Vertex first) {
    const std::size_t begin = members_.size();
    take(first);
    while (members_.size() < begin + at(size_)) {
      const Vertex next = strongest();
      if (next == none) break;
      take(next);
    }
    for (const Vertex v : pulled_) pull_[at(v)] = 0;
    pulled_.clear();
    if (members_.size() == begin + at(size_)) return;
    for (std::size_t i = begin; i < members_.size(); ++i) taken_[at(members_[i])] = 0;
    members_.resize(begin);
  }

  void take(Vertex v) {
    members_.push_back(v);
    taken_[at(v)] = 1;
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v); ++arc) {
      const Vertex to = graph_.neighbour[arc];
      if (pull_[at(to)] == 0) pulled_.push_back(to);
      pull_[at(to)] += graph_.edge_weight[arc];
    }
  }

  Vertex strongest() const {
    Vertex best = none;
    for (const Vertex v : pulled_) {
      if (taken_[at(v)]) continue;
      if (best == none || pull_[at(v)] > pull_[at(best)] ||
          (pull_[at(v)] == pull_[at(best)] && v < best))
        best = v;
    }
    return best;
  }

  const WeightedGraph& graph_;
  int size_;
  std::vector<char> taken_;
  std::vector<Weight> pull_;  // to the group that grows
  std::vector<Vertex> pulled_;
  std::vector<Vertex> members_;
};

}  // namespace

std::vector<Block> group_inside_out(const WeightedGraph& graph, std::span<const int> arity) {
  std::vector<int> sizes;  // innermost first
  for (std::size_t i = arity.size(); i-- > 0;)
    for (const int factor : prime_factors(arity[i])) sizes.push_back(factor);
  // children[level][g * size + i]: what stands at place i of group g.
  std::vector<std::vector<Vertex>> children;
  WeightedGraph current = graph;
  for (const int size : sizes) {
    children.push_back(Grouping(current, size).run());
    std::vector<Vertex> coarse_of(children.back().size());
    for (std::size_t i = 0; i < coarse_of.size(); ++i)
      coarse_of[at(children.back()[i])] = static_cast<Vertex>(i / at(size));
    current = contracted(current, coarse_of, current.vertices() / size);
  }
  std::vector<Block> first_leaf(1, 0);  // of every group of the level, from the outermost in
  for (std::size_t level = sizes.size(); level-- > 0;) {
    const std::vector<Vertex>& members = children[level];
    const Block leaves = static_cast<Block>(at(graph.vertices()) / members.size());
    std::vector<Block> inner(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      inner[at(members[i])] =
          first_leaf[i / at(sizes[level])] + static_cast<Block>(i % at(sizes[level])) * leaves;
    first_leaf = std::move(inner);
  }
  return first_leaf;
}

}  // namespace rankmap
