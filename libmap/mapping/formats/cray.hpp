// Cray MPICH's own order of ranks, which works under srun and PALS alike.
#pragma once

#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {

// The content of MPICH_RANK_ORDER: ranks in order of processes, a line a host.
std::string rank_order_text(const MapFile& map, const Layout& layout);

// The map by process number: what the wrapper reads, since it runs before MPI gives out ranks.
MapFile map_by_process(const MapFile& map, const Layout& layout);

inline constexpr const char* by_process_note =
    "under MPICH_RANK_REORDER_METHOD=3 MPI ranks differ from the launcher's process numbers; the "
    "wrapper knows the latter, so it reads a map of its own, by process";

}  // namespace rankmap
