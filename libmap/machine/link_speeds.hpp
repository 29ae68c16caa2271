// Nominal and achieved bandwidths of links, per lane and direction, where a source names only the kind.
// Source: facts of NCCL 2.30 src/graph/topo.h and vendors' guides; GB/s.
#pragma once

#include <string_view>

#include "libmap/base/units.hpp"

namespace rankmap {

struct LinkSpeed {
  double gbps;       // nominal, one lane, one direction
  double nccl_gbps;  // achieved
};

// NVLink generation 1..5, or 0 for the bridges of sm86 boards (14.06, 12); else UsageError.
LinkSpeed nvlink_speed(int generation);
// From a GPU model name ("Tesla V100-SXM2-16GB", "NVIDIA H100 80GB HBM3"); {0, 0}: unknown.
LinkSpeed nvlink_speed_of_gpu(std::string_view gpu_name);
// From NCCL's sm attribute (60, 70, 80, 86, 90, 100); {0,0}: no NVLink known.
LinkSpeed nvlink_speed_of_sm(int sm);
// PCIe generation 1..6, width 1..32 lanes, after protocol overhead as NCCL counts: x16 12, 24, 48, 96;
// UsageError outside.
LinkSpeed pcie_speed(int generation, int width);
// "16 GT/s", "16.0 GT/s PCIe" ... -> generation; 0: not understood.
int pcie_generation(std::string_view link_speed);
// CPU-CPU link by vendor, family and model as in NCCL; unknown: 16 nominal, 10 achieved.
LinkSpeed cpu_link_speed(std::string_view vendor, int family, int model);

}  // namespace rankmap
