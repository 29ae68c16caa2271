// Slots as seats for one rank each, and an app's gains on them, for the dynamic programs.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "libmap/place/exact/programs/seat_app.hpp"
#include "libmap/place/exact/search/primary.hpp"
#include "libmap/place/exact/structure/app_shape.hpp"

namespace rankmap {

struct Seats {
  std::vector<int> slot_of_seat;
  std::vector<SeatSet> allowed;  // of every rank
  SeatSet taken = 0;             // by fixed ranks
  bool shared = false;           // some slot has several seats
  int count() const { return static_cast<int>(slot_of_seat.size()); }
  std::vector<int> slots(const std::vector<int>& seat_of) const;
};

// nullopt: more than 16 seats.
std::optional<Seats> seats_of(const Instance& instance);

// Whether the slots of a set of seats are an excluded set; empty when nothing is excluded.
std::function<bool(SeatSet)> excluded_seats(const Search& search, const Seats& seats);

// The app on seats. step_of(pair, a, b): the gain of a pair, low rank on slot a, high rank on slot b.
template <typename Algebra, typename StepOf>
SeatApp<Algebra> seat_app(const Search& search, const Seats& seats, StepOf step_of) {
  using Table = StepTable<typename Algebra::Step>;
  SeatApp<Algebra> app;
  app.ranks = search.instance.ranks();
  app.seats = seats.count();
  app.allowed = seats.allowed;
  app.excluded = excluded_seats(search, seats);
  const auto keep = [&](const Table& table) {
    auto found = std::find(app.tables.begin(), app.tables.end(), table);
    if (found == app.tables.end()) found = app.tables.insert(found, table);
    return static_cast<const Table*>(&*found);
  };
  const auto ranks = static_cast<std::size_t>(app.ranks);
  app.table_of.assign(ranks * ranks, keep(Table{}));
  const auto pairs = search.instance.app().pairs();
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    Table forward{}, backward{};
    for (int a = 0; a < app.seats; ++a) {
      for (int b = 0; b < app.seats; ++b) {
        const auto step =
            step_of(static_cast<int>(pair), seats.slot_of_seat[static_cast<std::size_t>(a)],
                    seats.slot_of_seat[static_cast<std::size_t>(b)]);
        forward[cell(a, b)] = static_cast<typename Algebra::Step>(step);
        backward[cell(b, a)] = static_cast<typename Algebra::Step>(step);
      }
    }
    const auto low = static_cast<std::size_t>(pairs[pair].low);
    const auto high = static_cast<std::size_t>(pairs[pair].high);
    app.table_of[low * ranks + high] = keep(forward);
    app.table_of[high * ranks + low] = keep(backward);
  }
  return app;
}

// All pairs gain alike whichever way round.
template <typename Algebra>
bool all_alike(const SeatApp<Algebra>& app) {
  for (int u = 0; u < app.ranks; ++u)
    for (int v = 0; v < app.ranks; ++v)
      if (u != v && &app.step(u, v) != &app.step(0, 1)) return false;
  return true;
}

// Every rank of the cycle may sit on any seat and all steps around it are alike.
template <typename Algebra>
bool rotates(const SeatApp<Algebra>& app, const std::vector<int>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const int next = cycle[(i + 1) % cycle.size()];
    if (&app.step(cycle[i], next) != &app.step(cycle[0], cycle[1]) ||
        app.allowed[i] != app.allowed[0])
      return false;
  }
  return true;
}

}  // namespace rankmap
