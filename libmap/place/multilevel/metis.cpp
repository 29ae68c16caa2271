// From our 64-bit graph to METIS's 32-bit one and back.
#include "libmap/place/multilevel/metis.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

static_assert(sizeof(idx_t) == 4 && sizeof(real_t) == 4, "as Debian builds METIS");

// METIS adds weights up in idx_t; half of its range leaves room for what it adds on its way.
constexpr Weight most_total = std::numeric_limits<idx_t>::max() / 2;

// Every weight divided so that the sum stays in range; none falls below `least`.
std::vector<idx_t> scaled(const std::vector<Weight>& weights, Weight total, Weight least) {
  const Weight divisor = total / (most_total - static_cast<Weight>(weights.size())) + 1;
  std::vector<idx_t> result;
  result.reserve(weights.size());
  for (const Weight weight : weights) {
    const Weight small = divisor == 1 ? weight : (weight + divisor / 2) / divisor;
    result.push_back(static_cast<idx_t>(weight == 0 ? 0 : std::max(small, least)));
  }
  return result;
}

struct MetisGraph {
  std::vector<idx_t> begin, neighbour, vertex_weight, edge_weight;
};

MetisGraph metis_graph(const WeightedGraph& graph) {
  if (graph.neighbour.size() > static_cast<std::size_t>(most_total) / 2)
    throw UsageError("the graph has more edges than METIS counts");
  MetisGraph result;
  result.begin.reserve(graph.begin.size());
  for (const std::int64_t begin : graph.begin) result.begin.push_back(static_cast<idx_t>(begin));
  result.neighbour.assign(graph.neighbour.begin(), graph.neighbour.end());
  result.vertex_weight = scaled(graph.vertex_weight, graph.total_vertex_weight(), 1);
  result.edge_weight = scaled(graph.edge_weight, 2 * graph.total_edge_weight(), 1);
  return result;
}

// METIS takes the imbalance in thousandths, and per bisection where it bisects recursively.
idx_t load_factor(double imbalance, int parts, MetisMethod method) {
  const int depth = method == MetisMethod::recursive
                        ? std::max(1, static_cast<int>(std::ceil(std::log2(parts))))
                        : 1;
  const double each = std::pow(1 + imbalance, 1.0 / depth) - 1;
  return std::max<idx_t>(1, static_cast<idx_t>(each * 1000));
}

}  // namespace

std::vector<std::int32_t> metis_partition(const WeightedGraph& graph, int parts,
                                          std::span<const double> target, double imbalance,
                                          std::uint64_t seed, MetisMethod method) {
  std::vector<std::int32_t> part(static_cast<std::size_t>(graph.vertices()), 0);
  if (parts <= 1) return part;
  if (graph.vertices() <= parts) {
    for (std::size_t v = 0; v < part.size(); ++v) part[v] = static_cast<std::int32_t>(v);
    return part;
  }
  MetisGraph metis = metis_graph(graph);
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x3fffffff);
  options[METIS_OPTION_UFACTOR] = load_factor(imbalance, parts, method);
  idx_t vertices = graph.vertices(), constraints = 1, wanted = parts, cut = 0;
  std::vector<real_t> shares(target.begin(), target.end());
  // METIS draws from rand(), seeded anew by every call: one call at a time gives the same parts always.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto run =
      method == MetisMethod::recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int status =
      run(&vertices, &constraints, metis.begin.data(), metis.neighbour.data(),
          metis.vertex_weight.data(), nullptr, metis.edge_weight.data(), &wanted,
          shares.empty() ? nullptr : shares.data(), nullptr, options.data(), &cut, part.data());
  if (status != METIS_OK)
    throw SystemError("METIS cannot partition " + std::to_string(graph.vertices()) +
                      " vertices: error " + std::to_string(status));
  return part;
}

}  // namespace rankmap
