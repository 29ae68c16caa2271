// Topology XML of NCCL and RCCL: NCCL_TOPO_DUMP_FILE, and the static files that clouds ship.
#pragma once

#include "libmap/machine/reader.hpp"

namespace rankmap {

// <system> with <cpu>, <pci>, <gpu>, <nvlink>, <xgmi>, <nic>, <net>. GPUs are the <gpu> elements in
// the order of their dev, or, in a file that has none, the PCI devices of a GPU class in the order
// of the file. Of several hosts (host_hash) the first is read, with a warning.
// Limits: 1024 GPUs and 1024 NICs, PCI nesting of 64, counts of links up to 1024.
// InputError with line and column: not well-formed, another root, two GPUs at one bus id, a number
// that is none.
extern const NodeReader nccl_xml_reader;

}  // namespace rankmap
