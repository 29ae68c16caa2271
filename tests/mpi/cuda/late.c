/* late: starts CUDA, then enters MPI, as programs do whose imports reach the GPU first. Prints what
 * CUDA_VISIBLE_DEVICES is behind both. Built with -DSTAND_IN it is the MPI: MPI_Init alone. */
#ifdef STAND_IN
int MPI_Init(int* argc, char*** argv);
int MPI_Init(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  return 0;
}
#else
#include <stdio.h>
#include <stdlib.h>

#include "tests/mpi/cuda/driver_api.h"

int MPI_Init(int* argc, char*** argv);

int main(int argc, char** argv) {
  if (cuInit(0) != CUDA_SUCCESS) return 1;
  if (MPI_Init(&argc, &argv) != 0) return 1;
  const char* const list = getenv("CUDA_VISIBLE_DEVICES");
  printf("list %s\n", list ? list : "-");
  return 0;
}
#endif
