// Refinement of vertices onto blocks on one level: moves of single vertices in the order of their gain,
// also bad ones on the way, of which the best beginning is kept.
// Source: Fiduccia and Mattheyses 1982, k-way as in Sanders and Schulz 2011, on any distance.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/place/multilevel/block_costs.hpp"

namespace rankmap {

struct RefineEffort {
  int passes = 3;
  double patience =
      0.01;  // give a pass up after this share of the vertices moved without a new best
  int local_rounds =
      0;  // rounds of searches that begin at one vertex each (Sanders and Schulz 2011)
};

template <class Distance>
class Refiner {
 public:
  // A block holds at most capacity[block] of vertex weight.
  Refiner(const Distance& distance, std::span<const Weight> capacity)
      : capacity_(capacity), shares_(capacity.size()), costs_(distance), load_(capacity.size()) {}

  // Lowers the sum over edges of weight x distance; what it gained. Blocks that are over their capacity
  // never take more. O(passes x (moves x degree^2 + vertices x degree)).
  Weight refine(const WeightedGraph& graph, std::vector<Block>& block, const RefineEffort& effort,
                Random& random) {
    begin(graph, block);
    Weight gained = 0;
    for (int pass = 0; pass < effort.passes; ++pass) {
      const Weight gain = global_pass(effort.patience);
      gained += gain;
      if (gain == 0) break;
    }
    for (int round = 0; round < effort.local_rounds; ++round) {
      const Weight gain = local_round(random);
      gained += gain;
      if (gain == 0) break;
    }
    return gained;
  }

  // Moves vertices out of blocks that are too full, at the least loss. false: some still are.
  bool repair(const WeightedGraph& graph, std::vector<Block>& block) {
    begin(graph, block);
    for (int round = 0; round < 8 && is_overloaded(); ++round) repair_round();
    return !is_overloaded();
  }

 private:
  struct Candidate {
    Weight gain;
    Vertex vertex;
    std::int32_t turn;  // of those with equal gains the latest goes first
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.gain != b.gain ? a.gain < b.gain : a.turn < b.turn;
    }
  };
  struct Move {
    Vertex vertex;
    Block from;
  };
  struct Best {
    Weight gain = std::numeric_limits<Weight>::min();
    Block to = none_block;
  };
  static constexpr Block none_block = -1;
  static constexpr Weight not_queued = std::numeric_limits<Weight>::min();

  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

  void begin(const WeightedGraph& graph, std::vector<Block>& block) {
    graph_ = &graph;
    block_ = &block;
    std::fill(load_.begin(), load_.end(), 0);
    for (std::size_t v = 0; v < block.size(); ++v) load_[at(block[v])] += graph.vertex_weight[v];
    queued_.assign(block.size(), not_queued);
    moved_.assign(block.size(), 0);
    stamp_ = 0;
    turn_ = 0;
    average_weight_ = 2 * static_cast<double>(graph.total_edge_weight()) /
                      static_cast<double>(std::max<std::size_t>(1, graph.neighbour.size()));
  }

  Block& block_of(Vertex v) { return (*block_)[at(v)]; }

  bool fits(Vertex v, Block to) const {
    return load_[at(to)] + graph_->vertex_weight[at(v)] <= capacity_[at(to)];
  }

  // The best block among those of its neighbours.
  Best best_move(Vertex v) {
    const Block own = block_of(v);
    for (std::size_t arc = graph_->begin_of(v); arc < graph_->end_of(v); ++arc)
      shares_.add(block_of(graph_->neighbour[arc]), graph_->edge_weight[arc]);
    Best best;
    const bool inner =
        shares_.touched.empty() || (shares_.touched.size() == 1 && shares_.touched.front() == own);
    if (!inner) {
      costs_.prepare(shares_);
      const Weight here = costs_.of(own);
      for (const Block to : shares_.touched) {
        if (to == own || !fits(v, to)) continue;
        const Weight gain = here - costs_.of(to);
        if (gain > best.gain || (gain == best.gain && load_[at(to)] < load_[at(best.to)]))
          best = {gain, to};
      }
      costs_.done();
    }
    shares_.clear();
    return best;
  }

  void move(Vertex v, Block to) {
    load_[at(block_of(v))] -= graph_->vertex_weight[at(v)];
    load_[at(to)] += graph_->vertex_weight[at(v)];
    block_of(v) = to;
  }

  void enqueue(Vertex v) {
    const Best best = best_move(v);
    if (best.to == none_block) {
      queued_[at(v)] = not_queued;
      return;
    }
    if (queued_[at(v)] == best.gain) return;
    queued_[at(v)] = best.gain;
    queue_.push_back({best.gain, v, ++turn_});
    std::push_heap(queue_.begin(), queue_.end());
  }

  bool is_boundary(Vertex v) {
    for (std::size_t arc = graph_->begin_of(v); arc < graph_->end_of(v); ++arc)
      if (block_of(graph_->neighbour[arc]) != block_of(v)) return true;
    return false;
  }

  bool was_moved(Vertex v) const { return moved_[at(v)] == stamp_; }

  Weight global_pass(double patience) {
    queue_.clear();
    ++stamp_;
    for (Vertex v = 0; v < graph_->vertices(); ++v) {
      queued_[at(v)] = not_queued;
      if (is_boundary(v)) enqueue(v);
    }
    const std::int64_t limit =
        std::max<std::int64_t>(50, static_cast<std::int64_t>(patience * graph_->vertices()));
    const Weight gain = search(limit);
    for (const Candidate& left : queue_) queued_[at(left.vertex)] = not_queued;
    return gain;
  }

  // Searches from every vertex at a boundary, one after the other, none moving a vertex twice a round.
  Weight local_round(Random& random) {
    constexpr std::int64_t local_limit = 15;
    constexpr double worst_start = 2;  // in average edge weights: worse seeds seldom lead anywhere
    std::vector<Vertex> seeds;
    for (Vertex v = 0; v < graph_->vertices(); ++v)
      if (is_boundary(v)) seeds.push_back(v);
    random.shuffle(seeds);
    Weight gained = 0;
    ++stamp_;
    for (const Vertex seed : seeds) {
      if (was_moved(seed)) continue;
      queue_.clear();
      enqueue(seed);
      const bool hopeful = !queue_.empty() && static_cast<double>(queue_.front().gain) >=
                                                  -worst_start * average_weight_;
      if (hopeful) gained += search(local_limit);
      for (const Candidate& left : queue_) queued_[at(left.vertex)] = not_queued;
    }
    return gained;
  }

  // Takes the queue's best move until `limit` moves in a row made no new best; undoes those.
  Weight search(std::int64_t limit) {
    log_.clear();
    Weight current = 0, best = 0;
    std::size_t best_length = 0;
    while (!queue_.empty() && static_cast<std::int64_t>(log_.size() - best_length) <= limit) {
      const Candidate next = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (was_moved(next.vertex) || queued_[at(next.vertex)] != next.gain) continue;
      queued_[at(next.vertex)] = not_queued;
      const Best now = best_move(next.vertex);
      if (now.to == none_block) continue;
      if (now.gain < next.gain && !queue_.empty() && now.gain < queue_.front().gain) {
        queued_[at(next.vertex)] = now.gain;
        queue_.push_back({now.gain, next.vertex, ++turn_});
        std::push_heap(queue_.begin(), queue_.end());
        continue;
      }
      log_.push_back({next.vertex, block_of(next.vertex)});
      moved_[at(next.vertex)] = stamp_;
      move(next.vertex, now.to);
      current += now.gain;
      if (current > best) {
        best = current;
        best_length = log_.size();
      }
      for (std::size_t arc = graph_->begin_of(next.vertex); arc < graph_->end_of(next.vertex);
           ++arc)
        if (!was_moved(graph_->neighbour[arc])) enqueue(graph_->neighbour[arc]);
    }
    for (; log_.size() > best_length; log_.pop_back()) {
      move(log_.back().vertex, log_.back().from);
      moved_[at(log_.back().vertex)] = stamp_ - 1;
    }
    return best;
  }

  bool is_overloaded() const {
    for (std::size_t b = 0; b < load_.size(); ++b)
      if (load_[b] > capacity_[b]) return true;
    return false;
  }

  // Where the vertex loses least: a neighbour's block, else the emptiest.
  Best best_way_out(Vertex v) {
    Best best = best_move(v);
    if (best.to != none_block) return best;
    Block emptiest = none_block;
    for (Block b = 0; b < static_cast<Block>(load_.size()); ++b)
      if (fits(v, b) && (emptiest == none_block || room(b) > room(emptiest))) emptiest = b;
    if (emptiest == none_block) return best;
    for (std::size_t arc = graph_->begin_of(v); arc < graph_->end_of(v); ++arc)
      shares_.add(block_of(graph_->neighbour[arc]), graph_->edge_weight[arc]);
    costs_.prepare(shares_);
    best = {costs_.of(block_of(v)) - costs_.of(emptiest), emptiest};
    costs_.done();
    shares_.clear();
    return best;
  }

  Weight room(Block b) const { return capacity_[at(b)] - load_[at(b)]; }

  void repair_round() {
    std::vector<Candidate> out;
    for (Vertex v = 0; v < graph_->vertices(); ++v)
      if (room(block_of(v)) < 0 && graph_->vertex_weight[at(v)] > 0)
        if (const Best best = best_way_out(v); best.to != none_block)
          out.push_back({best.gain, v, ++turn_});
    std::make_heap(out.begin(), out.end());
    while (!out.empty()) {
      const Candidate next = out.front();
      std::pop_heap(out.begin(), out.end());
      out.pop_back();
      if (room(block_of(next.vertex)) >= 0) continue;
      const Best now = best_way_out(next.vertex);
      if (now.to == none_block) continue;
      if (now.gain < next.gain) {
        out.push_back({now.gain, next.vertex, ++turn_});
        std::push_heap(out.begin(), out.end());
        continue;
      }
      move(next.vertex, now.to);
    }
  }

  std::span<const Weight> capacity_;
  BlockShares shares_;
  BlockCosts<Distance> costs_;
  std::vector<Weight> load_;
  const WeightedGraph* graph_ = nullptr;
  std::vector<Block>* block_ = nullptr;
  std::vector<Candidate> queue_;
  std::vector<Weight> queued_;  // the gain with which a vertex waits
  std::vector<std::int32_t> moved_;
  std::int32_t stamp_ = 0;
  std::int32_t turn_ = 0;
  double average_weight_ = 0;  // of the edges
  std::vector<Move> log_;
};

}  // namespace rankmap
