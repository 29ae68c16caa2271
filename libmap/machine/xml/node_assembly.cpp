#include "libmap/machine/xml/node_assembly.hpp"

#include <algorithm>
#include <map>

namespace rankmap {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

int NodeAssembly::add_hub(HubKind kind, const std::string& name, const Uplink& up) {
  std::string unique = name;
  for (int copy = 2; !hub_names_.insert(unique).second; ++copy)
    unique = name + "#" + std::to_string(copy);
  hubs_.push_back({kind, unique, up});
  return static_cast<int>(hubs_.size()) - 1;
}

int NodeAssembly::add_gpu(Gpu gpu, const Uplink& up) {
  model_.gpus.push_back(std::move(gpu));
  gpu_ups_.push_back(up);
  return static_cast<int>(model_.gpus.size()) - 1;
}

void NodeAssembly::add_core(Core core, const Uplink& up) {
  model_.cores.push_back(std::move(core));
  core_ups_.push_back(up);
}

void NodeAssembly::add_nic(Nic nic, const Uplink& up, bool preferred) {
  const std::string label = nic.name.empty() ? nic.bus_id : nic.name;
  model_.nics.push_back(std::move(nic));
  nic_preferred_.push_back(preferred);
  nic_hubs_.push_back(add_hub(HubKind::nic, "nic:" + label, up));
}

int NodeAssembly::switch_hub(LinkKind kind) {
  if (switch_hub_ == none)
    switch_hub_ =
        add_hub(HubKind::link_switch, kind == LinkKind::nvlink ? "nvswitch" : "switch", {});
  return switch_hub_;
}

void NodeAssembly::join_gpus(LinkKind kind, int a, int b, int lanes, LinkSpeed lane) {
  joints_.push_back({kind, {false, a}, {false, b}, lanes, lane});
}

void NodeAssembly::join_switch(LinkKind kind, int gpu, int lanes, LinkSpeed lane) {
  joints_.push_back({kind, {false, gpu}, {true, switch_hub(kind)}, lanes, lane});
}

void NodeAssembly::join_hub(LinkKind kind, int gpu, int hub, int lanes, LinkSpeed lane) {
  joints_.push_back({kind, {false, gpu}, {true, hub}, lanes, lane});
}

void NodeAssembly::join_hubs(LinkKind kind, int a, int b, int lanes, LinkSpeed lane) {
  joints_.push_back({kind, {true, a}, {true, b}, lanes, lane});
}

void NodeAssembly::join_hub_to_switch(LinkKind kind, int hub, int lanes, LinkSpeed lane) {
  joints_.push_back({kind, {true, hub}, {true, switch_hub(kind)}, lanes, lane});
}

// Of every hub, the uplinks that end at it: of slots, NIC ports and other hubs.
std::vector<std::vector<Uplink*>> NodeAssembly::links_below() {
  std::vector<std::vector<Uplink*>> below(hubs_.size());
  const auto note = [&](Uplink& up) {
    if (up.hub != none) below[at(up.hub)].push_back(&up);
  };
  for (HubRow& hub : hubs_) note(hub.up);
  for (Uplink& up : gpu_ups_) note(up);
  return below;
}

void NodeAssembly::merge_idle_bridges() {
  std::vector<std::vector<Uplink*>> below = links_below();
  for (std::size_t i = 0; i < hubs_.size(); ++i) {
    HubRow& hub = hubs_[i];
    const bool bridge = hub.kind == HubKind::pcie_switch || hub.kind == HubKind::host_bridge;
    if (!bridge || below[i].size() != 1 || hub.up.hub == none) continue;
    Uplink& only = *below[i].front();
    only.hub = hub.up.hub;
    if (hub.up.speed.gbps > 0 && (only.speed.gbps <= 0 || hub.up.speed.gbps < only.speed.gbps))
      only.speed = hub.up.speed;
    std::replace(below[at(only.hub)].begin(), below[at(only.hub)].end(), &hub.up, &only);
    hub.up = {};
  }
  for (std::size_t i = hubs_.size(); i-- > 0;) {  // from the leaves: hubs come after those above
    LinkSpeed& speed = hubs_[i].up.speed;
    if (hubs_[i].up.hub == none || speed.gbps > 0) continue;
    for (const Uplink* up : below[i]) {
      speed.gbps += up->speed.gbps;
      speed.nccl_gbps += up->speed.nccl_gbps;
    }
  }
}

// The hubs above every slot and NIC, and every hub that a link ends at.
void NodeAssembly::mark_used() {
  const auto climb = [&](int hub) {
    for (; hub != none && !hubs_[at(hub)].used; hub = hubs_[at(hub)].up.hub)
      hubs_[at(hub)].used = true;
  };
  for (const Uplink& up : model_.gpus.empty() ? core_ups_ : gpu_ups_) climb(up.hub);
  for (const int hub : nic_hubs_) climb(hub);
  for (const Joint& joint : joints_)
    for (const End& end : {joint.a, joint.b})
      if (end.is_hub) climb(end.index);
}

// A root over a single hub joins nothing: one NUMA node needs no system above it.
void NodeAssembly::drop_idle_roots() {
  std::vector<int> children(hubs_.size(), 0);
  std::vector<bool> holds_device(hubs_.size(), false);
  for (const HubRow& hub : hubs_)
    if (hub.used && hub.up.hub != none) ++children[at(hub.up.hub)];
  for (const Uplink& up : model_.gpus.empty() ? core_ups_ : gpu_ups_)
    if (up.hub != none) holds_device[at(up.hub)] = true;
  for (const int hub : nic_hubs_)
    if (hubs_[at(hub)].up.hub != none) holds_device[at(hubs_[at(hub)].up.hub)] = true;
  const auto idle = [&](std::size_t hub) {
    return hubs_[hub].used && hubs_[hub].up.hub == none &&
           hubs_[hub].kind != HubKind::link_switch && children[hub] == 1 && !holds_device[hub];
  };
  for (std::size_t hub = 0; hub < hubs_.size(); ++hub) {
    if (!idle(hub)) continue;
    hubs_[hub].used = false;
    for (HubRow& child : hubs_)
      if (child.up.hub == static_cast<int>(hub)) child.up = {};
  }
}

std::vector<int> NodeAssembly::path_to_root(int hub) const {
  std::vector<int> path;
  for (; hub != none; hub = hubs_[at(hub)].up.hub) path.push_back(hub);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<int> NodeAssembly::nearest_nics(const std::vector<int>& gpu_path,
                                            const std::vector<std::vector<int>>& nic_paths) const {
  const bool any_preferred =
      std::find(nic_preferred_.begin(), nic_preferred_.end(), true) != nic_preferred_.end();
  std::ptrdiff_t best = 0;
  std::vector<int> nearest;
  for (std::size_t nic = 0; nic < nic_paths.size(); ++nic) {
    if (any_preferred && !nic_preferred_[nic]) continue;
    const auto end = std::mismatch(gpu_path.begin(), gpu_path.end(), nic_paths[nic].begin(),
                                   nic_paths[nic].end());
    const std::ptrdiff_t common = end.first - gpu_path.begin();
    if (common > best) nearest.clear();
    best = std::max(best, common);
    if (common == best && common > 0) nearest.push_back(static_cast<int>(nic));
  }
  return nearest;
}

// GPUs that see the same nearest NICs share them in runs: of m GPUs and c NICs, GPU j gets j*c/m.
void NodeAssembly::choose_nics() {
  std::vector<std::vector<int>> nic_paths;
  for (const int hub : nic_hubs_) nic_paths.push_back(path_to_root(hubs_[at(hub)].up.hub));
  std::map<std::vector<int>, std::vector<std::size_t>> sharers;
  for (std::size_t gpu = 0; gpu < gpu_ups_.size(); ++gpu)
    sharers[nearest_nics(path_to_root(gpu_ups_[gpu].hub), nic_paths)].push_back(gpu);
  for (const auto& [nics, gpus] : sharers) {
    if (nics.empty()) continue;
    for (std::size_t j = 0; j < gpus.size(); ++j)
      model_.gpus[gpus[j]].nic = nics[j * nics.size() / gpus.size()];
  }
}

void NodeAssembly::connect(LinkKind kind, VertexId a, VertexId b, int lanes, LinkSpeed lane) {
  model_.connections.push_back(
      {kind, a, b, lanes, from_gbps(lane.gbps * lanes), from_gbps(lane.nccl_gbps)});
}

NodeModel NodeAssembly::finish() {
  mark_used();
  drop_idle_roots();
  choose_nics();
  std::vector<VertexId> vertex(hubs_.size(), none);
  for (std::size_t hub = 0; hub < hubs_.size(); ++hub)
    if (hubs_[hub].used) vertex[hub] = model_.add_hub(hubs_[hub].kind, hubs_[hub].name);
  const std::vector<Uplink>& slot_ups = model_.gpus.empty() ? core_ups_ : gpu_ups_;
  for (std::size_t slot = 0; slot < slot_ups.size(); ++slot) {
    const Uplink& up = slot_ups[slot];
    if (up.hub != none)
      connect(up.kind, static_cast<VertexId>(slot), vertex[at(up.hub)], up.lanes, up.speed);
  }
  for (std::size_t hub = 0; hub < hubs_.size(); ++hub) {
    const Uplink& up = hubs_[hub].up;
    if (hubs_[hub].used && up.hub != none)
      connect(up.kind, vertex[hub], vertex[at(up.hub)], up.lanes, up.speed);
  }
  const auto vertex_of = [&](const End& end) {
    return end.is_hub ? vertex[at(end.index)] : static_cast<VertexId>(end.index);
  };
  for (const Joint& joint : joints_)
    connect(joint.kind, vertex_of(joint.a), vertex_of(joint.b), joint.lanes, joint.lane);
  return std::move(model_);
}

}  // namespace rankmap
