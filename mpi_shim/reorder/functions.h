/* What the reorder library calls of its MPI, and that MPI's own values, found at run time: the library
 * is linked with no MPI and loads into any process. */
#ifndef RANKMAP_MPI_SHIM_REORDER_FUNCTIONS_H
#define RANKMAP_MPI_SHIM_REORDER_FUNCTIONS_H

#include <mpi.h>

#define RANKMAP_MPI_FUNCTIONS(X) \
  X(Abort)                       \
  X(Allreduce)                   \
  X(Bcast)                       \
  X(Comm_free)                   \
  X(Comm_get_errhandler)         \
  X(Comm_rank)                   \
  X(Comm_set_errhandler)         \
  X(Comm_size)                   \
  X(Comm_split)                  \
  X(Comm_test_inter)             \
  X(Dist_graph_neighbors)        \
  X(Dist_graph_neighbors_count)  \
  X(Errhandler_free)             \
  X(Gather)                      \
  X(Gatherv)                     \
  X(Sendrecv)

struct rankmap_mpi {
#define RANKMAP_DECLARE(name) __typeof__(&PMPI_##name) name;
  RANKMAP_MPI_FUNCTIONS(RANKMAP_DECLARE)
#undef RANKMAP_DECLARE
  MPI_Comm world;
  MPI_Comm null;
  MPI_Datatype number; /* MPI_INT */
  MPI_Op least;        /* MPI_MIN */
  const int* unweighted;
  const int* weights_empty;
};

/* As seen from a caller of MPI. 0: the MPI that runs is not the one this library was built for. */
int rankmap_mpi_find(struct rankmap_mpi* mpi, const void* caller);

#endif
