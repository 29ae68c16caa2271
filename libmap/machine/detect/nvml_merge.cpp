#include "libmap/machine/detect/nvml_merge.hpp"

#include <algorithm>
#include <array>

#include "libmap/machine/complete_model.hpp"
#include "libmap/machine/detect/nvml_abi.hpp"
#include "libmap/machine/xml/peer_links.hpp"

namespace rankmap {
namespace {

constexpr LinkSpeed assumed_nvlink = {25, 20};

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// NVML's number of an NVLink version -> generation.
constexpr std::array<int, 8> generation_of_version = {0, 1, 2, 2, 3, 3, 4, 5};

// Hubs that common ancestors stand for, from the outside in.
struct Level {
  int greatest;
  HubKind kind;
  const char* name;
};
constexpr std::array levels = {
    Level{nvml::level_node, HubKind::numa, "near"},
    Level{nvml::level_host_bridge, HubKind::host_bridge, "hostbridge"},
    Level{nvml::level_several_switches, HubKind::pcie_switch, "switches"},
    Level{nvml::level_single_switch, HubKind::pcie_switch, "switch"}};

class NvmlMerge {
 public:
  NvmlMerge(const NvmlReading& reading, hwloc_topology* topology, const CpuSet& usable,
            HwlocConversion& conversion)
      : gpus_(reading.gpus), topology_(topology), usable_(usable), conversion_(conversion) {}

  void merge() {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) places_.push_back(place_of(gpu));
    hang_hidden_gpus();
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) add_slots(gpu);
    add_links();
    if (narrowed_) warn("CPUs near a GPU are not allowed here: they are left out of its locality");
  }

 private:
  hwloc_obj_t pci_of(const NvmlGpu& gpu) const {
    return gpu.bus_id.empty() ? nullptr
                              : hwloc_get_pcidev_by_busidstring(topology_, gpu.bus_id.c_str());
  }

  HwlocPlace place_of(std::size_t index) {
    const NvmlGpu& gpu = gpus_[index];
    const hwloc_obj_t pci = pci_of(gpu);
    hidden_.push_back(pci == nullptr);
    HwlocPlace place = pci == nullptr ? HwlocPlace() : conversion_.place_of(pci);
    if (place.numa == none) prefer_driver(gpu, place, pci == nullptr);
    if (gpu.pcie_generation > 0 && gpu.pcie_width > 0) {
      place.up.speed = pcie_speed(gpu.pcie_generation, gpu.pcie_width);
    } else if (pci == nullptr) {
      place.up.speed = {assumed_pcie_gbps, assumed_pcie_gbps};
    }
    return place;
  }

  // Where PCI tells no NUMA node the driver's answer is taken, if this machine has it.
  void prefer_driver(const NvmlGpu& gpu, HwlocPlace& place, bool hang) {
    HwlocPlace near = conversion_.place_of_cpus(gpu.cpus.value_or(CpuSet()));
    if (gpu.numa_nodes)
      for (const int numa : gpu.numa_nodes->numbers())
        if (near.numa == none && conversion_.knows_numa(numa)) {
          near.numa = numa;
          near.up.hub = conversion_.hub_of_numa(numa);
        }
    place.numa = near.numa;
    if (!place.cpus) place.cpus = near.cpus;
    if (hang) place.up.hub = near.up.hub;
  }

  int level(std::size_t a, std::size_t b) const {
    const std::vector<int>& row = gpus_[a].levels;
    return b < row.size() ? row[b] : none;
  }

  void hang_hidden_gpus() {
    for (const Level& row : levels) {
      std::vector<bool> done(gpus_.size(), false);
      int number = 0;
      for (std::size_t first = 0; first < gpus_.size(); ++first) {
        if (!hidden_[first] || done[first]) continue;
        std::vector<std::size_t> members;
        for (std::size_t other = first; other < gpus_.size(); ++other)
          if (belongs(first, other, row.greatest)) members.push_back(other);
        for (const std::size_t member : members) done[member] = true;
        const bool placed = row.kind == HubKind::numa && places_[first].numa != none;
        if (members.size() > 1 && !placed) hang_under_hub(members, row, number++);
      }
    }
  }

  // Under one hub only what hangs together already: a nearer ancestor lies inside a farther one.
  bool belongs(std::size_t first, std::size_t other, int greatest) const {
    if (first == other) return true;
    const int found = level(first, other);
    return hidden_[other] && found != none && found <= greatest &&
           places_[first].up.hub == places_[other].up.hub;
  }

  void hang_under_hub(const std::vector<std::size_t>& members, const Level& row, int number) {
    const HwlocPlace& first = places_[members.front()];
    const bool numa = row.kind == HubKind::numa;
    const LinkSpeed speed = numa                               ? conversion_.cpu_link()
                            : row.kind == HubKind::host_bridge ? LinkSpeed{0, 0}
                                                               : first.up.speed;
    const int hub = conversion_.assembly().add_hub(
        row.kind, row.name + std::to_string(number),
        {first.up.hub, numa ? LinkKind::cpu : LinkKind::pcie, speed});
    for (const std::size_t member : members) places_[member].up.hub = hub;
  }

  Gpu row_of(std::size_t index) {
    const NvmlGpu& gpu = gpus_[index];
    const HwlocPlace& place = places_[index];
    Gpu row;
    row.name = gpu.name;
    row.bus_id = gpu.bus_id;
    row.uuid = gpu.uuid;
    row.vendor = "nvidia";
    row.numa = place.numa;
    if (gpu.cpus) row.cpu_affinity = gpu.cpus->to_string();
    if (gpu.numa_nodes) row.numa_affinity = gpu.numa_nodes->to_string();
    if (gpu.memory_numa != none) row.gpu_numa_id = std::to_string(gpu.memory_numa);
    if (!place.cpus) return row;
    const CpuSet allowed = place.cpus->intersection(usable_);
    narrowed_ = narrowed_ || allowed != *place.cpus;
    if (!allowed.empty()) row.cpus = allowed;
    return row;
  }

  // The instances of a GPU share its PCIe link, over a hub that stands for the GPU.
  void add_slots(std::size_t index) {
    NodeAssembly& assembly = conversion_.assembly();
    const NvmlGpu& gpu = gpus_[index];
    if (gpu.mig && gpu.instances.empty()) {
      warn("GPU " + std::to_string(index) + " is in MIG mode without instances: it is left out");
      ends_.push_back({none, none});
      return;
    }
    Gpu row = row_of(index);
    if (!gpu.mig) {
      ends_.push_back({assembly.add_gpu(std::move(row), places_[index].up), none});
      return;
    }
    const int hub =
        assembly.add_hub(HubKind::pcie_switch, "device" + std::to_string(index), places_[index].up);
    ends_.push_back({none, hub});
    row.device = static_cast<int>(index);
    row.package = static_cast<int>(index);
    for (const NvmlMig& instance : gpu.instances) {
      row.name = instance.name.empty() ? gpu.name : instance.name;
      row.uuid = instance.uuid;
      assembly.add_gpu(row, {hub, LinkKind::pcie, places_[index].up.speed});
    }
  }

  LinkSpeed nvlink_of(std::size_t gpu) const {
    if (const LinkSpeed named = nvlink_speed_of_gpu(gpus_[gpu].name); named.gbps > 0) return named;
    const int version = gpus_[gpu].links.empty() ? 0 : gpus_[gpu].links.front().version;
    if (version <= 0 || at(version) >= generation_of_version.size()) return assumed_nvlink;
    return nvlink_speed(generation_of_version[at(version)]);
  }

  int gpu_at(const std::string& bus_id) const {
    for (std::size_t gpu = 0; gpu < gpus_.size() && !bus_id.empty(); ++gpu)
      if (gpus_[gpu].bus_id == bus_id) return static_cast<int>(gpu);
    return none;
  }

  void add_links() {
    ToldLinks told;
    int strangers = 0;
    bool through_mig = false;
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      int to_switch = 0;
      int to_cpu = 0;
      for (const NvmlLink& link : gpus_[gpu].links) {
        const int peer = gpu_at(link.bus_id);
        if (peer != none && peer != static_cast<int>(gpu)) {
          ++told[{static_cast<int>(gpu), peer}];
        } else if (link.end == NvlinkEnd::link_switch) {
          ++to_switch;
        } else if (link.end == NvlinkEnd::cpu) {
          ++to_cpu;
        } else {
          ++strangers;
        }
      }
      join_switch(gpu, to_switch);
      join_cpu(gpu, to_cpu);
      through_mig = through_mig || (gpus_[gpu].mig && !gpus_[gpu].links.empty());
    }
    const PeerLinks peers = even_out(told);
    for (const PeerLink& link : peers.links) join_peers(link);
    if (!peers.uneven.empty()) warn(uneven_warning("nvlink", peers.uneven));
    if (strangers > 0) warn(std::to_string(strangers) + " NVLinks end at unknown devices");
    if (through_mig)
      warn("GPUs in MIG mode: NVLinks are those of the whole GPU, and instances may not use them");
  }

  void join_switch(std::size_t gpu, int lanes) {
    NodeAssembly& assembly = conversion_.assembly();
    const Ends& end = ends_[gpu];
    if (lanes > 0 && end.slot != none)
      assembly.join_switch(LinkKind::nvlink, end.slot, lanes, nvlink_of(gpu));
    if (lanes > 0 && end.hub != none)
      assembly.join_hub_to_switch(LinkKind::nvlink, end.hub, lanes, nvlink_of(gpu));
  }

  void join_cpu(std::size_t gpu, int lanes) {
    const int hub = conversion_.hub_of_numa(places_[gpu].numa);
    if (lanes > 0 && ends_[gpu].slot != none)
      conversion_.assembly().join_hub(LinkKind::nvlink, ends_[gpu].slot, hub, lanes,
                                      nvlink_of(gpu));
  }

  void join_peers(const PeerLink& link) {
    NodeAssembly& assembly = conversion_.assembly();
    const Ends& a = ends_[at(link.a)];
    const Ends& b = ends_[at(link.b)];
    const LinkSpeed speed = nvlink_of(at(link.a));
    if (a.slot != none && b.slot != none) {
      assembly.join_gpus(LinkKind::nvlink, a.slot, b.slot, link.lanes, speed);
    } else if (a.hub != none && b.hub != none) {
      assembly.join_hubs(LinkKind::nvlink, a.hub, b.hub, link.lanes, speed);
    } else if (a.slot != none && b.hub != none) {
      assembly.join_hub(LinkKind::nvlink, a.slot, b.hub, link.lanes, speed);
    } else if (b.slot != none && a.hub != none) {
      assembly.join_hub(LinkKind::nvlink, b.slot, a.hub, link.lanes, speed);
    }
  }

  void warn(std::string message) { conversion_.assembly().model().warn(std::move(message)); }

  struct Ends {
    int slot;  // none: the GPU is a hub, or left out
    int hub;
  };
  const std::vector<NvmlGpu>& gpus_;
  hwloc_topology* topology_;
  const CpuSet& usable_;
  HwlocConversion& conversion_;
  std::vector<HwlocPlace> places_;
  std::vector<bool> hidden_;
  std::vector<Ends> ends_;
  bool narrowed_ = false;
};

}  // namespace

void add_nvml_gpus(const NvmlReading& reading, hwloc_topology* topology, const CpuSet& usable,
                   HwlocConversion& conversion) {
  NvmlMerge(reading, topology, usable, conversion).merge();
  for (const std::string& warning : reading.warnings) conversion.assembly().model().warn(warning);
}

}  // namespace rankmap
