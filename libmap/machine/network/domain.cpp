#include "libmap/machine/network/domain.hpp"

#include <algorithm>

namespace rankmap {
namespace {

class DomainNetwork final : public Network {
 public:
  DomainNetwork(std::shared_ptr<const Network> inner, NodeId domain, bool is_whole)
      : inner_(std::move(inner)), domain_(domain), is_whole_(is_whole) {}

  std::string text() const override { return inner_->text(); }
  NodeId nodes() const override { return inner_->nodes(); }
  int rails() const override { return inner_->rails(); }
  LinkId links() const override { return inner_->links(); }
  NetworkLink link(LinkId link) const override { return inner_->link(link); }
  std::string link_name(LinkId link) const override { return inner_->link_name(link); }
  NodeId switch_domain() const override { return domain_; }
  bool direct() const override { return inner_->direct(); }
  BytesPerSecond port_bytes_per_second() const override { return inner_->port_bytes_per_second(); }
  bool single_path() const override { return inner_->single_path(); }
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override {
    inner_->append_route(from, to, route);
  }
  int hops(EndpointId from, EndpointId to) const override { return inner_->hops(from, to); }
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override {
    inner_->add_load(from, to, bytes, loads);
  }
  void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const override {
    inner_->add_loads(flows, loads);
  }

  // The domains as a level of their own where they lie between two levels.
  NetworkShape shape() const override {
    NetworkShape shape = inner_->shape();
    if (!is_whole_ || !std::is_sorted(shape.order.begin(), shape.order.end())) return shape;
    NodeId block = nodes();
    for (std::size_t i = 0; i < shape.arity.size(); ++i) {
      const NodeId child = block / shape.arity[i];
      if (block > domain_ && domain_ > child && block % domain_ == 0 && domain_ % child == 0) {
        shape.arity[i] = block / domain_;
        shape.arity.insert(shape.arity.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                           domain_ / child);
        break;
      }
      block = child;
    }
    return shape;
  }

  // Past the links of a block that holds a part of a domain bytes go by the domain's switch.
  std::vector<NetworkCut> cuts() const override {
    std::vector<NetworkCut> cuts = is_whole_ ? inner_->cuts() : std::vector<NetworkCut>{};
    std::erase_if(cuts, [&](const NetworkCut& cut) { return cut.nodes % domain_ != 0; });
    return cuts;
  }

 private:
  std::shared_ptr<const Network> inner_;
  NodeId domain_;
  bool is_whole_;
};

}  // namespace

std::shared_ptr<const Network> with_domain(std::shared_ptr<const Network> inner, NodeId domain,
                                           bool is_whole) {
  return std::make_shared<DomainNetwork>(std::move(inner), domain, is_whole);
}

}  // namespace rankmap
