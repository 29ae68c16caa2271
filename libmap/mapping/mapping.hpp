// rank -> slot, and what makes it valid.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/machine/machine.hpp"

namespace rankmap {

// slot_of[rank]; as many entries as the app has ranks.
struct Mapping {
  std::vector<SlotId> slot_of;

  Rank ranks() const { return static_cast<Rank>(slot_of.size()); }
  SlotId operator[](Rank rank) const { return slot_of[static_cast<std::size_t>(rank)]; }
  friend auto operator<=>(const Mapping&, const Mapping&) = default;
};

// Why the mapping is not valid on the machine: a slot out of range or forbidden, more ranks on a
// slot than ranks_per_slot. "" when it is valid.
std::string defect_of(const Mapping& mapping, const Machine& machine, int ranks_per_slot,
                      std::span<const SlotId> forbidden);

}  // namespace rankmap
