// Local search: a good mapping for the searches to begin with, and all there is beyond their reach.
#pragma once

#include <functional>
#include <vector>

#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

// The best mapping of swaps and moves from a few starts (in order, greedy orders, random ones of a
// fixed seed). `gain` is maximised; excluded sets are never returned: empty when only these were met.
// O(starts x passes x ranks x slots) calls of `gain`; stops at the deadline after the first start.
std::vector<int> improved(const Search& search,
                          const std::function<double(const std::vector<int>&)>& gain);

}  // namespace rankmap
