#include "patterns/pattern.hpp"

#include "libmap/graph/reader.hpp"
#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

using std::string_view;

constexpr string_view plain_keys[] = {"bytes", "messages", "weight"};
constexpr string_view shift_keys[] = {"dim", "by", "periodic", "bytes", "messages", "weight"};
constexpr string_view tree_keys[] = {"arity", "bytes", "messages", "weight"};
constexpr string_view stencil_keys[] = {"points", "periodic", "bytes",  "messages",
                                        "weight", "face",     "corner", "all"};
constexpr string_view collective_keys[] = {"algorithm", "vary", "bytes", "messages", "weight"};
constexpr string_view random_keys[] = {"degree", "seed", "bytes", "messages", "weight"};

constexpr string_view training_keys[] = {"order", "layers",       "hidden", "seq",
                                         "batch", "microbatches", "weight"};

constexpr string_view alltoall_names[] = {"direct", "ring"};
constexpr string_view allgather_names[] = {"ring", "direct", "recursive-doubling"};
constexpr string_view allreduce_names[] = {
    "ring", "direct", "tree", "binomial", "recursive-doubling", "rabenseifner"};
constexpr string_view rooted_names[] = {"binomial", "direct", "ring", "tree"};

std::int32_t one_phase(const PatternTerm&) {
  return 1;
}

constexpr PatternRow plain(string_view name, string_view summary, std::span<const string_view> keys,
                           std::uint64_t (*edges)(const PatternTerm&),
                           void (*generate)(const PatternTerm&, Emitter&)) {
  return {name, summary, keys, {}, edges, one_phase, generate};
}

constexpr PatternRow collective(string_view name, string_view summary,
                                std::span<const string_view> algorithms) {
  return {
      name, summary, collective_keys, algorithms, edges_collective, one_phase, generate_collective};
}

constexpr std::array rows = {
    plain("ring", "i -> i+1, closed", plain_keys, edges_ring, generate_ring),
    plain("shift", "one message by a fixed distance in one dimension", shift_keys, edges_shift,
          generate_shift),
    plain("chain", "i -- i+1, not closed", plain_keys, edges_chain, generate_chain),
    plain("star", "0 -- every other rank", plain_keys, edges_star, generate_star),
    plain("tree", "i -- (i-1)/arity", tree_keys, edges_tree, generate_tree),
    plain("clique", "every pair of ranks", plain_keys, edges_clique, generate_clique),
    plain("hypercube", "ranks that differ in one bit", plain_keys, edges_hypercube,
          generate_hypercube),
    PatternRow{"butterfly",
               "ranks that differ in one bit, one phase a bit",
               plain_keys,
               {},
               edges_butterfly,
               phases_butterfly,
               generate_butterfly},
    plain("stencil", "neighbours on a grid of 1 to 6 dimensions", stencil_keys, edges_stencil,
          generate_stencil),
    collective("alltoall", "every rank sends to every other of its communicator", alltoall_names),
    collective("allgather", "every rank gets the buffers of all", allgather_names),
    collective("allreduce", "every rank gets the sum of all buffers", allreduce_names),
    collective("bcast", "every rank gets the buffer of the first", rooted_names),
    collective("reduce", "the first rank gets the sum of all buffers", rooted_names),
    plain("nccl", "ring and binary tree, every pair once", plain_keys, edges_nccl, generate_nccl),
    plain("random", "a connected random graph", random_keys, edges_random, generate_random),
    PatternRow{"pf3d",
               "planes x columns x rows: FFTs along rows, along columns, to the next plane, halo",
               plain_keys,
               {},
               edges_pf3d,
               phases_pf3d,
               generate_pf3d},
    PatternRow{"parallel",
               "a training job: tensor, context, expert, pipeline and data parallel groups",
               training_keys,
               {},
               edges_parallel,
               phases_parallel,
               generate_parallel},
    PatternRow{"file", "a communication graph file, file:PATH", {}, {}, nullptr, nullptr, nullptr},
};

std::int32_t phases_of(const std::vector<PatternTerm>& terms) {
  std::int32_t phases = 1;
  for (const PatternTerm& term : terms) phases = std::max(phases, term.kind->phases(term));
  return phases;
}

std::size_t edges_of(const Pattern& pattern) {
  std::uint64_t edges = 0;
  for (const std::vector<PatternTerm>& terms : pattern.phases)
    for (const PatternTerm& term : terms) edges += term.kind->edges(term);
  return static_cast<std::size_t>(edges);
}

CommGraph read_file(const Pattern& pattern) {
  CommGraph graph = read_comm_graph(pattern.file);
  graph.name = pattern.text;
  return graph;
}

}  // namespace

Rank Shape::stride(int d) const {
  Rank stride = 1;
  for (int inner = dimensions - 1; inner > d; --inner)
    stride *= extent[static_cast<std::size_t>(inner)];
  return stride;
}

std::span<const PatternRow> pattern_rows() {
  return rows;
}

CommGraph generate(const Pattern& pattern) {
  if (pattern.phases.empty()) return read_file(pattern);
  GraphBuilder builder(pattern.phases.front().front().shape.ranks);
  builder.reserve(edges_of(pattern));
  std::int32_t begin = 0;
  std::int32_t end = 1;  // there is one phase from the start
  for (const std::vector<PatternTerm>& terms : pattern.phases) {
    const std::int32_t next = begin + phases_of(terms);
    for (; end < next; ++end) builder.add_phase();
    for (const PatternTerm& term : terms) {
      Emitter emitter(term, builder, begin);
      term.kind->generate(term, emitter);
    }
    begin = next;
  }
  return std::move(builder).build(pattern.text);
}

CommGraph read_app(const std::string& text) {
  return generate(parse_pattern(text));
}

}  // namespace rankmap
