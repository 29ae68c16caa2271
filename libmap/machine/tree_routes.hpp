// Routes inside a node over pcie, cpu, memory and nic connections: fewest hops, then the widest.
#pragma once

#include <cstdint>
#include <vector>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

// Whether a connection belongs to the host's tree; the others join two slots or a slot and a
// switch.
bool is_tree_connection(const NodeModel& model, const Connection& connection);

// A table of next connections, made once a model: O(vertices x connections), slots are never passed
// through. Ties go to the wider, then the earlier connection, so equal models give equal routes.
class TreeRoutes {
 public:
  TreeRoutes() = default;
  explicit TreeRoutes(const NodeModel& model);

  // The connection by which to leave `from` towards `to`; none: not joined, or from == to.
  std::int32_t next(VertexId from, VertexId to) const {
    return next_[static_cast<std::size_t>(from) * vertices_ + static_cast<std::size_t>(to)];
  }

 private:
  std::size_t vertices_ = 0;
  std::vector<std::int32_t> next_;
};

}  // namespace rankmap
