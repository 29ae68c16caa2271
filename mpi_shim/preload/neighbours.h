/* Which ranks of this node MPI sees as neighbours, asked of the small library of that MPI where it is
 * preloaded beside the shim. */
#ifndef RANKMAP_MPI_SHIM_NEIGHBOURS_H
#define RANKMAP_MPI_SHIM_NEIGHBOURS_H

#include "mpi_shim/placement.h"

/* To be called after a good MPI_Init. Fills placement->mpi_peers; the first rank of the node warns
 * where MPI sees fewer ranks here than there are. Asking is collective, so it is done only by ranks
 * that have met in a file of this node and agreed on who takes part; without agreement within some
 * seconds nobody asks. */
void rankmap_count_neighbours(struct rankmap_placement* placement);

#endif
