// Edges of a pattern in short forms that tests can compare.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "patterns/pattern.hpp"

namespace rankmap {

using Arc = std::pair<Rank, Rank>;

inline std::vector<Arc> arcs(const CommGraph& graph) {
  std::vector<Arc> list;
  for (const Edge& edge : graph.edges()) list.emplace_back(edge.source, edge.destination);
  return list;
}

inline std::vector<Arc> arcs(const std::string& text) {
  return arcs(read_app(text));
}

inline std::vector<Arc> pairs(const std::string& text) {
  std::vector<Arc> list;
  const CommGraph graph = read_app(text);
  for (const Pair& pair : graph.pairs()) list.emplace_back(pair.low, pair.high);
  return list;
}

inline std::size_t edge_count(const std::string& text) {
  return read_app(text).edges().size();
}

inline std::uint64_t message_count(const CommGraph& graph) {
  std::uint64_t messages = 0;
  for (const Edge& edge : graph.edges()) messages += edge.messages;
  return messages;
}

// Bytes from one rank to another, over all phases and groups.
inline std::map<Arc, Bytes> bytes_by_arc(const CommGraph& graph) {
  std::map<Arc, Bytes> bytes;
  for (const Edge& edge : graph.edges()) bytes[{edge.source, edge.destination}] += edge.bytes;
  return bytes;
}

inline bool is_symmetric(const CommGraph& graph) {
  const std::map<Arc, Bytes> bytes = bytes_by_arc(graph);
  for (const auto& [arc, amount] : bytes) {
    const auto back = bytes.find({arc.second, arc.first});
    if (back == bytes.end() || back->second != amount) return false;
  }
  return true;
}

}  // namespace rankmap
