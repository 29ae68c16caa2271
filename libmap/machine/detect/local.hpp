// Detection of this machine: hwloc, and NVML where its library can be opened.
#pragma once

#include <string>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

struct DetectOptions {
  std::string nvml_library;  // "" : RANKMAP_NVML_LIBRARY, else libnvidia-ml.so.1
};

// source_format "local". Cores are those with CPUs that the cgroup and the affinity of this process
// allow, with only these CPUs, numbered as launchers number them. GPUs are NVML's (MIG instances
// are slots of their own), else those that hwloc shows. NotAvailable: hwloc cannot read the machine.
NodeModel detect_local(const DetectOptions& options);

}  // namespace rankmap
