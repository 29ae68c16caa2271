#include "libmap/machine/tree_routes.hpp"

#include <algorithm>
#include <limits>

namespace rankmap {
namespace {

struct Arc {
  VertexId to;
  std::int32_t connection;
};

struct Label {
  int hops = std::numeric_limits<int>::max();
  BytesPerSecond width = 0;
  std::int32_t towards_root = none;  // the connection by which the vertex goes to the root
};

using Neighbours = std::vector<std::vector<Arc>>;

Neighbours neighbours_of(const NodeModel& model) {
  Neighbours neighbours(static_cast<std::size_t>(model.vertices()));
  for (std::size_t i = 0; i < model.connections.size(); ++i) {
    const Connection& row = model.connections[i];
    if (!is_tree_connection(model, row)) continue;
    const auto connection = static_cast<std::int32_t>(i);
    neighbours[static_cast<std::size_t>(row.a)].push_back({row.b, connection});
    neighbours[static_cast<std::size_t>(row.b)].push_back({row.a, connection});
  }
  return neighbours;
}

// Breadth first from the root, level by level, so that within a level the widest label wins.
std::vector<Label> labels_from(VertexId root, const NodeModel& model,
                               const Neighbours& neighbours) {
  std::vector<Label> labels(neighbours.size());
  labels[static_cast<std::size_t>(root)] = {0, std::numeric_limits<BytesPerSecond>::max(), none};
  std::vector<VertexId> level = {root};
  while (!level.empty()) {
    std::vector<VertexId> following;
    for (const VertexId vertex : level) {
      if (vertex != root && vertex < model.slots()) continue;
      const Label here = labels[static_cast<std::size_t>(vertex)];
      for (const Arc& arc : neighbours[static_cast<std::size_t>(vertex)]) {
        Label& there = labels[static_cast<std::size_t>(arc.to)];
        const Connection& row = model.connections[static_cast<std::size_t>(arc.connection)];
        const Label offer = {here.hops + 1, std::min(here.width, row.bytes_per_second),
                             arc.connection};
        if (there.hops < offer.hops || (there.hops == offer.hops && there.width >= offer.width))
          continue;
        if (there.hops > offer.hops) following.push_back(arc.to);
        there = offer;
      }
    }
    level = std::move(following);
  }
  return labels;
}

}  // namespace

bool is_tree_connection(const NodeModel& model, const Connection& connection) {
  const auto is_switch = [&](VertexId vertex) {
    const VertexId hub = vertex - model.slots();
    return hub >= 0 && model.hubs[static_cast<std::size_t>(hub)].kind == HubKind::link_switch;
  };
  const bool joins_slots = connection.a < model.slots() && connection.b < model.slots();
  return !joins_slots && !is_switch(connection.a) && !is_switch(connection.b);
}

TreeRoutes::TreeRoutes(const NodeModel& model)
    : vertices_(static_cast<std::size_t>(model.vertices())), next_(vertices_ * vertices_, none) {
  const Neighbours neighbours = neighbours_of(model);
  for (std::size_t to = 0; to < vertices_; ++to) {
    const std::vector<Label> labels = labels_from(static_cast<VertexId>(to), model, neighbours);
    for (std::size_t from = 0; from < vertices_; ++from)
      next_[from * vertices_ + to] = labels[from].towards_root;
  }
}

}  // namespace rankmap
