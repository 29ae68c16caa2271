// `flat:N`: a switch that never blocks; only the nodes' own NICs limit.
#include "libmap/base/error.hpp"
#include "libmap/machine/network.hpp"

namespace rankmap {
namespace {

class FlatNetwork final : public Network {
 public:
  explicit FlatNetwork(NodeId nodes) : nodes_(nodes) {}
  std::string text() const override { return "flat:" + std::to_string(nodes_); }
  NodeId nodes() const override { return nodes_; }
  LinkId links() const override { return 0; }
  NetworkLink link(LinkId) const override { throw Bug("a flat network has no links"); }
  void append_route(NodeId, NodeId, std::vector<LinkId>&) const override {}

 private:
  NodeId nodes_;
};

}  // namespace

std::shared_ptr<const Network> flat_network(NodeId nodes) {
  return std::make_shared<FlatNetwork>(nodes);
}

}  // namespace rankmap
