// The tie key of a partial mapping: a lower limit of that of its completions, exact when complete.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "libmap/place/exact/search/load_tracker.hpp"

namespace rankmap {

// Like TieKey, with aggbw in integers.
struct PartialKey {
  double congestion_seconds = 0;
  std::int64_t negative_aggbw = 0;
  int ranks_per_nic = 0;
  int ranks_per_uplink = 0;
  int numa_nodes = 0;
  friend auto operator<=>(const PartialKey&, const PartialKey&) = default;
};

class TieState {
 public:
  explicit TieState(const Instance& instance);
  void set_floor(std::vector<double> floors) { loads_.set_floor(std::move(floors)); }
  // No completion has more aggbw than that: the objective's own proven optimum.
  void set_most_aggbw(std::int64_t most) { most_aggbw_ = most; }
  void place(Rank rank, int slot);
  void remove_last();
  PartialKey key() const;
  const std::vector<int>& slots_of() const { return loads_.slots_of(); }

 private:
  struct Neighbour {
    Rank other;
    std::uint32_t weight;
  };
  struct Undo {
    Rank rank;
    int slot;
    std::int64_t sum;
    std::int64_t open;
    int ranks_per_nic;
    int ranks_per_uplink;
  };
  const Instance& instance_;
  LoadTracker loads_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::int64_t widest_ = 0;  // of any two slots
  std::int64_t sum_ = 0;     // aggbw of pairs that are placed
  std::int64_t open_ = 0;    // weight of the others
  std::vector<int> on_nic_, on_uplink_, on_numa_;
  std::int64_t most_aggbw_ = std::numeric_limits<std::int64_t>::max();
  int ranks_per_nic_, ranks_per_uplink_;  // begin at the least that any mapping has
  int numa_nodes_ = 0;
  int least_numa_nodes_;
  std::vector<Undo> placed_;
};

}  // namespace rankmap
