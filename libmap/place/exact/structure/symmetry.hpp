// Symmetries of an app and of a machine's slots, as rules that keep one mapping of each class: the
// lexicographically smallest.
#pragma once

#include <vector>

#include "libmap/place/exact/instance.hpp"

namespace rankmap {

// above[r]: ranks that come before r in `order` and whose slot must be smaller than r's (not larger,
// where slots hold several ranks): r is an image of them under automorphisms that keep all earlier
// ranks. Automorphisms keep phases, bytes, weights and fixed ranks. The search for them is limited;
// what is not found only costs time later.
std::vector<std::vector<Rank>> rank_symmetry(const Instance& instance,
                                             const std::vector<Rank>& order);

// class[s]: slots of one class can be swapped without any change of routes, bandwidths, lanes,
// sharing and room. Slots that hold fixed ranks stand alone.
std::vector<int> slot_twins(const Instance& instance);

// class[n] of every node of the machine: nodes that are free alike behind a network that treats all
// nodes alike can be swapped as a whole; other nodes stand alone.
std::vector<int> node_twins(const Instance& instance);

}  // namespace rankmap
