#include "libmap/machine/xml/hwloc_topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/complete_model.hpp"
#include "libmap/machine/xml/bus_id.hpp"

namespace rankmap {
namespace {

std::string_view info_of(hwloc_obj_t object, const char* name) {
  const char* value = object == nullptr ? nullptr : hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

LinkSpeed cpu_link_of(hwloc_topology* topology) {
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const hwloc_obj_t told =
      info_of(package, "CPUVendor").empty() ? hwloc_get_root_obj(topology) : package;
  const auto number = [&](const char* name) {
    return static_cast<int>(
        std::clamp<std::int64_t>(parse_integer(info_of(told, name)).value_or(none), none, 1 << 20));
  };
  return cpu_link_speed(info_of(told, "CPUVendor"), number("CPUFamilyNumber"),
                        number("CPUModelNumber"));
}

bool is_package(hwloc_obj_t object) {
  return object->type == HWLOC_OBJ_PACKAGE;
}

std::vector<hwloc_obj_t> numa_objects(hwloc_topology* topology) {
  std::vector<hwloc_obj_t> nodes;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
    nodes.push_back(node);
  return nodes;
}

// GPU memory is never a CPU's home; high-bandwidth, CXL and other special memory only when nothing
// else is there.
int rank_as_home(std::string_view subtype) {
  if (subtype == "GPUMemory") return 2;
  return subtype.empty() || subtype == "DRAM" ? 0 : 1;
}

bool tells_speed(float linkspeed_gbps) {
  return linkspeed_gbps > 0.05F;
}

// hwloc tells the raw GB/s of generation and width; the nearest pair of both is meant.
LinkSpeed nearest_pcie_speed(float linkspeed_gbps) {
  constexpr std::array<double, 6> raw_gbps_of_lane = {0.25, 0.5, 0.985, 1.969, 3.938, 7.563};
  LinkSpeed nearest = pcie_speed(3, 16);
  double least = 1e9;
  for (int generation = 1; generation <= 6; ++generation) {
    for (const int width : {1, 2, 4, 8, 16}) {
      const double raw = width * raw_gbps_of_lane[static_cast<std::size_t>(generation) - 1];
      const double error = std::abs(std::log(raw / static_cast<double>(linkspeed_gbps)));
      if (error >= least) continue;
      least = error;
      nearest = pcie_speed(generation, width);
    }
  }
  return nearest;
}

}  // namespace

CpuSet cpu_set_of(hwloc_const_bitmap_t bitmap) {
  CpuSet set;
  if (bitmap == nullptr) return set;
  if (hwloc_bitmap_weight(bitmap) < 0 || hwloc_bitmap_last(bitmap) > CpuSet::max_number)
    throw InputError({"hwloc", 0, 0}, "a CPU set without end, or CPU numbers above " +
                                          std::to_string(CpuSet::max_number));
  for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu))
    set.add(cpu);
  return set;
}

HwlocConversion::HwlocConversion(hwloc_topology* topology, const char* source_format,
                                 const CpuSet* usable)
    : topology_(topology),
      assembly_(source_format),
      cpu_link_(cpu_link_of(topology)),
      root_(assembly_.add_hub(HubKind::system, "system", {})) {
  assembly_.model().name = info_of(hwloc_get_root_obj(topology), "HostName");
  read_packages();
  read_numa_nodes();
  read_cores(usable);
}

// A package is a hub where it holds several NUMA nodes and is not the only one.
void HwlocConversion::read_packages() {
  if (hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PACKAGE) < 2) return;
  for (hwloc_obj_t package = nullptr;
       (package = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, package)) != nullptr;) {
    if (hwloc_bitmap_weight(package->nodeset) < 2) continue;
    package_hubs_[package] =
        assembly_.add_hub(HubKind::package, "package" + std::to_string(package->logical_index),
                          {root_, LinkKind::cpu, cpu_link_});
  }
}

int HwlocConversion::hub_of_package(hwloc_obj_t object) const {
  while (object != nullptr && !is_package(object)) object = object->parent;
  const auto found = package_hubs_.find(object);
  return found == package_hubs_.end() ? root_ : found->second;
}

// hwloc gives memory without CPUs the CPU set of what it is near; here every CPU has one home.
void HwlocConversion::read_numa_nodes() {
  std::vector<hwloc_obj_t> nodes = numa_objects(topology_);
  const auto home_order = [](hwloc_obj_t node) {
    return std::make_tuple(rank_as_home(node->subtype == nullptr ? "" : node->subtype),
                           hwloc_bitmap_weight(node->cpuset), node->os_index);
  };
  std::sort(nodes.begin(), nodes.end(),
            [&](hwloc_obj_t a, hwloc_obj_t b) { return home_order(a) < home_order(b); });
  for (const hwloc_obj_t node : nodes) {
    NumaNode row;
    row.id = static_cast<int>(node->os_index);
    row.subtype = node->subtype == nullptr ? "" : node->subtype;
    row.memory_bytes = node->attr->numanode.local_memory;
    if (rank_as_home(row.subtype) < 2) {
      const CpuSet near = cpu_set_of(node->cpuset);
      for (const int cpu : near.numbers())
        if (numa_of_cpu_.emplace(cpu, row.id).second) row.cpus.add(cpu);
    }
    if (!row.cpus.empty())
      numa_hubs_[row.id] = assembly_.add_hub(HubKind::numa, "numa" + std::to_string(row.id),
                                             {hub_of_package(node), LinkKind::cpu, cpu_link_});
    assembly_.model().numa_nodes.push_back(std::move(row));
  }
  std::sort(assembly_.model().numa_nodes.begin(), assembly_.model().numa_nodes.end(),
            [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
}

int HwlocConversion::numa_of_cpu(int cpu) const {
  const auto found = numa_of_cpu_.find(cpu);
  return found == numa_of_cpu_.end() ? none : found->second;
}

int HwlocConversion::hub_of_numa(int numa) const {
  const auto found = numa_hubs_.find(numa);
  return found == numa_hubs_.end() ? root_ : found->second;
}

// A machine whose cores hwloc does not know has one core a PU.
void HwlocConversion::read_cores(const CpuSet* usable) {
  const hwloc_obj_type_t type =
      hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology_);
  int logical = 0;
  std::size_t threads = 1;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology_, type, object)) != nullptr;) {
    if (usable != nullptr && !hwloc_bitmap_intersects(object->cpuset, allowed)) continue;
    Core core;
    core.logical = logical++;
    const CpuSet cpus = cpu_set_of(object->cpuset);
    core.cpus = usable == nullptr ? cpus : cpus.intersection(*usable);
    threads = std::max(threads, cpus.size());
    if (core.cpus.empty()) continue;
    core.numa = numa_of_cpu(core.cpus.numbers().front());
    const hwloc_obj_t package =
        hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, object);
    core.package = package == nullptr ? none : static_cast<int>(package->logical_index);
    assembly_.add_core(
        core, {hub_of_numa(core.numa), LinkKind::memory, {assumed_core_gbps, assumed_core_gbps}});
  }
  assembly_.model().threads_per_core = static_cast<int>(threads);
}

// The NUMA node near an object if it is one; else its package or the whole.
int HwlocConversion::hub_of_locality(hwloc_obj_t object, HwlocPlace& place) const {
  const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology_, object);
  if (near == nullptr || near->cpuset == nullptr) return root_;
  const CpuSet cpus = cpu_set_of(near->cpuset);
  int numa = none;
  for (const int cpu : cpus.numbers()) {
    const int home = numa_of_cpu(cpu);
    if (numa != none && home != numa) {
      if (near->parent != nullptr) place.cpus = cpus;
      return hub_of_package(near);
    }
    numa = home;
  }
  if (cpus.empty() || numa == none) return root_;
  place.numa = numa;
  place.cpus = cpus;
  return hub_of_numa(numa);
}

int HwlocConversion::hub_of_bridge(hwloc_obj_t bridge, HwlocPlace& place) {
  if (bridge == nullptr || bridge->type != HWLOC_OBJ_BRIDGE)
    return bridge == nullptr ? root_ : hub_of_locality(bridge, place);
  const int above = hub_of_bridge(bridge->parent, place);
  if (const auto known = bridge_hubs_.find(bridge); known != bridge_hubs_.end())
    return known->second;
  const LinkSpeed unlimited = {0, 0};
  const bool host = bridge->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST;
  const std::string number = std::to_string(bridge_hubs_.size());
  const float told = host ? 0 : bridge->attr->bridge.upstream.pci.linkspeed;
  const int hub = assembly_.add_hub(
      host ? HubKind::host_bridge : HubKind::pcie_switch, (host ? "hostbridge" : "pcie") + number,
      {above, LinkKind::pcie, tells_speed(told) ? nearest_pcie_speed(told) : unlimited});
  bridge_hubs_[bridge] = hub;
  return hub;
}

HwlocPlace HwlocConversion::place_of(hwloc_obj_t device) {
  HwlocPlace place;
  const bool pci = device->type == HWLOC_OBJ_PCI_DEVICE;
  place.up.hub = hub_of_bridge(device->parent, place);
  place.up.speed = speed_of(pci ? device->attr->pcidev.linkspeed : 0);
  return place;
}

HwlocPlace HwlocConversion::place_of_cpus(const CpuSet& cpus) const {
  HwlocPlace place;
  place.up.hub = root_;
  if (cpus.empty()) return place;
  const int numa = numa_of_cpu(cpus.numbers().front());
  for (const int cpu : cpus.numbers())
    if (numa == none || numa_of_cpu(cpu) != numa) return place;
  place.numa = numa;
  place.cpus = cpus;
  place.up.hub = hub_of_numa(numa);
  return place;
}

LinkSpeed HwlocConversion::speed_of(float linkspeed_gbps) {
  if (tells_speed(linkspeed_gbps)) return nearest_pcie_speed(linkspeed_gbps);
  ++unknown_speeds_;
  return {assumed_pcie_gbps, assumed_pcie_gbps};
}

void HwlocConversion::add_gpus(const std::vector<HwlocGpu>& gpus) {
  for (const HwlocGpu& gpu : gpus) {
    const HwlocPlace place = place_of(gpu.device);
    Gpu row = gpu.row;
    row.numa = place.numa;
    row.cpus = place.cpus;
    if (place.cpus) row.cpu_affinity = place.cpus->to_string();
    assembly_.add_gpu(std::move(row), place.up);
  }
  add_hwloc_links(topology_, gpus, assembly_);
}

NodeModel HwlocConversion::finish() {
  if (unknown_speeds_ > 0 && !assembly_.model().gpus.empty())
    assembly_.model().warn(std::to_string(unknown_speeds_) +
                           " PCIe links tell no speed: gen3 x16 is assumed");
  assembly_.merge_idle_bridges();
  return assembly_.finish();
}

}  // namespace rankmap
