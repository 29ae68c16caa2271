// Which links carry what share of the bytes between two slots, kept once it was asked for.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "libmap/machine/machine.hpp"

namespace rankmap {

struct LinkShare {
  LinkId link;
  float share;  // of the bytes of the pair; 1 on a single path
};

class LinkShares {
 public:
  explicit LinkShares(const Machine& machine);

  // Valid until the next call. O(links) the first time a pair is asked for, O(1) later as long as
  // it is kept: at most about 32 MiB are.
  std::span<const LinkShare> of(SlotId from, SlotId to);

 private:
  static constexpr std::int64_t unknown = -1;
  // The shares of a pair lie in a row in shares_.
  struct Row {
    std::int64_t begin = unknown;
    std::int32_t count = 0;
  };
  Row& row_of(SlotId from, SlotId to);
  void forget();  // what was kept, when it is much
  Row measured(SlotId from, SlotId to);
  void take_loads();

  const Machine& machine_;
  std::vector<double> loads_;
  std::vector<LinkId> route_;
  std::vector<LinkShare> shares_;
  std::vector<Row> table_;  // [from][to]; empty: too many pairs, then known_
  std::unordered_map<std::uint64_t, Row> known_;
};

}  // namespace rankmap
