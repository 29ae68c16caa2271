// Depth-first search among mappings of equal value.
#include "libmap/place/exact/ties/tie_search.hpp"

#include "libmap/place/exact/structure/branching.hpp"
#include "libmap/place/exact/structure/symmetry.hpp"
#include "libmap/place/exact/ties/tie_state.hpp"

namespace rankmap {
namespace {

// Up to 8 slots every case ends in 8! leaves; on wider nodes a small job must stay a matter of
// milliseconds, and a large one may take longer, as its first search does.
std::size_t most_steps(const Instance& instance) {
  if (instance.slots() <= 8) return 400'000;
  return instance.ranks() <= 8 ? 8'000 : 200'000;
}

PartialKey key_of(const Instance& instance, const std::vector<int>& slot_of) {
  TieState state(instance);
  for (Rank rank = 0; rank < instance.ranks(); ++rank)
    state.place(rank, slot_of[static_cast<std::size_t>(rank)]);
  return state.key();
}

Branching branching(const Search& search, const Primary& primary) {
  std::vector<Rank> order = order_by_number(search.instance);
  if (!primary.machine_symmetry || !search.excluded.empty())
    return Branching(search.instance, std::move(order));
  return Branching(search.instance, std::move(order), slot_twins(search.instance),
                   node_twins(search.instance));
}

class TieSearch {
 public:
  TieSearch(const Search& search, Primary& primary)
      : search_(search),
        guard_(primary.guard.get()),
        branching_(branching(search, primary)),
        state_(search.instance),
        best_(*primary.slot_of),
        best_key_(key_of(search.instance, best_)),
        steps_left_(most_steps(search.instance)) {
    state_.set_floor(phase_floors(search.instance));
    const bool by_aggbw = search.instance.problem().objective.kind == ObjectiveKind::aggbw;
    state_.set_most_aggbw(by_aggbw && primary.proven ? -best_key_.negative_aggbw
                                                     : primary.most_aggbw);
  }

  TieResult run() {
    const bool complete = descend(0);
    return {std::move(best_), complete};
  }

 private:
  // False when the search has to stop.
  bool descend(int depth) {
    if (depth == branching_.depth_of_all()) {
      keep();
      return true;
    }
    const Rank rank = branching_.rank_at(depth);
    return branching_.for_each_slot(depth, [&](int slot) {
      if (steps_left_-- == 0 || ((steps_left_ & 255) == 0 && search_.deadline.passed()))
        return false;
      state_.place(rank, slot);
      const bool go_on = !may_be_better() || descend_guarded(depth, rank, slot);
      state_.remove_last();
      return go_on;
    });
  }

  bool descend_guarded(int depth, Rank rank, int slot) {
    if (guard_ == nullptr) return descend(depth + 1);
    const bool possible = guard_->enter(rank, slot);
    const bool go_on = !possible || descend(depth + 1);
    guard_->leave(rank, slot);
    return go_on;
  }

  // Mappings come in ascending order: an equal key is no gain once the best was found here.
  bool may_be_better() const {
    const auto order = state_.key() <=> best_key_;
    return order < 0 || (order == 0 && !best_is_from_here_);
  }

  void keep() {
    const PartialKey key = state_.key();
    const std::vector<int>& slot_of = state_.slots_of();
    if (key > best_key_ || (key == best_key_ && (best_is_from_here_ || slot_of > best_))) return;
    if (!search_.usable(slot_of)) return;
    best_ = slot_of;
    best_key_ = key;
    best_is_from_here_ = true;
  }

  const Search& search_;
  Guard* guard_;
  Branching branching_;
  TieState state_;
  std::vector<int> best_;
  PartialKey best_key_;
  bool best_is_from_here_ = false;
  std::size_t steps_left_;
};

}  // namespace

TieResult best_of_equals(const Search& search, Primary& primary) {
  return TieSearch(search, primary).run();
}

}  // namespace rankmap
