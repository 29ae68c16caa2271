// One function a launcher format, as the table of launcher.cpp lists them. All of them: the map has
// rows, options.file_name is set, Infeasible says why a map cannot be written.
#pragma once

#include "libmap/mapping/launcher.hpp"

namespace rankmap {

// Hydra. Where ranks are neither in blocks nor cyclic over the hosts, write_mpich uses -rankmap, which
// came with 4.1, and write_mpich40 refuses: a host listed twice would lose its shared memory.
Export write_mpich(const MapFile& map, const ExportOptions& options);
Export write_mpich40(const MapFile& map, const ExportOptions& options);

// Blocks get I_MPI_PIN_DOMAIN, cyclic order -rr and the wrapper; any other is refused.
Export write_intelmpi(const MapFile& map, const ExportOptions& options);

// The order file gives MPI ranks to processes that srun places in blocks. The wrapper runs before MPI
// and knows the process number alone, so a second map comes along, by process.
Export write_cray(const MapFile& map, const ExportOptions& options);

Export write_slurm(const MapFile& map, const ExportOptions& options);
Export write_slurm_bind(const MapFile& map, const ExportOptions& options);
// Several nodes without names: the script names them when it runs.
Export write_sbatch(const MapFile& map, const ExportOptions& options);

Export write_jsrun(const MapFile& map, const ExportOptions& options);
Export write_flux(const MapFile& map, const ExportOptions& options);
Export write_pals(const MapFile& map, const ExportOptions& options);
Export write_bluegene(const MapFile& map, const ExportOptions& options);
Export write_torchrun(const MapFile& map, const ExportOptions& options);
Export write_csv(const MapFile& map, const ExportOptions& options);

}  // namespace rankmap
