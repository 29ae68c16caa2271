/* What the recorder of NCCL costs NCCL's thread: the CPU time of a million events as NCCL tells
 * them.
 *   nccl_record_bench LIBRARY   librankmap_record_nccl.so, with RANKMAP_RECORD set */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mpi_shim/nccl/abi.h"

enum { EVENTS = 1000000, ROUNDS = 15, RANKS = 64 };

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Nine collectives and seven sends to changing peers out of 16. */
static double time_of_events(const struct rankmap_nccl_plugin_v5* plugin, void* context) {
  struct rankmap_nccl_event_v5 collective = {.type = RANKMAP_NCCL_COLLECTIVE};
  struct rankmap_nccl_event_v5 message = {.type = RANKMAP_NCCL_MESSAGE};
  collective.details.collective = (struct rankmap_nccl_collective){
      .operation = "ReduceScatter", .count = 1 << 20, .type = "ncclBfloat16"};
  message.details.message =
      (struct rankmap_nccl_message){.operation = "Send", .count = 1 << 20, .type = "ncclBfloat16"};
  const double begin = cpu_seconds();
  for (int i = 0; i < EVENTS; ++i) {
    void* handle = NULL;
    message.details.message.peer = i % RANKS;
    plugin->start(context, &handle, i % 16 < 9 ? &collective : &message);
    plugin->stop(handle);
  }
  return (cpu_seconds() - begin) / EVENTS;
}

int main(int argc, char** argv) {
  double seconds[ROUNDS];
  void* context = NULL;
  int mask = 0;
  void* const library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const struct rankmap_nccl_plugin_v5* const plugin =
      library ? dlsym(library, "ncclProfiler_v6") : NULL;
  if (!plugin || plugin->init(&context, 1, &mask, "world", 1, RANKS, 0, NULL) != 0 || mask == 0) {
    fputs("nccl_record_bench: expected the library, and RANKMAP_RECORD to be set\n", stderr);
    return 2;
  }
  for (int i = 0; i < ROUNDS; ++i) seconds[i] = time_of_events(plugin, context);
  qsort(seconds, ROUNDS, sizeof *seconds, compare);
  printf("nccl: median %.4g ns an event, %.4g to %.4g in %d rounds of %d\n",
         1e9 * seconds[ROUNDS / 2], 1e9 * seconds[0], 1e9 * seconds[ROUNDS - 1], ROUNDS, EVENTS);
  return plugin->finalize(context);
}
