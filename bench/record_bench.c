/* What the recorder costs, by calling MPI_Isend through it and past it in turns in one job.
 *   record_bench calls   2 ranks: CPU time of MPI_Isend alone, per call
 *   record_bench halo    any number: time of a 64 KiB exchange with both neighbours of a ring
 * Start it with the recorder preloaded; record_bench.sh does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 100, BATCHES = 82, EXCHANGES = 10, HALO = 65536 };
enum { CALL_PAIRS = 61, HALO_PAIRS = 1001, MOST_PAIRS = 1001 };

typedef int (*isend_function)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
typedef double (*sample_function)(isend_function);

static int rank, size, pairs;

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* MPI's own MPI_Isend, whatever stands before it. */
static isend_function isend_of_mpi(void) {
  union {
    void* address;
    isend_function function;
  } found = {NULL};
  Dl_info info;
  if (dladdr(dlsym(RTLD_DEFAULT, "PMPI_Wtime"), &info)) {
    void* const mpi = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (mpi) found.address = dlsym(mpi, "MPI_Isend");
  }
  return found.function;
}

/* Seconds of CPU per MPI_Isend of a byte to the other rank. The receives are there before, and waiting
 * is not measured. */
static double time_of_call(isend_function isend) {
  static char out[BATCH], in[BATCH];
  MPI_Request sends[BATCH], receives[BATCH];
  double seconds = 0;
  for (int batch = 0; batch < BATCHES; ++batch) {
    for (int i = 0; i < BATCH; ++i)
      MPI_Irecv(&in[i], 1, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &receives[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = cpu_seconds();
    for (int i = 0; i < BATCH; ++i)
      isend(&out[i], 1, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &sends[i]);
    seconds += cpu_seconds() - begin;
    MPI_Waitall(BATCH, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(BATCH, receives, MPI_STATUSES_IGNORE);
  }
  return seconds / (BATCH * BATCHES);
}

/* Seconds per exchange, of the slowest rank. Few exchanges a sample and many samples: most of them then
 * fit between two decisions of a scheduler that has other work too. */
static double time_of_exchange(isend_function isend) {
  static char out[2][HALO], in[2][HALO];
  const int neighbour[2] = {(rank + size - 1) % size, (rank + 1) % size};
  MPI_Request requests[4];
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < EXCHANGES; ++i) {
    for (int side = 0; side < 2; ++side)
      MPI_Irecv(in[side], HALO, MPI_CHAR, neighbour[side], 1 - side, MPI_COMM_WORLD,
                &requests[side]);
    for (int side = 0; side < 2; ++side)
      isend(out[side], HALO, MPI_CHAR, neighbour[side], side, MPI_COMM_WORLD, &requests[2 + side]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  double own = (MPI_Wtime() - begin) / EXCHANGES, slowest = 0;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median and its 95% interval by order statistics: places n/2 -+ 0.98 sqrt(n). */
static void tell(const char* what, double* values, double scale, const char* unit) {
  qsort(values, pairs, sizeof *values, compare);
  const int away = (int)ceil(0.98 * sqrt(pairs));
  printf("%s: median %.4g %s, 95%% interval %.4g to %.4g, %d pairs\n", what,
         scale * values[pairs / 2], unit, scale * values[pairs / 2 - away],
         scale * values[pairs / 2 + away], pairs);
}

/* Both ways by turns; which is first alternates as well. */
static void measure(sample_function sample, isend_function past, double* without, double* with) {
  sample(past);
  sample(MPI_Isend);
  for (int i = 0; i < pairs; ++i) {
    if (i % 2 == 0) without[i] = sample(past);
    with[i] = sample(MPI_Isend);
    if (i % 2 == 1) without[i] = sample(past);
  }
}

int main(int argc, char** argv) {
  static double without[MOST_PAIRS], with[MOST_PAIRS], change[MOST_PAIRS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int halo = argc > 1 && strcmp(argv[1], "halo") == 0;
  const isend_function past = isend_of_mpi();
  if (!past || past == MPI_Isend || (!halo && size != 2)) {
    if (rank == 0)
      fputs("record_bench: expected a preloaded recorder, and 2 ranks for calls\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  pairs = halo ? HALO_PAIRS : CALL_PAIRS;
  measure(halo ? time_of_exchange : time_of_call, past, without, with);
  for (int i = 0; i < pairs; ++i) change[i] = halo ? with[i] / without[i] : with[i] - without[i];
  if (rank == 0) {
    tell("without", without, halo ? 1e6 : 1e9, halo ? "us an exchange" : "ns a call");
    tell("with", with, halo ? 1e6 : 1e9, halo ? "us an exchange" : "ns a call");
    tell(halo ? "ratio" : "the recorder", change, halo ? 1 : 1e9, halo ? "" : "ns a call");
  }
  MPI_Finalize();
  return 0;
}
