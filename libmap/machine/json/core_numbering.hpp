// The physical cores of a node from its NUMA nodes' CPU lists and how the OS numbers the threads.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

// threads_last: of c cores, core i has the CPUs i, i + c, i + 2c ... (Linux on x86, first all first
// threads); threads_adjacent: core i has t*i .. t*i + t-1 (POWER). Counted over the CPUs that
// exist.
enum class ThreadNumbering { threads_last, threads_adjacent };
std::optional<ThreadNumbering> thread_numbering_of(std::string_view name);  // "threads-last" ...

// In logical order: NUMA nodes by their lowest CPU, their cores by theirs. Empty when the number of
// CPUs is no multiple of threads_per_core, a CPU stands in two nodes, or a core's threads stand in
// different nodes. O(CPUs x log).
std::vector<Core> number_cores(const std::vector<NumaNode>& numa_nodes, int threads_per_core,
                               ThreadNumbering numbering);

}  // namespace rankmap
