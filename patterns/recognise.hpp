// What kind of pattern a recorded graph looks like, and how well.
#pragma once

#include <string>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

inline constexpr Rank most_ranks_to_recognise = 1 << 14;

struct Likeness {
  std::string pattern;         // a text that read_app takes
  double bytes_explained = 0;  // of the graph's bytes, the part between pairs of the pattern: 0..1
  double pairs_used = 0;       // of the pattern's pairs, the part that has traffic: 0..1
  double fit = 0;              // harmonic mean of both
};

// The likest patterns, best first, at most `count`; of equal ones the simpler first. Tried: ring, chain,
// star, tree, clique, hypercube, stencils of every grid of up to four dimensions (faces, all
// neighbours; each dimension periodic or not) and alltoalls over the communicators of every grid of up
// to three. Pairs count without direction; where most
// bytes belong to no group, edges of groups (collectives) are left out. Empty: no traffic, one rank, or more than
// most_ranks_to_recognise. Bounded by 2^26 pairs looked at.
std::vector<Likeness> recognise(const CommGraph& graph, std::size_t count);

}  // namespace rankmap
