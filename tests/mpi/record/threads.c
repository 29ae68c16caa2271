/* Four threads of each of two ranks send 1000 messages, thread t ones of t + 1 bytes, and
 * broadcast as often on a communicator of their own. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4, TIMES = 1000 };

static int rank;
static MPI_Comm comms[THREADS];

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument;
  char out[THREADS] = {0}, in[THREADS];
  MPI_Request requests[2];
  for (int i = 0; i < TIMES; ++i) {
    MPI_Isend(out, thread + 1, MPI_CHAR, 1 - rank, thread, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, thread + 1, MPI_CHAR, 1 - rank, thread, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Bcast(out, thread + 1, MPI_CHAR, 0, comms[thread]);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 77);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (intptr_t i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
