// Sets of slots that are not to be used again.
#include "libmap/place/exact/search/primary.hpp"

#include <algorithm>

#include "libmap/place/ranking.hpp"

namespace rankmap {

bool Search::usable(const std::vector<int>& slot_of) const {
  if (excluded.empty()) return true;
  const std::vector<SlotId> used = slots_used(instance.mapping(slot_of));
  return std::find(excluded.begin(), excluded.end(), used) == excluded.end();
}

}  // namespace rankmap
