/* Every kind of call that the recorder counts, on 4 ranks, each in a phase of its own: the name
 * of phase k is printed as "phase k NAME". calls.expected says what each sends; sizes differ, so
 * that no two look alike. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

int rank, next, before;
char out[ROOM], in[ROOM];
MPI_Request requests[2];

static int level = 1;

void begin(const char* name) {
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(++level);
  if (rank == 0) printf("phase %d %s\n", level - 1, name);
}

/* Not recorded. */
void meet(void) {
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(level);
}

/* A receive that is there before anybody sends, as Rsend wants it. */
void receive(int size) {
  MPI_Irecv(in, size, MPI_CHAR, before, 0, MPI_COMM_WORLD, &requests[0]);
  meet();
}

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (size != RANKS) MPI_Abort(MPI_COMM_WORLD, 1);
  next = (rank + 1) % RANKS;
  before = (rank + RANKS - 1) % RANKS;
  messages();
  windows();
  collectives();
  communicators();
  MPI_Finalize();
  return 0;
}
