// aggbw, hopbytes and offnode: the dynamic program that fits the app's shape, else branch and bound.
#include "libmap/place/exact/programs/algebra.hpp"
#include "libmap/place/exact/programs/cycle_dp.hpp"
#include "libmap/place/exact/programs/quick_pairs.hpp"
#include "libmap/place/exact/programs/seats.hpp"
#include "libmap/place/exact/programs/set_masks.hpp"
#include "libmap/place/exact/programs/tree_dp.hpp"
#include "libmap/place/exact/search/guards.hpp"
#include "libmap/place/exact/search/searches.hpp"

namespace rankmap {
namespace {

constexpr std::size_t few_steps = 10'000;  // about a tenth of a program's time

using Gains = std::shared_ptr<const PairGains>;

Primary found(const Search& search, const Gains& gains, std::vector<int> slot_of) {
  Primary primary;
  primary.slot_of = std::move(slot_of);
  primary.guard =
      std::make_unique<PairGuard>(search.instance, gains, gains->total(*primary.slot_of));
  return primary;
}

template <typename Dp>
Primary run(const Search& search, const Gains& gains, const Seats& seats, Dp dp) {
  const auto best = dp.solve();
  if (best < 0) return {};  // every set is excluded
  return found(search, gains, seats.slots(dp.embed(best)));
}

// Every two ranks talk alike: the set of seats is the value.
template <typename Algebra>
Primary best_clique(const Search& search, const Gains& gains, const Seats& seats,
                    const SeatApp<Algebra>& app) {
  const auto& step = app.step(0, 1);
  typename Algebra::Value best = -1;
  std::vector<SeatSet> sets;
  for_each_subset(app.seats, app.ranks, [&](SeatSet set) {
    if ((set & seats.taken) != seats.taken) return;
    typename Algebra::Value sum = 0;
    for (SeatSet rest = set; rest != 0; rest &= rest - 1) {
      const int a = std::countr_zero(rest);
      for_each_member(rest & (rest - 1), [&](int b) { sum += step[cell(a, b)]; });
    }
    if (sum < best || !app.usable(set)) return;
    if (sum > best) sets.clear();
    best = sum;
    sets.push_back(set);
  });
  if (sets.empty()) return {};
  Primary primary = found(search, gains, seats.slots(seat_ranks(app, seats, sets.front())));
  if (!seats.shared) primary.guard = std::make_unique<SetGuard>(app.ranks, slot_masks(seats, sets));
  return primary;
}

template <typename Algebra>
Primary by_program(const Search& search, const Gains& gains, const Seats& seats,
                   const AppShape& shape) {
  const auto app = seat_app<Algebra>(
      search, seats, [&](int pair, int a, int b) { return gains->gain(pair, a, b); });
  if (shape.shape == Shape::forest)
    return run(search, gains, seats,
               TreeDp<Algebra>(app, cheapest_rooting(app.ranks, shape.tree, app.seats)));
  if (shape.shape == Shape::clique && all_alike(app)) return best_clique(search, gains, seats, app);
  if (!shape.cycle.empty())
    return run(search, gains, seats, CycleDp<Algebra>(app, shape.cycle, rotates(app, shape.cycle)));
  return branch_and_bound(search, gains);
}

}  // namespace

Primary search_pairs(const Search& search) {
  const auto gains = std::make_shared<const PairGains>(search.instance);
  const std::optional<Seats> seats = seats_of(search.instance);
  const AppShape shape = shape_of(search.instance.app(), first_of_cycle(search.instance));
  if (!seats || shape.shape == Shape::general) return branch_and_bound(search, gains);
  if (search.excluded.empty() && shape.shape != Shape::clique)
    if (std::optional<std::vector<int>> quick = quick_best_pairs(search, gains, few_steps))
      return found(search, gains, *std::move(quick));
  if (gains->most_total() < BestSum<std::int32_t>::limit)
    return by_program<BestSum<std::int32_t>>(search, gains, *seats, shape);
  if (gains->most_total() < BestSum<std::int64_t>::limit)
    return by_program<BestSum<std::int64_t>>(search, gains, *seats, shape);
  return branch_and_bound(search, gains);
}

}  // namespace rankmap
