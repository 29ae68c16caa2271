#include "libmap/machine/network/dragonfly.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"

namespace rankmap {

namespace {

std::string router_name(int group, int router) {
  return "g" + std::to_string(group) + "r" + std::to_string(router);
}

}  // namespace

Dragonfly::Dragonfly(DragonflyOptions options)
    : options_(std::move(options)),
      routers_(options_.routers[0] * options_.routers[1]),
      local_ports_(options_.routers[0] - 1 + options_.routers[1] - 1) {
  constexpr std::int64_t most_links = std::int64_t{1} << 28;
  const std::int64_t groups = options_.groups;
  const std::int64_t local = groups * routers_ * local_ports_;
  const std::int64_t all = local + groups * (groups - 1) * options_.parallel;
  if (all > most_links) throw UsageError("the network " + options_.text + " is too large");
  first_global_ = static_cast<LinkId>(local);
  links_ = static_cast<LinkId>(all);
}

bool Dragonfly::single_path() const {
  const bool two_ways = options_.routers[0] > 1 && options_.routers[1] > 1;
  return options_.routing == DragonflyRouting::minimal && options_.parallel <= 1 && !two_ways;
}

// The ends of all links of a group, in the order link 0 to every other group, link 1, ..., are
// dealt to its routers in runs of equal length; links to one group are thus far apart.
Dragonfly::RouterId Dragonfly::gateway(int from, int to, LinkId l) const {
  const std::int64_t others = options_.groups - 1;
  const std::int64_t distance = (to - from - 1 + options_.groups) % options_.groups;
  const std::int64_t end = l * others + distance;
  return static_cast<RouterId>(end * routers_ / (others * options_.parallel));
}

LinkId Dragonfly::local_link(int group, RouterId from, RouterId to) const {
  const int columns = options_.routers[1];
  const bool first = from % columns == to % columns;
  const int here = first ? from / columns : from % columns;
  const int there = first ? to / columns : to % columns;
  const LinkId port = (first ? 0 : options_.routers[0] - 1) + (there < here ? there : there - 1);
  return (group * routers_ + from) * local_ports_ + port;
}

LinkId Dragonfly::global_link(int from, int to, LinkId l) const {
  const int other = to < from ? to : to - 1;
  return first_global_ + (from * (options_.groups - 1) + other) * options_.parallel + l;
}

NetworkLink Dragonfly::link(LinkId link) const {
  if (link >= first_global_) return {LinkKind::global, options_.global_bytes_per_second};
  const std::size_t d = link % local_ports_ < options_.routers[0] - 1 ? 0 : 1;
  return {LinkKind::local,
          options_.local_bytes_per_second[d] * static_cast<BytesPerSecond>(options_.lanes[d])};
}

std::array<int, 2> Dragonfly::groups_of(LinkId link) const {
  if (link < first_global_) {
    const int group = link / local_ports_ / routers_;
    return {group, group};
  }
  const LinkId pair = (link - first_global_) / options_.parallel;
  const LinkId from = pair / (options_.groups - 1);
  const LinkId other = pair % (options_.groups - 1);
  return {from, other < from ? other : other + 1};
}

std::string Dragonfly::link_name(LinkId link) const {
  if (link >= first_global_) {
    const auto [from, to] = groups_of(link);
    const LinkId l = (link - first_global_) % options_.parallel;
    return router_name(from, gateway(from, to, l)) + ">" + router_name(to, gateway(to, from, l)) +
           " link " + std::to_string(l);
  }
  const LinkId router = link / local_ports_;
  const int group = router / routers_;
  const RouterId from = router % routers_;
  RouterId to = 0;
  while (local_hops(from, to) != 1 || local_link(group, from, to) != link) ++to;
  return router_name(group, from) + ">" + router_name(group, to);
}

int Dragonfly::local_hops(RouterId from, RouterId to) const {
  const int columns = options_.routers[1];
  return (from / columns != to / columns ? 1 : 0) + (from % columns != to % columns ? 1 : 0);
}

void Dragonfly::append_local(int group, RouterId from, RouterId to,
                             std::vector<LinkId>& route) const {
  const int columns = options_.routers[1];
  const RouterId corner = to / columns * columns + from % columns;
  if (from != corner) route.push_back(local_link(group, from, corner));
  if (corner != to) route.push_back(local_link(group, corner, to));
}

LinkId Dragonfly::nearest_link(int a, RouterId from, int b, RouterId to) const {
  LinkId nearest = 0;
  int fewest = 8;
  for (LinkId l = 0; l < options_.parallel && fewest > 0; ++l) {
    const int hops = local_hops(from, gateway(a, b, l)) + local_hops(gateway(b, a, l), to);
    if (hops >= fewest) continue;
    fewest = hops;
    nearest = l;
  }
  return nearest;
}

void Dragonfly::append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const {
  const int a = group_of(from);
  const int b = group_of(to);
  if (a == b) return append_local(a, router_of(from), router_of(to), route);
  const LinkId l = nearest_link(a, router_of(from), b, router_of(to));
  append_local(a, router_of(from), gateway(a, b, l), route);
  route.push_back(global_link(a, b, l));
  append_local(b, gateway(b, a, l), router_of(to), route);
}

int Dragonfly::hops(EndpointId from, EndpointId to) const {
  const int a = group_of(from);
  const int b = group_of(to);
  const RouterId first = router_of(from);
  const RouterId last = router_of(to);
  if (a == b) return local_hops(first, last);
  const LinkId l = nearest_link(a, first, b, last);
  return local_hops(first, gateway(a, b, l)) + 1 + local_hops(gateway(b, a, l), last);
}

std::vector<NetworkCut> Dragonfly::cuts() const {
  const LinkId ends = (options_.groups - 1) * options_.parallel;  // of a group
  const auto global = static_cast<double>(options_.global_bytes_per_second);
  double router = global * ((ends + routers_ - 1) / routers_);
  for (std::size_t d = 0; d < 2; ++d)
    router += (options_.routers[d] - 1) * options_.lanes[d] *
              static_cast<double>(options_.local_bytes_per_second[d]);
  const NetworkCut routers{options_.ports, options_.groups * routers_, router};
  if (options_.groups == 1) return routers_ == 1 ? std::vector<NetworkCut>{} : std::vector{routers};
  return {{routers_ * options_.ports, options_.groups, global * ends}, routers};
}

// Inside a group; then local links, one of the global links of the router there, local links.
std::vector<NetworkReach> Dragonfly::reaches() const {
  const std::int64_t rows = options_.routers[0] - 1, columns = options_.routers[1] - 1;
  const std::array<std::int64_t, 3> local = {1, rows + columns, rows * columns};
  const std::int64_t ends = std::int64_t{options_.groups - 1} * options_.parallel;
  const std::int64_t global = (ends + routers_ - 1) / routers_;  // of a router, at most
  const std::int64_t all = std::int64_t{options_.groups} * routers_;
  std::array<std::int64_t, 6> at_distance{};
  for (std::size_t i = 0; i < local.size(); ++i) {
    at_distance[i] += local[i];
    for (std::size_t j = 0; j < local.size(); ++j)
      at_distance[i + 1 + j] += local[i] * std::min(global, all) * local[j];
  }
  std::vector<NetworkReach> reaches;
  std::int64_t within = 0;
  for (std::size_t h = 0; h < at_distance.size() && within < all; ++h) {
    within = std::min(all, within + at_distance[h]);
    reaches.push_back({static_cast<int>(h), static_cast<NodeId>(within * options_.ports)});
  }
  return reaches;
}

std::vector<NetworkDivision> Dragonfly::divisions() const {
  return {{1, {{options_.ports, options_.groups * routers_}}}};
}

NetworkShape Dragonfly::shape() const {
  NetworkShape shape;
  for (const int arity :
       {options_.groups, options_.routers[0], options_.routers[1], options_.ports})
    if (arity > 1) shape.arity.push_back(arity);
  if (shape.arity.empty()) shape.arity = {1};
  return shape;
}

}  // namespace rankmap
