// Bytes on links while ranks are placed and taken back one by one; the congestion time so far.
#pragma once

#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

class LoadTracker {
 public:
  explicit LoadTracker(const Instance& instance);

  // Least time of every phase over all mappings, a limit that the phases then start from.
  void set_floor(std::vector<double> seconds_of_phase);
  // Adds the traffic between the rank and those placed before. Costs its talks x hops.
  void place(Rank rank, int slot);
  // Takes back the rank placed last.
  void remove_last();
  int slot_of(Rank rank) const { return slot_of_[static_cast<std::size_t>(rank)]; }  // or none
  const std::vector<int>& slots_of() const { return slot_of_; }
  // Sum over phases of the busiest link's time; only grows while ranks are placed.
  double seconds() const { return seconds_; }

 private:
  struct Placed {
    Rank rank;
    double seconds;
    std::size_t changes;  // size of changes_ before
  };
  struct PhaseChange {
    std::int32_t phase;
    double worst;
  };
  void load(int from, int to, const Talk& talk);

  const Instance& instance_;
  std::vector<int> slot_of_;
  std::vector<Bytes> loads_;   // [phase][link]
  std::vector<double> worst_;  // [phase]
  double seconds_ = 0;
  std::vector<Placed> placed_;
  std::vector<PhaseChange> changes_;
};

// A lower limit of every phase's time: what a rank sends or receives must pass the links at its slot.
std::vector<double> phase_floors(const Instance& instance);

}  // namespace rankmap
