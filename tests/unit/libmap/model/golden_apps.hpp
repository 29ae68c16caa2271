// The patterns of tests/golden/mapa as pairs of ranks, and as apps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap::test {

using Pairs = std::vector<std::pair<Rank, Rank>>;

Pairs chain(Rank ranks);
Pairs ring(Rank ranks);  // two ranks: one pair
Pairs star(Rank ranks);
Pairs binary_tree(Rank ranks);
Pairs clique(Rank ranks);

// ring, ring2x (weight 2), chain, star, btree, ring+tree, clique; any other name is a ring.
CommGraph golden_app(const std::string& pattern, Rank ranks);

}  // namespace rankmap::test
