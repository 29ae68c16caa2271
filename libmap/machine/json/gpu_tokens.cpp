#include "libmap/machine/json/gpu_tokens.hpp"

#include <algorithm>

namespace rankmap {
namespace {

struct LaneWord {
  LinkKind kind;
  const char* prefix;
};
constexpr LaneWord lane_words[] = {{LinkKind::nvlink, "NV"},
                                   {LinkKind::xgmi, "XGMI"},
                                   {LinkKind::xelink, "XL"},
                                   {LinkKind::c2c, "C2C"}};

std::string lane_token(LinkKind kind, int lanes) {
  for (const LaneWord& row : lane_words)
    if (row.kind == kind) return row.prefix + std::to_string(lanes);
  return name_of(kind);
}

// By the hubs that the way through the host passes.
std::string host_token(const std::vector<HubKind>& hubs) {
  const auto count = [&](HubKind kind) { return std::count(hubs.begin(), hubs.end(), kind); };
  if (count(HubKind::numa) > 1 || count(HubKind::package) > 0 || count(HubKind::system) > 0)
    return "SYS";
  if (count(HubKind::host_bridge) > 1) return "NODE";
  if (count(HubKind::host_bridge) == 1 || count(HubKind::numa) == 1) return "PHB";
  return count(HubKind::pcie_switch) > 1 ? "PXB" : "PIX";
}

std::string token(const Machine& machine, int a, int b) {
  const NodeModel& model = machine.model();
  const auto connection = [&](LinkId link) -> const Connection& {
    return model.connections[static_cast<std::size_t>(machine.link(link).connection)];
  };
  const std::vector<LinkId> route = machine.route(a, b);
  if (route.empty()) return "SYS";
  if (machine.dedicated_lanes(a, b) > 0)
    return lane_token(connection(route.front()).kind, machine.dedicated_lanes(a, b));
  if (machine.switch_lanes(a) > 0 && machine.switch_lanes(b) > 0)
    return lane_token(connection(route.front()).kind,
                      std::min(machine.switch_lanes(a), machine.switch_lanes(b)));
  std::vector<HubKind> hubs;
  for (const LinkId link : route) {
    const Connection& row = connection(link);
    const VertexId end = machine.link(link).forward ? row.b : row.a;
    if (end >= model.slots())
      hubs.push_back(model.hubs[static_cast<std::size_t>(end - model.slots())].kind);
  }
  return host_token(hubs);
}

}  // namespace

std::vector<std::vector<std::string>> gpu_tokens(const Machine& machine) {
  const NodeModel& model = machine.model();
  if (!model.gpu_matrix.empty() || model.gpus.empty()) return model.gpu_matrix;
  const std::size_t size = model.gpus.size();
  std::vector<std::vector<std::string>> tokens(size, std::vector<std::string>(size, "X"));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b)
      if (a != b) tokens[a][b] = token(machine, static_cast<int>(a), static_cast<int>(b));
  return tokens;
}

}  // namespace rankmap
