// Small graphs for the tests of multilevel mapping.
#pragma once

#include "libmap/base/random.hpp"
#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap::test {

// A ring through all vertices and `chords` more edges, weights of edges 1..9, of vertices 1..most_weight.
inline WeightedGraph random_graph(Vertex vertices, int chords, Weight most_weight, Random& random) {
  CommGraph app;
  GraphBuilder builder(vertices);
  const auto below = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
  const auto add = [&](Rank a, Rank b) {
    if (a != b) builder.add({a, b, random.below(9) + 1, 1, 1, 0, none});
  };
  for (Rank v = 0; v < vertices; ++v) add(v, (v + 1) % vertices);
  for (int i = 0; i < chords; ++i)
    add(below(static_cast<std::uint64_t>(vertices)), below(static_cast<std::uint64_t>(vertices)));
  WeightedGraph graph = weighted_graph(std::move(builder).build("random"));
  for (Weight& weight : graph.vertex_weight)
    weight = static_cast<Weight>(random.below(static_cast<std::uint64_t>(most_weight))) + 1;
  return graph;
}

// Open, the last dimension fastest, weight 1.
inline WeightedGraph grid_graph(const std::vector<int>& dims) {
  int vertices = 1;
  for (const int side : dims) vertices *= side;
  GraphBuilder builder(vertices);
  for (int v = 0; v < vertices; ++v) {
    int stride = 1;
    for (std::size_t d = dims.size(); d-- > 0; stride *= dims[d])
      if (v / stride % dims[d] + 1 < dims[d]) builder.add({v, v + stride, 1, 1, 1, 0, none});
  }
  return weighted_graph(std::move(builder).build("grid"));
}

inline std::vector<Weight> loads(const WeightedGraph& graph, const std::vector<std::int32_t>& block,
                                 std::size_t blocks) {
  std::vector<Weight> load(blocks, 0);
  for (std::size_t v = 0; v < block.size(); ++v)
    load[static_cast<std::size_t>(block[v])] += graph.vertex_weight[v];
  return load;
}

}  // namespace rankmap::test
