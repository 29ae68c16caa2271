// Rankfiles of Open MPI 4 and PRRTE: one grammar, `rank R=HOST slot=CORES`, and its pitfalls.
#pragma once

#include <string>

#include "libmap/mapping/launcher.hpp"

namespace rankmap {

// Both use the subset that both launchers read alike: rank 0 first and ascending, plain lists of
// logical cores, host and list together at most 57 characters. Infeasible names the rank that the
// format cannot express.
Export write_openmpi4(const MapFile& map, const ExportOptions& options);
Export write_prrte(const MapFile& map, const ExportOptions& options);

// "n0:4,n1:4": the hosts in order of their first rank, with their numbers of ranks.
std::string host_slots(const MapFile& map);

// "0-4,40-44": ranges without strides, as launchers read them.
std::string plain_list(const CpuSet& numbers);

}  // namespace rankmap
