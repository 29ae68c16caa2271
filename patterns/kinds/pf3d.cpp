// The laser-plasma code pF3D (Langer; Bhatele et al., SC 2012): planes of ranks, the first
// dimension counts them. Phases: FFTs along the last dimension and along the middle one, an
// all-to-all in each line; each plane to the next one; the six neighbours of the 3-D halo. Nothing
// wraps round.
#include <algorithm>

#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

constexpr std::int32_t phases = 4;

const PatternRow& row_named(std::string_view name) {
  const auto rows = pattern_rows();
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const PatternRow& row) { return row.name == name; });
}

// What the phase is in terms of other kinds.
PatternTerm part_of(const PatternTerm& term, std::int32_t phase) {
  constexpr std::string_view kinds[phases] = {"alltoall", "alltoall", "shift", "stencil"};
  if (term.shape.dimensions != 3)
    throw InputError(term.dims_where,
                     "pf3d of " + std::to_string(term.shape.dimensions) +
                         " dimensions, expected 3: planes, their columns and rows");
  PatternTerm part = term;
  part.kind = &row_named(kinds[phase]);
  if (phase < 2) part.vary = DimensionSet{1} << (2 - phase);
  return part;
}

}  // namespace

std::uint64_t edges_pf3d(const PatternTerm& term) {
  std::uint64_t edges = 0;
  for (std::int32_t phase = 0; phase < phases; ++phase) {
    const PatternTerm part = part_of(term, phase);
    edges += part.kind->edges(part);
  }
  return edges;
}

std::int32_t phases_pf3d(const PatternTerm&) {
  return phases;
}

void generate_pf3d(const PatternTerm& term, Emitter& emitter) {
  for (std::int32_t phase = 0; phase < phases; ++phase) {
    const PatternTerm part = part_of(term, phase);
    Emitter of_part = emitter.for_part(part, phase);
    part.kind->generate(part, of_part);
  }
}

}  // namespace rankmap
