/* What is wrong with a call is the MPI's to say, also with reorder=1, and the handler for errors that
 * the program set holds for what it gets: each rank prints "errors came back". */
#include <mpi.h>
#include <stdio.h>

static int is_large_grid_refused(MPI_Comm comm) {
  const int extents[] = {4, 3}, wraps[] = {0, 0};
  MPI_Comm made;
  return MPI_Cart_create(comm, 2, extents, wraps, 1, &made) != MPI_SUCCESS;
}

static int is_large_graph_refused(MPI_Comm comm) {
  const int index[] = {1, 2, 2, 2, 2, 2, 2, 2, 2}, edges[] = {1, 0};
  MPI_Comm made;
  return MPI_Graph_create(comm, 9, index, edges, 1, &made) != MPI_SUCCESS;
}

int main(int argc, char** argv) {
  const int extents[] = {4, 2}, wraps[] = {0, 0};
  MPI_Comm comm, grid;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int refused = is_large_grid_refused(comm) && is_large_graph_refused(comm);
  if (MPI_Cart_create(comm, 2, extents, wraps, 1, &grid) != MPI_SUCCESS) return 1;
  MPI_Comm_get_errhandler(grid, &handler);
  if (refused && handler == MPI_ERRORS_RETURN) fputs("errors came back\n", stdout);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
