// Free places of a problem, and mappings made from them in order.
#pragma once

#include <span>
#include <vector>

#include "libmap/place/problem.hpp"

namespace rankmap {

// Every slot as often as it can still hold a rank once the fixed ranks sit; ascending.
std::vector<SlotId> free_places(const Problem& problem);

// effbw and preserved are defined inside one node: there the first with room takes the whole job;
// other objectives leave the problem as it is.
Problem on_first_node(const Problem& problem);

// Fixed ranks stay; the others take the places in the given order. Needs enough places.
Mapping fill_in_order(const Problem& problem, std::span<const SlotId> places);

}  // namespace rankmap
