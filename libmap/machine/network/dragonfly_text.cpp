// `dragonfly:groups=9,routers=16x6,nodes=4,global=4`
#include <array>

#include "libmap/machine/network/dragonfly.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/machine/network/seats.hpp"

namespace rankmap {
namespace {

constexpr std::array<std::string_view, 3> routings = {"minimal", "valiant", "ugal"};
constexpr int most = 1 << 20;

int needed(const NetworkText& text, std::string_view key) {
  if (text.value(key) == nullptr)
    text.refuse(text.text(), std::string(key) + "= too, as in " +
                                 "dragonfly:groups=9,routers=16x6,nodes=4,global=4");
  return *text.integer(key, 1, most);
}

std::array<int, 2> routers_of(const NetworkText& text) {
  const std::vector<int> sizes = text.integers("routers", 'x', 1, 4096);
  if (sizes.empty()) needed(text, "routers");
  if (sizes.size() > 2)
    text.refuse("routers=" + *text.value("routers"), "one size or two as in 16x6");
  return {sizes[0], sizes.size() == 2 ? sizes[1] : 1};
}

// links= of every pair of groups, else as many as global= ports of all routers give each pair.
LinkId parallel_links(const NetworkText& text, int groups, int routers) {
  const bool told = text.value("links") != nullptr;
  if (told == (text.value("global") != nullptr) && (told || groups > 1))
    text.refuse(text.text(), "either global= (ports of a router) or links= (between two groups)");
  if (groups == 1) return 0;
  if (told) return needed(text, "links");
  const std::int64_t ends = std::int64_t{needed(text, "global")} * routers;
  if (ends < groups - 1)
    text.refuse("global=" + *text.value("global"),
                "at least one link to each of the other groups: a group has " +
                    std::to_string(ends) + " global ports for " + std::to_string(groups - 1) +
                    " other groups");
  return static_cast<LinkId>(ends / (groups - 1));
}

std::array<int, 2> lanes_of(const NetworkText& text, std::size_t dimensions) {
  const std::vector<int> lanes = text.integers("local", ':', 1, 1024);
  if (lanes.empty()) return {1, 1};
  if (lanes.size() != dimensions && lanes.size() != 1)
    text.refuse("local=" + *text.value("local"), "one number a dimension of the group");
  return {lanes.front(), lanes.back()};
}

}  // namespace

std::shared_ptr<const Network> make_dragonfly(const NetworkText& text, NodeId) {
  if (!text.sizes().empty()) text.refuse(text.sizes(), "keys as in groups=9,routers=16x6");
  DragonflyOptions options;
  options.text = text.text();
  options.groups = needed(text, "groups");
  options.routers = routers_of(text);
  options.ports = needed(text, "nodes");
  const std::size_t dimensions = options.routers[1] > 1 ? 2 : 1;
  const std::int64_t routers = std::int64_t{options.routers[0]} * options.routers[1];
  constexpr std::int64_t most_nodes = std::int64_t{1} << 24;
  if (routers * options.groups > most_nodes / options.ports)
    text.refuse(text.text(), "at most " + std::to_string(most_nodes) + " nodes in all");
  options.parallel = parallel_links(text, options.groups, static_cast<int>(routers));
  options.lanes = lanes_of(text, dimensions);
  const std::vector<BytesPerSecond> speeds = text.bandwidths("gbps", dimensions + 2);
  options.port_bytes_per_second = speeds.front();
  options.local_bytes_per_second = {speeds[1], speeds[dimensions]};
  options.global_bytes_per_second = speeds.back();
  options.routing = static_cast<DragonflyRouting>(text.choice("routing", routings));
  const int ports = options.ports;
  auto network = std::make_shared<Dragonfly>(std::move(options));
  return railed(text, std::move(network), ports);
}

}  // namespace rankmap
