// mapa2021: which counts of double, single and PCIe pairs can be reached, and the best of them.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "libmap/place/exact/programs/algebra.hpp"
#include "libmap/place/exact/programs/cycle_dp.hpp"
#include "libmap/place/exact/programs/seats.hpp"
#include "libmap/place/exact/programs/set_masks.hpp"
#include "libmap/place/exact/programs/star_counts.hpp"
#include "libmap/place/exact/programs/tree_dp.hpp"
#include "libmap/place/exact/search/guards.hpp"
#include "libmap/place/exact/search/improve.hpp"
#include "libmap/place/exact/search/searches.hpp"
#include "libmap/place/exact/structure/branching.hpp"
#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

double value_of_counts(const LinkCounts& counts) {
  return mapa2021(counts.doubles, counts.singles, counts.pcie);
}

// Cut at a million: far beyond what any search here can count.
int total_weight(const CommGraph& app) {
  std::uint64_t total = 0;
  for (const Pair& pair : app.pairs()) total += pair.weight;
  return static_cast<int>(std::min<std::uint64_t>(total, 1'000'000));
}

// What these counts bring at most: every pair the widest of its kind.
std::int64_t most_aggbw(const Instance& instance, const LinkCounts& counts) {
  const std::vector<int> kinds = link_kinds(instance);
  std::array<std::int64_t, 4> widest{};
  for (int a = 0; a < instance.slots(); ++a) {
    for (int b = 0; b < instance.slots(); ++b) {
      std::int64_t& most = widest[static_cast<std::size_t>(
          kinds[static_cast<std::size_t>(a * instance.slots() + b)])];
      most = std::max(most, static_cast<std::int64_t>(instance.bandwidth(a, b)));
    }
  }
  return counts.doubles * widest[0] + counts.singles * widest[1] + counts.pcie * widest[2];
}

Primary found(const Search& search, std::vector<int> slot_of) {
  Primary primary;
  const CommGraph& app = search.instance.app();
  const LinkCounts counts =
      count_links(app, search.instance.problem().machine, search.instance.mapping(slot_of));
  primary.guard = std::make_unique<CountGuard>(search.instance, counts);
  primary.most_aggbw = most_aggbw(search.instance, counts);
  primary.slot_of = std::move(slot_of);
  return primary;
}

// The reachable counts with the best value; the first of equals.
template <typename Algebra>
int best_target(const typename Algebra::Value& reachable, int total) {
  int best = -1;
  double best_value = 0;
  Algebra::for_each_target(reachable, [&](int target) {
    const int doubles = target / (total + 1), singles = target % (total + 1);
    const double value = mapa2021(doubles, singles, total - doubles - singles);
    if (best >= 0 && value <= best_value) return;
    best = target;
    best_value = value;
  });
  return best;
}

template <typename Algebra, typename Dp>
Primary run(const Search& search, const Seats& seats, int total, Dp dp) {
  const int target = best_target<Algebra>(dp.solve(), total);
  if (target < 0) return {};  // every set is excluded
  return found(search, seats.slots(dp.embed(target)));
}

template <typename Algebra>
Primary best_clique(const Search& search, const Seats& seats, const SeatApp<Algebra>& app,
                    int total) {
  const auto& step = app.step(0, 1);
  std::vector<SeatSet> sets;
  double best = 0;
  std::vector<int> known(static_cast<std::size_t>((total + 1) * (total + 1)), -1);
  std::vector<double> value(known.size());
  for_each_subset(app.seats, app.ranks, [&](SeatSet set) {
    if ((set & seats.taken) != seats.taken) return;
    std::size_t target = 0;
    for (SeatSet rest = set; rest != 0; rest &= rest - 1) {
      const int a = std::countr_zero(rest);
      for_each_member(rest & (rest - 1),
                      [&](int b) { target += static_cast<std::size_t>(step[cell(a, b)]); });
    }
    if (known[target] < 0) {
      const int doubles = static_cast<int>(target) / (total + 1);
      const int singles = static_cast<int>(target) % (total + 1);
      value[target] = mapa2021(doubles, singles, total - doubles - singles);
      known[target] = 1;
    }
    if ((!sets.empty() && value[target] < best) || !app.usable(set)) return;
    if (sets.empty() || value[target] > best) sets.clear();
    best = value[target];
    sets.push_back(set);
  });
  if (sets.empty()) return {};
  Primary primary = found(search, seats.slots(seat_ranks(app, seats, sets.front())));
  primary.guard = std::make_unique<SetGuard>(app.ranks, slot_masks(seats, sets));
  return primary;
}

// Counts in falling order of value; for each a depth-first search for an embedding that has them.
class CountSearch {
 public:
  explicit CountSearch(const Search& search)
      : search_(search),
        total_(total_weight(search.instance.app())),
        guard_(search.instance, {}),
        branching_(search.excluded.empty()
                       ? Branching(search.instance, order_by_traffic(search.instance),
                                   slot_twins(search.instance), {})
                       : Branching(search.instance, order_by_traffic(search.instance))),
        slot_of_(static_cast<std::size_t>(search.instance.ranks()), none) {
    for (int slot = 0; slot < search.instance.slots(); ++slot)
      shared_ |= search.instance.capacity(slot) > 1;
  }

  // All counts, until the deadline.
  Primary run() {
    Primary fallback = good_start();
    if (total_ > (shared_ ? most_total_shared : most_total)) {
      fallback.proven = false;
      return fallback;
    }
    for (const LinkCounts& target : targets()) {
      if (fallback.slot_of && value_of_counts(target) <= value_of_fallback(fallback)) break;
      if (embeds(target)) return found(search_, slot_of_);
      if (!stopped_) continue;
      fallback.proven = false;
      fallback.bound = value_of_counts(target);
      break;
    }
    return fallback;
  }

  // The optimum where it is found and proven in that many steps; else nullopt.
  std::optional<Primary> run_for(std::size_t steps) {
    most_steps_ = steps;
    for (const LinkCounts& target : targets()) {
      if (embeds(target)) return found(search_, slot_of_);
      if (stopped_) break;
    }
    return std::nullopt;
  }

 private:
  std::vector<LinkCounts> targets() const {
    std::vector<LinkCounts> all;
    for (int x = 0; x <= total_; ++x)
      for (int y = 0; x + y <= total_; ++y)
        for (int z = shared_ ? 0 : total_ - x - y; x + y + z <= total_; ++z)
          all.push_back({x, y, z, 0});
    std::ranges::stable_sort(all, std::greater<>(), value_of_counts);
    return all;
  }

  bool embeds(const LinkCounts& target) {
    guard_.aim_at(target);
    return descend(0);
  }

  // What is left when the deadline passes.
  Primary good_start() {
    std::vector<int> slot_of = improved(search_, [&](const std::vector<int>& slots) {
      return value_of_counts(count_links(search_.instance.app(), search_.instance.problem().machine,
                                         search_.instance.mapping(slots)));
    });
    return slot_of.empty() ? Primary{} : found(search_, std::move(slot_of));
  }

  double value_of_fallback(const Primary& fallback) const {
    return value_of_counts(count_links(search_.instance.app(), search_.instance.problem().machine,
                                       search_.instance.mapping(*fallback.slot_of)));
  }

  bool descend(int depth) {
    if (depth == branching_.depth_of_all()) return search_.usable(slot_of_);
    const Rank rank = branching_.rank_at(depth);
    return !branching_.for_each_slot(depth, [&](int slot) {
      if (++steps_ > most_steps_ || ((steps_ & 1023) == 0 && search_.deadline.passed()))
        stopped_ = true;
      if (stopped_) return true;
      slot_of_[static_cast<std::size_t>(rank)] = slot;
      const bool there = guard_.enter(rank, slot) && descend(depth + 1);
      guard_.leave(rank, slot);
      return !there;
    });
  }

  // Beyond this total of weights there are too many counts to try them one by one.
  static constexpr int most_total = 400;
  static constexpr int most_total_shared = 60;

  const Search& search_;
  int total_;
  bool shared_ = false;  // ranks of one slot count nowhere
  CountGuard guard_;
  Branching branching_;
  std::vector<int> slot_of_;
  std::size_t steps_ = 0;
  std::size_t most_steps_ = std::numeric_limits<std::size_t>::max();
  bool stopped_ = false;
};

template <typename Algebra>
SeatApp<Algebra> counting_app(const Search& search, const Seats& seats, int total) {
  const std::vector<int> kinds = link_kinds(search.instance);
  const int shift_of_kind[] = {total + 1, 1, 0, 0};
  const auto pairs = search.instance.app().pairs();
  return seat_app<Algebra>(search, seats, [&](int pair, int a, int b) {
    const int kind = kinds[static_cast<std::size_t>(a * search.instance.slots() + b)];
    return shift_of_kind[kind] * static_cast<int>(pairs[static_cast<std::size_t>(pair)].weight);
  });
}

template <typename Algebra>
Primary by_program(const Search& search, const Seats& seats, const AppShape& shape, int total) {
  const auto app = counting_app<Algebra>(search, seats, total);
  if (shape.shape == Shape::forest)
    return run<Algebra>(search, seats, total,
                        TreeDp<Algebra>(app, cheapest_rooting(app.ranks, shape.tree, app.seats)));
  return run<Algebra>(search, seats, total,
                      CycleDp<Algebra>(app, shape.cycle, rotates(app, shape.cycle)));
}

}  // namespace

Primary search_counts(const Search& search) {
  const std::optional<Seats> seats = seats_of(search.instance);
  const AppShape shape = shape_of(search.instance.app(), first_of_cycle(search.instance));
  const int total = total_weight(search.instance.app());
  if (!seats || seats->shared || shape.shape == Shape::general || total > 1000)
    return CountSearch(search).run();
  if (shape.shape == Shape::clique) {
    const auto app = counting_app<ReachableCounts<1>>(search, *seats, total);
    if (all_alike(app)) return best_clique(search, *seats, app, total);
  }
  if (search.excluded.empty())
    if (std::optional<std::vector<int>> star = best_star_counts(search.instance))
      return found(search, *std::move(star));
  const std::size_t few_steps = search.instance.ranks() <= 8 ? 30'000 : 300'000;
  if (std::optional<Primary> quick = CountSearch(search).run_for(few_steps))
    return *std::move(quick);
  const bool program = shape.shape == Shape::forest || !shape.cycle.empty();
  const int bits = (total + 1) * (total + 1);
  if (program && bits <= 64) return by_program<ReachableCounts<1>>(search, *seats, shape, total);
  if (program && bits <= 128) return by_program<ReachableCounts<2>>(search, *seats, shape, total);
  if (program && bits <= 320) return by_program<ReachableCounts<5>>(search, *seats, shape, total);
  return CountSearch(search).run();
}

}  // namespace rankmap
