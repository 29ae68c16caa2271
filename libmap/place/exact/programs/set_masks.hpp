// Sets of seats as mappings and as masks of slots; where a cycle begins.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "libmap/place/exact/programs/seats.hpp"

namespace rankmap {

// A seat for every rank: fixed ranks on theirs, the others ascending on the rest of the set.
template <typename Algebra>
std::vector<int> seat_ranks(const SeatApp<Algebra>& app, const Seats& seats, SeatSet set) {
  SeatSet open = set & ~seats.taken;
  std::vector<int> seat_of;
  for (int rank = 0; rank < app.ranks; ++rank) {
    const SeatSet allowed = app.allowed[static_cast<std::size_t>(rank)];
    const bool fixed = (allowed & seats.taken) != 0;
    seat_of.push_back(std::countr_zero(fixed ? allowed : open));
    if (!fixed) open &= open - 1;
  }
  return seat_of;
}

inline std::vector<std::uint64_t> slot_masks(const Seats& seats, const std::vector<SeatSet>& sets) {
  std::vector<std::uint64_t> masks;
  for (SeatSet set : sets) {
    std::uint64_t mask = 0;
    for_each_member(set, [&](int seat) {
      mask |= std::uint64_t{1} << seats.slot_of_seat[static_cast<std::size_t>(seat)];
    });
    masks.push_back(mask);
  }
  return masks;
}

// A fixed rank where there is one: a cycle program then has one seat to begin with.
inline Rank first_of_cycle(const Instance& instance) {
  for (Rank rank = 0; rank < instance.ranks(); ++rank)
    if (instance.fixed(rank) != none) return rank;
  return 0;
}

}  // namespace rankmap
