// The graph that multilevel methods work on: undirected, weights on vertices and edges, both
// directions of an edge stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

using Vertex = std::int32_t;
using Weight = std::int64_t;

struct WeightedGraph {
  std::vector<std::int64_t> begin{0};  // vertices + 1 offsets into neighbour and edge_weight
  std::vector<Vertex> neighbour;
  std::vector<Weight> edge_weight;    // > 0
  std::vector<Weight> vertex_weight;  // >= 0

  Vertex vertices() const { return static_cast<Vertex>(vertex_weight.size()); }
  Weight total_vertex_weight() const;
  Weight total_edge_weight() const;  // every edge once
  // The arcs of v are begin_of(v) .. end_of(v) - 1.
  std::size_t begin_of(Vertex v) const {
    return static_cast<std::size_t>(begin[static_cast<std::size_t>(v)]);
  }
  std::size_t end_of(Vertex v) const {
    return static_cast<std::size_t>(begin[static_cast<std::size_t>(v) + 1]);
  }
};

// The traffic of all phases and directions between two ranks as one edge; every rank weighs 1. Pairs
// without bytes have no edge. InputError: the bytes leave 63 bits. O(edges log degree).
WeightedGraph weighted_graph(const CommGraph& app);

// The vertices of each part as a graph of its own, and their numbers in `graph`. Edges between parts
// are dropped. O(vertices + edges).
struct PartGraph {
  WeightedGraph graph;
  std::vector<Vertex> vertex_of;
};
std::vector<PartGraph> split_by_part(const WeightedGraph& graph, std::span<const std::int32_t> part,
                                     int parts);

// Vertices with equal coarse_of (0 .. vertices-1, all used) become one; their edges add up.
// O(vertices + edges).
WeightedGraph contracted(const WeightedGraph& graph, std::span<const Vertex> coarse_of,
                         Vertex vertices);

}  // namespace rankmap
