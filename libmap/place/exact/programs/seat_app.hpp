// An app on seats: what the dynamic programs take. A seat is a slot's place for one rank.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <vector>

#include "libmap/place/exact/programs/subset_index.hpp"

namespace rankmap {

// gain[a * most_seats + b]: of one pair with its first rank on seat a and its second on seat b.
template <typename Step>
using StepTable = std::array<Step, most_seats * most_seats>;

template <typename Algebra>
struct SeatApp {
  using Step = typename Algebra::Step;
  int ranks = 0;
  int seats = 0;
  std::vector<SeatSet> allowed;        // of every rank
  std::deque<StepTable<Step>> tables;  // different gain tables; addresses stay
  // step(u, v): the table of the pair u-v with rows for u's seat; pairs without traffic: no gain.
  std::vector<const StepTable<Step>*> table_of;  // [u * ranks + v]
  std::function<bool(SeatSet)> excluded;         // whole sets that must not be used; empty: none

  const StepTable<Step>& step(int u, int v) const {
    return *table_of[static_cast<std::size_t>(u * ranks + v)];
  }
  bool usable(SeatSet whole) const { return !excluded || !excluded(whole); }
};

inline std::size_t cell(int a, int b) {
  return static_cast<std::size_t>(a * most_seats + b);
}

}  // namespace rankmap
