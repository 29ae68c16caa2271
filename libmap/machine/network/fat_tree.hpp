// Fat trees and plain trees of switches above the nodes.
#pragma once

#include <string>
#include <vector>

#include "libmap/machine/network.hpp"

namespace rankmap {

enum class TreeRouting { ecmp, dmodk };

struct FatTreeOptions {
  std::string text;
  std::vector<int> down;  // innermost first: nodes of a leaf switch, leaves of a group, ...
  std::vector<int> up;    // [i] up links of a switch of level i + 1; one fewer than `down`
  std::vector<BytesPerSecond>
      bytes_per_second;  // [0] of a node's port, [i] of an up link of level i
  TreeRouting routing = TreeRouting::ecmp;
  std::vector<int> distances;  // of tree: [0] within a node, [i] to nodes that meet at level i
};

// A node hangs on one leaf switch by its port; the network's own links begin above the leaves. A
// switch of level i has up[i - 1] parents, one link each, and the switches of one group share them
// (an extended generalised fat tree). ecmp: all shortest paths alike. dmodk: the parent is the
// digit of the destination, (destination / parents below) mod parents.
class FatTree final : public Network {
 public:
  explicit FatTree(FatTreeOptions options);  // UsageError: more than 2^28 links

  std::string text() const override { return options_.text; }
  NodeId nodes() const override { return nodes_; }
  LinkId links() const override { return links_; }
  NetworkLink link(LinkId link) const override;
  std::string link_name(LinkId link) const override;  // "switch1.3 up 2"
  BytesPerSecond port_bytes_per_second() const override { return options_.bytes_per_second[0]; }
  bool single_path() const override;
  void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const override;
  int hops(EndpointId from, EndpointId to) const override;
  int distance(NodeId from, NodeId to) const override;
  void add_load(EndpointId from, EndpointId to, double bytes,
                std::span<double> loads) const override;
  // O(flows x levels + links).
  void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const override;
  NetworkShape shape() const override;
  std::vector<NetworkCut> cuts() const override;  // every subtree
  std::vector<NetworkReach> reaches() const override;
  std::vector<NetworkDivision> divisions() const override;  // the subtrees of every level

  // Nodes of a leaf switch.
  int leaf_nodes() const { return options_.down[0]; }

 private:
  // Of the up links that leave the switches of one level: `paths` of them a group, the same number
  // down. `nodes` lie below a group.
  struct Level {
    NodeId nodes;
    LinkId paths;
    LinkId first;
  };
  std::size_t meeting_level(EndpointId from, EndpointId to) const;  // 0: on one leaf
  LinkId link_at(const Level& level, NodeId group, LinkId path, int down) const {
    return level.first + 2 * (group * level.paths + path) + down;
  }
  const Level& level_of(LinkId link) const;
  void add_evenly(const Level& level, NodeId group, int down, double bytes,
                  std::span<double> loads) const;

  FatTreeOptions options_;
  std::vector<Level> levels_;
  NodeId nodes_ = 1;
  LinkId links_ = 0;
};

}  // namespace rankmap
