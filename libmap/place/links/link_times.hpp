// The times of all links under a mapping that changes by exchanges of ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/mapping/mapping.hpp"
#include "libmap/place/links/link_shares.hpp"

namespace rankmap {

// The times of the links of every phase under one mapping, and their norms.
class LinkTimes {
 public:
  LinkTimes(const CommGraph& app, const Machine& machine)
      : app_(app), shares_(machine), links_(index_of(machine.links())) {
    for (LinkId link = 0; link < machine.links(); ++link)
      seconds_per_byte_.push_back(1 / static_cast<double>(machine.link(link).bytes_per_second));
    time_.assign(links_ * index_of(app.phases()), 0);
    power_.assign(index_of(app.phases()), 0);
    edges_of_.resize(index_of(app.ranks()));
    for (std::size_t e = 0; e < app.edges().size(); ++e) {
      const Edge& edge = app.edges()[e];
      if (edge.bytes == 0) continue;
      edges_of_[index_of(edge.source)].push_back(static_cast<std::int32_t>(e));
      edges_of_[index_of(edge.destination)].push_back(static_cast<std::int32_t>(e));
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
    mapping_.slot_of[index_of(a)] = slot;
    if (b != none) mapping_.slot_of[index_of(b)] = old;
    change(a, none, 1);
    if (b != none) change(b, a, 1);
  }

 private:
  static std::size_t index_of(std::int64_t index) { return static_cast<std::size_t>(index); }

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
    for (const std::int32_t e : edges_of_[index_of(rank)]) {
      const Edge& edge = app_.edges()[index_of(e)];
      const Rank other = edge.source == rank ? edge.destination : edge.source;
      if (other != except) add(edge, sign);
    }
  }

  void add(const Edge& edge, int sign) {
    const double bytes = sign * static_cast<double>(edge.bytes);
    const std::size_t first = index_of(edge.phase) * links_;
    for (const LinkShare& part : shares_.of(mapping_[edge.source], mapping_[edge.destination])) {
      double& time = time_[first + index_of(part.link)];
      power_[index_of(edge.phase)] -= raised(time);
      time += bytes * static_cast<double>(part.share) * seconds_per_byte_[index_of(part.link)];
      time = std::max(time, 0.0);
      power_[index_of(edge.phase)] += raised(time);
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

}  // namespace rankmap
