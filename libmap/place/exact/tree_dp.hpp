// Dynamic program over subsets for a tree of ranks, for any algebra: a row for every set of seats of
// a subtree's size, a lane for the seat of its top rank. Children are merged one at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "libmap/place/exact/rooted_tree.hpp"
#include "libmap/place/exact/seat_app.hpp"

namespace rankmap {

template <typename Algebra>
class TreeDp {
 public:
  using Value = typename Algebra::Value;
  using Target = typename Algebra::Target;
  using Rows = std::vector<Value>;  // [rank of the set][lane]

  TreeDp(const SeatApp<Algebra>& app, RootedTree tree)
      : app_(app),
        tree_(std::move(tree)),
        parts_(static_cast<std::size_t>(app.ranks)),
        attached_(static_cast<std::size_t>(app.ranks)) {}

  // The join over all embeddings.
  Value solve() {
    for (int rank : tree_.post_order) {
      Part part = single(rank);
      std::vector<Part>& parts = parts_[static_cast<std::size_t>(rank)];
      parts.push_back(std::move(part));
      for (int child : tree_.children[static_cast<std::size_t>(rank)])
        parts.push_back(merged(rank, parts.back(), child));
      if (rank != tree_.root()) attach(rank);
    }
    Value all = Algebra::none_reached();
    const Rows& rows = whole_of(tree_.root()).rows;
    for_each_subset(app_.seats, app_.ranks, [&](SeatSet set) {
      if (!app_.usable(set)) return;
      const std::size_t row = rank_of(set) * most_seats;
      for_each_member(set,
                      [&](int a) { Algebra::join(all, rows[row + static_cast<std::size_t>(a)]); });
    });
    return all;
  }

  // The seat of every rank in an embedding with that outcome; after solve() only.
  std::vector<int> embed(Target target) const {
    std::vector<int> seat_of(static_cast<std::size_t>(app_.ranks), -1);
    const Rows& rows = whole_of(tree_.root()).rows;
    bool found = false;
    for_each_subset(app_.seats, app_.ranks, [&](SeatSet set) {
      if (found || !app_.usable(set)) return;
      for_each_member(set, [&](int a) {
        const Value& value = rows[rank_of(set) * most_seats + static_cast<std::size_t>(a)];
        if (found || !Algebra::reached(value) || !Algebra::contains(value, target)) return;
        found = true;
        walk_back(tree_.root(), set, a, target, seat_of);
      });
    });
    return seat_of;
  }

 private:
  // A rank with its first children; lanes that are not in the row's set are not reached.
  struct Part {
    int size;
    Rows rows;
  };

  const Part& whole_of(int rank) const { return parts_[static_cast<std::size_t>(rank)].back(); }
  bool allows(int rank, int seat) const {
    return (app_.allowed[static_cast<std::size_t>(rank)] >> seat & 1) != 0;
  }

  Part single(int rank) const {
    Part part{1, Rows(static_cast<std::size_t>(app_.seats) * most_seats, Algebra::none_reached())};
    for (int seat = 0; seat < app_.seats; ++seat)
      if (allows(rank, seat)) part.rows[cell(seat, seat)] = Algebra::start();
    return part;
  }

  // attached_[rank]: lane a is the best of the rank's subtree on the set when its parent sits on a.
  void attach(int rank) {
    const Part& part = whole_of(rank);
    const auto& steps = app_.step(rank, tree_.parent[static_cast<std::size_t>(rank)]);
    Rows& rows = attached_[static_cast<std::size_t>(rank)];
    rows.assign(choose(app_.seats, part.size) * most_seats, Algebra::none_reached());
    std::size_t row = 0;
    for_each_subset(app_.seats, part.size, [&](SeatSet set) {
      for_each_member(set, [&](int b) {
        const Value value = part.rows[row + static_cast<std::size_t>(b)];
        if (!Algebra::reached(value)) return;
        const auto* step = steps.data() + cell(b, 0);
        for (std::size_t lane = 0; lane < most_seats; ++lane)
          Algebra::join(rows[row + lane], Algebra::extend(value, step[lane]));
      });
      row += most_seats;
    });
  }

  Part merged(int rank, const Part& part, int child) const {
    const int child_size = tree_.size[static_cast<std::size_t>(child)];
    Part both{part.size + child_size, {}};
    both.rows.assign(choose(app_.seats, both.size) * most_seats, Algebra::none_reached());
    Value* row = both.rows.data();
    const bool run = continues_run(rank, child);
    for_each_subset(app_.seats, both.size, [&](SeatSet set) {
      if (part.size == 1)
        hang_on_single(rank, set, child, row);
      else if (run)
        add_last_leaf(part, set, child, row);
      else
        merge_all_splits(part, set, child, child_size, row);
      row += most_seats;
    });
    return both;
  }

  // The parent alone holds one seat: every split is one lane.
  void hang_on_single(int rank, SeatSet set, int child, Value* row) const {
    const Rows& attached = attached_[static_cast<std::size_t>(child)];
    for_each_member(set, [&](int a) {
      if (!allows(rank, a)) return;
      const std::size_t rest = rank_of(set & ~(SeatSet{1} << a));
      row[a] = attached[rest * most_seats + static_cast<std::size_t>(a)];
    });
  }

  // Whether all children up to this one are leaves alike: then only their set matters, and this one
  // may be taken to sit on the largest seat.
  bool continues_run(int rank, int child) const {
    for (int other : tree_.children[static_cast<std::size_t>(rank)]) {
      if (tree_.size[static_cast<std::size_t>(other)] != 1 ||
          app_.allowed[static_cast<std::size_t>(other)] !=
              app_.allowed[static_cast<std::size_t>(child)] ||
          &app_.step(other, rank) != &app_.step(child, rank))
        return false;
      if (other == child) return true;
    }
    return false;
  }

  void add_leaf(const Part& part, SeatSet set, int child, int seat, Value* row,
                SeatSet lanes) const {
    const SeatSet rest = set & ~(SeatSet{1} << seat);
    const Value* before = part.rows.data() + rank_of(rest) * most_seats;
    const Value* attached = attached_[static_cast<std::size_t>(child)].data() + cell(seat, 0);
    for_each_member(lanes & rest, [&](int a) {
      if (Algebra::reached(before[a]))
        Algebra::join(row[a], Algebra::merge(before[a], attached[a]));
    });
  }

  void add_last_leaf(const Part& part, SeatSet set, int child, Value* row) const {
    const int last = 31 - std::countl_zero(set);
    const SeatSet others = set & ~(SeatSet{1} << last);
    add_leaf(part, set, child, last, row, others);
    add_leaf(part, set, child, 31 - std::countl_zero(others), row, SeatSet{1} << last);
  }

  void merge_all_splits(const Part& part, SeatSet set, int child, int child_size,
                        Value* row) const {
    int member[most_seats];
    int members = 0;
    for_each_member(set, [&](int seat) { member[members++] = seat; });
    const Rows& attached = attached_[static_cast<std::size_t>(child)];
    for_each_subset(members, child_size, [&](SeatSet chosen) {
      SeatSet below = 0;
      for_each_member(chosen, [&](int i) { below |= SeatSet{1} << member[i]; });
      const Value* above = part.rows.data() + rank_of(set & ~below) * most_seats;
      const Value* hung = attached.data() + rank_of(below) * most_seats;
      for (std::size_t lane = 0; lane < most_seats; ++lane)
        Algebra::join(row[lane], Algebra::merge(above[lane], hung[lane]));
    });
  }

  // Splits the outcome of the rank's subtree on the set, with the rank on `seat`, child by child.
  void walk_back(int rank, SeatSet set, int seat, Target target, std::vector<int>& seat_of) const {
    seat_of[static_cast<std::size_t>(rank)] = seat;
    const std::vector<int>& children = tree_.children[static_cast<std::size_t>(rank)];
    for (std::size_t i = children.size(); i-- > 0;) {
      const Part& part = parts_[static_cast<std::size_t>(rank)][i];
      split_off(part, children[i], set, seat, target, seat_of);
    }
  }

  void split_off(const Part& part, int child, SeatSet& set, int seat, Target& target,
                 std::vector<int>& seat_of) const {
    int member[most_seats];
    int members = 0;
    for_each_member(set & ~(SeatSet{1} << seat), [&](int other) { member[members++] = other; });
    const Rows& attached = attached_[static_cast<std::size_t>(child)];
    SeatSet taken = 0;
    Target of_part{}, of_child{};
    for_each_subset(members, tree_.size[static_cast<std::size_t>(child)], [&](SeatSet chosen) {
      if (taken != 0) return;
      SeatSet below = 0;
      for_each_member(chosen, [&](int i) { below |= SeatSet{1} << member[i]; });
      const auto lane = static_cast<std::size_t>(seat);
      const Value& above = part.rows[rank_of(set & ~below) * most_seats + lane];
      const Value& hung = attached[rank_of(below) * most_seats + lane];
      if (Algebra::split(above, hung, target, of_part, of_child)) taken = below;
    });
    enter_child(child, taken, seat, of_child, seat_of);
    set &= ~taken;
    target = of_part;
  }

  void enter_child(int child, SeatSet set, int parent_seat, Target target,
                   std::vector<int>& seat_of) const {
    const auto& steps = app_.step(child, tree_.parent[static_cast<std::size_t>(child)]);
    const Rows& rows = whole_of(child).rows;
    bool found = false;
    for_each_member(set, [&](int seat) {
      const Value& value = rows[rank_of(set) * most_seats + static_cast<std::size_t>(seat)];
      Target earlier{};
      if (found || !Algebra::reached(value) ||
          !Algebra::before_step(target, steps[cell(seat, parent_seat)], earlier) ||
          !Algebra::contains(value, earlier))
        return;
      found = true;
      walk_back(child, set, seat, earlier, seat_of);
    });
  }

  const SeatApp<Algebra>& app_;
  RootedTree tree_;
  std::vector<std::vector<Part>> parts_;  // [rank][children merged]
  std::vector<Rows> attached_;
};

}  // namespace rankmap
