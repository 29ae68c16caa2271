// Link counts of a star whose leaves are alike: the hub's slot says which counts can be reached.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

// A mapping with the largest mapa2021 value. nullopt: the app is no star of three or more ranks with
// equal weights, ranks are fixed, or slots hold several ranks. O(slots x ranks^2).
std::optional<std::vector<int>> best_star_counts(const Instance& instance);

}  // namespace rankmap
