// The best single ring by falling thresholds.
#include "libmap/model/single_ring.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "libmap/model/hamilton.hpp"
#include "libmap/model/lanes.hpp"

namespace rankmap {
namespace {

// The routes between the members, over links numbered from 0 in order of first use.
class Hops {
 public:
  Hops(const Machine& machine, std::span<const int> set) : size_(set.size()) {
    add_routes(machine, set);
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) slowest_.push_back(least_of(route(a, b)));
    }
  }

  std::size_t size() const { return size_; }
  std::size_t links() const { return achieved_.size(); }
  std::span<const int> route(std::size_t a, std::size_t b) const {
    const std::size_t index = a * size_ + b;
    return std::span(links_of_routes_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
  }
  double achieved(int link) const { return achieved_[static_cast<std::size_t>(link)]; }
  double slowest(std::size_t a, std::size_t b) const { return slowest_[a * size_ + b]; }
  const std::vector<double>& all_slowest() const { return slowest_; }
  const std::vector<double>& achieved() const { return achieved_; }

 private:
  void add_routes(const Machine& machine, std::span<const int> set) {
    std::vector<LinkId> route;
    std::vector<int> number(2 * machine.model().connections.size(), none);
    for (const int from : set) {
      for (const int to : set) {
        route.clear();
        machine.append_route(from, to, route);
        for (const LinkId link : route) {
          const LinkRow row = machine.link(link);
          int& known = number[static_cast<std::size_t>(2 * row.connection + (row.forward ? 1 : 0))];
          if (known == none) known = add_link(machine.model(), row.connection);
          links_of_routes_.push_back(known);
        }
        begin_.push_back(links_of_routes_.size());
      }
    }
  }

  double least_of(std::span<const int> route) const {
    double least = route.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const int link : route) least = std::min(least, achieved(link));
    return least;
  }

  int add_link(const NodeModel& model, std::int32_t connection) {
    achieved_.push_back(static_cast<double>(
        achieved_by_all(model.connections[static_cast<std::size_t>(connection)])));
    return static_cast<int>(achieved_.size()) - 1;
  }

  std::size_t size_;
  std::vector<int> links_of_routes_;
  std::vector<std::size_t> begin_{0};  // of the route from a to b in links_of_routes_
  std::vector<double> achieved_;
  std::vector<double> slowest_;  // [a][b] 0 on the diagonal
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

bool cycle_of_hops(const Hops& hops, double least) {
  Followers followers(hops.size(), 0);
  for (std::size_t a = 0; a < hops.size(); ++a) {
    for (std::size_t b = 0; b < hops.size(); ++b) {
      if (a != b && hops.slowest(a, b) >= least) followers[a] |= 1U << b;
    }
  }
  return Completions(followers).any_cycle();
}

std::vector<double> falling(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// The largest least hop of any ring, every hop as if it were alone: an upper limit.
double best_least_hop(const Hops& hops) {
  const double most = bottleneck(hops);
  if (hops.size() > Completions::most_vertices) return most;
  std::vector<double> values = falling(hops.all_slowest());
  values.pop_back();  // 0, of the diagonal
  for (const double value : values) {
    // At the least value every hop is allowed.
    if (value <= most && (value == values.back() || cycle_of_hops(hops, value))) return value;
  }
  return most;
}

// Shortest routes first: a ring that finishes a switch or socket before it leaves uses links least.
using Nearest = std::vector<std::vector<std::size_t>>;

Nearest nearest_first(const Hops& hops) {
  Nearest nearest(hops.size());
  for (std::size_t from = 0; from < hops.size(); ++from) {
    for (std::size_t to = 0; to < hops.size(); ++to) {
      if (to != from) nearest[from].push_back(to);
    }
    std::sort(nearest[from].begin(), nearest[from].end(), [&](std::size_t a, std::size_t b) {
      return std::pair(hops.route(from, a).size(), a) < std::pair(hops.route(from, b).size(), b);
    });
  }
  return nearest;
}

// Is there a ring at `threshold`: every link used at most floor(achieved / threshold) times?
class ThresholdSearch {
 public:
  ThresholdSearch(const Hops& hops, const Nearest& nearest, double threshold, std::uint64_t& budget)
      : hops_(hops), nearest_(nearest), budget_(budget), visited_(hops.size(), 0) {
    for (std::size_t link = 0; link < hops.links(); ++link) {
      left_.push_back(uses_at(threshold, hops.achieved(static_cast<int>(link))));
    }
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

  bool passable(std::size_t a, std::size_t b) const {
    const std::span<const int> route = hops_.route(a, b);
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
  const Nearest& nearest_;
  std::uint64_t& budget_;
  std::vector<int> left_;
  std::vector<char> visited_;
};

// Every value that a ring can have and that does not pass `most`, largest first.
std::vector<double> thresholds(const Hops& hops, double most) {
  std::vector<double> values;
  for (const double achieved : falling(hops.achieved())) {
    for (std::size_t uses = 1; uses <= hops.size(); ++uses) {
      values.push_back(achieved / static_cast<double>(uses));
    }
  }
  std::erase_if(values, [most](double value) { return value > most; });
  return falling(std::move(values));
}

}  // namespace

SingleRing single_ring(const Machine& machine, std::span<const int> set,
                       std::uint64_t node_budget) {
  const Hops hops(machine, set);
  const Nearest nearest = nearest_first(hops);
  SingleRing ring;
  for (const double threshold : thresholds(hops, best_least_hop(hops))) {
    node_budget /= 2;
    std::uint64_t budget = node_budget;
    const bool found = ThresholdSearch(hops, nearest, threshold, budget).run();
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
