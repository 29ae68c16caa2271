// Making, splitting and contracting weighted graphs.
#include "libmap/place/multilevel/weighted_graph.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

constexpr std::uint64_t most_weight = (std::uint64_t{1} << 62);

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// Arcs by vertex, those to one neighbour several times.
WeightedGraph all_arcs(const CommGraph& app) {
  WeightedGraph graph;
  graph.vertex_weight.assign(at(app.ranks()), 1);
  graph.begin.assign(at(app.ranks()) + 1, 0);
  std::uint64_t total = 0;
  for (const Edge& edge : app.edges()) {
    if (edge.bytes == 0) continue;
    if (edge.bytes > most_weight || (total += edge.bytes) > most_weight)
      throw InputError({app.name, 0, 0}, "the bytes of all edges together leave 62 bits");
    ++graph.begin[at(edge.source) + 1];
    ++graph.begin[at(edge.destination) + 1];
  }
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  graph.neighbour.resize(at(graph.begin.back()));
  graph.edge_weight.resize(at(graph.begin.back()));
  std::vector<std::int64_t> next(graph.begin.begin(), graph.begin.end() - 1);
  const auto add = [&](Vertex from, Vertex to, Bytes bytes) {
    const std::size_t arc = at(next[at(from)]++);
    graph.neighbour[arc] = to;
    graph.edge_weight[arc] = static_cast<Weight>(bytes);
  };
  for (const Edge& edge : app.edges()) {
    if (edge.bytes == 0) continue;
    add(edge.source, edge.destination, edge.bytes);
    add(edge.destination, edge.source, edge.bytes);
  }
  return graph;
}

// Adds up the arcs of a vertex to each neighbour, in place; neighbours in ascending order.
void merge_arcs(WeightedGraph& graph) {
  std::vector<std::pair<Vertex, Weight>> arcs;
  std::size_t kept = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    arcs.clear();
    for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc)
      arcs.emplace_back(graph.neighbour[arc], graph.edge_weight[arc]);
    std::sort(arcs.begin(), arcs.end());
    const std::size_t first = kept;
    for (const auto& [to, weight] : arcs) {
      if (kept > first && graph.neighbour[kept - 1] == to) {
        graph.edge_weight[kept - 1] += weight;
        continue;
      }
      graph.neighbour[kept] = to;
      graph.edge_weight[kept++] = weight;
    }
    graph.begin[at(v)] = static_cast<std::int64_t>(first);
  }
  graph.begin[at(graph.vertices())] = static_cast<std::int64_t>(kept);
  graph.neighbour.resize(kept);
  graph.edge_weight.resize(kept);
}

}  // namespace

Weight WeightedGraph::total_vertex_weight() const {
  return std::accumulate(vertex_weight.begin(), vertex_weight.end(), Weight{0});
}

Weight WeightedGraph::total_edge_weight() const {
  return std::accumulate(edge_weight.begin(), edge_weight.end(), Weight{0}) / 2;
}

WeightedGraph weighted_graph(const CommGraph& app) {
  WeightedGraph graph = all_arcs(app);
  merge_arcs(graph);
  return graph;
}

std::vector<PartGraph> split_by_part(const WeightedGraph& graph, std::span<const std::int32_t> part,
                                     int parts) {
  std::vector<PartGraph> result(at(parts));
  std::vector<Vertex> number(at(graph.vertices()));
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    PartGraph& own = result[at(part[at(v)])];
    number[at(v)] = static_cast<Vertex>(own.vertex_of.size());
    own.vertex_of.push_back(v);
  }
  for (PartGraph& own : result) {
    own.graph.begin.reserve(own.vertex_of.size() + 1);
    own.graph.vertex_weight.reserve(own.vertex_of.size());
    for (const Vertex v : own.vertex_of) {
      for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc) {
        const Vertex to = graph.neighbour[arc];
        if (part[at(to)] != part[at(v)]) continue;
        own.graph.neighbour.push_back(number[at(to)]);
        own.graph.edge_weight.push_back(graph.edge_weight[arc]);
      }
      own.graph.begin.push_back(static_cast<std::int64_t>(own.graph.neighbour.size()));
      own.graph.vertex_weight.push_back(graph.vertex_weight[at(v)]);
    }
  }
  return result;
}

WeightedGraph contracted(const WeightedGraph& graph, std::span<const Vertex> coarse_of,
                         Vertex vertices) {
  std::vector<std::int64_t> first(at(vertices) + 1, 0);
  for (const Vertex c : coarse_of) ++first[at(c) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Vertex> members(coarse_of.size());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for (std::size_t v = 0; v < coarse_of.size(); ++v)
    members[at(next[at(coarse_of[v])]++)] = static_cast<Vertex>(v);

  WeightedGraph coarse;
  coarse.begin.reserve(at(vertices) + 1);
  coarse.vertex_weight.assign(at(vertices), 0);
  coarse.neighbour.reserve(graph.neighbour.size() / 2);
  coarse.edge_weight.reserve(graph.edge_weight.size() / 2);
  std::vector<std::int64_t> arc_to(at(vertices), -1);
  for (Vertex c = 0; c < vertices; ++c) {
    const std::int64_t begin = coarse.begin.back();
    for (std::int64_t i = first[at(c)]; i < first[at(c) + 1]; ++i) {
      const Vertex v = members[at(i)];
      coarse.vertex_weight[at(c)] += graph.vertex_weight[at(v)];
      for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc) {
        const Vertex to = coarse_of[at(graph.neighbour[arc])];
        if (to == c) continue;
        if (arc_to[at(to)] >= begin) {
          coarse.edge_weight[at(arc_to[at(to)])] += graph.edge_weight[arc];
          continue;
        }
        arc_to[at(to)] = static_cast<std::int64_t>(coarse.neighbour.size());
        coarse.neighbour.push_back(to);
        coarse.edge_weight.push_back(graph.edge_weight[arc]);
      }
    }
    coarse.begin.push_back(static_cast<std::int64_t>(coarse.neighbour.size()));
  }
  return coarse;
}

}  // namespace rankmap
