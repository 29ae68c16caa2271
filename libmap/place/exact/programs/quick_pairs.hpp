// A short branch and bound before the dynamic programs: many jobs need no more.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "libmap/place/exact/search/pair_gains.hpp"
#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

// A mapping with the largest sum of gains where local search finds it and depth-first search proves it
// within `most_steps`; else nullopt. Nothing may be excluded.
std::optional<std::vector<int>> quick_best_pairs(const Search& search,
                                                 std::shared_ptr<const PairGains> gains,
                                                 std::size_t most_steps);

}  // namespace rankmap
