// The searches for the optimum of one kind of objective; exact.cpp chooses.
#pragma once

#include "libmap/place/exact/search/primary.hpp"

namespace rankmap {

// aggbw, hopbytes, offnode. Trees, cycles and cliques on up to 16 seats by dynamic programs over
// subsets (under 1 s for any size); other apps by branch and bound until the deadline.
Primary search_pairs(const Search& search);

// effbw by mapa2021, whose value depends on the counts of double, single and PCIe pairs alone. The
// same programs carry the reachable counts; other apps try the counts in falling order of value.
Primary search_counts(const Search& search);

// effbw by ring and tree, preserved: the value depends on the set of slots alone. Sets in falling
// order of a cheap limit, until it is not above the best.
Primary search_sets(const Search& search);

// congestion: depth-first on partial link loads until the deadline.
Primary search_congestion(const Search& search);

// aggbw, hopbytes, offnode of any app by branch and bound with Gilmore and Lawler's limit.
Primary branch_and_bound(const Search& search, std::shared_ptr<const class PairGains> gains);

}  // namespace rankmap
