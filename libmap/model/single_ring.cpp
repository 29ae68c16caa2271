// The best single ring by falling thresholds.
#include "libmap/model/single_ring.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "libmap/model/hamilton.hpp"
#include "libmap/model/lanes.hpp"

namespace rankmap {
namespace {

// The routes between the members, over links numbered from 0 in order of first use.
class Hops {
 public:
  Hops(const Machine& machine, std::span<const int> set) : size_(set.size()) {
    std::vector<LinkId> route;
    std::vector<int> number(2 * machine.model().connections.size(), none);
    for (const int from : set) {
      for (const int to : set) {
        route.clear();
        machine.append_route(from, to, route);
        routes_.emplace_back();
        for (const LinkId link : route) {
          const LinkRow row = machine.link(link);
          int& known = number[static_cast<std::size_t>(2 * row.connection + (row.forward ? 1 : 0))];
          if (known == none) known = add_link(machine.model(), row.connection);
          routes_.back().push_back(known);
        }
      }
    }
  }

  std::size_t size() const { return size_; }
  std::size_t links() const { return achieved_.size(); }
  const std::vector<int>& route(std::size_t a, std::size_t b) const {
    return routes_[a * size_ + b];
  }
  double achieved(int link) const { return achieved_[static_cast<std::size_t>(link)]; }
  double slowest(std::size_t a, std::size_t b) const {
    double least = std::numeric_limits<double>::infinity();
    for (const int link : route(a, b)) least = std::min(least, achieved(link));
    return route(a, b).empty() ? 0 : least;
  }

 private:
  int add_link(const NodeModel& model, std::int32_t connection) {
    achieved_.push_back(static_cast<double>(
        achieved_by_all(model.connections[static_cast<std::size_t>(connection)])));
    return static_cast<int>(achieved_.size()) - 1;
  }

  std::size_t size_;
  std::vector<std::vector<int>> routes_;
  std::vector<double> achieved_;
};

// Prim's algorithm for the largest least hop of a spanning tree.
double bottleneck(const Hops& hops) {
  std::vector<double> reach(hops.size(), 0);
  std::vector<char> joined(hops.size(), 0);
  double least = std::numeric_limits<double>::infinity();
  reach[0] = least;
  for (std::size_t step = 0; step < hops.size(); ++step) {
    std::size_t next = hops.size();
    for (std::size_t v = 0; v < hops.size(); ++v) {
      if (joined[v] == 0 && (next == hops.size() || reach[v] > reach[next])) next = v;
    }
    joined[next] = 1;
    least = std::min(least, reach[next]);
    for (std::size_t v = 0; v < hops.size(); ++v) {
      if (v != next) reach[v] = std::max(reach[v], hops.slowest(next, v));
    }
  }
  return least;
}

// Is there a ring at `threshold`: every link used at most floor(achieved / threshold) times?
class ThresholdSearch {
 public:
  ThresholdSearch(const Hops& hops, double threshold, std::uint64_t& budget)
      : hops_(hops), budget_(budget), visited_(hops.size(), 0) {
    for (std::size_t link = 0; link < hops.links(); ++link) {
      left_.push_back(uses_at(threshold, hops.achieved(static_cast<int>(link))));
    }
    for (std::size_t a = 0; a < hops.size(); ++a) nearest_.push_back(by_distance(a));
  }

  bool any_cycle() const {
    if (hops_.size() > Completions::most_vertices) return true;
    Followers followers(hops_.size(), 0);
    for (std::size_t a = 0; a < hops_.size(); ++a) {
      for (std::size_t b = 0; b < hops_.size(); ++b) {
        if (a != b && passable(a, b)) followers[a] |= 1U << b;
      }
    }
    return Completions(followers).any_cycle();
  }

  bool run() {
    visited_[0] = 1;
    return extend(0, 1);
  }

 private:
  // Thresholds are quotients of bandwidths; the factor undoes their rounding.
  int uses_at(double threshold, double achieved) const {
    const double uses = achieved / threshold * (1 + 1e-12);
    return static_cast<int>(std::min(uses, static_cast<double>(hops_.size())));
  }

  // Shortest routes first: a ring that finishes a switch or socket before it leaves uses links least.
  std::vector<std::size_t> by_distance(std::size_t from) const {
    std::vector<std::size_t> order;
    for (std::size_t to = 0; to < hops_.size(); ++to) {
      if (to != from) order.push_back(to);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return hops_.route(from, a).size() < hops_.route(from, b).size();
    });
    return order;
  }

  bool passable(std::size_t a, std::size_t b) const {
    const std::vector<int>& route = hops_.route(a, b);
    return std::all_of(route.begin(), route.end(),
                       [this](int link) { return left_[static_cast<std::size_t>(link)] > 0; });
  }

  void change(std::size_t a, std::size_t b, int uses) {
    for (const int link : hops_.route(a, b)) left_[static_cast<std::size_t>(link)] += uses;
  }

  bool extend(std::size_t last, std::size_t visited) {
    if (budget_ == 0) return false;
    --budget_;
    if (visited == hops_.size()) return passable(last, 0);
    for (const std::size_t next : nearest_[last]) {
      if (visited_[next] != 0 || !passable(last, next)) continue;
      visited_[next] = 1;
      change(last, next, -1);
      const bool found = extend(next, visited + 1);
      change(last, next, 1);
      visited_[next] = 0;
      if (found) return true;
    }
    return false;
  }

  const Hops& hops_;
  std::uint64_t& budget_;
  std::vector<int> left_;
  std::vector<char> visited_;
  std::vector<std::vector<std::size_t>> nearest_;
};

// Every value that a ring can have and that does not pass `most`, largest first.
std::vector<double> thresholds(const Hops& hops, double most) {
  std::vector<double> values;
  for (std::size_t link = 0; link < hops.links(); ++link) {
    for (std::size_t uses = 1; uses <= hops.size(); ++uses) {
      values.push_back(hops.achieved(static_cast<int>(link)) / static_cast<double>(uses));
    }
  }
  std::erase_if(values, [most](double value) { return value > most; });
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

SingleRing single_ring(const Machine& machine, std::span<const int> set,
                       std::uint64_t node_budget) {
  const Hops hops(machine, set);
  SingleRing ring;
  for (const double threshold : thresholds(hops, bottleneck(hops))) {
    node_budget /= 2;
    std::uint64_t budget = node_budget;
    ThresholdSearch search(hops, threshold, budget);
    if (!search.any_cycle()) continue;
    const bool found = search.run();
    if (found || budget == 0) ring.bound = std::max(ring.bound, threshold);
    if (!found) continue;
    ring.bytes_per_second = threshold;
    return ring;
  }
  return ring;
}

double single_ring_bound(const Machine& machine, std::span<const int> set) {
  return bottleneck(Hops(machine, set));
}

}  // namespace rankmap
