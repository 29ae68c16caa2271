// A rooted tree of switches of any shape, over any of its hosts: what a resource manager tells.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libmap/machine/network.hpp"
#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap {

// Node i hangs on a switch of the tree by its port; each switch but the root has one link up and one
// down. The only route goes up to the lowest switch above both nodes, and down.
class Switches final : public Network {
 public:
  struct Row {
    std::string name;
    int parent;  // none: the root, which is the first; parents before children
    BytesPerSecond up;
  };
  // switch_of[i]: the switch of node i. Bug unless the rows are such a tree.
  Switches(std::string text, std::vector<Row> rows, std::vector<int> switch_of,
           BytesPerSecond port);

  std::string text() const override { return text_; }
  NodeId nodes() const override { return static_cast<NodeId>(switch_of_.size()); }
  LinkId links() const override { return 2 * (static_cast<LinkId>(rows_.size()) - 1); }
  NetworkLink link(LinkId link) const override;
  std::string link_name(LinkId link) const override;  // "leaf3 up"
  BytesPerSecond port_bytes_per_second() const override { return port_; }
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override;
  int hops(EndpointId from, EndpointId to) const override;
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override;
  // Nodes of each switch together, nested as far as all switches of a level hold as many.
  NetworkShape shape() const override;
  std::vector<NetworkCut> cuts() const override;  // the levels that all nodes are below

 private:
  template <class Visit>  // visit(link), those up in order, those down in any
  void climb(EndpointId from, EndpointId to, Visit visit) const;
  int above(NodeId node, int depth) const;
  int common_depth() const;

  std::string text_;
  std::vector<Row> rows_;
  std::vector<int> depth_;
  std::vector<int> switch_of_;
  BytesPerSecond port_;
};

struct SwitchesOptions {
  std::string text;
  BytesPerSecond unit;      // of a link of LinkSpeed 1
  BytesPerSecond port = 0;  // of a bare node; 0: assumed
};

// The switches that join those hosts, without the others: node i is hosts[i]. A host is found by its
// name, else by what stands before the first dot; one that is at no switch is taken at the highest,
// which is told in a note. UsageError: none of them is there. A flat topology gives flat_network.
// O(switches + hosts x depth).
std::shared_ptr<const Network> switch_network(const SwitchTopology& topology,
                                              const std::vector<std::string>& hosts,
                                              const SwitchesOptions& options,
                                              std::vector<std::string>& notes);

}  // namespace rankmap
