// The strategy `greedy`: the rank that is tied most to those already placed comes next, to the free
// place near one of them where its bytes travel least.
// Source: greedy mapping, Hoefler and Snir 2011; here the nearest place is found by nested blocks.
#include <algorithm>
#include <queue>

#include "libmap/place/multilevel/machine_tree.hpp"
#include "libmap/place/multilevel/weighted_graph.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// How many ranks every block of the machine can still take.
class Room {
 public:
  Room(const MachineTree& tree, const std::vector<int>& capacity) : arity_(tree.arity) {
    std::int64_t block = static_cast<std::int64_t>(tree.slot_of.size());
    for (const int children : arity_) size_.push_back(block /= children);
    left_.resize(arity_.size());
    for (std::size_t level = 0; level < arity_.size(); ++level)
      left_[level].assign(tree.slot_of.size() / at(size_[level]), 0);
    for (std::size_t leaf = 0; leaf < tree.slot_of.size(); ++leaf)
      add(static_cast<Block>(leaf), capacity[at(tree.slot_of[leaf])]);
  }

  void take(Block leaf) { add(leaf, -1); }

  // The first free leaf of the smallest block around `leaf` that has one; none: the machine is full.
  Block nearest(Block leaf) const {
    for (std::size_t level = arity_.size(); level-- > 0;) {
      const std::int64_t first = leaf / size_[level] / arity_[level] * arity_[level];
      for (std::int64_t child = first; child < first + arity_[level]; ++child)
        if (left_[level][at(child)] > 0) return first_in(level, child);
    }
    return none;
  }

 private:
  void add(Block leaf, int ranks) {
    for (std::size_t level = 0; level < arity_.size(); ++level)
      left_[level][at(leaf / size_[level])] += ranks;
  }

  Block first_in(std::size_t level, std::int64_t block) const {
    while (++level < arity_.size()) {
      block *= arity_[level];
      while (left_[level][at(block)] == 0) ++block;
    }
    return static_cast<Block>(block);
  }

  const std::vector<int>& arity_;   // outermost first
  std::vector<std::int64_t> size_;  // leaves in a block of each level
  std::vector<std::vector<std::int64_t>> left_;
};

class Greedy {
 public:
  explicit Greedy(const Problem& problem)
      : problem_(problem),
        tree_(machine_tree(problem.machine, problem.objective.kind)),
        graph_(weighted_graph(problem.app)),
        room_(tree_, problem.capacity),
        leaf_of_slot_(tree_.slot_of.size()),
        mapping_{std::vector<SlotId>(problem.fixed.size(), none)},
        tied_(problem.fixed.size(), 0) {
    for (std::size_t leaf = 0; leaf < tree_.slot_of.size(); ++leaf)
      leaf_of_slot_[at(tree_.slot_of[leaf])] = static_cast<Block>(leaf);
  }

  Mapping run() {
    for (Rank rank = 0; rank < mapping_.ranks(); ++rank)
      if (problem_.fixed[at(rank)] != none) put(rank, problem_.fixed[at(rank)]);
    place_tied();
    for (const Rank rank : heaviest_first()) {
      if (mapping_[rank] != none) continue;
      put(rank, tree_.slot_of[at(room_.nearest(0))]);
      place_tied();
    }
    return std::move(mapping_);
  }

 private:
  struct Tied {
    Weight bytes;
    Rank rank;
    bool operator<(const Tied& other) const {
      return bytes != other.bytes ? bytes < other.bytes : rank > other.rank;
    }
  };

  std::vector<Rank> heaviest_first() const {
    std::vector<Weight> bytes(tied_.size(), 0);
    for (Rank rank = 0; rank < mapping_.ranks(); ++rank)
      for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc)
        bytes[at(rank)] += graph_.edge_weight[arc];
    std::vector<Rank> order(tied_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Rank>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](Rank a, Rank b) { return bytes[at(a)] > bytes[at(b)]; });
    return order;
  }

  void put(Rank rank, SlotId slot) {
    mapping_.slot_of[at(rank)] = slot;
    room_.take(leaf_of_slot_[at(slot)]);
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const Rank other = graph_.neighbour[arc];
      if (mapping_[other] != none) continue;
      tied_[at(other)] += graph_.edge_weight[arc];
      waiting_.push({tied_[at(other)], other});
    }
  }

  // Until nobody who waits has a neighbour that is placed.
  void place_tied() {
    while (!waiting_.empty()) {
      const Tied next = waiting_.top();
      waiting_.pop();
      if (mapping_[next.rank] == none) put(next.rank, best_place(next.rank));
    }
  }

  SlotId best_place(Rank rank) const {
    SlotId best = none;
    double least = 0;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const SlotId there = mapping_[graph_.neighbour[arc]];
      if (there == none) continue;
      const SlotId slot = tree_.slot_of[at(room_.nearest(leaf_of_slot_[at(there)]))];
      if (slot == best) continue;
      const double cost = cost_of(rank, slot);
      if (best != none && cost >= least) continue;
      best = slot;
      least = cost;
    }
    return best;
  }

  double cost_of(Rank rank, SlotId slot) const {
    double cost = 0;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const SlotId there = mapping_[graph_.neighbour[arc]];
      if (there == none) continue;
      cost += static_cast<double>(graph_.edge_weight[arc]) * problem_.machine.distance(slot, there);
    }
    return cost;
  }

  const Problem& problem_;
  MachineTree tree_;
  WeightedGraph graph_;
  Room room_;
  std::vector<Block> leaf_of_slot_;
  Mapping mapping_;
  std::vector<Weight> tied_;  // bytes to ranks that are placed
  std::priority_queue<Tied> waiting_;
};

}  // namespace

PlaceResult place_greedy(const Problem& problem) {
  const Problem inner = on_first_node(problem);
  const Mapping linear = fill_in_order(inner, free_places(inner));
  PlaceResult result;
  result.mapping = Greedy(inner).run();
  result.value = problem.value(result.mapping);
  const std::optional<double> default_value = problem.value(linear);
  if (better_value(default_value, result.value, problem.maximise())) {
    result.mapping = linear;
    result.value = default_value;
    result.notes.push_back("the launcher's order is better than what greedy made: it is kept");
  }
  result.bound = trivial_bound(problem);
  result.optimal = result.value.has_value() && same_value(result.value, result.bound);
  return result;
}

}  // namespace rankmap
