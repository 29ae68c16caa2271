// One step of a training job of a transformer. The DIMS are its groups of ranks, named by `order`;
// a phase each, innermost work first. Two bytes a number. L layers, H hidden, S sequence, B
// sequences a microbatch, M microbatches; a rank has L/pp layers, S/cp of the sequence, and 1/tp of
// the hidden numbers where it says so.
//   tp  allreduce (ring) of S/cp B H numbers, 4 M L/pp times: two a layer forward, two backward
//       (Shoeybi et al., Megatron-LM, 2019, section 3)
//   cp  keys and values go round a ring of cp ranks, and their gradients backward: 3 M L/pp times an allgather of
//       2 S/cp B H/tp numbers (Liu, Zaharia, Abbeel, Ring Attention, 2023)
//   ep  all-to-all of the S/cp B H/tp numbers of the tokens, 4 M L/pp times: to the experts and back, forward and
//       backward (Lepikhin et al., GShard, 2020), one expert a token
//   pp  S/cp B H/tp numbers to the next stage and as many back, M times (Narayanan et al., 2021)
//   dp  allreduce (ring) of the gradients, 12 L H^2 / (tp pp ep) numbers
#include <algorithm>
#include <array>

#include "patterns/kinds/kinds.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 5> by_phase = {"tp", "cp", "ep", "pp", "dp"};

// Of each number of dimensions, the outermost first: the usual order, tensors on neighbouring
// ranks.
constexpr std::array<std::string_view, 5> usual_orders = {"dp", "dp-tp", "pp-dp-tp", "pp-dp-cp-tp",
                                                          "pp-dp-ep-cp-tp"};

struct Job {
  const PatternTerm& term;
  std::array<int, 5> dimension{none, none, none, none, none};  // of each phase's kind

  std::uint64_t extent(std::size_t kind) const {
    const int d = dimension[kind];
    return d == none ? 1
                     : static_cast<std::uint64_t>(term.shape.extent[static_cast<std::size_t>(d)]);
  }
  // Rounded up: what is not divided evenly is padded.
  static std::uint64_t share(std::uint64_t whole, std::uint64_t parts) {
    return (whole + parts - 1) / parts;
  }
};

[[noreturn]] void refuse_order(const PatternTerm& term, const std::string& found) {
  throw InputError(term.where,
                   found + ", expected order= with tp, cp, ep, pp or dp for each of the " +
                       std::to_string(term.shape.dimensions) + " dimensions, as in order=pp-dp-tp");
}

Job job_of(const PatternTerm& term) {
  const auto dimensions = static_cast<std::size_t>(term.shape.dimensions);
  if (term.order.empty() && dimensions > usual_orders.size())
    refuse_order(term, "more dimensions than groups");
  std::string_view order = term.order.empty() ? usual_orders[dimensions - 1] : term.order;
  Job job{term};
  int d = 0;
  for (; !order.empty(); ++d) {
    const std::string_view name = order.substr(0, order.find('-'));
    order.remove_prefix(std::min(order.size(), name.size() + 1));
    const auto kind = static_cast<std::size_t>(std::find(by_phase.begin(), by_phase.end(), name) -
                                               by_phase.begin());
    if (kind == by_phase.size())
      refuse_order(term, "found the group \"" + std::string(name) + "\"");
    if (job.dimension[kind] != none) refuse_order(term, "found " + std::string(name) + " twice");
    job.dimension[kind] = d;
  }
  if (d != term.shape.dimensions)
    refuse_order(term, "found " + std::to_string(d) + " groups in the order");
  return job;
}

const PatternRow& row_named(std::string_view name) {
  const auto rows = pattern_rows();
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const PatternRow& row) { return row.name == name; });
}

std::uint64_t times(const Job& job, std::initializer_list<std::uint64_t> factors) {
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors)
    product = checked_product(product, factor, job.term.where);
  return product;
}

PatternTerm collective(const Job& job, std::size_t kind, std::string_view name, Bytes bytes,
                       std::uint64_t calls) {
  PatternTerm part = job.term;
  part.kind = &row_named(name);
  part.algorithm = name == "alltoall" ? "direct" : "ring";
  part.vary = DimensionSet{1} << job.dimension[kind];
  part.bytes = bytes;
  part.messages = calls;
  return part;
}

PatternTerm stage(const Job& job, std::int64_t by, Bytes bytes) {
  PatternTerm part = job.term;
  part.kind = &row_named("shift");
  part.dim = job.dimension[3];
  part.by = by;
  part.bytes = bytes;
  part.messages = job.term.training.microbatches;
  return part;
}

// The parts of one phase, in terms of other kinds.
std::vector<PatternTerm> parts_of(const Job& job, std::size_t kind) {
  const TrainingModel& model = job.term.training;
  const std::uint64_t tp = job.extent(0), cp = job.extent(1), ep = job.extent(2),
                      pp = job.extent(3);
  const std::uint64_t layers = Job::share(model.layers, pp);
  const std::uint64_t tokens = times(job, {Job::share(model.sequence, cp), model.batch});
  const std::uint64_t whole = times(job, {tokens, model.hidden, 2}), part = Job::share(whole, tp);
  const std::uint64_t calls = times(job, {model.microbatches, layers});
  switch (kind) {
    case 0:
      return {collective(job, kind, "allreduce", whole, times(job, {4, calls}))};
    case 1:
      return {collective(job, kind, "allgather", times(job, {2, part}), times(job, {3, calls}))};
    case 2:
      return {collective(job, kind, "alltoall", Job::share(part, ep), times(job, {4, calls}))};
    case 3:
      return {stage(job, 1, part), stage(job, -1, part)};
    default:
      break;
  }
  const std::uint64_t parameters = times(job, {12, model.layers, model.hidden, model.hidden});
  const Bytes gradients = times(job, {2, Job::share(parameters, times(job, {tp, pp, ep}))});
  return {collective(job, kind, "allreduce", gradients, 1)};
}

}  // namespace

std::uint64_t edges_parallel(const PatternTerm& term) {
  const Job job = job_of(term);
  std::uint64_t edges = 0;
  for (std::size_t kind = 0; kind < by_phase.size(); ++kind) {
    if (job.dimension[kind] == none) continue;
    for (const PatternTerm& part : parts_of(job, kind)) edges += part.kind->edges(part);
  }
  return edges;
}

std::int32_t phases_parallel(const PatternTerm& term) {
  return term.shape.dimensions;
}

void generate_parallel(const PatternTerm& term, Emitter& emitter) {
  const Job job = job_of(term);
  std::int32_t phase = 0;
  for (std::size_t kind = 0; kind < by_phase.size(); ++kind) {
    if (job.dimension[kind] == none) continue;
    for (const PatternTerm& part : parts_of(job, kind)) {
      Emitter of_part = emitter.for_part(part, phase);
      part.kind->generate(part, of_part);
    }
    ++phase;
  }
}

}  // namespace rankmap
