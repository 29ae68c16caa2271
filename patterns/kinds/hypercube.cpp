// Partners that differ in one bit of their rank: hypercube and butterfly.
#include <bit>

#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

// log2 of the number of ranks; InputError if that is not whole.
int dimensions(const PatternTerm& term) {
  const auto ranks = static_cast<std::uint32_t>(term.shape.ranks);
  if (!std::has_single_bit(ranks))
    throw InputError(term.dims_where, std::string(term.kind->name) + " of " +
                                          std::to_string(ranks) +
                                          " ranks, expected a power of two");
  return std::countr_zero(ranks);
}

void exchange(const PatternTerm& term, int dimension, Emitter& emitter) {
  for (Rank i = 0; i < term.shape.ranks; ++i) emitter.message(i, i ^ (1 << dimension));
}

}  // namespace

// i <-> i with bit k turned over, for all k at once.
std::uint64_t edges_hypercube(const PatternTerm& term) {
  return static_cast<std::uint64_t>(term.shape.ranks) *
         static_cast<std::uint64_t>(dimensions(term));
}

void generate_hypercube(const PatternTerm& term, Emitter& emitter) {
  for (int k = 0; k < dimensions(term); ++k) exchange(term, k, emitter);
}

// The same messages, those of bit k in phase k.
std::uint64_t edges_butterfly(const PatternTerm& term) {
  return edges_hypercube(term);
}

std::int32_t phases_butterfly(const PatternTerm& term) {
  return term.shape.ranks == 1 ? 1 : dimensions(term);
}

void generate_butterfly(const PatternTerm& term, Emitter& emitter) {
  for (int k = 0; k < dimensions(term); ++k) {
    emitter.in_phase(k);
    exchange(term, k, emitter);
  }
}

}  // namespace rankmap
