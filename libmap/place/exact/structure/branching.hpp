// Which slots a depth-first search must try for its next rank: capacity, fixed ranks, and one of
// every class of equal choices, so that the lexicographically smallest mapping of a class stays.
#pragma once

#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

class Branching {
 public:
  // Ranks are placed in `order`. `twins` and `node_twins` as in symmetry.hpp; without use of machine
  // symmetry (sets are excluded, say) pass `plain_slots`.
  Branching(const Instance& instance, std::vector<Rank> order, std::vector<int> twins,
            std::vector<int> node_twins);
  // Without any symmetry of slots; that of ranks is kept.
  Branching(const Instance& instance, std::vector<Rank> order);

  int depth_of_all() const { return static_cast<int>(order_.size()); }
  Rank rank_at(int depth) const { return order_[static_cast<std::size_t>(depth)]; }
  // Calls visit(slot), ascending, between place() and remove(); stops when visit returns false.
  template <typename Visit>
  bool for_each_slot(int depth, Visit visit) {
    const Rank rank = rank_at(depth);
    const int fixed = instance_.fixed(rank);
    const int first = fixed == none ? first_slot(rank) : fixed;
    const int end = fixed == none ? instance_.slots() : fixed + 1;
    for (int slot = first; slot < end; ++slot) {
      if (fixed == none && !worth_trying(slot)) continue;
      place(rank, slot, fixed == none);
      const bool go_on = visit(slot);
      remove(rank, slot, fixed == none);
      if (!go_on) return false;
    }
    return true;
  }

 private:
  int first_slot(Rank rank) const;
  bool worth_trying(int slot) const;
  void place(Rank rank, int slot, bool takes_room);
  void remove(Rank rank, int slot, bool takes_room);

  const Instance& instance_;
  std::vector<Rank> order_;
  std::vector<std::vector<Rank>> above_;
  std::vector<int> twins_;
  std::vector<int> node_twins_;
  std::vector<int> left_;  // room of every slot
  std::vector<int> used_;  // ranks on every slot
  std::vector<int> used_of_node_;
  std::vector<int> slot_of_;
  bool shared_slots_ = false;
};

// 0, 1, 2, ...: the order in which the first complete mapping of equals is the smallest.
std::vector<Rank> order_by_number(const Instance& instance);
// The rank with most traffic first, then always the one that talks most with those before.
std::vector<Rank> order_by_traffic(const Instance& instance);

}  // namespace rankmap
