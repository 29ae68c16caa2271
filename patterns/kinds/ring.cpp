// Patterns along a line: ring, shift and chain.
#include <cstdlib>

#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

std::uint64_t count_of(const PatternTerm& term) {
  return static_cast<std::uint64_t>(term.shape.ranks);
}

bool wraps(const PatternTerm& term) {
  return (term.periodic >> term.dim & 1U) != 0;
}

// Where coordinate `at` of 0..extent-1 is shifted to, or none.
Rank shifted(const PatternTerm& term, Rank at, Rank extent) {
  const std::int64_t by = term.by % extent;
  if (wraps(term)) return static_cast<Rank>((at + by + extent) % extent);
  if (std::llabs(term.by) >= extent) return none;
  const std::int64_t to = at + term.by;
  return to < 0 || to >= extent ? none : static_cast<Rank>(to);
}

}  // namespace

// i -> i+1 mod n. Two ranks: 0 -> 1 and 1 -> 0. One rank: nothing.
std::uint64_t edges_ring(const PatternTerm& term) {
  return term.shape.ranks == 1 ? 0 : count_of(term);
}

void generate_ring(const PatternTerm& term, Emitter& emitter) {
  const Rank ranks = term.shape.ranks;
  for (Rank i = 0; i < ranks && ranks > 1; ++i) emitter.message(i, (i + 1) % ranks);
}

// One message from each rank to the rank `by` further in dimension `dim`; off the end only when
// that dimension is periodic. A shift by a multiple of a periodic extent is nothing.
std::uint64_t edges_shift(const PatternTerm& term) {
  const Rank extent = term.shape.extent[static_cast<std::size_t>(term.dim)];
  const std::uint64_t lines = count_of(term) / static_cast<std::uint64_t>(extent);
  if (wraps(term)) return term.by % extent == 0 ? 0 : count_of(term);
  const std::int64_t far = std::llabs(term.by);
  return far >= extent ? 0 : lines * static_cast<std::uint64_t>(extent - far);
}

void generate_shift(const PatternTerm& term, Emitter& emitter) {
  const Rank extent = term.shape.extent[static_cast<std::size_t>(term.dim)];
  const Rank stride = term.shape.stride(term.dim);
  for (Rank rank = 0; rank < term.shape.ranks; ++rank) {
    const Rank at = rank / stride % extent;
    const Rank to = shifted(term, at, extent);
    if (to != none && to != at) emitter.message(rank, rank + (to - at) * stride);
  }
}

// i -- i+1, each way, not closed.
std::uint64_t edges_chain(const PatternTerm& term) {
  return 2 * (count_of(term) - 1);
}

void generate_chain(const PatternTerm& term, Emitter& emitter) {
  for (Rank i = 0; i + 1 < term.shape.ranks; ++i) emitter.each_way(i, i + 1);
}

}  // namespace rankmap
