// Routes between slots and the loads on them: a way out of the node, the network, a way into a
// node.
#include <algorithm>

#include "libmap/machine/machine.hpp"

namespace rankmap {

void Machine::append_leg(std::int32_t connection, VertexId from, Way& way) const {
  const bool forward = model_->connections[static_cast<std::size_t>(connection)].a == from;
  way.push_back(2 * connection + (forward ? 0 : 1));
}

void Machine::append_tree_way(VertexId from, VertexId to, Way& way) const {
  while (from != to) {
    const std::int32_t connection = tree_.next(from, to);
    if (connection == none) return;
    append_leg(connection, from, way);
    const Connection& row = model_->connections[static_cast<std::size_t>(connection)];
    from = row.a == from ? row.b : row.a;
  }
}

void Machine::append_inner_way(VertexId from, VertexId to, Way& way) const {
  const std::int32_t direct = direct_[index(from, to)];
  if (direct != none) return append_leg(direct, from, way);
  const std::int32_t out = switch_link_[static_cast<std::size_t>(from)];
  const std::int32_t in = switch_link_[static_cast<std::size_t>(to)];
  if (out == none || in == none) return append_tree_way(from, to, way);
  append_leg(out, from, way);
  const Connection& row = model_->connections[static_cast<std::size_t>(in)];
  append_leg(in, row.a == to ? row.b : row.a, way);
}

// On a bare network of a switch domain every slot meets the switch by its own port.
void Machine::build_ways() {
  const bool each = model_->bare && network_ != nullptr && network_->switch_domain() > 0;
  for (int slot = 0; slot < model_->slots(); ++slot) {
    append_network_ways(slot);
    if (each) {
      switch_out_.push_back(out_ways_.back());
      switch_in_.push_back(in_ways_.back());
    } else {
      append_switch_ways(slot);
    }
  }
  inner_begin_ = {0};
  for (int from = 0; from < model_->slots(); ++from) {
    for (int to = 0; to < model_->slots(); ++to) {
      if (from != to && each) append_over_switch(from, to);
      if (from != to && !model_->bare) append_inner_way(from, to, inner_ways_);
      inner_begin_.push_back(inner_ways_.size());
    }
  }
}

void Machine::append_network_ways(int slot) {
  Way out, in;
  const int port = port_of_[static_cast<std::size_t>(slot)];
  if (port != none) {
    const VertexId vertex = ports_[static_cast<std::size_t>(port)].vertex;
    const auto link = static_cast<LinkId>(2 * (model_->connections.size() + std::size_t(port)));
    if (vertex != none) append_tree_way(slot, vertex, out);
    out.push_back(link);
    in.push_back(link + 1);
    if (vertex != none) append_tree_way(vertex, slot, in);
  }
  out_ways_.push_back(std::move(out));
  in_ways_.push_back(std::move(in));
}

void Machine::append_switch_ways(int slot) {
  Way out, in;
  const std::int32_t leg = switch_link_[static_cast<std::size_t>(slot)];
  if (leg != none) {
    const Connection& row = model_->connections[static_cast<std::size_t>(leg)];
    append_leg(leg, slot, out);
    append_leg(leg, row.a == slot ? row.b : row.a, in);
  }
  switch_out_.push_back(std::move(out));
  switch_in_.push_back(std::move(in));
}

void Machine::append_over_switch(int from, int to) {
  const Way& out = switch_out_[static_cast<std::size_t>(from)];
  const Way& in = switch_in_[static_cast<std::size_t>(to)];
  inner_ways_.insert(inner_ways_.end(), out.begin(), out.end());
  inner_ways_.insert(inner_ways_.end(), in.begin(), in.end());
}

void Machine::build_bandwidths() {
  for (LinkId link = 0; link < links_per_node_; ++link)
    node_bandwidths_.push_back(static_cast<double>(this->link(link).bytes_per_second));
  for (LinkId link = 0; network_ != nullptr && link < network_->links(); ++link)
    network_bandwidths_.push_back(static_cast<double>(network_->link(link).bytes_per_second));
}

bool Machine::one_switch(NodeId a, NodeId b) const {
  const NodeId domain = network_->switch_domain();
  return domain > 0 && a / domain == b / domain;
}

bool Machine::over_network(SlotId from, SlotId to) const {
  const NodeId out = node_of(from);
  const NodeId in = node_of(to);
  if (out == in) return false;
  return !one_switch(out, in) || switch_out_[static_cast<std::size_t>(local_of(from))].empty() ||
         switch_in_[static_cast<std::size_t>(local_of(to))].empty();
}

std::span<const LinkId> Machine::way_out(SlotId from, SlotId to) const {
  const auto local = static_cast<std::size_t>(local_of(from));
  return over_network(from, to) ? out_ways_[local] : switch_out_[local];
}

std::span<const LinkId> Machine::way_in(SlotId from, SlotId to) const {
  const auto local = static_cast<std::size_t>(local_of(to));
  return over_network(from, to) ? in_ways_[local] : switch_in_[local];
}

// A node's NICs are dealt over its rails in their order.
EndpointId Machine::endpoint(SlotId slot) const {
  const int rails = network_->rails();
  const int port = rails == 1 ? 0 : port_of_[static_cast<std::size_t>(local_of(slot))];
  return node_of(slot) * rails + std::max(port, 0) % rails;
}

void Machine::append_route(SlotId from, SlotId to, std::vector<LinkId>& route) const {
  if (from == to) return;
  const NodeId out = node_of(from);
  const NodeId in = node_of(to);
  if (out == in) {
    for (const LinkId link : inner_way(local_of(from), local_of(to)))
      route.push_back(first_link(out) + link);
    return;
  }
  for (const LinkId link : way_out(from, to)) route.push_back(first_link(out) + link);
  if (over_network(from, to)) {
    const std::size_t first = route.size();
    network_->append_route(endpoint(from), endpoint(to), route);
    for (std::size_t i = first; i < route.size(); ++i) route[i] += first_link(nodes_);
  }
  for (const LinkId link : way_in(from, to)) route.push_back(first_link(in) + link);
}

std::vector<LinkId> Machine::route(SlotId from, SlotId to) const {
  std::vector<LinkId> links;
  append_route(from, to, links);
  return links;
}

int Machine::hops(SlotId from, SlotId to) const {
  if (node_of(from) == node_of(to))
    return static_cast<int>(inner_way(local_of(from), local_of(to)).size());
  const int inside = static_cast<int>(way_out(from, to).size() + way_in(from, to).size());
  return over_network(from, to) ? inside + network_->hops(endpoint(from), endpoint(to)) : inside;
}

int Machine::distance(SlotId from, SlotId to) const {
  if (from == to) return 0;
  const int told = network_ == nullptr ? none : network_->distance(node_of(from), node_of(to));
  return told != none ? told : hops(from, to);
}

bool Machine::plain_routes() const {
  return network_ == nullptr || (network_->single_path() && network_->distance(0, 0) == none);
}

bool Machine::add_inside(SlotId from, SlotId to, double bytes, std::span<double> loads) const {
  const auto add = [&](NodeId node, std::span<const LinkId> way) {
    for (const LinkId link : way) loads[static_cast<std::size_t>(first_link(node) + link)] += bytes;
  };
  if (node_of(from) == node_of(to)) {
    add(node_of(from), inner_way(local_of(from), local_of(to)));
    return false;
  }
  add(node_of(from), way_out(from, to));
  add(node_of(to), way_in(from, to));
  return over_network(from, to);
}

void Machine::add_node_load(SlotId from, SlotId to, double bytes, std::span<double> loads,
                            std::vector<NodeFlow>& flows) const {
  if (add_inside(from, to, bytes, loads)) flows.push_back({endpoint(from), endpoint(to), bytes});
}

void Machine::add_network_loads(std::span<const NodeFlow> flows, std::span<double> loads) const {
  if (!flows.empty())
    network_->add_loads(flows, loads.subspan(static_cast<std::size_t>(first_link(nodes_))));
}

void Machine::add_load(SlotId from, SlotId to, double bytes, std::span<double> loads) const {
  if (add_inside(from, to, bytes, loads))
    network_->add_load(endpoint(from), endpoint(to), bytes,
                       loads.subspan(static_cast<std::size_t>(first_link(nodes_))));
}

double Machine::busiest_seconds(std::span<const double> loads) const {
  double worst = 0;
  std::size_t at = 0;
  for (NodeId node = 0; node < nodes_; ++node)
    for (const double bandwidth : node_bandwidths_)
      worst = std::max(worst, loads[at++] / bandwidth);
  for (const double bandwidth : network_bandwidths_)
    worst = std::max(worst, loads[at++] / bandwidth);
  return worst;
}

}  // namespace rankmap
