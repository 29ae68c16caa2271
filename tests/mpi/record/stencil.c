/* Halo exchange and a sum on a 2-D grid, closed in its second dimension; ten steps. The program
 * whose messages Open MPI's own monitoring counted for the golden file. */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 10, NARROW = 100, WIDE = 1000 };

static void exchange(MPI_Comm grid, int dimension, int count) {
  static double out[WIDE], in[WIDE];
  int below, above;
  MPI_Cart_shift(grid, dimension, 1, &below, &above);
  MPI_Sendrecv(out, count, MPI_DOUBLE, above, 0, in, count, MPI_DOUBLE, below, 0, grid,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, count, MPI_DOUBLE, below, 1, in, count, MPI_DOUBLE, above, 1, grid,
               MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int size, rank, extent[2] = {0, 0}, closed[2] = {0, 1};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, 2, extent);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extent, closed, 0, &grid);
  for (int step = 0; step < STEPS; ++step) {
    double own = rank, sum = 0;
    exchange(grid, 1, NARROW);
    exchange(grid, 0, WIDE);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
  }
  MPI_Finalize();
  return 0;
}
