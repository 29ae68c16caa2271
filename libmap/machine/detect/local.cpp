#include "libmap/machine/detect/local.hpp"

#include "libmap/machine/detect/nvml.hpp"
#include "libmap/machine/detect/nvml_merge.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"

namespace rankmap {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};

// What the cgroup allows, cut to this process's affinity; an affinity that leaves nothing is ignored.
CpuSet usable_cpus(hwloc_topology* topology) {
  const CpuSet allowed = cpu_set_of(hwloc_topology_get_allowed_cpuset(topology));
  const std::unique_ptr<hwloc_bitmap_s, FreeBitmap> bound(hwloc_bitmap_alloc());
  if (hwloc_topology_is_thissystem(topology) == 0 || !bound ||
      hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) != 0 ||
      hwloc_bitmap_weight(bound.get()) <= 0)
    return allowed;
  const CpuSet both = allowed.intersection(cpu_set_of(bound.get()));
  return both.empty() ? allowed : both;
}

}  // namespace

NodeModel detect_local(const DetectOptions& options) {
  const HwlocTopology topology = hwloc_of_this_machine();
  const CpuSet usable = usable_cpus(topology.get());
  HwlocConversion conversion(topology.get(), "local", &usable);
  const std::string library =
      options.nvml_library.empty() ? nvml_library_name() : options.nvml_library;
  const std::optional<NvmlReading> nvml = read_nvml(library);
  if (nvml && !nvml->gpus.empty()) {
    add_nvml_gpus(*nvml, topology.get(), usable, conversion);
  } else {
    if (nvml)
      for (const std::string& warning : nvml->warnings) conversion.assembly().model().warn(warning);
    conversion.add_gpus(hwloc_gpus(topology.get()));
  }
  conversion.add_nics();
  return conversion.finish();
}

}  // namespace rankmap
