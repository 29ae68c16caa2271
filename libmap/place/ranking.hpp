// The order among mappings: value, then those by further objectives, then tie key, then the mapping
// itself; and the list of the best.
#pragma once

#include <optional>
#include <vector>

#include "libmap/place/problem.hpp"

namespace rankmap {

struct Candidate {
  std::optional<double> value;
  TieKey key{};
  Mapping mapping;
  std::vector<double> further = {};  // Problem::further_costs of it
};

// Values that differ by less than 1e-12 of their size are equal: sums of doubles may leave a
// residue.
bool same_value(std::optional<double> a, std::optional<double> b);
// No value (one rank, or one slot, has no effective bandwidth) is worse than any.
bool better_value(std::optional<double> a, std::optional<double> b, bool maximise);
// The one that proves more; nullopt proves nothing.
std::optional<double> tighter_bound(std::optional<double> a, std::optional<double> b,
                                    bool maximise);
// Negative: a is the lesser in the first entry in which they differ; 0: none differs. Equal lengths.
int compare_costs(const std::vector<double>& a, const std::vector<double>& b);
// Strictly before in the order of results.
bool before(const Candidate& a, const Candidate& b, bool maximise);

// The slots a mapping uses, ascending, each once.
std::vector<SlotId> slots_used(const Mapping& mapping);

}  // namespace rankmap
