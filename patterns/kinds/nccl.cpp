// What NCCL connects for an all-reduce: the union of a ring and a binary tree, as a set of pairs.
#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

bool is_ring_pair(Rank low, Rank high, Rank ranks) {
  return high - low == 1 || (low == 0 && high == ranks - 1);
}

}  // namespace

// n pairs of the ring and n-1 of the tree; 0--1 is in both, and in a ring of three all are.
std::uint64_t edges_nccl(const PatternTerm& term) {
  const auto ranks = static_cast<std::uint64_t>(term.shape.ranks);
  if (ranks <= 3) return ranks * (ranks - 1);
  return 2 * (ranks + (ranks - 1) - 1);
}

// i -- i+1 mod n and i -- (i-1)/2, one message each way for every pair, duplicates removed.
void generate_nccl(const PatternTerm& term, Emitter& emitter) {
  const Rank ranks = term.shape.ranks;
  for (Rank i = 0; i + 1 < ranks; ++i) emitter.each_way(i, i + 1);
  if (ranks > 2) emitter.each_way(0, ranks - 1);
  for (Rank i = 1; i < ranks; ++i)
    if (!is_ring_pair((i - 1) / 2, i, ranks)) emitter.each_way((i - 1) / 2, i);
}

}  // namespace rankmap
