// The full score of a mapping: loads, congestion time, hop-bytes, dilation, equations 1 and 3.
#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/model/aggbw.hpp"
#include "libmap/model/node_set.hpp"
#include "libmap/model/objective.hpp"

namespace rankmap {
namespace {

// Expected bytes on the links of one phase after the other.
class PhaseLoads {
 public:
  PhaseLoads(const CommGraph& app, const Machine& machine, const Mapping& mapping)
      : app_(app), machine_(machine), mapping_(mapping), loads_(at(machine.links()), 0) {}

  void fill(std::int32_t phase) {
    std::fill(loads_.begin(), loads_.end(), 0.0);
    flows_.clear();
    for (const Edge& edge : app_.edges_of_phase(phase))
      machine_.add_node_load(mapping_[edge.source], mapping_[edge.destination],
                             static_cast<double>(edge.bytes), loads_, flows_);
    machine_.add_network_loads(flows_, loads_);
  }

  double seconds() const { return machine_.busiest_seconds(loads_); }
  const std::vector<double>& loads() const { return loads_; }

 private:
  static std::size_t at(LinkId links) { return static_cast<std::size_t>(links); }

  const CommGraph& app_;
  const Machine& machine_;
  const Mapping& mapping_;
  std::vector<double> loads_;
  std::vector<NodeFlow> flows_;
};

Bytes add_checked(const CommGraph& app, Bytes sum, Bytes bytes, int distance) {
  Bytes product = 0;
  if (__builtin_mul_overflow(bytes, static_cast<Bytes>(distance), &product) ||
      __builtin_add_overflow(sum, product, &sum)) {
    throw InputError({app.name}, "the hop-bytes of this app leave 64 bits, expected fewer bytes");
  }
  return sum;
}

}  // namespace

Bytes hop_bytes(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  Bytes sum = 0;
  for (const Edge& edge : app.edges()) {
    const int distance = machine.distance(mapping[edge.source], mapping[edge.destination]);
    sum = add_checked(app, sum, edge.bytes, distance);
  }
  return sum;
}

int max_dilation(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  int longest = 0;
  for (const Edge& edge : app.edges())
    longest = std::max(longest, machine.hops(mapping[edge.source], mapping[edge.destination]));
  return longest;
}

Bytes off_node_bytes(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  Bytes sum = 0;
  for (const Edge& edge : app.edges()) {
    if (machine.node_of(mapping[edge.source]) != machine.node_of(mapping[edge.destination])) {
      sum += edge.bytes;
    }
  }
  return sum;
}

std::vector<std::vector<double>> link_loads(const CommGraph& app, const Machine& machine,
                                            const Mapping& mapping) {
  std::vector<std::vector<double>> all;
  PhaseLoads loads(app, machine, mapping);
  for (std::int32_t phase = 0; phase < app.phases(); ++phase) {
    loads.fill(phase);
    all.push_back(loads.loads());
  }
  return all;
}

double congestion_seconds(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  double sum = 0;
  PhaseLoads loads(app, machine, mapping);
  for (std::int32_t phase = 0; phase < app.phases(); ++phase) {
    loads.fill(phase);
    sum += loads.seconds();
  }
  return sum;
}

Score score(const CommGraph& app, const Machine& machine, const Mapping& mapping,
            const ScoreOptions& options) {
  Score result;
  result.aggbw = to_gbps(aggregated_bandwidth(app, machine, mapping));
  result.counts = count_links(app, machine, mapping);
  result.hop_bytes = hop_bytes(app, machine, mapping);
  result.J = static_cast<double>(result.hop_bytes) / 2;
  result.off_node_bytes = off_node_bytes(app, machine, mapping);
  result.max_dilation = max_dilation(app, machine, mapping);
  result.congestion_seconds = congestion_seconds(app, machine, mapping);
  const std::optional<NodeSet> set = node_set_of(machine, mapping);
  if (!set) return result;
  result.effbw_ring = ring_effbw(machine, set->locals).value;
  result.effbw_tree = tree_effbw(machine, set->locals).value;
  if (options.force_mapa2021 || mapa2021_out_of_range(mapping.ranks(), machine).empty()) {
    result.effbw_mapa2021 =
        mapa2021(result.counts.doubles, result.counts.singles, result.counts.pcie);
  }
  result.preserved = to_gbps(preserved_bandwidth(machine, *set, options.busy, options.preserve));
  return result;
}

}  // namespace rankmap
