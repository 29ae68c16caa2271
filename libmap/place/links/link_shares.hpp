// Which links carry what share of the bytes between two slots, kept once it was asked for.
#pragma once

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
  explicit LinkShares(const Machine& machine)
      : machine_(machine), loads_(static_cast<std::size_t>(machine.links()), 0.0) {}

  // Valid until the next call. O(links) the first time a pair is asked for, O(links of the pair) later.
  std::span<const LinkShare> of(SlotId from, SlotId to);

 private:
  void measure(SlotId from, SlotId to, std::vector<LinkShare>& shares);

  const Machine& machine_;
  std::vector<double> loads_;
  std::vector<LinkId> route_;
  std::unordered_map<std::uint64_t, std::vector<LinkShare>> known_;
};

}  // namespace rankmap
