#include "mpi_shim/record/phase.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_each; /* 0: by MPI_Pcontrol */
static double begin_seconds;
static _Atomic int level_phase;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int rankmap_phase_begin(const char* setting) {
  seconds_each = 0;
  begin_seconds = now();
  level_phase = 0;
  if (!setting || !*setting || strcmp(setting, "pcontrol") == 0) return 0;
  if (strncmp(setting, "time:", 5) != 0) return -1;
  char* end = NULL;
  const double seconds = strtod(setting + 5, &end);
  if (end == setting + 5 || *end != '\0' || !(seconds >= 1e-6 && seconds <= 1e9)) return -1;
  seconds_each = seconds;
  return 0;
}

void rankmap_phase_level(int level) {
  if (level < 0) return;
  level_phase = level <= RANKMAP_MOST_PHASES ? level - 1 : RANKMAP_MOST_PHASES - 1;
}

int rankmap_phase(void) {
  const int phase = level_phase;
  if (phase < 0 || seconds_each <= 0) return phase;
  const double passed = (now() - begin_seconds) / seconds_each;
  return passed < RANKMAP_MOST_PHASES - 1 ? (int)passed : RANKMAP_MOST_PHASES - 1;
}
