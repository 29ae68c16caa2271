// Free places of a problem, mappings made from them in order, and the bound that needs no search.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "libmap/place/problem.hpp"

namespace rankmap {

// Every slot as often as it can still hold a rank once the fixed ranks sit; ascending.
std::vector<SlotId> free_places(const Problem& problem);

// Fixed ranks stay; the others take the places in the given order. Needs enough places.
Mapping fill_in_order(const Problem& problem, std::span<const SlotId> places);

// 0 where the objective is minimised; where it is maximised, what the widest pair would give to
// every pair of the app, or nullopt where no cheap limit is known.
std::optional<double> trivial_bound(const Problem& problem);

}  // namespace rankmap
