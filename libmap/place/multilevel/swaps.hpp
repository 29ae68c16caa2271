// Swapping vertices between blocks: what is left to do where every block is full.
// Source: local search on a communication neighbourhood, Brandfass, Alrutz and Gerhold 2013; Schulz and
// Traeff 2017.
#pragma once

#include <limits>
#include <numeric>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/place/multilevel/distances.hpp"

namespace rankmap {

struct SwapEffort {
  int distance = 10;        // partners are at most so many edges away
  int partners = 400;       // how many of them are tried
  int rounds = 50;          // over all vertices whose surroundings changed
  bool any_weight = false;  // also vertices of different weights: capacities are not looked at
  bool shuffled = true;  // in their own order neighbours are near in memory, several times as fast
};

template <class Distance>
class Swapper {
 public:
  Swapper(const WeightedGraph& graph, std::vector<Block>& block, const Distance& distance)
      : graph_(graph),
        block_(block),
        distance_(distance),
        seen_(static_cast<std::size_t>(graph.vertices()), 0),
        active_(static_cast<std::size_t>(graph.vertices()), 1),
        own_cost_(static_cast<std::size_t>(graph.vertices()), unknown) {}

  // What it gained, in weight x distance.
  Weight run(const SwapEffort& effort, Random& random) {
    std::vector<Vertex> order(active_.size());
    std::iota(order.begin(), order.end(), 0);
    Weight gained = 0;
    for (int round = 0; round < effort.rounds; ++round) {
      if (effort.shuffled) random.shuffle(order);
      next_active_.assign(active_.size(), 0);
      Weight gain = 0;
      for (const Vertex v : order)
        if (active_[at(v)]) gain += best_swap_of(v, effort);
      if (gain == 0) break;
      gained += gain;
      active_.swap(next_active_);
    }
    return gained;
  }

 private:
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  Weight far(Block a, Block b) const { return static_cast<Weight>(distance_(a, b)); }

  // The sum over v's edges of weight x distance, if v were there; once that is `enough`, what it is
  // so far.
  Weight cost_at(Vertex v, Block there, Weight enough) const {
    Weight cost = 0;
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v) && cost < enough; ++arc)
      cost += graph_.edge_weight[arc] * far(there, block_[at(graph_.neighbour[arc])]);
    return cost;
  }

  // Where it is now; computed again only after a neighbour or v itself has moved.
  Weight own_cost(Vertex v) {
    Weight& cost = own_cost_[at(v)];
    if (cost == unknown) cost = cost_at(v, block_[at(v)], std::numeric_limits<Weight>::max());
    return cost;
  }

  Weight weight_between(Vertex v, Vertex partner) const {
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v); ++arc)
      if (graph_.neighbour[arc] == partner) return graph_.edge_weight[arc];
    return 0;
  }

  // What exchanging the two gains, where that is more than `least`; else some number up to `least`.
  // Their own edge keeps its length; each new cost counts it as 0, each old one counts it.
  Weight gain_of(Vertex v, Vertex partner, Weight least) {
    const Block own = block_[at(v)], there = block_[at(partner)];
    Weight gain = own_cost(v) + own_cost(partner);
    if (gain <= least) return gain;
    gain -= cost_at(v, there, gain - least);
    if (gain <= least) return gain;
    gain -= cost_at(partner, own, gain - least);
    if (gain <= least) return gain;
    return gain - 2 * weight_between(v, partner) * far(own, there);
  }

  // Breadth first, up to the effort's distance and number.
  void collect_partners(Vertex v, const SwapEffort& effort) {
    partners_.clear();
    seen_[at(v)] = ++stamp_;
    add_neighbours(v);
    std::size_t begin = 0;
    for (int step = 1; step < effort.distance; ++step) {
      const std::size_t end = partners_.size();
      for (; begin < end; ++begin) {
        if (partners_.size() >= static_cast<std::size_t>(effort.partners)) return;
        add_neighbours(partners_[begin]);
      }
    }
  }

  void add_neighbours(Vertex v) {
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v); ++arc) {
      const Vertex other = graph_.neighbour[arc];
      if (seen_[at(other)] == stamp_) continue;
      seen_[at(other)] = stamp_;
      partners_.push_back(other);
    }
  }

  Weight best_swap_of(Vertex v, const SwapEffort& effort) {
    collect_partners(v, effort);
    const Block own = block_[at(v)];
    Weight best_gain = 0;
    Vertex best = -1;
    for (const Vertex partner : partners_) {
      const Block there = block_[at(partner)];
      if (alike(distance_, there, own)) continue;
      if (!effort.any_weight && graph_.vertex_weight[at(partner)] != graph_.vertex_weight[at(v)])
        continue;
      const Weight gain = gain_of(v, partner, best_gain);
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = partner;
    }
    if (best >= 0) swap(v, best);
    return best_gain;
  }

  void swap(Vertex a, Vertex b) {
    std::swap(block_[at(a)], block_[at(b)]);
    for (const Vertex changed : {a, b}) {
      mark_changed(changed);
      for (std::size_t arc = graph_.begin_of(changed); arc < graph_.end_of(changed); ++arc)
        mark_changed(graph_.neighbour[arc]);
    }
  }

  void mark_changed(Vertex v) {
    next_active_[at(v)] = 1;
    own_cost_[at(v)] = unknown;
  }

  static constexpr Weight unknown = -1;

  const WeightedGraph& graph_;
  std::vector<Block>& block_;
  const Distance& distance_;
  std::vector<std::int32_t> seen_;
  std::int32_t stamp_ = 0;
  std::vector<char> active_, next_active_;
  std::vector<Weight> own_cost_;
  std::vector<Vertex> partners_;
};

}  // namespace rankmap
