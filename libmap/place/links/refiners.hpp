// Lowers hop-bytes, off-node bytes or congestion of a mapping by exchanging ranks.
#pragma once

#include "libmap/base/deadline.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

struct AnnealingEffort {
  std::int64_t moves = 0;  // exchanges that are tried
  double first = 0;        // temperatures, as shares of the energy at the beginning
  double last = 0;
  std::uint64_t seed = 0;
};

// Simulated annealing; the best mapping on the way, never worse than `start`. Ranks that are fixed stay,
// free places may be taken. Of congestion a smooth stand-in is annealed: in every phase the 8-norm, later
// the 16-norm, of the times of all links. A move costs O(degree x links of a route).
Mapping refine_congestion(const Problem& problem, const Mapping& start,
                          const AnnealingEffort& effort, const Deadline& deadline);

// The same on the sum of bytes x distance; for the objective offnode, on the bytes between nodes. A move
// costs O(degree).
Mapping refine_distance(const Problem& problem, const Mapping& start, const AnnealingEffort& effort,
                        const Deadline& deadline);

}  // namespace rankmap
