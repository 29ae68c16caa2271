/* exchange FILE: sends all messages of an edge list (lines of source, destination, bytes) at once and prints how
   many seconds the slowest rank took. One phase of a job, for the simulator. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const char *why) {
  fprintf(stderr, "exchange: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Starts what this rank sends and receives; the number of requests. Two messages of a pair go by their order. */
static int start_all(FILE *edges, int rank, MPI_Request **requests) {
  int source, destination, count = 0, room = 0;
  long bytes;
  while (fscanf(edges, "%d %d %ld", &source, &destination, &bytes) == 3) {
    if (source != rank && destination != rank) continue;
    if (count == room) {
      room = room == 0 ? 64 : 2 * room;
      *requests = realloc(*requests, (size_t)room * sizeof(MPI_Request));
    }
    char *buffer = malloc((size_t)bytes);
    if (*requests == NULL || buffer == NULL) stop("no memory");
    if (source == rank)
      MPI_Isend(buffer, (int)bytes, MPI_CHAR, destination, 0, MPI_COMM_WORLD, &(*requests)[count++]);
    else
      MPI_Irecv(buffer, (int)bytes, MPI_CHAR, source, 0, MPI_COMM_WORLD, &(*requests)[count++]);
  }
  return count;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *edges = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (edges == NULL) stop("found no edge list, expected FILE");
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  MPI_Request *requests = NULL;
  const int count = start_all(edges, rank, &requests);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  const double taken = MPI_Wtime() - start;
  double slowest;
  MPI_Reduce(&taken, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("seconds %.12g\n", slowest);
  free(requests);
  MPI_Finalize();
  return 0;
}
