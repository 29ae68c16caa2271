#define _GNU_SOURCE
#include "describe.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

void describe(char* line, int rank) {
  cpu_set_t set;
  const char* gpus = getenv("CUDA_VISIBLE_DEVICES");
  const char* mark = getenv("RANKMAP_PLACED");
  sched_getaffinity(0, sizeof set, &set);
  int length = snprintf(line, DESCRIPTION, "rank %d gpu %s placed %s cpus", rank, gpus ? gpus : "-",
                        mark ? "yes" : "no");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set) && length < DESCRIPTION)
      length += snprintf(line + length, (size_t)(DESCRIPTION - length), " %d", cpu);
}
