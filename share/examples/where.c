/* An MPI program that says where each of its ranks sits: one line a rank, in order of rank. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { line_size = 512 };

static const char *or_dash(const char *text) { return text != NULL && *text != '\0' ? text : "-"; }

/* The CPUs this process may use, as a list of ranges. */
static void list_cpus(char *text, size_t size) {
  cpu_set_t set;
  size_t used = 0;
  text[0] = '\0';
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    const char *comma = used > 0 ? "," : "";
    const int wrote = first == last
                          ? snprintf(text + used, size - used, "%s%d", comma, first)
                          : snprintf(text + used, size - used, "%s%d-%d", comma, first, last);
    if (wrote < 0 || used + (size_t)wrote >= size) return;
    used += (size_t)wrote;
    first = last;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  char host[128] = "?";
  gethostname(host, sizeof host - 1);
  char cpus[256];
  list_cpus(cpus, sizeof cpus);
  char line[line_size];
  snprintf(line, sizeof line, "rank %d: host %s, cpus %s, GPU %s", rank, host, or_dash(cpus),
           or_dash(getenv("CUDA_VISIBLE_DEVICES")));

  char *all = rank == 0 ? malloc((size_t)size * line_size) : NULL;
  MPI_Gather(line, line_size, MPI_CHAR, all, line_size, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) puts(all + (size_t)i * line_size);
  free(all);
  MPI_Finalize();
  return 0;
}
