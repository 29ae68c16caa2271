// Expected bytes on the links of a dragonfly, flow by flow as the routing is told.
#include <algorithm>

#include "libmap/machine/network/dragonfly.hpp"

namespace rankmap {

void Dragonfly::add_local(int group, RouterId from, RouterId to, double bytes,
                          std::span<double> loads) const {
  const auto add = [&](RouterId a, RouterId b, double part) {
    loads[static_cast<std::size_t>(local_link(group, a, b))] += part;
  };
  if (from == to) return;
  if (local_hops(from, to) == 1) return add(from, to, bytes);
  const int columns = options_.routers[1];
  const auto [first_lanes, second_lanes] = options_.lanes;
  const double first = bytes * first_lanes / (first_lanes + second_lanes);
  const RouterId over_first = to / columns * columns + from % columns;
  const RouterId over_second = from / columns * columns + to % columns;
  add(from, over_first, first);
  add(over_first, to, first);
  add(from, over_second, bytes - first);
  add(over_second, to, bytes - first);
}

void Dragonfly::add_minimal(EndpointId from, EndpointId to, double bytes,
                            std::span<double> loads) const {
  const int a = group_of(from);
  const int b = group_of(to);
  if (a == b) return add_local(a, router_of(from), router_of(to), bytes, loads);
  const double part = bytes / options_.parallel;
  for (LinkId l = 0; l < options_.parallel; ++l) {
    add_local(a, router_of(from), gateway(a, b, l), part, loads);
    loads[static_cast<std::size_t>(global_link(a, b, l))] += part;
    add_local(b, gateway(b, a, l), router_of(to), part, loads);
  }
}

// Over every router of a third group alike.
void Dragonfly::add_over(int group, EndpointId from, EndpointId to, double bytes,
                         std::span<double> loads) const {
  for (RouterId router = 0; router < routers_; ++router) {
    const EndpointId middle = (group * routers_ + router) * options_.ports;
    add_minimal(from, middle, bytes / routers_, loads);
    add_minimal(middle, to, bytes / routers_, loads);
  }
}

void Dragonfly::add_valiant(EndpointId from, EndpointId to, double bytes,
                            std::span<double> loads) const {
  const int a = group_of(from);
  const int b = group_of(to);
  if (a == b) return add_minimal(from, to, bytes, loads);
  const double part = bytes / options_.groups;
  add_minimal(from, to, 2 * part, loads);
  for (int group = 0; group < options_.groups; ++group)
    if (group != a && group != b) add_over(group, from, to, part, loads);
}

void Dragonfly::add_load(EndpointId from, EndpointId to, double bytes,
                         std::span<double> loads) const {
  switch (options_.routing) {
    case DragonflyRouting::minimal:
      return add_minimal(from, to, bytes, loads);
    case DragonflyRouting::valiant:
      return add_valiant(from, to, bytes, loads);
    case DragonflyRouting::ugal:
      add_minimal(from, to, bytes / 2, loads);
      return add_valiant(from, to, bytes / 2, loads);
  }
}

// max over links of (V + x (M - V)) / B is convex and piecewise linear in x: starts with the
// busiest links at both ends and goes to where the two lines that bracket the minimum meet, until
// no link lies above.
double Dragonfly::minimal_part(std::span<const double> minimal,
                               std::span<const double> valiant) const {
  struct Line {
    double at_zero;
    double at_one;
    double at(double x) const { return at_zero + x * (at_one - at_zero); }
  };
  const auto highest = [&](double x) {
    Line best{0, 0};
    for (LinkId l = 0; l < links_; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const auto bandwidth = static_cast<double>(link(l).bytes_per_second);
      const Line line{valiant[i] / bandwidth, minimal[i] / bandwidth};
      if (line.at(x) > best.at(x)) best = line;
    }
    return best;
  };
  constexpr int most_rounds = 64;
  Line falling = highest(0);
  Line rising = highest(1);
  if (falling.at_one >= falling.at_zero) return 0;
  if (rising.at_one <= rising.at_zero) return 1;
  double x = 0;
  for (int round = 0; round < most_rounds; ++round) {
    const double down = falling.at_zero - falling.at_one;
    const double up = rising.at_one - rising.at_zero;
    x = std::clamp((falling.at_zero - rising.at_zero) / (down + up), 0.0, 1.0);
    const Line above = highest(x);
    if (above.at(x) <= falling.at(x) * (1 + 1e-12)) break;
    (above.at_one < above.at_zero ? falling : rising) = above;
  }
  return x;
}

}  // namespace rankmap
