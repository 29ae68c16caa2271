// A topology that hwloc holds, and its conversion into a node model: for XML files and this machine.
#pragma once

#include <hwloc.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/machine/xml/node_assembly.hpp"

namespace rankmap {

struct HwlocDestroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, HwlocDestroy>;

// InputError with line and column: not well-formed XML, not <topology>, made for a newer hwloc, or
// numbers that would make hwloc reserve memory without limit.
void check_hwloc_xml(std::string_view text, const std::string& source);

// Of a checked text: the whole machine, I/O included, what the recording process was not allowed to use too. hwloc's own
// messages are silenced. InputError: hwloc refuses the text.
HwlocTopology hwloc_from_xml(std::string_view text, const std::string& source);
// This machine as hwloc detects it (HWLOC_XMLFILE and the like are honoured); NotAvailable.
HwlocTopology hwloc_of_this_machine();

// Objects with CPUs of their own or near them, as hwloc's tools count.
struct HwlocCounts {
  int package = 0;
  int numanode = 0;
  int core = 0;
  int pu = 0;
};
HwlocCounts count_all(hwloc_topology* topology);
HwlocCounts count_allowed(hwloc_topology* topology);  // what the recording process could use

// OS numbers; InputError{source} for an infinite set or numbers above CpuSet::max_number.
CpuSet cpu_set_of(hwloc_const_bitmap_t bitmap);

// A GPU as hwloc knows it, and the objects that stand for it.
struct HwlocGpu {
  Gpu row;
  hwloc_obj_t device = nullptr;  // PCI device, or the OS device where there is none
  std::vector<hwloc_obj_t> os_devices;
};

// The GPUs in the order of the management library's numbers where hwloc has them for all, else in
// PCI order. Coprocessor devices (CUDA, NVML, RSMI, Level Zero, OpenCL GPUs) are counted, several at
// one PCI device being partitions; without any, a PCI device of a GPU class is one.
std::vector<HwlocGpu> hwloc_gpus(hwloc_topology* topology);

// Where a device hangs and what is near it.
struct HwlocPlace {
  Uplink up;
  int numa = none;
  std::optional<CpuSet> cpus;
};

// Fills an assembly from a topology, step by step, so that detection can put in GPUs of its own.
class HwlocConversion {
 public:
  // NUMA nodes, packages and cores. `usable`: only cores with these CPUs, and only these of each
  // (nullptr: all). Cores are numbered over those that hwloc allows, as launchers number them, when
  // `usable` is given, else over all.
  HwlocConversion(hwloc_topology* topology, const char* source_format, const CpuSet* usable);

  NodeAssembly& assembly() { return assembly_; }
  HwlocPlace place_of(hwloc_obj_t device);
  // For a device that hwloc does not show: the NUMA node if these CPUs are all of one.
  HwlocPlace place_of_cpus(const CpuSet& cpus) const;
  int hub_of_numa(int numa) const;  // the root for numbers that are none
  bool knows_numa(int numa) const { return numa_hubs_.contains(numa); }
  LinkSpeed cpu_link() const { return cpu_link_; }
  void add_gpus(const std::vector<HwlocGpu>& gpus);
  void add_nics();
  NodeModel finish();

 private:
  struct Device {
    hwloc_obj_t pci;
    std::vector<hwloc_obj_t> network;
    std::vector<hwloc_obj_t> fabric;
  };

  void read_packages();
  void read_numa_nodes();
  void read_cores(const CpuSet* usable);
  int hub_of_package(hwloc_obj_t object) const;
  int hub_of_locality(hwloc_obj_t object, HwlocPlace& place) const;
  int hub_of_bridge(hwloc_obj_t bridge, HwlocPlace& place);
  LinkSpeed speed_of(float linkspeed_gbps);
  int numa_of_cpu(int cpu) const;

  hwloc_topology* topology_;
  NodeAssembly assembly_;
  LinkSpeed cpu_link_;
  int root_;
  std::map<hwloc_obj_t, int> package_hubs_;
  std::map<int, int> numa_hubs_;
  std::map<int, int> numa_of_cpu_;
  std::map<hwloc_obj_t, int> bridge_hubs_;
  int unknown_speeds_ = 0;
};

// Adds NVLink and xGMI connections that hwloc's distance matrices tell.
void add_hwloc_links(hwloc_topology* topology, const std::vector<HwlocGpu>& gpus,
                     NodeAssembly& assembly);

}  // namespace rankmap
