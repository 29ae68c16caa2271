/* Where this process is. */
#ifndef RANKMAP_MPI_SHIM_REORDER_HERE_H
#define RANKMAP_MPI_SHIM_REORDER_HERE_H

#include "mpi_shim/reorder/order/order.h"

/* The NUMA node is the one that holds all CPUs this process may use; of a process that is not bound so
 * tightly, the one that the map plans its memory on. rank and size: of MPI_COMM_WORLD. */
struct rankmap_site rankmap_site_here(int rank, int size);

#endif
