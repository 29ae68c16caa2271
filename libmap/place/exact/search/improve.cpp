// First-improvement local search over swaps of two ranks and moves to free slots.
#include "libmap/place/exact/search/improve.hpp"

#include <limits>
#include <numeric>

#include "libmap/base/random.hpp"
#include "libmap/place/exact/structure/branching.hpp"

namespace rankmap {
namespace {

constexpr int random_starts = 3;
constexpr int most_passes = 50;
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

class Improver {
 public:
  Improver(const Search& search, const std::function<double(const std::vector<int>&)>& gain)
      : search_(search), instance_(search.instance), gain_(gain) {}

  std::vector<int> best() {
    std::vector<int> slots;
    for (int slot = 0; slot < instance_.slots(); ++slot)
      slots.insert(slots.end(), at(instance_.room(slot)), slot);
    start(order_by_number(instance_), slots);
    start(order_by_traffic(instance_), slots);
    Random random(1);
    for (int i = 0; i < random_starts && !search_.deadline.passed(); ++i) {
      random.shuffle(slots);
      start(order_by_number(instance_), slots);
    }
    return best_;
  }

 private:
  double valued(const std::vector<int>& slot_of) const {
    return search_.usable(slot_of) ? gain_(slot_of) : -std::numeric_limits<double>::infinity();
  }

  void start(const std::vector<Rank>& order, const std::vector<int>& slots) {
    std::vector<int> slot_of(at(instance_.ranks()));
    left_.assign(at(instance_.slots()), 0);
    for (int slot = 0; slot < instance_.slots(); ++slot) left_[at(slot)] = instance_.room(slot);
    std::size_t next = 0;
    for (Rank rank : order) {
      const int fixed = instance_.fixed(rank);
      slot_of[at(rank)] = fixed == none ? slots[next++] : fixed;
      if (fixed == none) --left_[at(slot_of[at(rank)])];
    }
    double value = valued(slot_of);
    for (int pass = 0; pass < most_passes && improve(slot_of, value); ++pass)
      if (search_.deadline.passed()) break;
    if (value > best_value_) best_value_ = value, best_ = slot_of;
  }

  bool improve(std::vector<int>& slot_of, double& value) {
    bool any = false;
    for (Rank rank = 0; rank < instance_.ranks(); ++rank) {
      if (instance_.fixed(rank) != none) continue;
      for (Rank other = rank + 1; other < instance_.ranks(); ++other)
        if (instance_.fixed(other) == none) any |= try_swap(slot_of, rank, other, value);
      for (int slot = 0; slot < instance_.slots(); ++slot)
        if (left_[at(slot)] > 0) any |= try_move(slot_of, rank, slot, value);
    }
    return any;
  }

  bool try_swap(std::vector<int>& slot_of, Rank a, Rank b, double& value) const {
    if (slot_of[at(a)] == slot_of[at(b)]) return false;
    std::swap(slot_of[at(a)], slot_of[at(b)]);
    const double swapped = valued(slot_of);
    if (swapped > value) return value = swapped, true;
    std::swap(slot_of[at(a)], slot_of[at(b)]);
    return false;
  }

  bool try_move(std::vector<int>& slot_of, Rank rank, int slot, double& value) {
    const int before = slot_of[at(rank)];
    if (before == slot) return false;
    slot_of[at(rank)] = slot;
    const double moved = valued(slot_of);
    if (moved > value) {
      ++left_[at(before)];
      --left_[at(slot)];
      value = moved;
      return true;
    }
    slot_of[at(rank)] = before;
    return false;
  }

  const Search& search_;
  const Instance& instance_;
  const std::function<double(const std::vector<int>&)>& gain_;
  std::vector<int> left_;
  std::vector<int> best_;
  double best_value_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<int> improved(const Search& search,
                          const std::function<double(const std::vector<int>&)>& gain) {
  return Improver(search, gain).best();
}

}  // namespace rankmap
