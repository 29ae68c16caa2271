#include "libmap/place/trivial_bound.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

int edges_of(const CommGraph& app) {
  int total = 0;
  for (const Pair& pair : app.pairs()) total += static_cast<int>(pair.weight);
  return total;
}

BytesPerSecond widest_pair(const Machine& machine) {
  BytesPerSecond widest = 0;
  for (int a = 0; a < machine.slots_per_node(); ++a)
    for (int b = 0; b < a; ++b) widest = std::max(widest, machine.pair_bandwidth(a, b));
  return widest;
}

// Of aggbw: every pair on the widest pair of slots, or on the widest link between nodes.
double aggbw_bound(const Problem& problem) {
  BytesPerSecond widest = widest_pair(problem.machine);
  if (problem.machine.nodes() > 1)
    for (LinkId link = 0; link < problem.machine.links(); ++link)
      widest = std::max(widest, problem.machine.link(link).bytes_per_second);
  double pairs = 0;
  for (const Pair& pair : problem.app.pairs()) pairs += pair.weight;
  return pairs * to_gbps(widest);
}

double preserved_bound(const Machine& machine) {
  BytesPerSecond total = 0;
  for (int a = 0; a < machine.slots_per_node(); ++a)
    for (int b = a + 1; b < machine.slots_per_node(); ++b) total += machine.pair_bandwidth(a, b);
  return to_gbps(total);
}

double lanes_bound(const Machine& machine) {
  const NodeModel& model = machine.model();
  std::vector<double> reach(static_cast<std::size_t>(model.vertices()), 0.0);
  for (const Connection& row : model.connections) {
    const double achieved = row.nccl_bytes_per_second != 0
                                ? row.count * to_gbps(row.nccl_bytes_per_second)
                                : to_gbps(row.bytes_per_second);
    reach[static_cast<std::size_t>(row.a)] += achieved;
    reach[static_cast<std::size_t>(row.b)] += achieved;
  }
  return *std::max_element(reach.begin(), reach.begin() + model.slots());
}

double counts_bound(int edges) {
  double best = mapa2021(0, 0, edges);
  for (int x = 0; x <= edges; ++x)
    for (int y = 0; x + y <= edges; ++y) best = std::max(best, mapa2021(x, y, edges - x - y));
  return best;
}

}  // namespace

std::optional<double> trivial_bound(const Problem& problem) {
  switch (problem.objective.kind) {
    case ObjectiveKind::aggbw:
      return aggbw_bound(problem);
    case ObjectiveKind::preserved:
      return preserved_bound(problem.machine);
    case ObjectiveKind::effbw:
      if (problem.objective.model == EffbwModel::mapa2021)
        return counts_bound(edges_of(problem.app));
      if (problem.app.ranks() == 1) return std::nullopt;
      return lanes_bound(problem.machine);
    case ObjectiveKind::congestion:
    case ObjectiveKind::hopbytes:
    case ObjectiveKind::offnode:
      return 0.0;
  }
  throw Bug("an objective without a bound");
}

}  // namespace rankmap
