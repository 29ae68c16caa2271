// Estimates foldings, and puts ranks on the slots of a torus.
#include "libmap/place/cartesian/torus_foldings.hpp"

#include <algorithm>
#include <cstdlib>

#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

constexpr std::size_t sampled_edges = 2048;

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
  struct Found {
    Cost cost;
    Folding folding;
  };
  std::vector<Found> found;
  each_folding(grid_, box_, [&](const Folding& folding) {
    found.push_back({estimate(folding), folding});
    return found.size() < looked_at && !deadline.passed();
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.cost < b.cost; });
  if (found.size() > kept) found.resize(kept);
  std::vector<Folding> foldings;
  for (Found& one : found) foldings.push_back(std::move(one.folding));
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
