// What joins the nodes of a machine. One class a network; routes by formula, no table per pair.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

struct NetworkLink {
  LinkKind kind;
  BytesPerSecond bytes_per_second;
  std::string name;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual std::string text() const = 0;  // "flat:16"
  virtual NodeId nodes() const = 0;
  virtual LinkId links() const = 0;
  virtual NetworkLink link(LinkId link) const = 0;  // 0..links-1
  // Appends the network's links, in order, from one node's port to another's; from != to.
  virtual void append_route(NodeId from, NodeId to, std::vector<LinkId>& route) const = 0;
};

// `flat:16`: a switch that never blocks. It has no links of its own: the NICs of the nodes limit.
std::shared_ptr<const Network> flat_network(NodeId nodes);

}  // namespace rankmap
