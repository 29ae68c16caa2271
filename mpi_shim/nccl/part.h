/* What a process tells of its NCCL calls, in a file of its own: RECORD.nccl/part.HOST.PID. The text
 * is told where it is read, in libmap/graph/foreign/nccl_parts.hpp. */
#ifndef RANKMAP_MPI_SHIM_NCCL_PART_H
#define RANKMAP_MPI_SHIM_NCCL_PART_H

#include "mpi_shim/nccl/tally.h"

struct rankmap_nccl_process {
  const char* record; /* as RANKMAP_RECORD says */
  long pid;
  long rank, size; /* of the job; -1: unknown */
};

/* Makes the folder where there is none, and renames, so that nobody reads half a part. -1: it is
 * not there; errno says why. */
int rankmap_nccl_part_write(const struct rankmap_nccl_process* process,
                            const struct rankmap_nccl_tally* tally);

#endif
