// Puts a NodeModel together in the order in which sources tell things: hubs before the slots are
// counted, links by device number. finish() numbers the vertices.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libmap/machine/link_speeds.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

// What something hangs on: a hub's number as add_hub gave it, and the link to it. No hub: a root.
struct Uplink {
  int hub = none;
  LinkKind kind = LinkKind::pcie;
  LinkSpeed speed = {0, 0};  // of one lane
  int lanes = 1;
};

class NodeAssembly {
 public:
  explicit NodeAssembly(const char* source_format) { model_.source_format = source_format; }

  // Its number. A name that is taken gets "#2", "#3" ... appended.
  int add_hub(HubKind kind, const std::string& name, const Uplink& up);
  int add_gpu(Gpu gpu, const Uplink& up);  // its index
  void add_core(Core core, const Uplink& up);
  // The port hub "nic:NAME" is made here. Where any NIC is `preferred`, the others are not chosen
  // as a GPU's nearest NIC (Ethernet for management beside a fabric).
  void add_nic(Nic nic, const Uplink& up, bool preferred);

  void join_gpus(LinkKind kind, int a, int b, int lanes, LinkSpeed lane);
  // All link switches of a node are one hub, "nvswitch" for nvlink, else "switch".
  void join_switch(LinkKind kind, int gpu, int lanes, LinkSpeed lane);
  void join_hub(LinkKind kind, int gpu, int hub, int lanes, LinkSpeed lane);
  void join_hubs(LinkKind kind, int a, int b, int lanes, LinkSpeed lane);
  void join_hub_to_switch(LinkKind kind, int hub, int lanes, LinkSpeed lane);

  NodeModel& model() { return model_; }  // for the plain tables and warnings

  // PCIe switches and host bridges with one thing below become a link: the slower of the two.
  // Those that stay and have no speed of their own ({0, 0}) are as fast as all below together.
  void merge_idle_bridges();

  // Drops hubs that nothing hangs on and roots with a single child, gives each GPU its nearest NIC
  // (evenly where several are equally near) and numbers all links.
  // O(GPUs x NICs x depth + links).
  NodeModel finish();

 private:
  struct HubRow {
    HubKind kind;
    std::string name;
    Uplink up;
    bool used = false;
  };
  struct End {
    bool is_hub;
    int index;
  };
  struct Joint {
    LinkKind kind;
    End a;
    End b;
    int lanes;
    LinkSpeed lane;
  };

  std::vector<std::vector<Uplink*>> links_below();
  int switch_hub(LinkKind kind);
  void mark_used();
  void drop_idle_roots();
  void choose_nics();
  std::vector<int> path_to_root(int hub) const;
  std::vector<int> nearest_nics(const std::vector<int>& gpu_path,
                                const std::vector<std::vector<int>>& nic_paths) const;
  void connect(LinkKind kind, VertexId a, VertexId b, int lanes, LinkSpeed lane);

  NodeModel model_;
  std::vector<HubRow> hubs_;
  std::set<std::string> hub_names_;
  std::vector<Uplink> gpu_ups_;
  std::vector<Uplink> core_ups_;
  std::vector<bool> nic_preferred_;
  std::vector<int> nic_hubs_;
  std::vector<Joint> joints_;
  int switch_hub_ = none;
};

}  // namespace rankmap
