// Held and Karp's dynamic program (1962) for a cycle over all ranks on any `ranks` of the seats, for
// any algebra. O(sum over sizes of choose(seats, size) * size * 16); without fixed ranks and with
// equal pairs the cycle starts at its smallest seat.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "libmap/place/exact/programs/seat_app.hpp"

namespace rankmap {

template <typename Algebra>
class CycleDp {
 public:
  using Value = typename Algebra::Value;
  using Target = typename Algebra::Target;

  // `cycle`: the ranks in order around it. `rotates`: any rank may sit on the smallest seat, because
  // all pairs are alike and none is fixed; else cycle[0] tries every seat.
  CycleDp(const SeatApp<Algebra>& app, std::vector<int> cycle, bool rotates)
      : app_(app), cycle_(std::move(cycle)), rotates_(rotates) {
    const int universe = app.seats - 1;
    std::size_t rows = 0;
    for (int level = 0; level < length() - 1; ++level) {
      begin_.push_back(rows * most_seats);
      rows += choose(universe, level);
    }
    rows_ = std::make_unique_for_overwrite<Value[]>(rows * most_seats);
  }

  // The join over all embeddings.
  Value solve() {
    Value all = Algebra::none_reached();
    of_start_.assign(static_cast<std::size_t>(app_.seats), Algebra::none_reached());
    for (int start = app_.seats - 1; start >= 0; --start) {
      of_start_[static_cast<std::size_t>(start)] = run(start);
      Algebra::join(all, of_start_[static_cast<std::size_t>(start)]);
    }
    return all;
  }

  // The seat of every rank in an embedding with that outcome; after solve() only.
  std::vector<int> embed(Target target) {
    for (int start = 0; start < app_.seats; ++start) {
      if (!Algebra::contains(of_start_[static_cast<std::size_t>(start)], target)) continue;
      if (start != current_start_) run(start);
      return walk_back(target);
    }
    return {};
  }

 private:
  int length() const { return static_cast<int>(cycle_.size()); }
  const StepTable<typename Algebra::Step>& step_after(int position) const {
    return app_.step(cycle_[static_cast<std::size_t>(position)],
                     cycle_[static_cast<std::size_t>((position + 1) % length())]);
  }
  bool allows(int position, int seat) const {
    return (app_.allowed[static_cast<std::size_t>(cycle_[static_cast<std::size_t>(position)])] >>
                seat &
            1) != 0;
  }
  SeatSet whole(SeatSet set) const {
    SeatSet seats = SeatSet{1} << current_start_;
    for_each_member(set,
                    [&](int i) { seats |= SeatSet{1} << universe_[static_cast<std::size_t>(i)]; });
    return seats;
  }

  // level(j) has a row for every set of j seats of the universe: the paths from the start through the
  // set, extended to the seat of the lane. Lanes inside the set mean nothing.
  Value run(int start) {
    current_start_ = start;
    universe_.clear();
    for (int seat = rotates_ ? start + 1 : 0; seat < app_.seats; ++seat)
      if (seat != start) universe_.push_back(seat);
    const int size = static_cast<int>(universe_.size());
    if (size < length() - 1 || !allows(0, start)) return Algebra::none_reached();
    fill_first_row(start);
    for (int depth = 1; depth < length() - 1; ++depth) fill_level(depth);
    Value closed = Algebra::none_reached();
    for_each_subset(size, length() - 1, [&](SeatSet set) {
      if (app_.usable(app_.excluded ? whole(set) : 0)) Algebra::join(closed, close(set));
    });
    return closed;
  }

  void fill_first_row(int start) {
    std::fill_n(level(0), most_seats, Algebra::none_reached());
    for (std::size_t lane = 0; lane < universe_.size(); ++lane)
      level(0)[lane] =
          Algebra::extend(Algebra::start(), step_after(0)[cell(start, universe_[lane])]);
  }

  void fill_level(int depth) {
    compact_steps(step_after(depth));
    Value* row = level(depth);
    for_each_subset(static_cast<int>(universe_.size()), depth, [&](SeatSet set) {
      std::array<Value, most_seats> lanes;  // not in memory that others may see: it vectorises
      lanes.fill(Algebra::none_reached());
      for_each_member(set, [&](int last) {
        const Value path = ending(depth, set, last);
        if (!Algebra::reached(path)) return;
        const auto* steps = compact_.data() + cell(last, 0);
        for (std::size_t lane = 0; lane < most_seats; ++lane)
          Algebra::join(lanes[lane], Algebra::extend(path, steps[lane]));
      });
      std::copy(lanes.begin(), lanes.end(), row);
      row += most_seats;
    });
  }

  // Paths from the start through the set that end on its member `last` (position `depth`).
  Value ending(int depth, SeatSet set, int last) const {
    if (!allows(depth, universe_[static_cast<std::size_t>(last)])) return Algebra::none_reached();
    const std::size_t row = rank_of(set & ~(SeatSet{1} << last));
    return level(depth - 1)[row * most_seats + static_cast<std::size_t>(last)];
  }
  Value* level(int depth) const { return rows_.get() + begin_[static_cast<std::size_t>(depth)]; }

  Value close(SeatSet set) const {
    const auto& steps = step_after(length() - 1);
    Value closed = Algebra::none_reached();
    for_each_member(set, [&](int last) {
      const Value path = ending(length() - 1, set, last);
      if (Algebra::reached(path))
        Algebra::join(
            closed,
            Algebra::extend(
                path, steps[cell(universe_[static_cast<std::size_t>(last)], current_start_)]));
    });
    return closed;
  }

  // The steps between members of the universe, by their number in it.
  void compact_steps(const StepTable<typename Algebra::Step>& steps) {
    compact_.fill(typename Algebra::Step{});
    for (std::size_t a = 0; a < universe_.size(); ++a)
      for (std::size_t b = 0; b < universe_.size(); ++b)
        compact_[a * most_seats + b] = steps[cell(universe_[a], universe_[b])];
  }

  std::vector<int> walk_back(Target target) const {
    std::vector<int> seat_of(static_cast<std::size_t>(app_.ranks), -1);
    const int size = static_cast<int>(universe_.size());
    SeatSet set = 0;
    for_each_subset(size, length() - 1, [&](SeatSet candidate) {
      if (set == 0 && app_.usable(app_.excluded ? whole(candidate) : 0) &&
          Algebra::contains(close(candidate), target))
        set = candidate;
    });
    int next = current_start_;
    for (int position = length() - 1; position >= 1; --position)
      next = step_back(position, next, set, target, seat_of);
    seat_of[static_cast<std::size_t>(cycle_[0])] = current_start_;
    return seat_of;
  }

  // Finds who sits at `position` before the seat `next`; takes it from the set and the target.
  int step_back(int position, int next, SeatSet& set, Target& target,
                std::vector<int>& seat_of) const {
    const auto& steps = step_after(position);
    int found = -1;
    Target before{};
    for_each_member(set, [&](int last) {
      Target earlier{};
      if (found >= 0 ||
          !Algebra::before_step(
              target, steps[cell(universe_[static_cast<std::size_t>(last)], next)], earlier) ||
          !Algebra::contains(ending(position, set, last), earlier))
        return;
      found = last;
      before = earlier;
    });
    set &= ~(SeatSet{1} << found);
    target = before;
    const int seat = universe_[static_cast<std::size_t>(found)];
    seat_of[static_cast<std::size_t>(cycle_[static_cast<std::size_t>(position)])] = seat;
    return seat;
  }

  const SeatApp<Algebra>& app_;
  std::vector<int> cycle_;
  bool rotates_;
  std::vector<std::size_t> begin_;  // of every level in rows_
  std::unique_ptr<Value[]> rows_;   // one block: small jobs are as fast as memory is handed out
  std::vector<Value> of_start_;
  std::vector<int> universe_;
  StepTable<typename Algebra::Step> compact_{};
  int current_start_ = -1;
};

}  // namespace rankmap
