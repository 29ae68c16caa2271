// How long annealing may take on a problem.
#pragma once

#include <cstdint>

#include "libmap/place/problem.hpp"

namespace rankmap {

// Exchanges that are tried in all: some a rank, by the quality, within limits for all; fewer where ranks
// have many edges. 0: the problem is so large that they would change nothing to speak of.
std::int64_t annealing_moves(const Problem& problem);

// The same for exchanges that need the shares of links: where routes are split, a pair of slots that is
// seen anew costs a look at all links, and all together are at most 2^33.
std::int64_t link_annealing_moves(const Problem& problem);

// The objective is congestion, and the loads of all links in all phases fit the memory (2^24 of them).
bool anneals_links(const Problem& problem);

}  // namespace rankmap
