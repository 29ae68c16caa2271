// ring, tree and preserved: sets of slots in falling order of a cheap limit.
#include <algorithm>
#include <bit>
#include <optional>

#include "libmap/place/exact/search/guards.hpp"
#include "libmap/place/exact/search/improve.hpp"
#include "libmap/place/exact/search/searches.hpp"
#include "libmap/place/exact/search/set_value.hpp"
#include "libmap/place/ranking.hpp"

namespace rankmap {
namespace {

constexpr std::size_t most_sets = 400'000;

struct LimitedSet {
  std::uint64_t mask;
  std::optional<double> limit;  // nullopt: no value, worse than any
};

std::vector<int> members(std::uint64_t mask) {
  std::vector<int> slots;
  for (; mask != 0; mask &= mask - 1) slots.push_back(std::countr_zero(mask));
  return slots;
}

class SetSearch {
 public:
  explicit SetSearch(const Search& search) : search_(search), instance_(search.instance) {
    for (Rank rank = 0; rank < instance_.ranks(); ++rank)
      if (instance_.fixed(rank) != none) must_ |= std::uint64_t{1} << instance_.fixed(rank);
  }

  Primary run() {
    if (!collect(0, 0, 0)) return by_improvement();
    std::stable_sort(sets_.begin(), sets_.end(), [](const LimitedSet& a, const LimitedSet& b) {
      return better_value(a.limit, b.limit, true);
    });
    for (const LimitedSet& set : sets_) {
      if (!best_sets_.empty() && better_value(best_, set.limit, true)) break;
      if (!best_sets_.empty() && search_.deadline.passed()) {
        stop_at(set.limit);
        break;
      }
      consider(set.mask);
    }
    return result();
  }

 private:
  // All sets that hold the fixed ranks and have room for all ranks; false when there are too many.
  bool collect(int slot, std::uint64_t mask, int room) {
    if (slot == instance_.slots()) {
      if ((mask & must_) != must_ || room < instance_.ranks()) return true;
      if (!search_.usable(members(mask))) return true;
      sets_.push_back({mask, set_limit(instance_, members(mask))});
      return sets_.size() <= most_sets;
    }
    if (std::popcount(mask) == instance_.ranks()) return collect(instance_.slots(), mask, room);
    if (std::popcount(mask | must_) > instance_.ranks()) return true;
    if (!room_ahead(slot, room)) return true;
    return collect(slot + 1, mask | std::uint64_t{1} << slot, room + instance_.capacity(slot)) &&
           collect(slot + 1, mask, room);
  }

  bool room_ahead(int slot, int room) const {
    for (; slot < instance_.slots() && room < instance_.ranks(); ++slot)
      room += instance_.capacity(slot);
    return room >= instance_.ranks();
  }

  void consider(std::uint64_t mask) {
    const SetValue value = set_value(instance_, members(mask));
    if (!value.proven && (!open_limit_ || *value.limit > *open_limit_)) open_limit_ = value.limit;
    if (!best_sets_.empty() && better_value(best_, value.value, true)) return;
    if (best_sets_.empty() || better_value(value.value, best_, true)) best_sets_.clear();
    best_ = value.value;
    best_sets_.push_back(mask);
  }

  // The deadline has passed: the limit of the next set is the best that may still exist.
  void stop_at(std::optional<double> limit) {
    complete_ = false;
    if (better_value(limit, best_, true) && (!open_limit_ || *limit > *open_limit_))
      open_limit_ = limit;
  }

  // Fixed ranks stay; the others fill the set in order, every slot at least once.
  std::vector<int> ranks_on(std::uint64_t mask) const {
    std::vector<int> slot_of, places, extra;
    for (int slot : members(mask)) {
      const int room = instance_.room(slot);
      const bool used = room != instance_.capacity(slot);
      for (int i = 0; i < room; ++i) (i == 0 && !used ? places : extra).push_back(slot);
    }
    places.insert(places.end(), extra.begin(), extra.end());
    std::size_t next = 0;
    for (Rank rank = 0; rank < instance_.ranks(); ++rank)
      slot_of.push_back(instance_.fixed(rank) == none ? places[next++] : instance_.fixed(rank));
    return slot_of;
  }

  Primary result() {
    Primary primary;
    if (best_sets_.empty()) return primary;
    primary.slot_of = ranks_on(best_sets_.front());
    primary.proven = !open_limit_ || !better_value(open_limit_, best_, true);
    if (!primary.proven) primary.bound = open_limit_;
    primary.all_equals = primary.machine_symmetry = complete_ && primary.proven;
    primary.guard = std::make_unique<SetGuard>(instance_.ranks(), std::move(best_sets_));
    return primary;
  }

  // Too many sets to list them: local search, without a bound.
  Primary by_improvement() {
    Primary primary;
    primary.proven = primary.all_equals = primary.machine_symmetry = false;
    std::vector<int> slot_of = improved(search_, [&](const std::vector<int>& slots) {
      std::vector<int> set = slots;
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      return set_value(instance_, set).value.value_or(-1.0);
    });
    if (slot_of.empty()) return primary;
    std::uint64_t mask = 0;
    for (int slot : slot_of) mask |= std::uint64_t{1} << slot;
    primary.guard = std::make_unique<SetGuard>(instance_.ranks(), std::vector{mask});
    primary.slot_of = std::move(slot_of);
    return primary;
  }

  const Search& search_;
  const Instance& instance_;
  std::uint64_t must_ = 0;
  std::vector<LimitedSet> sets_;
  std::optional<double> best_;
  std::vector<std::uint64_t> best_sets_;
  std::optional<double> open_limit_;  // of sets whose value is not known for sure
  bool complete_ = true;
};

}  // namespace

Primary search_sets(const Search& search) {
  return SetSearch(search).run();
}

}  // namespace rankmap
