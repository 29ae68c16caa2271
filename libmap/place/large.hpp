// Beyond the reach of exact searches: the better of a few orders, improved until the time is up.
#pragma once

#include "libmap/base/deadline.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

// Never proves the optimum; the bound is the trivial one. Each step values one mapping:
// O(edges x hops).
PlaceResult place_large(const Problem& problem, const Deadline& deadline);

}  // namespace rankmap
