// NVLink connections from the NV tokens of `nvidia-smi topo -m`.
#pragma once

#include "libmap/machine/node_model.hpp"

namespace rankmap {

// What is known of a GPU's NVLinks beside the matrix.
struct NvlinkFacts {
  int links = 0;    // of the GPU; 0: unknown
  double gbps = 0;  // one link, one direction, as `nvidia-smi nvlink -s` prints; 0: unknown
};

// PCIe generation of a GPU model's slot; 0: unknown.
int pcie_generation_of_gpu(std::string_view gpu_name);

// Number of NVLinks of a GPU model; 0: unknown.
int nvlinks_of_gpu(std::string_view gpu_name);

// The number in "NV12"; 0: not an NVLink token.
int nvlink_lanes(std::string_view token);

// Adds connections for gpu_matrix. Where the numbers of a GPU's row add up to more than the GPU has
// links, and all GPUs of its group see each other, the group is on switches: a hub "nvswitch" and
// one connection of all its links a GPU. Otherwise one connection a pair. `facts`: one a GPU. Speeds
// come from the GPU's name, else from the printed figure, else from the number of links, with a
// warning. Returns the PCIe generation of the boards that the speeds are of; 0: no NVLink.
int add_nvlinks(NodeModel& model, const std::vector<NvlinkFacts>& facts);

}  // namespace rankmap
