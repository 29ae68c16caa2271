// The hubs and links of a machine file.
#pragma once

#include "libmap/machine/json/machine_document.hpp"

namespace rankmap {

// Reads "hubs", "links", "default_pcie_gbps" and "core_gbps" into a model whose GPUs, cores and NICs
// are known already; GPU numbers count from `index_base`. O(links x log).
void read_machine_links(MachineDocument& document, int index_base, NodeModel& model);

}  // namespace rankmap
