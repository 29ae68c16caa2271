// A limit of the objective that needs no search, for strategies that prove nothing.
#pragma once

#include <optional>

#include "libmap/place/problem.hpp"

namespace rankmap {

// In the objective's unit: an upper limit where it is maximised, a lower one where it is minimised.
// Holds for every mapping of the app on the machine:
//   aggbw      every pair as wide as the widest pair of slots, or the widest link between nodes
//   preserved  all pairs of one node's slots
//   effbw      ring and tree: all lanes of the best-connected slot, each at its achieved speed;
//              mapa2021: the best of all counts x + y + z of the pattern's edges
//   congestion what must leave and enter slots, nodes and blocks of the network
//   hopbytes   how few slots are near, and what blocks of the machine must send each other
//   offnode    what nodes must send each other
// nullopt for ring and tree with one rank, and where the problem wants none. O(slots^2 + links);
// mapa2021: O(edges^2); congestion, hopbytes and offnode: O(edges log edges + ranks x cuts or
// distances).
std::optional<double> trivial_bound(const Problem& problem);

}  // namespace rankmap
