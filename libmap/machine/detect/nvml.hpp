// What NVML tells of this machine's GPUs, read once through a library opened at run time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/base/ids.hpp"

namespace rankmap {

enum class NvlinkEnd { gpu, cpu, link_switch, unknown };

struct NvmlLink {
  NvlinkEnd end = NvlinkEnd::unknown;
  std::string bus_id;  // of the far end; "" unknown
  int version = 0;     // as NVML numbers them: 1 (1.0), 2 (2.0), 3 (2.2), 4 (3.0), 6 (4.0), 7 (5.0)
};

struct NvmlMig {
  std::string name;
  std::string uuid;
};

struct NvmlGpu {
  std::string name;
  std::string bus_id;
  std::string uuid;
  std::optional<CpuSet> cpus;        // as told, not cut to what is allowed
  std::optional<CpuSet> numa_nodes;  // near it
  int memory_numa = none;            // its own memory as a NUMA node
  int pcie_generation = 0;           // the greatest it can do, 0: unknown
  int pcie_width = 0;
  bool mig = false;
  std::vector<NvmlLink> links;     // the active ones
  std::vector<NvmlMig> instances;  // in MIG mode
  std::vector<int> levels;         // to every GPU: NVML's common ancestor levels; none: unknown
};

struct NvmlReading {
  std::vector<NvmlGpu> gpus;  // in NVML's order, which is that of bus ids
  std::vector<std::string> warnings;
};

// nullopt: the library is not here or has no GPU to tell of. A function that is missing or fails
// costs its part and gives a warning once. `library`: a name or path for dlopen().
std::optional<NvmlReading> read_nvml(const std::string& library);

// RANKMAP_NVML_LIBRARY, else "libnvidia-ml.so.1".
std::string nvml_library_name();

}  // namespace rankmap
