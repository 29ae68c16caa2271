#include "libmap/machine/node_model.hpp"

#include <array>

namespace rankmap {
namespace {

constexpr std::array kind_names = {"nvlink", "xgmi",  "xelink", "c2c", "pcie", "cpu",   "nic",
                                   "torus",  "local", "global", "up",  "down", "memory"};

}  // namespace

const char* name_of(LinkKind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::optional<LinkKind> link_kind_of(std::string_view name) {
  for (std::size_t i = 0; i < kind_names.size(); ++i)
    if (kind_names[i] == name) return static_cast<LinkKind>(i);
  return std::nullopt;
}

VertexId NodeModel::add_hub(HubKind kind, std::string hub_name) {
  hubs.push_back({kind, std::move(hub_name)});
  return hub_vertex(hubs.size() - 1);
}

std::string NodeModel::vertex_name(VertexId vertex) const {
  if (vertex >= slots()) return hubs[static_cast<std::size_t>(vertex - slots())].name;
  return (gpus.empty() ? "core" : "gpu") + std::to_string(vertex);
}

}  // namespace rankmap
