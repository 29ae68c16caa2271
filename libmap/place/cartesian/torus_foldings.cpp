// Estimates foldings, and puts ranks on the slots of a torus.
#include "libmap/place/cartesian/torus_foldings.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

constexpr std::size_t sampled_edges = 2048;

// The best by value and the best by hops, in turn.
template <class Cost>
std::vector<std::size_t> best_of(const std::vector<Cost>& costs, std::size_t count) {
  std::vector<std::size_t> by_value(costs.size());
  std::iota(by_value.begin(), by_value.end(), std::size_t{0});
  std::vector<std::size_t> by_hops = by_value;
  std::stable_sort(by_value.begin(), by_value.end(), [&](std::size_t a, std::size_t b) {
    return costs[a].value != costs[b].value ? costs[a].value < costs[b].value
                                            : costs[a].hops < costs[b].hops;
  });
  std::stable_sort(by_hops.begin(), by_hops.end(), [&](std::size_t a, std::size_t b) {
    return costs[a].hops != costs[b].hops ? costs[a].hops < costs[b].hops
                                          : costs[a].value < costs[b].value;
  });
  std::vector<std::size_t> best;
  std::vector<char> taken(costs.size(), 0);
  for (std::size_t i = 0; best.size() < count && i < costs.size(); ++i)
    for (const std::size_t one : {by_value[i], by_hops[i]})
      if (!taken[one] && best.size() < count) {
        taken[one] = 1;
        best.push_back(one);
      }
  return best;
}

}  // namespace

TorusFoldings::TorusFoldings(const Problem& problem, const Grid& grid, const Torus& torus)
    : problem_(problem), grid_(grid), torus_(torus) {
  const Machine& machine = problem.machine;
  const SlotId usable = static_cast<SlotId>(std::count_if(
      problem.capacity.begin(), problem.capacity.end(), [](int room) { return room > 0; }));
  share_ = std::max<Rank>(1, (grid.ranks() + usable - 1) / usable);
  box_.assign(torus.extents().begin(), torus.extents().end());
  for (std::size_t d = 0; d < box_.size(); ++d) {
    const double lines = static_cast<double>(machine.nodes()) / box_[d];
    const double links = 2 * lines * (torus.is_ring(d) ? box_[d] : box_[d] - 1);
    if (box_[d] == 1) {
      seconds_per_byte_.push_back(0);
      continue;
    }
    const LinkId link = torus.link_from(0, d, 0);
    seconds_per_byte_.push_back(1 / links / static_cast<double>(torus.link(link).bytes_per_second));
  }
  box_.push_back(machine.slots_per_node() * share_);
  take_sample();
}

void TorusFoldings::take_sample() {
  const std::span<const Edge> edges = problem_.app.edges();
  if (edges.size() <= sampled_edges) {
    for (const Edge& edge : edges) sample_.push_back(&edge);
    return;
  }
  Random random(1);
  for (std::size_t i = 0; i < sampled_edges; ++i)
    sample_.push_back(&edges[random.below(edges.size())]);
}

double TorusFoldings::way(Rank from, Rank to, std::size_t dimension) const {
  const Rank steps = std::abs(from - to);
  return torus_.is_ring(dimension) ? std::min(steps, box_[dimension] - steps) : steps;
}

TorusFoldings::Cost TorusFoldings::estimate(const Folding& folding) const {
  const Folded folded(grid_, folding);
  std::vector<double> carried(seconds_per_byte_.size(), 0);
  std::vector<Rank> from, to;
  Cost cost{0, 0};
  double off_node = 0;
  for (const Edge* edge : sample_) {
    folded.place(edge->source, from);
    folded.place(edge->destination, to);
    const double bytes = static_cast<double>(edge->bytes), before = cost.hops;
    for (std::size_t d = 0; d < carried.size(); ++d) {
      const double steps = way(from[d], to[d], d);
      carried[d] += bytes * steps * seconds_per_byte_[d];
      cost.hops += bytes * steps;
    }
    if (cost.hops > before) off_node += bytes;
  }
  cost.value = problem_.objective.kind == ObjectiveKind::hopbytes ? cost.hops
               : problem_.objective.kind == ObjectiveKind::offnode
                   ? off_node
                   : *std::max_element(carried.begin(), carried.end());
  return cost;
}

std::vector<Folding> TorusFoldings::promising(std::size_t looked_at, std::size_t kept,
                                              const Deadline& deadline) const {
  std::vector<Folding> all;
  std::vector<Cost> costs;
  each_folding(grid_, box_, [&](const Folding& folding) {
    all.push_back(folding);
    if (looked_at > kept) costs.push_back(estimate(folding));
    return all.size() < looked_at && !deadline.passed();
  });
  if (all.size() <= kept) return all;
  std::vector<Folding> foldings;
  for (const std::size_t i : best_of(costs, kept)) foldings.push_back(std::move(all[i]));
  return foldings;
}

std::vector<SlotId> TorusFoldings::slots(const Folding& folding) const {
  const Folded folded(grid_, folding);
  std::vector<SlotId> slots;
  std::vector<Rank> place;
  for (Rank rank = 0; rank < grid_.ranks(); ++rank) {
    folded.place(rank, place);
    NodeId node = 0;
    for (std::size_t d = 0; d + 1 < box_.size(); ++d) node = node * box_[d] + place[d];
    slots.push_back(problem_.machine.slot_at(node, place.back() / share_));
  }
  return slots;
}

}  // namespace rankmap
