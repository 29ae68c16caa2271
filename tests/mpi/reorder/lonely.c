/* A topology that is wrong: rank 0 says that it sends to rank 3, which does not know of it. What rank r
 * sends to r+4 is told by both. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int from = (rank + size - 4) % size, to[] = {(rank + 4) % size, 3};
  /* Compilers that see Open MPI's mark of no weights take it for a list of them. */
  int* volatile none = MPI_UNWEIGHTED;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, none, rank == 0 ? 2 : 1, to, none,
                                 MPI_INFO_NULL, 1, &comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
