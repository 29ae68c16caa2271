#include "libmap/place/links/refiners.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/place/links/annealing.hpp"
#include "libmap/place/links/link_shares.hpp"
#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// The times of the links of every phase under one mapping, and their norms.
class LinkTimes {
 public:
  LinkTimes(const CommGraph& app, const Machine& machine)
      : app_(app), shares_(machine), links_(at(machine.links())) {
    for (LinkId link = 0; link < machine.links(); ++link)
      seconds_per_byte_.push_back(1 / static_cast<double>(machine.link(link).bytes_per_second));
    time_.assign(links_ * at(app.phases()), 0);
    power_.assign(at(app.phases()), 0);
    edges_of_.resize(at(app.ranks()));
    for (std::size_t e = 0; e < app.edges().size(); ++e) {
      const Edge& edge = app.edges()[e];
      if (edge.bytes == 0) continue;
      edges_of_[at(edge.source)].push_back(static_cast<std::int32_t>(e));
      edges_of_[at(edge.destination)].push_back(static_cast<std::int32_t>(e));
    }
  }

  void begin(const Mapping& mapping) {
    mapping_ = mapping;
    for (const Edge& edge : app_.edges()) add(edge, 1);
    scale_ = hottest();
    if (scale_ == 0) scale_ = 1;
    set_norm(8);
  }

  // The norm from now on, in units of the hottest link at the beginning.
  void set_norm(int norm) {
    norm_ = norm;
    for (std::size_t p = 0; p < power_.size(); ++p) {
      power_[p] = 0;
      for (std::size_t l = 0; l < links_; ++l) power_[p] += raised(time_[p * links_ + l]);
    }
  }

  double energy() const {
    double sum = 0;
    for (const double power : power_) sum += std::pow(std::max(power, 0.0), 1.0 / norm_);
    return sum;
  }

  double value() const {
    double sum = 0;
    for (std::size_t p = 0; p < power_.size(); ++p)
      sum += *std::max_element(time_.begin() + static_cast<std::ptrdiff_t>(p * links_),
                               time_.begin() + static_cast<std::ptrdiff_t>((p + 1) * links_));
    return sum;
  }

  const Mapping& mapping() const { return mapping_; }
  SlotId slot_of(Rank rank) const { return mapping_[rank]; }

  // Puts `a` on `slot` and, unless it is none, `b` where a was.
  void exchange(Rank a, SlotId slot, Rank b) {
    const SlotId old = mapping_[a];
    change(a, none, -1);
    if (b != none) change(b, a, -1);
    mapping_.slot_of[at(a)] = slot;
    if (b != none) mapping_.slot_of[at(b)] = old;
    change(a, none, 1);
    if (b != none) change(b, a, 1);
  }

 private:
  double raised(double time) const {
    const double relative = time / scale_;
    const double square = relative * relative, fourth = square * square, eighth = fourth * fourth;
    return norm_ == 8 ? eighth : eighth * eighth;
  }

  double hottest() const {
    return time_.empty() ? 0 : *std::max_element(time_.begin(), time_.end());
  }

  // The edges of `rank`, but for those to `except`, that were changed with it.
  void change(Rank rank, Rank except, int sign) {
    for (const std::int32_t e : edges_of_[at(rank)]) {
      const Edge& edge = app_.edges()[at(e)];
      const Rank other = edge.source == rank ? edge.destination : edge.source;
      if (other != except) add(edge, sign);
    }
  }

  void add(const Edge& edge, int sign) {
    const double bytes = sign * static_cast<double>(edge.bytes);
    const std::size_t first = at(edge.phase) * links_;
    for (const LinkShare& part : shares_.of(mapping_[edge.source], mapping_[edge.destination])) {
      double& time = time_[first + at(part.link)];
      power_[at(edge.phase)] -= raised(time);
      time += bytes * static_cast<double>(part.share) * seconds_per_byte_[at(part.link)];
      time = std::max(time, 0.0);
      power_[at(edge.phase)] += raised(time);
    }
  }

  const CommGraph& app_;
  LinkShares shares_;
  std::size_t links_;
  std::vector<double> seconds_per_byte_;
  std::vector<double> time_;   // [phase][link]
  std::vector<double> power_;  // [phase] sum of raised times
  std::vector<std::vector<std::int32_t>> edges_of_;
  Mapping mapping_;
  double scale_ = 1;
  int norm_ = 8;
};

// Bytes times distance, or bytes between nodes.
class DistanceSum {
 public:
  DistanceSum(const Problem& problem, const Mapping& mapping)
      : graph_(weighted_graph(problem.app)),
        machine_(problem.machine),
        counts_nodes_(problem.objective.kind == ObjectiveKind::offnode),
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
    mapping_.slot_of[at(a)] = slot;
    if (b != none) mapping_.slot_of[at(b)] = old;
    energy_ += cost_of(a, b) + (b == none ? 0 : cost_of(b, a));
  }

 private:
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

}  // namespace

Mapping refine_congestion(const Problem& problem, const Mapping& start,
                          const AnnealingEffort& effort, const Deadline& deadline) {
  LinkTimes times(problem.app, problem.machine);
  times.begin(start);
  Annealing<LinkTimes> annealing(problem, times, effort.seed, deadline);
  for (const int norm : {8, 16}) {
    times.set_norm(norm);
    annealing.run(effort.moves / 2, effort.first, effort.last);
  }
  return annealing.best();
}

Mapping refine_distance(const Problem& problem, const Mapping& start, const AnnealingEffort& effort,
                        const Deadline& deadline) {
  DistanceSum sum(problem, start);
  Annealing<DistanceSum> annealing(problem, sum, effort.seed, deadline);
  annealing.run(effort.moves, effort.first, effort.last);
  return annealing.best();
}

}  // namespace rankmap
