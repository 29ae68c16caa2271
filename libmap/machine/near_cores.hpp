// Which cores belong to which slot of a node (DESIGN: near cores).
#pragma once

#include <vector>

#include "libmap/base/cpu_set.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

enum class NearCores { divided, shared };  // `--cores numa` shares the NUMA node's cores

struct SlotCores {
  CpuSet cpus;   // OS numbers; empty: unknown
  CpuSet cores;  // the same as logical core numbers; empty: unknown
};

// One row a slot. A GPU's cores are those of its NUMA node, else of its CPU list, else unknown;
// GPUs with the same cores divide them evenly in OS order, whole cores with their hyperthreads,
// remainder to the first; where there are fewer cores than GPUs, or by policy, they share. A core
// slot is itself.
std::vector<SlotCores> near_cores(const NodeModel& model, NearCores policy);

}  // namespace rankmap
