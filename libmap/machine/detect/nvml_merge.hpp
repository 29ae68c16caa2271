// Puts NVML's GPUs into a conversion of this machine's hwloc topology.
#pragma once

#include "libmap/machine/detect/nvml.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"

namespace rankmap {

// GPUs that hwloc shows as PCI devices hang where hwloc has them; the others hang by NVML's common
// ancestors under the NUMA node of their affinity. `usable`: CPUs beyond it are no locality.
void add_nvml_gpus(const NvmlReading& reading, hwloc_topology* topology, const CpuSet& usable,
                   HwlocConversion& conversion);

}  // namespace rankmap
