// Scotch's mapper as a program, for comparison only: Debian's package scotch has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libmap/place/multilevel/distances.hpp"

namespace rankmap::bench {

bool has_scotch_gmap();
// The block of every vertex by scotch_gmap onto a target of that text, 3 % imbalance. Waits for the
// program; SystemError: it failed.
std::vector<Block> scotch_gmap(const WeightedGraph& graph, const std::string& target,
                               std::uint64_t seed);

}  // namespace rankmap::bench
