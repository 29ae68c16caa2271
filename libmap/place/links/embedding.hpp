// Mappings of dilation 1: an app that is a part of its machine's own graph, however its ranks are
// numbered.
#pragma once

#include <optional>

#include "libmap/place/problem.hpp"

namespace rankmap {

// Every two ranks with traffic on slots that are one link apart, or none (as on one node of a bare
// network); one rank a slot. nullopt: there is none, it was not found within `steps`, or the machine is
// too large to look (4096 slots). Backtracking, the rank with the most placed neighbours first.
// O(slots^2 + steps x degree^2).
std::optional<Mapping> embed_on_neighbours(const Problem& problem, std::int64_t steps);

}  // namespace rankmap
