#include "libmap/place/links/embedding.hpp"

#include <algorithm>

#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Embedding {
 public:
  Embedding(const Problem& problem, std::int64_t steps)
      : problem_(problem),
        graph_(weighted_graph(problem.app)),
        steps_(steps),
        slot_of_(at(problem.app.ranks()), none),
        taken_(problem.capacity.size(), 0),
        placed_(at(problem.app.ranks()), 0) {
    find_neighbours();
  }

  std::optional<Mapping> find() {
    if (!may_exist()) return std::nullopt;
    for (Rank rank = 0; rank < problem_.app.ranks(); ++rank)
      if (problem_.fixed[at(rank)] != none) put(rank, problem_.fixed[at(rank)]);
    for (Rank rank = 0; rank < problem_.app.ranks(); ++rank)
      if (slot_of_[at(rank)] != none && !fits(rank, slot_of_[at(rank)])) return std::nullopt;
    if (!place_all()) return std::nullopt;
    return Mapping{slot_of_};
  }

 private:
  void find_neighbours() {
    const SlotId slots = problem_.machine.slots();
    near_.resize(at(slots));
    for (SlotId a = 0; a < slots; ++a)
      for (SlotId b = 0; b < slots; ++b)
        if (a != b && problem_.machine.distance(a, b) <= 1) near_[at(a)].push_back(b);
  }

  std::size_t degree(Rank rank) const { return graph_.end_of(rank) - graph_.begin_of(rank); }

  bool may_exist() const {
    std::size_t most = 0, most_near = 0;
    for (Rank rank = 0; rank < problem_.app.ranks(); ++rank) most = std::max(most, degree(rank));
    for (const std::vector<SlotId>& near : near_) most_near = std::max(most_near, near.size());
    return most <= most_near;
  }

  bool are_near(SlotId a, SlotId b) const {
    return std::binary_search(near_[at(a)].begin(), near_[at(a)].end(), b);
  }

  bool fits(Rank rank, SlotId slot) const {
    if (near_[at(slot)].size() < degree(rank)) return false;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const SlotId other = slot_of_[at(graph_.neighbour[arc])];
      if (other != none && !are_near(slot, other)) return false;
    }
    return true;
  }

  void put(Rank rank, SlotId slot) {
    slot_of_[at(rank)] = slot;
    taken_[at(slot)] = 1;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc)
      ++placed_[at(graph_.neighbour[arc])];
  }

  void remove(Rank rank) {
    taken_[at(slot_of_[at(rank)])] = 0;
    slot_of_[at(rank)] = none;
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc)
      --placed_[at(graph_.neighbour[arc])];
  }

  Rank next() const {
    Rank best = none;
    for (Rank rank = 0; rank < problem_.app.ranks(); ++rank) {
      if (slot_of_[at(rank)] != none) continue;
      if (best == none || placed_[at(rank)] > placed_[at(best)]) best = rank;
    }
    return best;
  }

  std::vector<SlotId> candidates(Rank rank) const {
    std::vector<SlotId> found;
    const auto add = [&](SlotId slot) {
      if (!taken_[at(slot)] && problem_.capacity[at(slot)] > 0 && fits(rank, slot))
        found.push_back(slot);
    };
    for (std::size_t arc = graph_.begin_of(rank); arc < graph_.end_of(rank); ++arc) {
      const SlotId other = slot_of_[at(graph_.neighbour[arc])];
      if (other == none) continue;
      for (const SlotId slot : near_[at(other)]) add(slot);
      return found;
    }
    for (SlotId slot = 0; slot < problem_.machine.slots(); ++slot) add(slot);
    return found;
  }

  // With a stack of its own: as deep as there are ranks.
  bool place_all() {
    struct Choice {
      Rank rank;
      std::vector<SlotId> slots;
      std::size_t tried;
    };
    std::vector<Choice> choices;
    for (;;) {
      const Rank rank = next();
      if (rank == none) return true;
      choices.push_back({rank, candidates(rank), 0});
      while (choices.back().tried == choices.back().slots.size()) {
        choices.pop_back();
        if (choices.empty()) return false;
        remove(choices.back().rank);
      }
      if (--steps_ < 0) return false;
      Choice& choice = choices.back();
      put(choice.rank, choice.slots[choice.tried++]);
    }
  }

  const Problem& problem_;
  WeightedGraph graph_;
  std::int64_t steps_;
  std::vector<std::vector<SlotId>> near_;
  std::vector<SlotId> slot_of_;
  std::vector<char> taken_;
  std::vector<int> placed_;  // neighbours that have a slot
};

}  // namespace

std::optional<Mapping> embed_on_neighbours(const Problem& problem, std::int64_t steps) {
  constexpr SlotId most_slots = 4096;
  if (problem.machine.slots() > most_slots || problem.app.ranks() > problem.machine.slots())
    return std::nullopt;
  return Embedding(problem, steps).find();
}

}  // namespace rankmap
