// What a network does by default: one route a pair, one flow after the other, one block.
#include "libmap/machine/network.hpp"

namespace rankmap {

int Network::hops(EndpointId from, EndpointId to) const {
  std::vector<LinkId> route;
  append_route(from, to, route);
  return static_cast<int>(route.size());
}

void Network::add_load(EndpointId from, EndpointId to, double bytes,
                       std::span<double> loads) const {
  std::vector<LinkId> route;
  append_route(from, to, route);
  for (const LinkId link : route) loads[static_cast<std::size_t>(link)] += bytes;
}

void Network::add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const {
  for (const NodeFlow& flow : flows) add_load(flow.from, flow.to, flow.bytes, loads);
}

NetworkShape Network::shape() const {
  return {{nodes()}, {}};
}

}  // namespace rankmap
