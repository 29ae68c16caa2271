// Switches that never block: `flat:N` between the NICs of nodes, `nvlink:N` between their GPUs.
#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/networks.hpp"

namespace rankmap {
namespace {

class FlatNetwork final : public Network {
 public:
  FlatNetwork(std::string text, NodeId nodes, BytesPerSecond port, bool switch_domain)
      : text_(std::move(text)), nodes_(nodes), port_(port), switch_domain_(switch_domain) {}
  std::string text() const override { return text_; }
  NodeId nodes() const override { return nodes_; }
  LinkId links() const override { return 0; }
  NetworkLink link(LinkId) const override { throw Bug("a flat network has no links"); }
  std::string link_name(LinkId) const override { throw Bug("a flat network has no links"); }
  BytesPerSecond port_bytes_per_second() const override { return port_; }
  NodeId switch_domain() const override { return switch_domain_ ? nodes_ : 0; }
  void append_route(EndpointId, EndpointId, std::vector<LinkId>&) const override {}
  int hops(EndpointId, EndpointId) const override { return 0; }
  void add_load(EndpointId, EndpointId, double, std::span<double>) const override {}
  void add_loads(std::span<const NodeFlow>, std::span<double>) const override {}

 private:
  std::string text_;
  NodeId nodes_;
  BytesPerSecond port_;
  bool switch_domain_;
};

constexpr double nvlink5_gbps = 900;  // 18 links of 50 GB/s a GPU

}  // namespace

std::shared_ptr<const Network> flat_network(NodeId nodes) {
  return std::make_shared<FlatNetwork>("flat:" + std::to_string(nodes), nodes, 0, false);
}

std::shared_ptr<const Network> make_flat(const NetworkText& text, NodeId) {
  const std::vector<int> sizes = text.extents(':', "flat:16");
  if (sizes.size() != 1) text.refuse(text.sizes(), "one size as in flat:16");
  return std::make_shared<FlatNetwork>(text.text(), sizes[0], text.bandwidths("gbps", 1)[0], false);
}

std::shared_ptr<const Network> make_nvlink(const NetworkText& text, NodeId nodes) {
  if (!text.sizes().empty() || nodes == 0) {
    const std::vector<int> sizes = text.extents(':', "nvlink:18");
    if (sizes.size() != 1) text.refuse(text.sizes(), "one size as in nvlink:18");
    nodes = sizes[0];
  }
  const BytesPerSecond port =
      text.value("gbps") == nullptr ? from_gbps(nvlink5_gbps) : text.bandwidths("gbps", 1)[0];
  return std::make_shared<FlatNetwork>(text.text(), nodes, port, true);
}

}  // namespace rankmap
