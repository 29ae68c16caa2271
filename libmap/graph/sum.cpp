#include "libmap/graph/sum.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

void add_all(const CommGraph& graph, GraphBuilder& builder, std::int32_t first_group) {
  for (const Group& group : graph.groups()) builder.add_group(group);
  for (Edge edge : graph.edges()) {
    if (edge.group != none) edge.group += first_group;
    builder.add(edge);
  }
}

}  // namespace

CommGraph sum(const CommGraph& a, const CommGraph& b) {
  if (a.ranks() != b.ranks())
    throw UsageError("one recording has " + std::to_string(a.ranks()) + " ranks, the other " +
                     std::to_string(b.ranks()));
  GraphBuilder builder(a.ranks());
  builder.reserve(a.edges().size() + b.edges().size());
  for (std::int32_t phase = 1; phase < std::max(a.phases(), b.phases()); ++phase)
    builder.add_phase();
  add_all(a, builder, 0);
  add_all(b, builder, static_cast<std::int32_t>(a.groups().size()));
  return std::move(builder).build(a.name);
}

}  // namespace rankmap
