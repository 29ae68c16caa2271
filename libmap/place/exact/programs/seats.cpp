// Seats of slots.
#include "libmap/place/exact/programs/seats.hpp"

namespace rankmap {
namespace {
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}
}  // namespace

std::vector<int> Seats::slots(const std::vector<int>& seat_of) const {
  std::vector<int> slot_of;
  for (int seat : seat_of) slot_of.push_back(slot_of_seat[at(seat)]);
  return slot_of;
}

std::optional<Seats> seats_of(const Instance& instance) {
  Seats seats;
  std::vector<int> first(at(instance.slots()));
  for (int slot = 0; slot < instance.slots(); ++slot) {
    first[at(slot)] = seats.count();
    const int places = std::min(instance.capacity(slot), instance.ranks());
    if (seats.count() + places > most_seats) return std::nullopt;
    seats.slot_of_seat.insert(seats.slot_of_seat.end(), at(places), slot);
    seats.shared |= places > 1;
  }
  std::vector<int> seat_of(at(instance.ranks()), none);
  for (Rank rank = 0; rank < instance.ranks(); ++rank) {
    if (instance.fixed(rank) == none) continue;
    seat_of[at(rank)] = first[at(instance.fixed(rank))]++;
    seats.taken |= SeatSet{1} << seat_of[at(rank)];
  }
  const SeatSet all = (SeatSet{1} << seats.count()) - 1;
  for (int seat : seat_of)
    seats.allowed.push_back(seat == none ? all & ~seats.taken : SeatSet{1} << seat);
  return seats;
}

std::function<bool(SeatSet)> excluded_seats(const Search& search, const Seats& seats) {
  if (search.excluded.empty()) return {};
  return [&search, &seats](SeatSet set) {
    std::vector<int> slot_of;
    for_each_member(set, [&](int seat) { slot_of.push_back(seats.slot_of_seat[at(seat)]); });
    return !search.usable(slot_of);
  };
}

}  // namespace rankmap
