// Lists of objectives: betters a mapping by the later ones and never worsens it by an earlier one.
#pragma once

#include "libmap/base/deadline.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

// Exchanges of two ranks, or a rank and a free place, drawn from the problem's seed; kept where the
// list of values is lexicographically better, or the same with less of the smooth stand-in for
// congestion. The start itself where the list has one objective. Fixed ranks stay, capacities hold.
// Some thousand moves, more with the problem's quality; one costs O(degree x links of a route),
// with congestion O(links x phases), with aggbw, effbw or preserved a whole value.
Mapping refine_list(const Problem& problem, const Mapping& start, const Deadline& deadline);

}  // namespace rankmap
