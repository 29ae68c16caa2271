#include "libmap/machine/network/seats.hpp"

#include <algorithm>
#include <numeric>

namespace rankmap {
namespace {

class SeatedNetwork final : public Network {
 public:
  SeatedNetwork(std::shared_ptr<const Network> inner, std::string text,
                std::vector<EndpointId> seats, int rails, NetworkShape shape)
      : inner_(std::move(inner)),
        text_(std::move(text)),
        seats_(std::move(seats)),
        rails_(rails),
        shape_(std::move(shape)) {}

  std::string text() const override { return text_; }
  NodeId nodes() const override { return static_cast<NodeId>(seats_.size()) / rails_; }
  int rails() const override { return rails_; }
  LinkId links() const override { return inner_->links(); }
  NetworkLink link(LinkId link) const override { return inner_->link(link); }
  std::string link_name(LinkId link) const override { return inner_->link_name(link); }
  bool direct() const override { return inner_->direct(); }
  BytesPerSecond port_bytes_per_second() const override { return inner_->port_bytes_per_second(); }
  bool single_path() const override { return inner_->single_path(); }
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override {
    inner_->append_route(seat(from), seat(to), route);
  }
  int hops(EndpointId from, EndpointId to) const override {
    return inner_->hops(seat(from), seat(to));
  }
  int distance(NodeId from, NodeId to) const override {
    return inner_->distance(seat(from * rails_), seat(to * rails_));
  }
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override {
    inner_->add_load(seat(from), seat(to), bytes, loads);
  }
  void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const override {
    std::vector<NodeFlow> seated(flows.begin(), flows.end());
    for (NodeFlow& flow : seated) flow = {seat(flow.from), seat(flow.to), flow.bytes};
    inner_->add_loads(seated, loads);
  }
  NetworkShape shape() const override { return shape_; }
  // A block of the inner network holds at most as many of the machine's nodes; with several rails a
  // node lies in several blocks.
  std::vector<NetworkCut> cuts() const override {
    return rails_ == 1 ? inner_->cuts() : std::vector<NetworkCut>{};
  }
  std::vector<NetworkReach> reaches() const override {
    if (rails_ > 1) return Network::reaches();
    std::vector<NetworkReach> rows = inner_->reaches();
    for (NetworkReach& row : rows) row.nodes = std::min(row.nodes, nodes());
    return rows;
  }
  std::vector<NetworkDivision> divisions() const override {
    return rails_ == 1 ? inner_->divisions() : std::vector<NetworkDivision>{};
  }

 private:
  EndpointId seat(EndpointId endpoint) const { return seats_[static_cast<std::size_t>(endpoint)]; }

  std::shared_ptr<const Network> inner_;
  std::string text_;
  std::vector<EndpointId> seats_;
  int rails_;
  NetworkShape shape_;
};

// The number of different values of an ascending list; 0 where some occur more often than others.
NodeId even_blocks(const std::vector<NodeId>& block_of) {
  std::vector<NodeId> counts;
  for (std::size_t i = 0; i < block_of.size(); ++i) {
    if (i == 0 || block_of[i] != block_of[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  const bool even =
      std::all_of(counts.begin(), counts.end(), [&](NodeId n) { return n == counts[0]; });
  return even ? static_cast<NodeId>(counts.size()) : 0;
}

// The position of every node in the nested order.
std::vector<NodeId> positions_of(const NetworkShape& shape, NodeId nodes) {
  std::vector<NodeId> positions(static_cast<std::size_t>(nodes));
  std::iota(positions.begin(), positions.end(), 0);
  for (std::size_t p = 0; p < shape.order.size(); ++p)
    positions[static_cast<std::size_t>(shape.order[p])] = static_cast<NodeId>(p);
  return positions;
}

}  // namespace

std::shared_ptr<const Network> seated(std::shared_ptr<const Network> inner, std::string text,
                                      std::vector<EndpointId> seats, int rails,
                                      NetworkShape shape) {
  return std::make_shared<SeatedNetwork>(std::move(inner), std::move(text), std::move(seats), rails,
                                         std::move(shape));
}

std::shared_ptr<const Network> with_rails(std::shared_ptr<const Network> inner, std::string text,
                                          int ports, int rails) {
  const NodeId nodes = inner->nodes() / rails;
  std::vector<EndpointId> seats;
  std::vector<NodeId> homes;
  for (NodeId node = 0; node < nodes; ++node) {
    for (int rail = 0; rail < rails; ++rail)
      seats.push_back((node / ports * rails + rail) * ports + node % ports);
    homes.push_back(node / ports * rails * ports + node % ports);
  }
  NetworkShape shape = shape_of_part(inner->shape(), homes);
  return seated(std::move(inner), std::move(text), std::move(seats), rails, std::move(shape));
}

std::shared_ptr<const Network> part_of(std::shared_ptr<const Network> inner, std::string text,
                                       const std::vector<NodeId>& nodes) {
  const int rails = inner->rails();
  std::vector<EndpointId> seats;
  for (const NodeId node : nodes)
    for (int rail = 0; rail < rails; ++rail) seats.push_back(node * rails + rail);
  NetworkShape shape = shape_of_part(inner->shape(), nodes);
  return seated(std::move(inner), std::move(text), std::move(seats), rails, std::move(shape));
}

NetworkShape shape_of_part(const NetworkShape& whole, const std::vector<NodeId>& nodes) {
  NodeId all = 1;
  for (const int arity : whole.arity) all *= arity;
  const std::vector<NodeId> positions = positions_of(whole, all);
  const auto position = [&](NodeId node) {
    return positions[static_cast<std::size_t>(nodes[static_cast<std::size_t>(node)])];
  };
  NetworkShape part;
  part.order.resize(nodes.size());
  std::iota(part.order.begin(), part.order.end(), 0);
  std::sort(part.order.begin(), part.order.end(),
            [&](NodeId a, NodeId b) { return position(a) < position(b); });
  NodeId blocks = 1;
  NodeId size = all;
  for (const int arity : whole.arity) {
    size /= arity;
    std::vector<NodeId> block_of;
    for (const NodeId node : part.order) block_of.push_back(position(node) / size);
    const NodeId used = even_blocks(block_of);
    if (used <= blocks) continue;
    part.arity.push_back(used / blocks);
    blocks = used;
  }
  if (part.arity.empty()) part.arity = {1};
  return part;
}

}  // namespace rankmap
