#include "libmap/machine/network/torus.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/machine/network/box_shape.hpp"

namespace rankmap {

Torus::Torus(TorusOptions options) : options_(std::move(options)) {
  constexpr std::int64_t most_links = std::int64_t{1} << 28;
  for (const int extent : options_.extents) nodes_ *= extent;
  NodeId stride = nodes_;
  std::int64_t links = 0;
  for (std::size_t d = 0; d < options_.extents.size(); ++d) {
    const int extent = options_.extents[d];
    stride /= extent;
    const LinkId positions = extent == 1 ? 0 : options_.wrap[d] ? extent : extent - 1;
    rows_.push_back({extent, stride, positions, static_cast<LinkId>(links), Divider(extent),
                     Divider(stride), Divider(stride * extent)});
    links += std::int64_t{2} * (nodes_ / extent) * positions;
  }
  if (links > most_links) throw UsageError("the network " + options_.text + " is too large");
  links_ = static_cast<LinkId>(links);
}

bool Torus::single_path() const {
  if (options_.routing == TorusRouting::minpath) return dimensions() == 1 && !options_.wrap[0];
  if (options_.tie != TorusTie::split) return true;
  for (std::size_t d = 0; d < dimensions(); ++d)
    if (options_.wrap[d] && rows_[d].extent % 2 == 0) return false;
  return true;
}

const Torus::Dimension& Torus::dimension_of(LinkId link) const {
  std::size_t d = dimensions();
  while (rows_[--d].first > link || rows_[d].positions == 0) {
  }
  return rows_[d];
}

NetworkLink Torus::link(LinkId link) const {
  const auto d = static_cast<std::size_t>(&dimension_of(link) - rows_.data());
  return {LinkKind::torus, options_.bytes_per_second[d]};
}

std::string Torus::link_name(LinkId link) const {
  const Dimension& row = dimension_of(link);
  const LinkId index = (link - row.first) / 2;
  const bool minus = (link - row.first) % 2 == 1;
  const LinkId line = index / row.positions;
  const LinkId position = (index % row.positions + (minus ? 1 : 0)) % row.extent;
  const NodeId node =
      line / row.stride * row.stride * row.extent + line % row.stride + position * row.stride;
  std::string name;
  for (std::size_t d = 0; d < dimensions(); ++d)
    name += (d == 0 ? "(" : ",") + std::to_string(coordinate(node, d));
  return name + (minus ? ") -" : ") +") +
         torus_letters[static_cast<std::size_t>(&row - rows_.data())];
}

LinkId Torus::link_from(NodeId node, std::size_t d, int direction) const {
  const int at = coordinate(node, d);
  const int extent = rows_[d].extent;
  return link_at(d, line_of(node, d), direction == 0 ? at : (at + extent - 1) % extent, direction);
}

Torus::Steps Torus::steps(NodeId from, NodeId to, std::size_t d) const {
  const int x = coordinate(from, d);
  const int y = coordinate(to, d);
  if (!options_.wrap[d]) return y >= x ? Steps{y - x, 1, 0} : Steps{x - y, 0, 1};
  const int extent = rows_[d].extent;
  const int forward = y >= x ? y - x : y - x + extent;
  if (2 * forward < extent) return {forward, 1, 0};
  if (2 * forward > extent) return {extent - forward, 0, 1};
  const double plus = options_.tie == TorusTie::split ? 0.5 : options_.tie == TorusTie::plus;
  return {forward, plus, 1 - plus};
}

Torus::Order Torus::order_for(NodeId from, NodeId to) const {
  Order order{};
  for (std::size_t i = 0; i < dimensions(); ++i)
    order[i] =
        options_.routing == TorusRouting::dor ? static_cast<std::size_t>(options_.order[i]) : i;
  if (options_.routing != TorusRouting::ldf) return order;
  std::array<int, most_torus_dimensions> counts{};
  for (std::size_t d = 0; d < dimensions(); ++d) counts[d] = steps(from, to, d).count;
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(dimensions()),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  return order;
}

void Torus::append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const {
  const Order order = order_for(from, to);
  NodeId node = from;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const std::size_t d = order[i];
    const Steps way = steps(from, to, d);
    const int direction = way.plus > 0 ? 0 : 1;
    const int extent = rows_[d].extent;
    int at = coordinate(node, d);
    for (int step = 0; step < way.count; ++step) {
      route.push_back(link_from(node, d, direction));
      const int next = (at + (direction == 0 ? 1 : extent - 1)) % extent;
      node += (next - at) * rows_[d].stride;
      at = next;
    }
  }
}

int Torus::hops(EndpointId from, EndpointId to) const {
  int sum = 0;
  for (std::size_t d = 0; d < dimensions(); ++d) sum += steps(from, to, d).count;
  return sum;
}

// Boxes of these sides, at the ends smaller ones. A box has two faces a dimension that it does not
// fill; only one where two boxes share an open line.
NetworkCut Torus::cut_into(const std::vector<int>& sides) const {
  NetworkCut cut{1, 1, 0};
  for (std::size_t d = 0; d < dimensions(); ++d) {
    cut.nodes *= sides[d];
    cut.count *= (rows_[d].extent + sides[d] - 1) / sides[d];
  }
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const int parts = (rows_[d].extent + sides[d] - 1) / sides[d];
    const int faces = parts == 1 ? 0 : parts == 2 && !options_.wrap[d] ? 1 : 2;
    cut.bytes_per_second += faces * static_cast<double>(cut.nodes / sides[d]) *
                            static_cast<double>(options_.bytes_per_second[d]);
  }
  return cut;
}

std::vector<NetworkCut> Torus::cuts() const {
  std::vector<NetworkCut> cuts;
  for (const std::vector<int>& sides : box_sides(options_.extents)) cuts.push_back(cut_into(sides));
  for (std::size_t d = 0; d < dimensions(); ++d) {
    std::vector<int> sides = options_.extents;
    for (sides[d] = 1; sides[d] <= options_.extents[d] / 2; ++sides[d])
      cuts.push_back(cut_into(sides));
  }
  return cuts;
}

// How many nodes are how far along each dimension, and by convolution in all.
std::vector<NetworkReach> Torus::reaches() const {
  std::vector<std::int64_t> at_distance = {1};
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const int extent = rows_[d].extent;
    std::vector<std::int64_t> sum(at_distance.size() + static_cast<std::size_t>(extent / 2), 0);
    const int middle = extent / 2;
    for (int x = 0; x < extent; ++x) {
      const int steps = std::abs(x - middle);  // on a ring or from the middle of a line
      for (std::size_t h = 0; h < at_distance.size(); ++h)
        sum[h + static_cast<std::size_t>(steps)] += at_distance[h];
    }
    at_distance = std::move(sum);
  }
  std::vector<NetworkReach> rows;
  NodeId within = 0;
  for (std::size_t h = 0; h < at_distance.size(); ++h) {
    within += static_cast<NodeId>(at_distance[h]);
    rows.push_back({static_cast<int>(h), within});
  }
  return rows;
}

std::vector<NetworkDivision> Torus::divisions() const {
  std::vector<NetworkDivision> divisions;
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const int extent = rows_[d].extent;
    const NodeId slab = nodes_ / extent;
    const int half = extent / 2;
    if (extent < 2) continue;
    if (options_.wrap[d]) {
      divisions.push_back({extent / 2.0, {{half * slab, 1}, {(extent - half) * slab, 1}}});
      continue;
    }
    for (int cut = 1; cut < extent; ++cut)
      divisions.push_back({1, {{cut * slab, 1}, {(extent - cut) * slab, 1}}});
  }
  return divisions;
}

NetworkShape Torus::shape() const {
  return box_shape(options_.extents);
}

}  // namespace rankmap
