// Among mappings of equal value the one with the smallest tie key, then the smallest mapping.
#pragma once

#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

struct TieResult {
  std::vector<int> slot_of;
  bool complete = false;
};

// Depth-first in lexicographic order, cut by partial tie keys, symmetry and the guard. Stops after a
// number of steps that depends on the instance's size only, so the result does not depend on the
// machine's speed unless the deadline passes.
TieResult best_of_equals(const Search& search, Primary& primary);

}  // namespace rankmap
