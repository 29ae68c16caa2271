// What joins the nodes of a machine. One class a network; routes by formula, no table per pair.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

// Where a NIC meets the network: node * rails() + rail. On a network of one rail, the node.
using EndpointId = std::int32_t;

struct NetworkLink {
  LinkKind kind;
  BytesPerSecond bytes_per_second;
};

// Bytes from one endpoint to another, different one.
struct NodeFlow {
  EndpointId from;
  EndpointId to;
  double bytes;
};

// The nested blocks of nodes by which a mapper may divide a machine: arity[0] blocks, each of
// arity[1] blocks, and so on; the product is nodes(). order[p] is the node at position p of the
// nested order; empty: node p.
struct NetworkShape {
  std::vector<int> arity;
  std::vector<NodeId> order;
};

// Blocks of at most `nodes` nodes, `count` of them, that are disjoint and cover the network: the
// links that lead out of any of them have at most this bandwidth together, and so have those that
// lead in.
struct NetworkCut {
  NodeId nodes;
  NodeId count;
  double bytes_per_second;
};

// No node has more than `nodes` nodes, itself included, within so many links (or told distances).
struct NetworkReach {
  int distance;
  NodeId nodes;
};

// One division of the nodes into blocks, `count` of at most `nodes` nodes each, in rows; nodes of
// different blocks are farther apart by `distance` for it.
struct NetworkDivision {
  struct Row {
    NodeId nodes;
    NodeId count;
  };
  double distance;
  std::vector<Row> rows;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual std::string text() const = 0;  // "flat:16"
  virtual NodeId nodes() const = 0;
  virtual LinkId links() const = 0;
  virtual NetworkLink link(LinkId link) const = 0;       // 0..links-1
  virtual std::string link_name(LinkId link) const = 0;  // "(0,1)+x", for people
  virtual int rails() const { return 1; }                // endpoints of a node
  EndpointId endpoints() const { return nodes() * rails(); }

  // Its links join the nodes themselves (torus, mesh): on a bare network nothing lies before them.
  // Otherwise each endpoint has a port of two links, out and in, that belong to the node.
  virtual bool direct() const { return false; }
  virtual BytesPerSecond port_bytes_per_second() const { return 0; }  // of bare nodes; 0: assumed
  // So many nodes in a row share one switch domain: their link switches are one (NVLink racks).
  virtual NodeId switch_domain() const { return 0; }
  // All bytes of a pair take append_route's links; else add_load spreads them over more.
  virtual bool single_path() const { return true; }

  // Appends the links of one route, in order, from one endpoint to another; from != to.
  virtual void append_route(EndpointId from, EndpointId to, std::vector<LinkId>& route) const = 0;
  // The number of those links; O(dimensions or levels), without making the route where overridden.
  virtual int hops(EndpointId from, EndpointId to) const;
  // What hop-bytes count between slots of these nodes, from == to included, where the network's
  // text says it (tree's distance=); none: the links of the route.
  virtual int distance(NodeId, NodeId) const { return none; }

  // Adds the expected bytes on every link; loads[l] for link l. The default follows append_route.
  virtual void add_load(EndpointId from, EndpointId to, double bytes,
                        std::span<double> loads) const;
  // The same for many flows, in closed form where there is one. The default adds one by one. Only
  // adaptive routing (ugal) gives other loads than one by one: there all flows share the choice.
  virtual void add_loads(std::span<const NodeFlow> flows, std::span<double> loads) const;

  virtual NetworkShape shape() const;  // the default: one block of all nodes
  // For limits of the congestion; none known by default.
  virtual std::vector<NetworkCut> cuts() const { return {}; }
  // For limits of hop-bytes. Ascending in distance, the last row has all nodes.
  virtual std::vector<NetworkReach> reaches() const { return {{0, nodes()}}; }
  // Two nodes are at least the sum over the divisions that part them of their distances apart.
  virtual std::vector<NetworkDivision> divisions() const { return {}; }
};

// `flat:16`: a switch that never blocks. It has no links of its own: the NICs of the nodes limit.
std::shared_ptr<const Network> flat_network(NodeId nodes);

}  // namespace rankmap
