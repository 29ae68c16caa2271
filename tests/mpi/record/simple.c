/* simple WHAT: a program that sends nothing (none), ends by MPI_Abort (abort), sends to every
 * other rank (each), or sends for half a second, in three steps (slow). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int rank, size;

static void send_to_each(void) {
  char data = 0, in;
  for (int i = 1; i < size; ++i)
    MPI_Sendrecv(&data, 1, MPI_CHAR, (rank + i) % size, 0, &in, 1, MPI_CHAR,
                 (rank + size - i) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_slowly(void) {
  const struct timespec pause = {.tv_nsec = 250000000};
  for (int i = 0; i < 3; ++i) {
    send_to_each();
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "none";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "each") == 0) send_to_each();
  if (strcmp(what, "slow") == 0) send_slowly();
  if (strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  if (rank == 0) puts("ended well");
  return 0;
}
