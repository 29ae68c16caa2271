#include "libmap/mapping/mapping.hpp"

#include <algorithm>
#include <string>

namespace rankmap {

std::string defect_of(const Mapping& mapping, const Machine& machine, int ranks_per_slot,
                      std::span<const SlotId> forbidden) {
  std::vector<int> load(static_cast<std::size_t>(machine.slots()), 0);
  for (Rank rank = 0; rank < mapping.ranks(); ++rank) {
    const SlotId slot = mapping[rank];
    const std::string where =
        "rank " + std::to_string(rank) + " is on slot " + std::to_string(slot);
    if (slot < 0 || slot >= machine.slots())
      return where + ", the machine has slots 0 to " + std::to_string(machine.slots() - 1);
    if (std::find(forbidden.begin(), forbidden.end(), slot) != forbidden.end())
      return where + ", which is busy";
    if (++load[static_cast<std::size_t>(slot)] > ranks_per_slot)
      return where + ", which holds more than " + std::to_string(ranks_per_slot) + " rank" +
             (ranks_per_slot == 1 ? "" : "s") + " then";
  }
  return "";
}

}  // namespace rankmap
