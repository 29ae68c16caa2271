/* Says where every rank of a job is, one line a rank in rank order, and checks that MPI works.
 * where [EXIT_CODE] ; built also with -DUSE_THREAD, -DUSE_PMPI and, as a plugin, -DPLUGIN. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe(char* line, size_t size, int rank) {
  cpu_set_t set;
  const char* gpus = getenv("CUDA_VISIBLE_DEVICES");
  const char* mark = getenv("RANKMAP_PLACED");
  sched_getaffinity(0, sizeof set, &set);
  int length = snprintf(line, size, "rank %d gpu %s placed %s cpus", rank, gpus ? gpus : "-",
                        mark ? "yes" : "no");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set) && (size_t)length < size)
      length += snprintf(line + length, size - (size_t)length, " %d", cpu);
}

static void start(int* argc, char*** argv) {
#if defined(USE_THREAD)
  int provided;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
#elif defined(USE_PMPI)
  PMPI_Init(argc, argv);
#else
  MPI_Init(argc, argv);
#endif
}

#if defined(PLUGIN)
int plugin_main(int argc, char** argv);
int plugin_main(int argc, char** argv) {
#else
int main(int argc, char** argv) {
#endif
  enum { LINE = 256 };
  int rank, size, sum = 0;
  char line[LINE] = "";
  start(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  describe(line, sizeof line, rank);
  char* all = malloc((size_t)size * LINE);
  MPI_Gather(line, LINE, MPI_CHAR, all, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) puts(all + i * LINE);
  if (rank == 0 && sum != size * (size - 1) / 2) puts("MPI is broken");
  free(all);
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
