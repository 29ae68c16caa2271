// Expected bytes on the links of a torus. Under dor and ldf a flow loads one contiguous arc of one
// line a dimension: differences at its ends, summed along each line once, give all loads.
#include <algorithm>

#include "libmap/machine/network/torus.hpp"

namespace rankmap {

// add_arc(dimension, line, first position, length, direction, share of the bytes)
template <typename AddArc>
void Torus::visit_arcs(EndpointId from, EndpointId to, const AddArc& add_arc) const {
  const Order order = order_for(from, to);
  NodeId node = from;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const std::size_t d = order[i];
    const Steps way = steps(from, to, d);
    if (way.count == 0) continue;
    const LinkId line = line_of(node, d);
    const int x = coordinate(from, d);
    const int y = coordinate(to, d);
    if (way.plus > 0) add_arc(d, line, x, way.count, 0, way.plus);
    if (way.minus > 0) add_arc(d, line, y, way.count, 1, way.minus);
    node += (y - x) * rows_[d].stride;
  }
}

void Torus::add_load(EndpointId from, EndpointId to, double bytes, std::span<double> loads) const {
  if (options_.routing == TorusRouting::minpath) {
    std::vector<double> room;
    return add_minimal_paths({from, to, bytes}, loads, room);
  }
  visit_arcs(from, to,
             [&](std::size_t d, LinkId line, int first, int length, int direction, double share) {
               for (int step = 0; step < length; ++step)
                 loads[static_cast<std::size_t>(link_at(
                     d, line, (first + step) % rows_[d].positions, direction))] += share * bytes;
             });
}

void Torus::add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const {
  if (options_.routing == TorusRouting::minpath) {
    std::vector<double> room;
    for (const NodeFlow& flow : flows) add_minimal_paths(flow, loads, room);
    return;
  }
  const bool few = flows.size() < static_cast<std::size_t>(links_) / 16;
  if (few) return Network::add_loads(flows, loads);
  std::vector<double> differences(static_cast<std::size_t>(links_), 0);
  for (const NodeFlow& flow : flows)
    visit_arcs(
        flow.from, flow.to,
        [&](std::size_t d, LinkId line, int first, int length, int direction, double share) {
          const auto at = [&](int position) -> double& {
            return differences[static_cast<std::size_t>(link_at(d, line, position, direction))];
          };
          const double bytes = share * flow.bytes;
          const int end = first + length;
          at(first) += bytes;
          if (end < rows_[d].positions) at(end) -= bytes;
          if (end <= rows_[d].positions) return;
          at(0) += bytes;
          at(end - rows_[d].positions) -= bytes;
        });
  add_sums(differences, loads);
}

void Torus::add_sums(std::span<const double> differences, std::span<double> loads) const {
  for (const Dimension& row : rows_) {
    if (row.positions == 0) continue;
    const LinkId lines = nodes_ / row.extent;
    for (LinkId line = 0; line < lines; ++line) {
      std::array<double, 2> sum{};
      auto link = static_cast<std::size_t>(row.first + 2 * line * row.positions);
      for (LinkId i = 0; i < 2 * row.positions; ++i, ++link) {
        sum[i % 2] += differences[link];
        loads[link] += sum[i % 2];
      }
    }
  }
}

// Every shortest path alike: at an offset o inside the box of H steps the next step is one of
// dimension i with probability (H_i - o_i) / (steps left), because that share of the orders of the
// remaining steps begins with it.
void Torus::add_box(const Box& box, NodeId from, double bytes, std::span<double> loads,
                    std::vector<double>& room) const {
  room.assign(box.cells, 0);
  room[0] = bytes;
  std::array<int, most_torus_dimensions> left{};  // steps of each side
  for (std::size_t cell = 0; cell < box.cells; ++cell) {
    int all_left = 0;
    NodeId node = from;
    for (std::size_t i = 0; i < box.count; ++i) {
      const Side& side = box.sides[i];
      const Dimension& row = rows_[side.dimension];
      const int done = static_cast<int>(cell / side.stride) % (side.steps + 1);
      left[i] = side.steps - done;
      all_left += left[i];
      const int start = coordinate(from, side.dimension);
      const int moved = side.direction == 0 ? done : row.extent - done;
      node += ((start + moved) % row.extent - start) * row.stride;
    }
    for (std::size_t i = 0; i < box.count; ++i) {
      const Side& side = box.sides[i];
      if (left[i] == 0) continue;
      const double share = room[cell] * left[i] / all_left;
      loads[static_cast<std::size_t>(link_from(node, side.dimension, side.direction))] += share;
      room[cell + side.stride] += share;
    }
  }
}

// Ways round of equal length are boxes of their own with half the bytes.
void Torus::add_minimal_paths(const NodeFlow& flow, std::span<double> loads,
                              std::vector<double>& room) const {
  Box box;
  double bytes = flow.bytes;
  unsigned ties = 0;  // bit i: side i goes both ways
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const Steps way = steps(flow.from, flow.to, d);
    if (way.count == 0) continue;
    if (way.plus > 0 && way.minus > 0) {
      ties |= 1U << box.count;
      bytes /= 2;
    }
    box.sides[box.count++] = {d, way.count, box.cells, way.plus > 0 ? 0 : 1};
    box.cells *= static_cast<std::size_t>(way.count) + 1;
  }
  for (unsigned minus = ties;; minus = (minus - 1) & ties) {
    for (std::size_t i = 0; i < box.count; ++i)
      if ((ties >> i & 1U) != 0) box.sides[i].direction = (minus >> i & 1U) == 0 ? 0 : 1;
    add_box(box, flow.from, bytes, loads, room);
    if (minus == 0) return;
  }
}

}  // namespace rankmap
