// Small hand-written outputs of nvidia-smi for tests: two GPUs of a bridged pair and one NIC.
#pragma once

#include <string>

namespace rankmap::testing {

// As the tool prints it: single tabs, an extra one before the GPU NUMA ID.
inline const std::string native_topo =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV2\tPIX\t0-3,8-11\t0\t\tN/A\n"
    "GPU1\tNV2\t X \tSYS\t4-7,12-15\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \t\t\t\t\n"
    "\n"
    "Legend:\n"
    "\n"
    "  X    = Self\n"
    "  NV#  = Connection traversing a bonded set of # NVLinks\n"
    "\n"
    "NIC Legend:\n"
    "\n"
    "  NIC0: mlx5_3\n";

inline const std::string nvlink_status =
    "GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-aaaa0000-0000-0000-0000-000000000000)\n"
    "\t Link 0: 25.781 GB/s\n"
    "\t Link 1: 25.781 GB/s\n"
    "GPU 1: Tesla V100-SXM2-16GB (UUID: GPU-bbbb0000-0000-0000-0000-000000000000)\n"
    "\t Link 0: 25.781 GB/s\n"
    "\t Link 1: <inactive>\n";

}  // namespace rankmap::testing
