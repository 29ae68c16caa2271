// Which CPU lists of a GPU topology text are locality, and what follows from them.
#pragma once

#include "libmap/machine/node_model.hpp"

namespace rankmap {

// From Gpu::cpu_affinity, numa_affinity and gpu_numa_id of every GPU, as read, sets
//   Gpu::numa      the one CPU-bearing NUMA node that is named; none for N/A, -1, empty and ranges;
//   Gpu::cpus      the list where it is locality; not where it is empty, damaged, cut to six
//                  numbers, the same for all GPUs without one NUMA node that explains it, or shared
//                  by GPUs of different NUMA nodes;
//   numa_nodes     those nodes with their CPUs, and the GPUs' own memory nodes ("GPUMemory");
//   cores, threads_per_core   where the lists tell them: lists of two ranges of one length, the
//                  same distance apart everywhere, are taken as cores with two hardware threads.
// Every doubt is a warning. O(GPUs x CPUs).
void apply_affinity(NodeModel& model);

}  // namespace rankmap
