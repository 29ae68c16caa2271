// Simulated annealing of mappings by exchanges of two ranks, or a rank and a free place.
// Source: Kirkpatrick, Gelatt and Vecchi 1983.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "libmap/base/deadline.hpp"
#include "libmap/base/random.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

// A State has a mapping(), the energy() that is annealed, the value() by which mappings are judged, and
// exchange(a, slot, b): rank a goes to the slot, and b (unless it is none) to where a was.
// Ranks that are fixed stay, and no slot takes more than its capacity.
template <class State>
class Annealing {
 public:
  Annealing(const Problem& problem, State& state, std::uint64_t seed, const Deadline& deadline)
      : problem_(problem), deadline_(deadline), random_(seed), state_(state) {
    const Mapping& start = state.mapping();
    least_ = state.value();
    ranks_on_.resize(problem.capacity.size());
    for (Rank rank = 0; rank < problem.app.ranks(); ++rank) {
      ranks_on_[index_of(start[rank])].push_back(rank);
      if (problem.fixed[index_of(rank)] == none) movable_.push_back(rank);
    }
    for (SlotId slot = 0; slot < problem.machine.slots(); ++slot)
      if (problem.capacity[index_of(slot)] > 0) usable_.push_back(slot);
  }

  // `moves` exchanges while the temperature falls from `first` to `last`, in shares of the energy.
  void run(std::int64_t moves, double first, double last) {
    if (movable_.empty() || least_ == 0) return;
    energy_ = state_.energy();
    const double energy = energy_;
    for (std::int64_t i = 0; i < moves; ++i) {
      if (i % 256 == 0 && deadline_.passed()) return;
      const double progress = static_cast<double>(i) / static_cast<double>(moves);
      step(energy * first * std::pow(last / first, progress));
    }
  }

  // The mapping of the least value so far.
  Mapping best() const {
    Mapping mapping = state_.mapping();
    for (std::size_t i = since_best_.size(); i-- > 0;) {
      const Exchange& undone = since_best_[i];
      if (undone.other != none) mapping.slot_of[index_of(undone.other)] = mapping[undone.rank];
      mapping.slot_of[index_of(undone.rank)] = undone.from;
    }
    return mapping;
  }

 private:
  struct Exchange {
    Rank rank;
    SlotId from;
    Rank other;
  };

  static std::size_t index_of(std::int64_t index) { return static_cast<std::size_t>(index); }

  void step(double temperature) {
    const Rank rank = movable_[random_.below(movable_.size())];
    const SlotId from = state_.slot_of(rank);
    const SlotId to = usable_[random_.below(usable_.size())];
    if (to == from) return;
    Rank other = none;
    if (static_cast<int>(ranks_on_[index_of(to)].size()) >= problem_.capacity[index_of(to)]) {
      other = ranks_on_[index_of(to)][random_.below(ranks_on_[index_of(to)].size())];
      if (problem_.fixed[index_of(other)] != none) return;
    }
    state_.exchange(rank, to, other);
    const double energy = state_.energy();
    const double worse = energy - energy_;
    if (worse > 0 && chance() >= std::exp(-worse / temperature)) {
      state_.exchange(rank, from, other);
      return;
    }
    energy_ = energy;
    moved(rank, from, to);
    if (other != none) moved(other, to, from);
    since_best_.push_back({rank, from, other});
    if (worse < 0) keep_if_best();
  }

  double chance() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  void moved(Rank rank, SlotId from, SlotId to) {
    std::vector<Rank>& left = ranks_on_[index_of(from)];
    left.erase(std::find(left.begin(), left.end(), rank));
    ranks_on_[index_of(to)].push_back(rank);
  }

  void keep_if_best() {
    const double value = state_.value();
    if (value >= least_ * (1 - 1e-9)) return;
    least_ = value;
    since_best_.clear();
  }

  const Problem& problem_;
  const Deadline& deadline_;
  Random random_;
  State& state_;
  std::vector<std::vector<Rank>> ranks_on_;
  std::vector<Rank> movable_;
  std::vector<SlotId> usable_;
  std::vector<Exchange> since_best_;  // since the mapping of the least value
  double least_ = 0;
  double energy_ = 0;
};

}  // namespace rankmap
