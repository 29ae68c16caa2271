#include "libmap/place/trivial_bound.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "libmap/base/error.hpp"
#include "libmap/model/bounds/distance_bound.hpp"
#include "libmap/model/bounds/group_bound.hpp"
#include "libmap/model/congestion_bound.hpp"

namespace rankmap {
namespace {

double edges_of(const CommGraph& app) {
  double total = 0;
  for (const Pair& pair : app.pairs()) total += pair.weight;
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
  return edges_of(problem.app) * to_gbps(widest);
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

// The best of all counts x, y, z of that total; of fewer, too, where ranks may share a slot, whose
// pairs count nowhere.
double counts_bound(int edges, bool shared) {
  double best = mapa2021(0, 0, edges);
  for (int x = 0; x <= edges; ++x)
    for (int y = 0; x + y <= edges; ++y)
      for (int z = shared ? 0 : edges - x - y; x + y + z <= edges; ++z)
        best = std::max(best, mapa2021(x, y, z));
  return best;
}

// The positive terms of equation 2 at their largest: linear 16.4 (x), yz 12.74, inverse 7.7, 62.9
// and 27.5.
double rough_counts_bound(double edges) {
  return 16.4 * edges + 12.74 * edges * edges / 4 + 7.7 + 62.9 + 27.5;
}

double mapa2021_bound(const Problem& problem) {
  const double edges = edges_of(problem.app);
  const bool shared = std::ranges::any_of(problem.capacity, [](int room) { return room > 1; });
  if (edges > (shared ? 60 : 400)) return rough_counts_bound(edges);
  return counts_bound(static_cast<int>(edges), shared);
}

int most_on_a_slot(const Problem& problem) {
  return *std::max_element(problem.capacity.begin(), problem.capacity.end());
}

// The nodes that can hold ranks, by how many.
std::vector<GroupRow> nodes_of(const Problem& problem) {
  std::map<std::int64_t, std::int64_t> nodes;
  const auto inside = static_cast<std::ptrdiff_t>(problem.machine.slots_per_node());
  for (auto slot = problem.capacity.begin(); slot != problem.capacity.end(); slot += inside)
    ++nodes[std::accumulate(slot, slot + inside, std::int64_t{0})];
  std::vector<GroupRow> rows;
  for (const auto& [most, count] : nodes)
    if (most > 0) rows.push_back({most, count});
  return rows;
}

}  // namespace

std::optional<double> trivial_bound(const Problem& problem) {
  if (!problem.bounded) return std::nullopt;
  switch (problem.objective.kind) {
    case ObjectiveKind::aggbw:
      return aggbw_bound(problem);
    case ObjectiveKind::preserved:
      return preserved_bound(problem.machine);
    case ObjectiveKind::effbw:
      if (problem.objective.model == EffbwModel::mapa2021) return mapa2021_bound(problem);
      if (problem.app.ranks() == 1) return std::nullopt;
      return lanes_bound(problem.machine);
    case ObjectiveKind::congestion:
      return congestion_bound(problem.app, problem.machine, most_on_a_slot(problem));
    case ObjectiveKind::hopbytes:
      return hop_bytes_bound(problem.app, problem.machine, most_on_a_slot(problem));
    case ObjectiveKind::offnode:
      return GroupBound(problem.app.ranks(), problem.app.edges()).bytes_between(nodes_of(problem));
  }
  throw Bug("an objective without a bound");
}

}  // namespace rankmap
