// Collective operations: one algorithm run in every sub-communicator.
// With `vary`, a communicator is the ranks that differ only in those dimensions, in rank order;
// without it there is one, of all ranks. Communicators of a single rank have no traffic and no
// group.
#include <bit>

#include "patterns/kinds/algorithms.hpp"
#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

struct Collective {
  std::string_view kind;
  std::span<const AlgorithmRow> (*algorithms)();
};

constexpr std::array collectives = {
    Collective{"alltoall", alltoall_algorithms},   Collective{"allgather", allgather_algorithms},
    Collective{"allreduce", allreduce_algorithms}, Collective{"bcast", bcast_algorithms},
    Collective{"reduce", reduce_algorithms},
};

const AlgorithmRow& algorithm_of(const PatternTerm& term) {
  for (const Collective& collective : collectives) {
    if (collective.kind != term.kind->name) continue;
    for (const AlgorithmRow& row : collective.algorithms())
      if (term.algorithm.empty() || row.name == term.algorithm) return row;
  }
  throw Bug("a collective without its algorithm");
}

bool varies(const PatternTerm& term, int d) {
  return !term.vary || (*term.vary >> d & 1U) != 0;
}

// Ranks whose coordinates are 0 in all dimensions that do (or do not) vary, ascending.
std::vector<Rank> corners(const PatternTerm& term, bool varying) {
  std::vector<Rank> ranks = {0};
  for (int d = 0; d < term.shape.dimensions; ++d) {
    if (varies(term, d) != varying) continue;
    std::vector<Rank> wider;
    for (const Rank rank : ranks)
      for (Rank at = 0; at < term.shape.extent[static_cast<std::size_t>(d)]; ++at)
        wider.push_back(rank + at * term.shape.stride(d));
    ranks = std::move(wider);
  }
  return ranks;
}

Rank communicator_size(const PatternTerm& term) {
  Rank size = 1;
  for (int d = 0; d < term.shape.dimensions; ++d)
    if (varies(term, d)) size *= term.shape.extent[static_cast<std::size_t>(d)];
  return size;
}

// "alltoall z=5": the kind and what is fixed in this communicator.
std::string name_of(const PatternTerm& term, Rank first) {
  constexpr std::string_view letters = "xyztuv";
  std::string name(term.kind->name);
  for (int d = 0; d < term.shape.dimensions; ++d) {
    if (varies(term, d)) continue;
    const auto index = static_cast<std::size_t>(d);
    name += std::string(" ") + letters[index] + "=" +
            std::to_string(first / term.shape.stride(d) % term.shape.extent[index]);
  }
  return name;
}

}  // namespace

std::uint64_t edges_collective(const PatternTerm& term) {
  const AlgorithmRow& algorithm = algorithm_of(term);
  const auto size = static_cast<std::uint64_t>(communicator_size(term));
  if (algorithm.power_of_two && !std::has_single_bit(size))
    throw InputError(term.where, std::string(term.kind->name) + " by " +
                                     std::string(algorithm.name) + " among " +
                                     std::to_string(size) + " ranks, expected a power of two");
  if (size == 1) return 0;
  return static_cast<std::uint64_t>(term.shape.ranks) / size * algorithm.edges(size);
}

void generate_collective(const PatternTerm& term, Emitter& emitter) {
  if (communicator_size(term) == 1) return;
  const AlgorithmRow& algorithm = algorithm_of(term);
  const std::vector<Rank> offsets = corners(term, true);
  for (const Rank first : corners(term, false)) {
    std::vector<Rank> members = offsets;
    for (Rank& rank : members) rank += first;
    emitter.begin_group(name_of(term, first), members);
    algorithm.run({members, term.bytes, term.where, emitter});
  }
}

}  // namespace rankmap
