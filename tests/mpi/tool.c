/* A profiling tool as others preload it: says once that it saw MPI_Init, and goes on by PMPI. */
#include <mpi.h>
#include <stdio.h>

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  fputs("tool saw MPI_Init\n", stderr);
  return result;
}
