// Hop-bytes or off-node bytes of a mapping that changes by exchanges of ranks.
#pragma once

#include "libmap/place/multilevel/weighted_graph.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

// Bytes times distance, or bytes between nodes.
class DistanceSum {
 public:
  DistanceSum(const Problem& problem, const Mapping& mapping, ObjectiveKind kind)
      : graph_(weighted_graph(problem.app)),
        machine_(problem.machine),
        counts_nodes_(kind == ObjectiveKind::offnode),
        mapping_(mapping) {
    for (Rank rank = 0; rank < mapping.ranks(); ++rank) energy_ += cost_of(rank, none) / 2;
  }

  const Mapping& mapping() const { return mapping_; }
  SlotId slot_of(Rank rank) const { return mapping_[rank]; }
  double energy() const { return energy_; }
  double value() const { return energy_; }

  void exchange(Rank a, SlotId slot, Rank b) {
    const SlotId old = mapping_[a];
    energy_ -= cost_of(a, b) + (b == none ? 0 : cost_of(b, a));
    mapping_.slot_of[index_of(a)] = slot;
    if (b != none) mapping_.slot_of[index_of(b)] = old;
    energy_ += cost_of(a, b) + (b == none ? 0 : cost_of(b, a));
  }

 private:
  static std::size_t index_of(std::int64_t index) { return static_cast<std::size_t>(index); }

  double cost_of(Rank rank, Rank except) const {
    double cost = 0;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const Rank other = graph_.neighbour[arc];
      if (other == except) continue;
      cost +=
          static_cast<double>(graph_.edge_weight[arc]) * distance(mapping_[rank], mapping_[other]);
    }
    return cost;
  }

  int distance(SlotId a, SlotId b) const {
    return counts_nodes_ ? machine_.node_of(a) != machine_.node_of(b) : machine_.distance(a, b);
  }

  WeightedGraph graph_;
  const Machine& machine_;
  bool counts_nodes_;
  Mapping mapping_;
  double energy_ = 0;
};

}  // namespace rankmap
