// The dynamic programs over subsets against plain enumeration of all embeddings.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>

#include "libmap/base/random.hpp"
#include "libmap/place/exact/programs/algebra.hpp"
#include "libmap/place/exact/search/assignment.hpp"
#include "libmap/place/exact/programs/cycle_dp.hpp"
#include "libmap/place/exact/programs/tree_dp.hpp"

namespace rankmap::test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;
constexpr int total_weight = 6;  // of the counting apps: bits x * 7 + y
using Counts = ReachableCounts<1>;

int below(Random& random, int bound) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
}

Pairs random_tree(Random& random, int ranks) {
  Pairs pairs;
  const bool star = random.below(3) == 0;
  for (int rank = 1; rank < ranks; ++rank) pairs.emplace_back(star ? 0 : below(random, rank), rank);
  return pairs;
}

Pairs cycle_of(int ranks) {
  Pairs pairs;
  for (int rank = 0; rank < ranks; ++rank) pairs.emplace_back(rank, (rank + 1) % ranks);
  return pairs;
}

// Gains of 0..9, or steps of counts 7, 1 and 0, at random; one table for all pairs or one each.
template <typename Algebra>
SeatApp<Algebra> random_app(Random& random, int ranks, int seats, const Pairs& pairs) {
  SeatApp<Algebra> app;
  app.ranks = ranks;
  app.seats = seats;
  app.allowed.assign(static_cast<std::size_t>(ranks), (SeatSet{1} << seats) - 1);
  if (random.below(3) == 0) {  // one rank is fixed
    const int rank = below(random, ranks);
    const SeatSet seat = SeatSet{1} << below(random, seats);
    for (SeatSet& allowed : app.allowed) allowed &= ~seat;
    app.allowed[static_cast<std::size_t>(rank)] = seat;
  }
  app.tables.push_back({});
  app.table_of.assign(static_cast<std::size_t>(ranks * ranks), &app.tables.front());
  const bool alike = random.below(2) == 0;
  const auto add_table = [&](bool symmetric) {
    StepTable<typename Algebra::Step> table{};
    for (int a = 0; a < seats; ++a)
      for (int b = 0; b < seats; ++b) {
        const int counts[] = {total_weight + 1, 1, 0};
        const bool counting = std::is_same_v<Algebra, Counts>;
        table[cell(a, b)] = static_cast<typename Algebra::Step>(counting ? counts[random.below(3)]
                                                                         : below(random, 10));
        if (symmetric && b < a) table[cell(a, b)] = table[cell(b, a)];
      }
    app.tables.push_back(table);
    return &app.tables.back();
  };
  const auto* common = add_table(true);
  for (const auto& [u, v] : pairs) {
    const auto* table = alike ? common : add_table(false);
    StepTable<typename Algebra::Step> turned{};
    for (int a = 0; a < seats; ++a)
      for (int b = 0; b < seats; ++b) turned[cell(b, a)] = (*table)[cell(a, b)];
    if (!alike) app.tables.push_back(turned);
    app.table_of[static_cast<std::size_t>(u * ranks + v)] = table;
    app.table_of[static_cast<std::size_t>(v * ranks + u)] = alike ? table : &app.tables.back();
  }
  return app;
}

template <typename Algebra>
int gain_of(const SeatApp<Algebra>& app, const Pairs& pairs, const std::vector<int>& seat_of) {
  int sum = 0;
  for (const auto& [u, v] : pairs)
    sum += static_cast<int>(app.step(
        u, v)[cell(seat_of[static_cast<std::size_t>(u)], seat_of[static_cast<std::size_t>(v)])]);
  return sum;
}

// The sums of all embeddings.
template <typename Algebra>
std::set<int> all_gains(const SeatApp<Algebra>& app, const Pairs& pairs) {
  std::set<int> gains;
  std::vector<int> seat_of;
  const std::function<void(SeatSet)> place = [&](SeatSet used) {
    if (std::ssize(seat_of) == app.ranks) {
      if (app.usable(used)) gains.insert(gain_of(app, pairs, seat_of));
      return;
    }
    for_each_member(app.allowed[seat_of.size()] & ~used, [&](int seat) {
      seat_of.push_back(seat);
      place(used | SeatSet{1} << seat);
      seat_of.pop_back();
    });
  };
  place(0);
  return gains;
}

template <typename Algebra>
void expect_embedding(const SeatApp<Algebra>& app, const Pairs& pairs,
                      const std::vector<int>& seat_of, int gain) {
  SeatSet used = 0;
  for (std::size_t rank = 0; rank < seat_of.size(); ++rank) {
    EXPECT_TRUE(app.allowed[rank] >> seat_of[rank] & 1);
    used |= SeatSet{1} << seat_of[rank];
  }
  EXPECT_EQ(std::popcount(used), app.ranks);
  EXPECT_TRUE(app.usable(used));
  EXPECT_EQ(gain_of(app, pairs, seat_of), gain);
}

template <typename Value, typename Dp>
void check_best(const SeatApp<BestSum<Value>>& app, const Pairs& pairs, Dp dp) {
  const std::set<int> gains = all_gains(app, pairs);
  const auto best = dp.solve();
  EXPECT_EQ(BestSum<Value>::reached(best), !gains.empty());
  if (gains.empty()) return;
  EXPECT_EQ(best, *gains.rbegin());
  expect_embedding(app, pairs, dp.embed(best), *gains.rbegin());
}

template <typename Dp>
void check_counts(const SeatApp<Counts>& app, const Pairs& pairs, Dp dp) {
  std::set<int> found;
  Counts::for_each_target(dp.solve(), [&](int target) { found.insert(target); });
  EXPECT_EQ(found, all_gains(app, pairs));
  for (int target : found) expect_embedding(app, pairs, dp.embed(target), target);
}

template <typename Algebra>
CycleDp<Algebra> cycle_dp(const SeatApp<Algebra>& app) {
  std::vector<int> cycle(static_cast<std::size_t>(app.ranks));
  std::iota(cycle.begin(), cycle.end(), 0);
  bool rotates = true;
  for (int rank = 0; rank < app.ranks; ++rank)
    rotates &= &app.step(rank, (rank + 1) % app.ranks) == &app.step(0, 1) &&
               app.allowed[static_cast<std::size_t>(rank)] == app.allowed[0];
  return CycleDp<Algebra>(app, cycle, rotates);
}

template <typename Algebra>
void maybe_exclude(Random& random, SeatApp<Algebra>& app) {
  if (random.below(3) != 0) return;
  const SeatSet lowest = (SeatSet{1} << app.ranks) - 1;
  app.excluded = [lowest](SeatSet set) { return set == lowest || (set & 3) == 1; };
}

TEST(SubsetPrograms, FindTheBestTreeAsEnumerationDoes) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const int seats = 1 + below(random, 7), ranks = 1 + below(random, std::min(seats, 6));
    const Pairs pairs = random_tree(random, ranks);
    auto app = random_app<BestSum<std::int32_t>>(random, ranks, seats, pairs);
    maybe_exclude(random, app);
    check_best(app, pairs, TreeDp(app, cheapest_rooting(ranks, pairs, seats)));
  }
}

TEST(SubsetPrograms, FindTheBestCycleAsEnumerationDoes) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const int seats = 3 + below(random, 5), ranks = 3 + below(random, std::min(seats, 6) - 2);
    const Pairs pairs = cycle_of(ranks);
    auto app = random_app<BestSum<std::int64_t>>(random, ranks, seats, pairs);
    maybe_exclude(random, app);
    check_best(app, pairs, cycle_dp(app));
  }
}

TEST(SubsetPrograms, ReachTheCountsOfTreesAsEnumerationDoes) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const int seats = 1 + below(random, 7), ranks = 1 + below(random, std::min(seats, 6));
    const Pairs pairs = random_tree(random, ranks);
    auto app = random_app<Counts>(random, ranks, seats, pairs);
    maybe_exclude(random, app);
    check_counts(app, pairs, TreeDp(app, cheapest_rooting(ranks, pairs, seats)));
  }
}

TEST(SubsetPrograms, ReachTheCountsOfCyclesAsEnumerationDoes) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const int seats = 3 + below(random, 5), ranks = 3 + below(random, std::min(seats, 6) - 2);
    const Pairs pairs = cycle_of(ranks);
    auto app = random_app<Counts>(random, ranks, seats, pairs);
    maybe_exclude(random, app);
    check_counts(app, pairs, cycle_dp(app));
  }
}

TEST(SubsetPrograms, CarryCountsOverSeveralWords) {
  // 16 steps of 17 bits are 272 bits: bit 272 is in the fifth word.
  using Wide = ReachableCounts<5>;
  Wide::Value value = Wide::start();
  for (int i = 0; i < 16; ++i) value = Wide::extend(value, 17);
  EXPECT_TRUE(Wide::contains(value, 272));
  int targets = 0;
  Wide::for_each_target(value, [&](int) { ++targets; });
  EXPECT_EQ(targets, 1);
}

TEST(SubsetIndex, NumbersTheSubsetsOfEachSizeInOrder) {
  for (int size = 0; size <= most_seats; ++size) {
    std::size_t rank = 0;
    for_each_subset(most_seats, size, [&](SeatSet set) { EXPECT_EQ(rank_of(set), rank++); });
    EXPECT_EQ(rank, choose(most_seats, size));
  }
}

TEST(Assignment, FindsTheLargestSumAsEnumerationDoes) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const int columns = 1 + below(random, 6), rows = 1 + below(random, columns);
    std::vector<std::int64_t> gain;
    for (int j = 0; j < rows * columns; ++j) gain.push_back(below(random, 20));
    std::int64_t best = 0;
    std::vector<int> order(static_cast<std::size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    do {
      std::int64_t sum = 0;
      for (int row = 0; row < rows; ++row)
        sum += gain[static_cast<std::size_t>(row * columns + order[static_cast<std::size_t>(row)])];
      best = std::max(best, sum);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(Assignment().largest_sum(gain, rows, columns), best);
  }
}

}  // namespace
}  // namespace rankmap::test
