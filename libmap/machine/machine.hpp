// A machine: nodes of known models, slots, links, and the route between any two slots.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/base/ids.hpp"
#include "libmap/machine/near_cores.hpp"
#include "libmap/machine/network.hpp"
#include "libmap/machine/node_model.hpp"
#include "libmap/machine/tree_routes.hpp"

namespace rankmap {

// One direction of a connection. `connection` indexes the node model's connections.
struct LinkRow {
  LinkKind kind;
  BytesPerSecond bytes_per_second;  // nominal, all lanes; 0 never occurs
  NodeId node;                      // none: a link of the network
  std::int32_t connection;          // none: a link of the network, or a node's NIC port
  bool forward;                     // from connection.a to connection.b
};

// What a slot is called and has, in the spelling that launchers and the shim want.
struct SlotRow {
  NodeId node;
  int local;           // index within the node
  std::string host;    // "*" on one nameless node
  int gpu;             // GPU index on its node (PCI order), none: a CPU slot
  std::string gpu_id;  // uuid for MIG, else bus id, else uuid; "" unknown
  std::string nic;     // "" unknown
  CpuSet cpus;         // OS numbers of its near cores, empty: unknown
  CpuSet cores;        // the same as logical core numbers, empty: unknown
  int numa;            // none: unknown
};

// Where a node meets the network: a NIC, or one assumed where none is known. Two links, out and in.
struct Port {
  VertexId vertex;  // none: a slot of a bare network meets the port itself
  int nic;          // index into the model's NICs; none: nameless or assumed
  BytesPerSecond bytes_per_second;
};

// Disjoint blocks of at most `slots` slots, `blocks` of them, that cover the machine: the links
// that lead out of any of them have at most this bandwidth together, and so have those that lead
// in. blocks 0: the links of different blocks may be the same.
struct SlotCut {
  std::int64_t slots;
  std::int64_t blocks;
  double bytes_per_second;
};

// As NetworkReach and NetworkDivision, of slots.
struct SlotReach {
  int distance;
  std::int64_t slots;
};
struct SlotDivision {
  struct Row {
    std::int64_t slots;
    std::int64_t count;
  };
  double distance;
  std::vector<Row> rows;
};

class Machine {
 public:
  // `count` nodes of one model, joined by `network` (nullptr: none is needed, count == 1, else
  // flat). Checks the model: ids in range, bandwidths above 0, every two slots joined; else
  // InputError.
  Machine(NodeModel model, NodeId count, std::shared_ptr<const Network> network = nullptr);

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  NodeId nodes() const { return nodes_; }
  SlotId slots() const { return static_cast<SlotId>(nodes_) * model_->slots(); }
  int slots_per_node() const { return model_->slots(); }
  const NodeModel& model() const { return *model_; }
  const Network* network() const { return network_.get(); }
  bool has_gpus() const { return !model_->gpus.empty(); }

  NodeId node_of(SlotId slot) const { return slot / model_->slots(); }
  int local_of(SlotId slot) const { return slot % model_->slots(); }
  SlotId slot_at(NodeId node, int local) const { return node * model_->slots() + local; }

  // Names the nodes; as many as nodes, unique, no blanks: else UsageError.
  void set_hosts(std::vector<std::string> hosts);
  void set_near_cores(NearCores policy);
  bool hosts_named() const { return !hosts_.empty(); }
  std::string host(NodeId node) const;  // its name; "*" (one node) or "node3" when nameless
  SlotRow slot(SlotId slot) const;

  LinkId links() const { return links_; }
  LinkRow link(LinkId link) const;
  std::string link_name(LinkId link) const;  // "gpu0>gpu3 nvlink", for people
  // The links from one slot to another, in order; empty for the same slot. Inside a node: see
  // NodeModel. Between nodes: tree to the GPU's NIC, NIC out, network, NIC in, tree. O(hops).
  void append_route(SlotId from, SlotId to, std::vector<LinkId>& route) const;
  std::vector<LinkId> route(SlotId from, SlotId to) const;
  int hops(SlotId from, SlotId to) const;  // the links of that route; O(dimensions), no route made
  // What hop-bytes count for a byte: the network's distance= where it has one, else hops.
  int distance(SlotId from, SlotId to) const;

  // Adds the expected bytes on every link (loads[l] for link l) of one message stream.
  void add_load(SlotId from, SlotId to, double bytes, std::span<double> loads) const;
  // The same for many streams, in two steps: what nodes carry now, what the network will carry is
  // appended to `flows`; then all of it at once, in closed form where the network has one.
  void add_node_load(SlotId from, SlotId to, double bytes, std::span<double> loads,
                     std::vector<NodeFlow>& flows) const;
  void add_network_loads(std::span<const NodeFlow> flows, std::span<double> loads) const;
  // max over links of loads[l] / bandwidth. O(links).
  double busiest_seconds(std::span<const double> loads) const;
  // Of slots, NICs, nodes, and the network's: for limits of the congestion.
  std::vector<SlotCut> cuts() const;
  // Of no slot are more than `slots`, itself included, within `distance`; ascending in both, the
  // last row has all slots. Counted up to 1024 slots, O(slots^2); above from the node and the
  // network.
  std::vector<SlotReach> reaches() const;
  // Families of divisions: by each of them, two slots are at least the sum over the divisions that
  // part them of their distances apart. The first nests (slots, nodes, the network's); the second
  // has the nodes alone.
  std::vector<std::vector<SlotDivision>> divisions() const;
  // Every byte between two slots takes the links of append_route, and hop-bytes count them.
  bool plain_routes() const;

  // Inside one node, for the EffBW models. Slots by their local index.
  int dedicated_lanes(int a, int b) const { return lanes_[index(a, b)]; }               // 0: none
  int switch_lanes(int a) const { return switch_lanes_[static_cast<std::size_t>(a)]; }  // 0: none
  // w(e) of the MAPA paper: the highest available, nominal: the dedicated connection, else the link
  // switch (the lesser of both), else the least along the tree. 0 on the diagonal.
  BytesPerSecond pair_bandwidth(int a, int b) const { return pair_bandwidth_[index(a, b)]; }
  // The same between any two slots of the machine: across nodes the least along the route. On a
  // bare network nothing limits two slots of one node: 0 as on the diagonal.
  BytesPerSecond bandwidth_between(SlotId a, SlotId b) const;
  // As above, with room for the route that is kept from call to call.
  BytesPerSecond bandwidth_between(SlotId a, SlotId b, std::vector<LinkId>& room) const;
  // Every two slots of a node are alike up to NIC and NUMA: a full switch, or an equal full mesh.
  bool uniform() const { return uniform_; }
  // What slots of a node share on their way out: the NIC they leave by (index into the hubs of kind
  // nic, none: no NIC known) and the connection above their first hub (none: there is none).
  int nic_of(int local) const { return nic_of_[static_cast<std::size_t>(local)]; }
  std::int32_t uplink_of(int local) const { return uplink_of_[static_cast<std::size_t>(local)]; }

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(model_->slots()) +
           static_cast<std::size_t>(b);
  }
  std::vector<SlotReach> counted_reaches() const;
  int nearest_inside() const;  // the least distance of two slots of a node
  int least_ends() const;      // the fewest links of its nodes on a route between two nodes
  void build_ports();
  void build_bare_ports();
  int nearest_port(int slot) const;
  void build_pairs();
  void build_ways();
  void build_bandwidths();
  void build_rows();
  bool all_alike() const;

  // Links of a node by their index there: 2 x connection (or, behind them, port) + direction.
  using Way = std::vector<LinkId>;
  void append_leg(std::int32_t connection, VertexId from, Way& way) const;
  void append_tree_way(VertexId from, VertexId to, Way& way) const;
  void append_inner_way(VertexId from, VertexId to, Way& way) const;
  void append_network_ways(int slot);
  void append_switch_ways(int slot);
  void append_over_switch(int from, int to);
  bool add_inside(SlotId from, SlotId to, double bytes, std::span<double> loads) const;
  std::span<const LinkId> inner_way(int from, int to) const {
    const std::size_t at = index(from, to);
    return std::span(inner_ways_)
        .subspan(inner_begin_[at], inner_begin_[at + 1] - inner_begin_[at]);
  }
  // The links that a node carries of a stream that leaves it, and of one that enters it.
  std::span<const LinkId> way_out(SlotId from, SlotId to) const;
  std::span<const LinkId> way_in(SlotId from, SlotId to) const;
  bool one_switch(NodeId a, NodeId b) const;  // different nodes of one switch domain
  bool over_network(SlotId from, SlotId to) const;
  EndpointId endpoint(SlotId slot) const;
  LinkId first_link(NodeId node) const { return node * links_per_node_; }

  std::string name_;
  std::shared_ptr<const NodeModel> model_;
  NodeId nodes_;
  std::shared_ptr<const Network> network_;
  std::vector<std::string> hosts_;
  NearCores near_cores_ = NearCores::divided;
  LinkId links_per_node_ = 0;
  LinkId links_ = 0;
  TreeRoutes tree_;
  std::vector<Port> ports_;
  std::vector<int> port_of_;  // [slot of a node] index into ports_
  std::vector<int> nic_of_;
  std::vector<std::int32_t> uplink_of_;
  std::vector<std::int32_t> direct_;       // [a][b] dedicated connection, or none
  std::vector<std::int32_t> switch_link_;  // [a] connection to the link switch, or none
  std::vector<int> lanes_;
  std::vector<int> switch_lanes_;
  std::vector<BytesPerSecond> pair_bandwidth_;
  std::vector<std::size_t> inner_begin_;  // [a][b] into inner_ways_, and its end
  Way inner_ways_;
  std::vector<Way> out_ways_;  // [slot of a node] to the network
  std::vector<Way> in_ways_;
  std::vector<Way> switch_out_;  // [slot of a node] to the switch domain; empty: not on a switch
  std::vector<Way> switch_in_;
  std::vector<double> node_bandwidths_;     // [link of a node] bytes/s
  std::vector<double> network_bandwidths_;  // [link of the network] bytes/s
  std::vector<SlotRow> rows_;               // of one node
  bool uniform_ = false;
};

}  // namespace rankmap
