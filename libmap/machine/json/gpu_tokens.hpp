// How two GPUs of a node are joined, in the words of `nvidia-smi topo -m`.
#pragma once

#include <string>
#include <vector>

#include "libmap/machine/machine.hpp"

namespace rankmap {

// The matrix as it was read, else told from the connections: NVn, XGMIn, XLn, C2C for n lanes of a
// pair or over a switch (the lesser of both); then by the way through the host PIX, PXB (PCIe
// switches only), PHB (one host bridge), NODE (several), SYS (across NUMA nodes). Diagonal "X".
// Empty without GPUs. O(GPUs^2 x hops).
std::vector<std::vector<std::string>> gpu_tokens(const Machine& machine);

}  // namespace rankmap
