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
  VertexId vertex;  // none: a slot of a bare network is the port itself
  int nic;          // index into the model's NICs; none: nameless or assumed
  BytesPerSecond bytes_per_second;
};

class Machine {
 public:
  // `count` nodes of one model, joined by `network` (nullptr: none is needed, count == 1, else flat).
  // Checks the model: ids in range, bandwidths above 0, every two slots joined; else InputError.
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
  int hops(SlotId from, SlotId to) const;

  // Inside one node, for the EffBW models. Slots by their local index.
  int dedicated_lanes(int a, int b) const { return lanes_[index(a, b)]; }               // 0: none
  int switch_lanes(int a) const { return switch_lanes_[static_cast<std::size_t>(a)]; }  // 0: none
  // w(e) of the MAPA paper: the highest available, nominal: the dedicated connection, else the link
  // switch (the lesser of both), else the least along the tree. 0 on the diagonal.
  BytesPerSecond pair_bandwidth(int a, int b) const { return pair_bandwidth_[index(a, b)]; }
  // The same between any two slots of the machine: across nodes the least along the route. On a bare
  // network nothing limits two slots of one node: 0 as on the diagonal.
  BytesPerSecond bandwidth_between(SlotId a, SlotId b) const;
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
  void build_ports();
  int nearest_port(int slot) const;
  void build_pairs();
  void build_rows();
  bool all_alike() const;
  void append_inner_route(NodeId node, VertexId from, VertexId to,
                          std::vector<LinkId>& route) const;
  void append_tree_route(NodeId node, VertexId from, VertexId to, std::vector<LinkId>& route) const;
  void append_leg(NodeId node, std::int32_t connection, VertexId from,
                  std::vector<LinkId>& route) const;
  LinkId port_link(NodeId node, int port, bool outward) const;

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
  std::vector<SlotRow> rows_;  // of one node
  bool uniform_ = false;
};

}  // namespace rankmap
