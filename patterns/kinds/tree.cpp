// Patterns with a root, rank 0: star and tree.
#include "patterns/kinds/kinds.hpp"

namespace rankmap {

// 0 -- i, each way.
std::uint64_t edges_star(const PatternTerm& term) {
  return 2 * (static_cast<std::uint64_t>(term.shape.ranks) - 1);
}

void generate_star(const PatternTerm& term, Emitter& emitter) {
  for (Rank i = 1; i < term.shape.ranks; ++i) emitter.each_way(0, i);
}

// i -- (i-1)/arity, each way: every level full but the last, which fills from the left.
std::uint64_t edges_tree(const PatternTerm& term) {
  return edges_star(term);
}

void generate_tree(const PatternTerm& term, Emitter& emitter) {
  for (Rank i = 1; i < term.shape.ranks; ++i) emitter.each_way((i - 1) / term.arity, i);
}

}  // namespace rankmap
