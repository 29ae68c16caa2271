// The map of a job that nobody planned: every rank stays on the host where its launcher starts it, and
// gets the GPU, NIC, cores and memory nearest to each other there.
#pragma once

#include <string>
#include <vector>

#include "libmap/machine/job/job_nodes.hpp"
#include "libmap/mapping/map_file.hpp"

namespace rankmap {

// Rows of all ranks: slots by near_slots, and the cores of each NUMA node divided by whole cores among
// the ranks whose GPUs sit there (fewer cores than ranks: shared). On nodes without GPUs the ranks
// divide the cores in OS order, by NUMA nodes where the numbers divide. InputError: the ranks are not
// 0 .. n-1, each once. O(ranks * slots).
MapFile near_map(const std::vector<JobNode>& nodes);

}  // namespace rankmap
