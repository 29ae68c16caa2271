/* This rank's line of the map. */
#ifndef RANKMAP_MPI_SHIM_PLAN_H
#define RANKMAP_MPI_SHIM_PLAN_H

#include "mpi_shim/placement.h"

/* Fills header and row. 0: in doubt, which stands in the placement. */
int rankmap_read_plan(struct rankmap_placement* placement);

#endif
