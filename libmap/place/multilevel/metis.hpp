// METIS as a partitioner of weighted graphs; the only place that includes its header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap {

enum class MetisMethod { recursive, kway };

// `parts` parts, few and light edges between them. target[p] is part p's share of the vertex weight
// (empty: equal shares); a part should stay below (1 + imbalance) of it, which METIS does not promise.
// METIS counts in 32 bits: larger weights are scaled down, none below 1. With no more vertices than
// parts every vertex gets a part of its own. SystemError: METIS ran out of memory.
// Source: Karypis and Kumar, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", SIAM J. Sci. Comput. 20 (1998).
std::vector<std::int32_t> metis_partition(const WeightedGraph& graph, int parts,
                                          std::span<const double> target, double imbalance,
                                          std::uint64_t seed, MetisMethod method);

}  // namespace rankmap
