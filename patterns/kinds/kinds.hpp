// The generators of all kinds, as the rows of pattern_rows() want them: edges_KIND counts exactly
// what generate_KIND emits (before equal edges are merged) and refuses DIMS that do not suit. What
// each kind means stands at its generator.
#pragma once

#include "patterns/emitter.hpp"

namespace rankmap {

std::uint64_t edges_ring(const PatternTerm& term);
void generate_ring(const PatternTerm& term, Emitter& emitter);
std::uint64_t edges_shift(const PatternTerm& term);
void generate_shift(const PatternTerm& term, Emitter& emitter);
std::uint64_t edges_chain(const PatternTerm& term);
void generate_chain(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_star(const PatternTerm& term);
void generate_star(const PatternTerm& term, Emitter& emitter);
std::uint64_t edges_tree(const PatternTerm& term);
void generate_tree(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_clique(const PatternTerm& term);
void generate_clique(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_hypercube(const PatternTerm& term);
void generate_hypercube(const PatternTerm& term, Emitter& emitter);
std::uint64_t edges_butterfly(const PatternTerm& term);
std::int32_t phases_butterfly(const PatternTerm& term);
void generate_butterfly(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_stencil(const PatternTerm& term);
void generate_stencil(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_collective(const PatternTerm& term);
void generate_collective(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_nccl(const PatternTerm& term);
void generate_nccl(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_random(const PatternTerm& term);
void generate_random(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_pf3d(const PatternTerm& term);
std::int32_t phases_pf3d(const PatternTerm& term);
void generate_pf3d(const PatternTerm& term, Emitter& emitter);

std::uint64_t edges_parallel(const PatternTerm& term);
std::int32_t phases_parallel(const PatternTerm& term);
void generate_parallel(const PatternTerm& term, Emitter& emitter);

}  // namespace rankmap
