// Dynamic program over subsets for a tree of ranks, for any algebra: a row for every set of seats of
// a subtree's size, a lane for the seat of its top rank. Children are merged one at a time.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "libmap/place/exact/programs/seat_app.hpp"
#include "libmap/place/exact/structure/rooted_tree.hpp"

namespace rankmap {

template <typename Algebra>
class TreeDp {
 public:
  using Value = typename Algebra::Value;
  using Target = typename Algebra::Target;

  TreeDp(const SeatApp<Algebra>& app, RootedTree tree)
      : app_(app),
        tree_(std::move(tree)),
        parts_(static_cast<std::size_t>(app.ranks)),
        attached_(static_cast<std::size_t>(app.ranks), nullptr) {
    share_out_memory();
  }

  // The join over all embeddings.
  Value solve() {
    for (int rank : tree_.post_order) {
      for (std::size_t merged = 1; merged < parts_of(rank).size(); ++merged)
        if (parts_of(rank)[merged].rows != nullptr) fill_part(rank, merged);
      if (rank != tree_.root()) attach(rank);
    }
    Value all = Algebra::none_reached();
    for_each_subset(app_.seats, app_.ranks, [&](SeatSet set) {
      if (!app_.usable(set)) return;
      const Lanes lanes = row_of_whole(set);
      for_each_member(set, [&](int a) { Algebra::join(all, lanes[static_cast<std::size_t>(a)]); });
    });
    return all;
  }

  // The seat of every rank in an embedding with that outcome; after solve() only.
  std::vector<int> embed(Target target) const {
    std::vector<int> seat_of(static_cast<std::size_t>(app_.ranks), -1);
    bool found = false;
    for_each_subset(app_.seats, app_.ranks, [&](SeatSet set) {
      if (found || !app_.usable(set)) return;
      const Lanes lanes = row_of_whole(set);
      for_each_member(set, [&](int a) {
        const Value& value = lanes[static_cast<std::size_t>(a)];
        if (found || !Algebra::reached(value) || !Algebra::contains(value, target)) return;
        found = true;
        walk_back(tree_.root(), set, a, target, seat_of);
      });
    });
    return seat_of;
  }

 private:
  using Lanes = std::array<Value, most_seats>;

  // A rank with its first children. Rows are kept where another child is merged to it; else they
  // follow from the children and `rows` is null. Lanes that are not in the row's set are not reached.
  struct Part {
    int size;
    Value* rows;
  };

  std::vector<Part>& parts_of(int rank) { return parts_[static_cast<std::size_t>(rank)]; }
  const std::vector<Part>& parts_of(int rank) const {
    return parts_[static_cast<std::size_t>(rank)];
  }
  const std::vector<int>& children_of(int rank) const {
    return tree_.children[static_cast<std::size_t>(rank)];
  }
  bool allows(int rank, int seat) const {
    return (app_.allowed[static_cast<std::size_t>(rank)] >> seat & 1) != 0;
  }

  // One block for all rows: small jobs are as fast as memory is handed out.
  void share_out_memory() {
    std::vector<std::pair<Value**, std::size_t>> wanted;
    for (int rank = 0; rank < app_.ranks; ++rank) {
      const std::vector<int>& children = children_of(rank);
      std::vector<Part>& parts = parts_of(rank);
      parts.push_back({1, nullptr});
      for (int child : children)
        parts.push_back({parts.back().size + tree_.size[static_cast<std::size_t>(child)], nullptr});
      for (std::size_t merged = 1; merged < parts.size() && children.size() > 1; ++merged)
        if (rank != tree_.root() || merged < children.size())
          wanted.emplace_back(&parts[merged].rows, choose(app_.seats, parts[merged].size));
      if (rank != tree_.root())
        wanted.emplace_back(&attached_[static_cast<std::size_t>(rank)],
                            choose(app_.seats, parts.back().size));
    }
    std::size_t rows = 0;
    for (const auto& [place, count] : wanted) rows += count;
    memory_ = std::make_unique_for_overwrite<Value[]>(rows * most_seats);
    rows = 0;
    for (const auto& [place, count] : wanted) {
      *place = memory_.get() + rows * most_seats;
      rows += count;
    }
  }

  // The rank on seat a with its first `merged` children on the rest of the set.
  Value part_value(int rank, std::size_t merged, SeatSet set, int a) const {
    const Part& part = parts_of(rank)[merged];
    const auto lane = static_cast<std::size_t>(a);
    if (part.rows != nullptr) return part.rows[rank_of(set) * most_seats + lane];
    return merged <= 1 ? with_one_child(rank, merged, set, a) : merged_row(rank, merged, set)[lane];
  }
  // With at most one child there is nothing to merge.
  Value with_one_child(int rank, std::size_t merged, SeatSet set, int a) const {
    if (!allows(rank, a)) return Algebra::none_reached();
    if (merged == 0) return Algebra::start();
    const std::size_t rest = rank_of(set & ~(SeatSet{1} << a));
    return attached_to(children_of(rank)[0])[rest * most_seats + static_cast<std::size_t>(a)];
  }
  const Value* attached_to(int child) const { return attached_[static_cast<std::size_t>(child)]; }

  Lanes row_of_whole(SeatSet set) const {
    return merged_row(tree_.root(), children_of(tree_.root()).size(), set);
  }

  void fill_part(int rank, std::size_t merged) {
    Value* row = parts_of(rank)[merged].rows;
    for_each_subset(app_.seats, parts_of(rank)[merged].size, [&](SeatSet set) {
      const Lanes lanes = merged_row(rank, merged, set);
      std::copy(lanes.begin(), lanes.end(), row);
      row += most_seats;
    });
  }

  // attached_[rank]: lane a is the best of the rank's subtree on the set when its parent sits on a.
  void attach(int rank) {
    const std::size_t whole = children_of(rank).size();
    const auto& steps = app_.step(rank, tree_.parent[static_cast<std::size_t>(rank)]);
    Value* row = attached_[static_cast<std::size_t>(rank)];
    for_each_subset(app_.seats, parts_of(rank).back().size, [&](SeatSet set) {
      Lanes lanes;  // not in memory that others may see: it vectorises
      lanes.fill(Algebra::none_reached());
      for_each_member(set, [&](int b) {
        const Value value = part_value(rank, whole, set, b);
        if (!Algebra::reached(value)) return;
        const auto* step = steps.data() + cell(b, 0);
        for (std::size_t lane = 0; lane < most_seats; ++lane)
          Algebra::join(lanes[lane], Algebra::extend(value, step[lane]));
      });
      std::copy(lanes.begin(), lanes.end(), row);
      row += most_seats;
    });
  }

  Lanes merged_row(int rank, std::size_t merged, SeatSet set) const {
    Lanes lanes;
    lanes.fill(Algebra::none_reached());
    if (merged <= 1) {
      for_each_member(set, [&](int a) {
        lanes[static_cast<std::size_t>(a)] = with_one_child(rank, merged, set, a);
      });
      return lanes;
    }
    const Part& part = parts_of(rank)[merged - 1];
    const int child = children_of(rank)[merged - 1];
    if (continues_run(rank, child))
      add_last_leaf(part, set, child, lanes);
    else
      merge_all_splits(part, set, child, lanes);
    return lanes;
  }

  // Whether all children up to this one are leaves alike: then only their set matters, and this one
  // may be taken to sit on the largest seat.
  bool continues_run(int rank, int child) const {
    for (int other : children_of(rank)) {
      if (tree_.size[static_cast<std::size_t>(other)] != 1 ||
          app_.allowed[static_cast<std::size_t>(other)] !=
              app_.allowed[static_cast<std::size_t>(child)] ||
          &app_.step(other, rank) != &app_.step(child, rank))
        return false;
      if (other == child) return true;
    }
    return false;
  }

  void add_leaf(const Part& part, SeatSet set, int child, int seat, SeatSet to,
                Lanes& lanes) const {
    const SeatSet rest = set & ~(SeatSet{1} << seat);
    const Value* before = part.rows + rank_of(rest) * most_seats;
    const Value* attached = attached_to(child) + cell(seat, 0);
    for_each_member(to & rest, [&](int a) {
      if (Algebra::reached(before[a]))
        Algebra::join(lanes[static_cast<std::size_t>(a)], Algebra::merge(before[a], attached[a]));
    });
  }

  void add_last_leaf(const Part& part, SeatSet set, int child, Lanes& lanes) const {
    const int last = 31 - std::countl_zero(set);
    const SeatSet others = set & ~(SeatSet{1} << last);
    add_leaf(part, set, child, last, others, lanes);
    add_leaf(part, set, child, 31 - std::countl_zero(others), SeatSet{1} << last, lanes);
  }

  void merge_all_splits(const Part& part, SeatSet set, int child, Lanes& lanes) const {
    int member[most_seats];
    int members = 0;
    for_each_member(set, [&](int seat) { member[members++] = seat; });
    const int child_size = tree_.size[static_cast<std::size_t>(child)];
    for_each_subset(members, child_size, [&](SeatSet chosen) {
      SeatSet below = 0;
      for_each_member(chosen, [&](int i) { below |= SeatSet{1} << member[i]; });
      const Value* above = part.rows + rank_of(set & ~below) * most_seats;
      const Value* hung = attached_to(child) + rank_of(below) * most_seats;
      for (std::size_t lane = 0; lane < most_seats; ++lane)
        Algebra::join(lanes[lane], Algebra::merge(above[lane], hung[lane]));
    });
  }

  // Splits the outcome of the rank's subtree on the set, with the rank on `seat`, child by child.
  void walk_back(int rank, SeatSet set, int seat, Target target, std::vector<int>& seat_of) const {
    seat_of[static_cast<std::size_t>(rank)] = seat;
    for (std::size_t merged = children_of(rank).size(); merged > 0; --merged)
      split_off(rank, merged, set, seat, target, seat_of);
  }

  // Takes the last of the rank's first `merged` children out of the set and the target.
  void split_off(int rank, std::size_t merged, SeatSet& set, int seat, Target& target,
                 std::vector<int>& seat_of) const {
    int member[most_seats];
    int members = 0;
    for_each_member(set & ~(SeatSet{1} << seat), [&](int other) { member[members++] = other; });
    const int child = children_of(rank)[merged - 1];
    SeatSet taken = 0;
    Target of_part{}, of_child{};
    for_each_subset(members, tree_.size[static_cast<std::size_t>(child)], [&](SeatSet chosen) {
      if (taken != 0) return;
      SeatSet below = 0;
      for_each_member(chosen, [&](int i) { below |= SeatSet{1} << member[i]; });
      const Value above = part_value(rank, merged - 1, set & ~below, seat);
      const Value& hung =
          attached_to(child)[rank_of(below) * most_seats + static_cast<std::size_t>(seat)];
      if (Algebra::split(above, hung, target, of_part, of_child)) taken = below;
    });
    enter_child(child, taken, seat, of_child, seat_of);
    set &= ~taken;
    target = of_part;
  }

  void enter_child(int child, SeatSet set, int parent_seat, Target target,
                   std::vector<int>& seat_of) const {
    const auto& steps = app_.step(child, tree_.parent[static_cast<std::size_t>(child)]);
    bool found = false;
    for_each_member(set, [&](int seat) {
      const Value value = part_value(child, children_of(child).size(), set, seat);
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
  std::vector<Value*> attached_;
  std::unique_ptr<Value[]> memory_;
};

}  // namespace rankmap
