/* collectives KIND: one collective of 64 bytes three times; its root, if it has one, is 0. */
#include <mpi.h>
#include <string.h>

enum { BYTES = 64, MOST_RANKS = 64, TIMES = 3 };

static char out[MOST_RANKS * BYTES], in[MOST_RANKS * BYTES];

static void call(const char* kind) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  if (strcmp(kind, "alltoall") == 0) MPI_Alltoall(out, BYTES, MPI_CHAR, in, BYTES, MPI_CHAR, comm);
  if (strcmp(kind, "allgather") == 0)
    MPI_Allgather(out, BYTES, MPI_CHAR, in, BYTES, MPI_CHAR, comm);
  if (strcmp(kind, "allreduce") == 0) MPI_Allreduce(out, in, BYTES, MPI_BYTE, MPI_BOR, comm);
  if (strcmp(kind, "bcast") == 0) MPI_Bcast(out, BYTES, MPI_CHAR, 0, comm);
  if (strcmp(kind, "reduce") == 0) MPI_Reduce(out, in, BYTES, MPI_BYTE, MPI_BOR, 0, comm);
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  for (int i = 0; i < TIMES; ++i) call(kind);
  MPI_Finalize();
  return 0;
}
