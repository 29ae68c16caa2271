#include "mpi_shim/reorder/functions.h"

#include <stddef.h>
#include <stdint.h>

#include "mpi_shim/reorder/next.h"

struct row {
  const char* name;
  size_t offset;
};

#define ROW(function) {"PMPI_" #function, offsetof(struct rankmap_mpi, function)},
static const struct row rows[] = {RANKMAP_MPI_FUNCTIONS(ROW)};

static int find_functions(struct rankmap_mpi* mpi, const void* caller) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    void** const slot = (void**)(void*)((char*)mpi + rows[i].offset);
    *slot = rankmap_reorder_function(rows[i].name, caller);
    if (!*slot) return 0;
  }
  return 1;
}

#ifdef OMPI_MAJOR_VERSION
/* Handles are addresses of these objects. */
static int find_values(struct rankmap_mpi* mpi, const void* caller) {
  mpi->world = rankmap_reorder_object("ompi_mpi_comm_world", caller);
  mpi->null = rankmap_reorder_object("ompi_mpi_comm_null", caller);
  mpi->number = rankmap_reorder_object("ompi_mpi_int", caller);
  mpi->least = rankmap_reorder_object("ompi_mpi_op_min", caller);
  mpi->unweighted = MPI_UNWEIGHTED;
  mpi->weights_empty = MPI_WEIGHTS_EMPTY;
  return mpi->world && mpi->null && mpi->number && mpi->least;
}
#else
/* Handles are numbers; where weights are absent is told by the addresses in two variables. */
static int find_values(struct rankmap_mpi* mpi, const void* caller) {
  int** const unweighted = rankmap_reorder_object("MPI_UNWEIGHTED", caller);
  int** const empty = rankmap_reorder_object("MPI_WEIGHTS_EMPTY", caller);
  if (rankmap_reorder_object("ompi_mpi_comm_world", caller) || !unweighted || !empty) return 0;
  mpi->world = MPI_COMM_WORLD;
  mpi->null = MPI_COMM_NULL;
  mpi->number = MPI_INT;
  mpi->least = MPI_MIN;
  mpi->unweighted = *unweighted;
  mpi->weights_empty = *empty;
  return 1;
}
#endif

int rankmap_mpi_find(struct rankmap_mpi* mpi, const void* caller) {
  return find_values(mpi, caller) && find_functions(mpi, caller);
}
