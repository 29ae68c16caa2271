// Everybody with everybody, one message each way.
#include "patterns/kinds/kinds.hpp"

namespace rankmap {

std::uint64_t edges_clique(const PatternTerm& term) {
  const auto ranks = static_cast<std::uint64_t>(term.shape.ranks);
  return ranks * (ranks - 1);
}

void generate_clique(const PatternTerm& term, Emitter& emitter) {
  for (Rank a = 0; a < term.shape.ranks; ++a)
    for (Rank b = a + 1; b < term.shape.ranks; ++b) emitter.each_way(a, b);
}

}  // namespace rankmap
