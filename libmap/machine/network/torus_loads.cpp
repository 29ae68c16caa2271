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
// remaining steps begins with it. Ways round of equal length are separate boxes of half the bytes.
void Torus::add_minimal_paths(const NodeFlow& flow, std::span<double> loads,
                              std::vector<double>& room) const {
  struct Side {
    std::size_t dimension;
    Steps steps;
    std::size_t stride;  // in `room`
    int direction;
    int done;
  };
  std::array<Side, most_torus_dimensions> sides{};
  std::size_t count = 0, cells = 1;
  unsigned ties = 0;  // bit i: side i may go both ways
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const Steps way = steps(flow.from, flow.to, d);
    if (way.count == 0) continue;
    if (way.plus > 0 && way.minus > 0) ties |= 1U << count;
    sides[count++] = {d, way, cells, way.plus > 0 ? 0 : 1, 0};
    cells *= static_cast<std::size_t>(way.count) + 1;
  }
  for (unsigned choice = ties;; choice = (choice - 1) & ties) {
    double bytes = flow.bytes;
    for (std::size_t i = 0; i < count; ++i) {
      if ((ties >> i & 1U) == 0) continue;
      sides[i].direction = (choice >> i & 1U) == 0 ? 0 : 1;
      bytes /= 2;
    }
    room.assign(cells, 0);
    room[0] = bytes;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      int left = 0;
      NodeId node = flow.from;
      for (std::size_t i = 0; i < count; ++i) {
        Side& side = sides[i];
        const Dimension& row = rows_[side.dimension];
        side.done = static_cast<int>(cell / side.stride) % (side.steps.count + 1);
        left += side.steps.count - side.done;
        const int start = coordinate(flow.from, side.dimension);
        const int moved = side.direction == 0 ? side.done : row.extent - side.done;
        node += ((start + moved) % row.extent - start) * row.stride;
      }
      for (std::size_t i = 0; i < count; ++i) {
        const Side& side = sides[i];
        if (side.done == side.steps.count) continue;
        const double share = room[cell] * (side.steps.count - side.done) / left;
        loads[static_cast<std::size_t>(link_from(node, side.dimension, side.direction))] += share;
        room[cell + side.stride] += share;
      }
    }
    if (choice == 0) return;
  }
}

}  // namespace rankmap
