// Slow and obvious twins of the packings.
#include "naive_packing.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace rankmap::test {
namespace {

void extend_partition(std::vector<int>& block, std::size_t next, int parts,
                      const std::function<void(const std::vector<int>&, int)>& visit) {
  if (next == block.size()) {
    if (parts >= 2) visit(block, parts);
    return;
  }
  for (int part = 0; part <= parts; ++part) {
    block[next] = part;
    extend_partition(block, next + 1, std::max(parts, part + 1), visit);
  }
}

using Arcs = std::vector<int>;  // lanes left on every arc, row by row

std::vector<Arcs> all_cycles(const LaneMatrix& lanes) {
  const auto size = static_cast<std::size_t>(lanes.size());
  std::vector<Arcs> cycles;
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  do {
    Arcs arcs(size * size, 0);
    bool possible = true;
    for (std::size_t i = 0; i < size; ++i) {
      const int from = order[i];
      const int to = order[(i + 1) % size];
      possible = possible && lanes.at(from, to) > 0;
      arcs[static_cast<std::size_t>(from * lanes.size() + to)] = 1;
    }
    if (possible) cycles.push_back(arcs);
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return cycles;
}

std::int64_t most_rings(const std::vector<Arcs>& cycles, std::size_t first, const Arcs& left,
                        std::map<std::pair<std::size_t, Arcs>, std::int64_t>& known) {
  if (first == cycles.size()) return 0;
  const auto found = known.find({first, left});
  if (found != known.end()) return found->second;
  std::int64_t most = most_rings(cycles, first + 1, left, known);
  Arcs after = left;
  bool fits = true;
  for (std::size_t arc = 0; arc < left.size(); ++arc) {
    after[arc] -= cycles[first][arc];
    fits = fits && after[arc] >= 0;
  }
  if (fits) most = std::max(most, 1 + most_rings(cycles, first, after, known));
  known[{first, left}] = most;
  return most;
}

}  // namespace

void for_each_partition(int size, const std::function<void(const std::vector<int>&, int)>& visit) {
  std::vector<int> block(static_cast<std::size_t>(size), 0);
  extend_partition(block, 1, 1, visit);
}

std::int64_t crossing_lanes(const LaneMatrix& lanes, const std::vector<int>& block) {
  std::int64_t crossing = 0;
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = a + 1; b < lanes.size(); ++b) {
      if (block[static_cast<std::size_t>(a)] != block[static_cast<std::size_t>(b)]) {
        crossing += lanes.at(a, b);
      }
    }
  }
  return crossing;
}

std::int64_t naive_ring_packing(const LaneMatrix& lanes) {
  Arcs left;
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = 0; b < lanes.size(); ++b) left.push_back(lanes.at(a, b));
  }
  std::map<std::pair<std::size_t, Arcs>, std::int64_t> known;
  return most_rings(all_cycles(lanes), 0, left, known);
}

double naive_single_ring(const Machine& machine, std::vector<int> set) {
  double best = 0;
  std::sort(set.begin(), set.end());
  do {
    std::map<LinkId, double> uses;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (const LinkId link : machine.route(set[i], set[(i + 1) % set.size()])) uses[link] += 1;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [link, count] : uses) {
      const auto connection = static_cast<std::size_t>(machine.link(link).connection);
      const double achieved =
          static_cast<double>(achieved_by_all(machine.model().connections[connection]));
      least = std::min(least, achieved / count);
    }
    best = std::max(best, least);
  } while (std::next_permutation(set.begin() + 1, set.end()));
  return best;
}

LaneMatrix random_lanes(Random& random, int size, int most_lanes, unsigned percent) {
  LaneMatrix lanes(size);
  for (int a = 0; a < size; ++a) {
    for (int b = a + 1; b < size; ++b) {
      const int count = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most_lanes)));
      if (random.below(100) < percent) lanes.set(a, b, count);
    }
  }
  return lanes;
}

}  // namespace rankmap::test
