// XML exports of hwloc (`lstopo machine.xml`), versions 1 and 2, read by hwloc itself.
#pragma once

#include "libmap/machine/reader.hpp"

namespace rankmap {

// The whole machine as recorded, also what the recording process was not allowed to use. GPUs as
// hwloc_gpus counts them; memory-only NUMA nodes have no CPUs. InputError: not well-formed (with
// line and column), refused by hwloc, or written by a newer hwloc (with the advice to export v2).
// Limits: 32 MiB, nesting of 128, CPU numbers up to 65535.
extern const NodeReader hwloc_xml_reader;

}  // namespace rankmap
