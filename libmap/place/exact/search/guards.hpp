// Guards for the kinds of objectives: sums over pairs, counts of links, sets of slots.
#pragma once

#include <vector>

#include "libmap/model/effbw.hpp"
#include "libmap/place/exact/search/pair_gains.hpp"
#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

// The gains of placed pairs plus the most that open pairs may bring must reach `total`.
class PairGuard : public Guard {
 public:
  PairGuard(const Instance& instance, std::shared_ptr<const PairGains> gains, std::int64_t total);
  bool enter(Rank rank, int slot) override;
  void leave(Rank rank, int slot) override;
  std::int64_t reachable() const { return reachable_; }

 private:
  struct Incident {
    int pair;
    Rank other;
    bool low;  // the rank is the pair's low one
  };
  std::shared_ptr<const PairGains> gains_;
  std::int64_t total_;
  std::int64_t reachable_;
  std::vector<std::vector<Incident>> incident_;
  std::vector<std::int64_t> most_beside_;  // [table][rank is low][slot]: most with one end there
  std::vector<int> slot_of_;
  std::vector<std::int64_t> undo_;
  int slots_;
};

// Placed pairs must not exceed the counts x, y, z (doubles, singles, PCIe) of the target.
class CountGuard : public Guard {
 public:
  CountGuard(const Instance& instance, LinkCounts target);
  // Another target; while no rank is placed.
  void aim_at(LinkCounts target);
  bool enter(Rank rank, int slot) override;
  void leave(Rank rank, int slot) override;

 private:
  void add(Rank rank, int slot, int sign);
  struct Incident {
    Rank other;
    int weight;
  };
  std::vector<std::vector<Incident>> incident_;
  std::vector<int> kind_;  // [a][b]: 0 double, 1 single, 2 PCIe, 3 the same slot
  int total_ = 0;          // of all weights
  int left_[4];
  std::vector<int> slot_of_;
  int slots_;
};

// The slots in use must be part of one of the sets, as bit masks; all of it when all are placed.
class SetGuard : public Guard {
 public:
  SetGuard(int ranks, std::vector<std::uint64_t> sets);
  bool enter(Rank rank, int slot) override;
  void leave(Rank rank, int slot) override;

 private:
  int ranks_;
  std::vector<std::vector<std::uint64_t>> still_;  // by ranks placed
  std::vector<std::uint64_t> used_;
};

// [a * slots + b]: 0 two lanes or more, 1 one lane, 2 none, 3 the same slot.
std::vector<int> link_kinds(const Instance& instance);

}  // namespace rankmap
