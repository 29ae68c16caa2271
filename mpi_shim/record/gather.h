/* From every rank's flows to one file, by rank 0. */
#ifndef RANKMAP_MPI_SHIM_RECORD_GATHER_H
#define RANKMAP_MPI_SHIM_RECORD_GATHER_H

#include "mpi_shim/record/flows.h"

/* Collective over MPI_COMM_WORLD. Rank 0 needs memory for one chunk and for a number a group,
 * not for the edges of the others. In any trouble one warning, and no file. */
void rankmap_gather(struct rankmap_flows* flows, const char* file);

#endif
