// Neighbours on a grid of 1 to 6 dimensions, one message to each.
// Neighbours are offsets of -1, 0, 1 in every dimension: `face` those with one non-zero (2n),
// `corner` adds those with all non-zero (2^n), `all` is every one but the rank itself (3^n - 1).
// A periodic dimension of extent 2 has both neighbours in the same rank: both messages count; of
// extent 1 it has none.
#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

using Offset = std::array<int, most_dimensions>;

bool wanted(const PatternTerm& term, int non_zero) {
  if (non_zero == 0) return false;
  const bool all = term.all || term.points == 9 || term.points == 27;
  const bool corner = term.corner || term.points == 14;
  return all || non_zero == 1 || (corner && non_zero == term.shape.dimensions);
}

// In the order of the neighbours' ranks.
std::vector<Offset> offsets(const PatternTerm& term) {
  std::vector<Offset> found;
  int combinations = 1;
  for (int d = 0; d < term.shape.dimensions; ++d) combinations *= 3;
  for (int combination = 0; combination < combinations; ++combination) {
    Offset offset{};
    int non_zero = 0;
    int digits = combination;
    for (int d = term.shape.dimensions - 1; d >= 0; --d, digits /= 3) {
      offset[static_cast<std::size_t>(d)] = digits % 3 - 1;
      non_zero += digits % 3 == 1 ? 0 : 1;
    }
    if (wanted(term, non_zero)) found.push_back(offset);
  }
  return found;
}

bool is_periodic(const PatternTerm& term, int d) {
  return (term.periodic >> d & 1U) != 0;
}

// How many ranks have a neighbour at this offset.
std::uint64_t ranks_with(const PatternTerm& term, const Offset& offset) {
  std::uint64_t count = 1;
  for (int d = 0; d < term.shape.dimensions; ++d) {
    const Rank extent = term.shape.extent[static_cast<std::size_t>(d)];
    Rank with = extent;
    if (offset[static_cast<std::size_t>(d)] != 0 && (extent == 1 || !is_periodic(term, d)))
      with = extent - 1;
    count *= static_cast<std::uint64_t>(with);
  }
  return count;
}

// The rank at this offset, or none.
Rank neighbour(const PatternTerm& term, Rank rank, const Offset& offset) {
  Rank found = rank;
  for (int d = 0; d < term.shape.dimensions; ++d) {
    const int step = offset[static_cast<std::size_t>(d)];
    if (step == 0) continue;
    const Rank extent = term.shape.extent[static_cast<std::size_t>(d)];
    const Rank stride = term.shape.stride(d);
    const Rank at = rank / stride % extent;
    const bool leaves = at + step < 0 || at + step >= extent;
    if (leaves && (extent == 1 || !is_periodic(term, d))) return none;
    found += ((at + step + extent) % extent - at) * stride;
  }
  return found;
}

}  // namespace

std::uint64_t edges_stencil(const PatternTerm& term) {
  std::uint64_t count = 0;
  for (const Offset& offset : offsets(term)) count += ranks_with(term, offset);
  return count;
}

void generate_stencil(const PatternTerm& term, Emitter& emitter) {
  const std::vector<Offset> all = offsets(term);
  for (Rank rank = 0; rank < term.shape.ranks; ++rank) {
    for (const Offset& offset : all) {
      const Rank to = neighbour(term, rank, offset);
      if (to != none) emitter.message(rank, to);
    }
  }
}

}  // namespace rankmap
