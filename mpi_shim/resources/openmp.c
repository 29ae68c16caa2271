/* OpenMP's variables from the CPUs this rank was given: one thread and one place a physical core. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

enum { PLACES = 32768 }; /* 8192 CPUs as ",{8191}" */

static int has(const struct rankmap_cpus* cpus, size_t cpu) {
  return (int)(cpus->words[cpu / 64] >> (cpu % 64) & 1);
}

/* The CPUs of one core; where the machine does not say, the CPU is a core of its own. */
static void read_core(size_t cpu, struct rankmap_cpus* core) {
  char relative[96], path[RANKMAP_TEXT], list[256];
  snprintf(relative, sizeof relative,
           "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", cpu);
  rankmap_system_path(path, sizeof path, relative);
  if (rankmap_read_start(path, list, sizeof list) > 0) {
    list[strcspn(list, " \n")] = '\0';
    if (rankmap_wire_parse_list(list, core->words, RANKMAP_CPU_WORDS) && has(core, cpu)) return;
  }
  memset(core, 0, sizeof *core);
  core->words[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

/* Moves the CPUs of the core that are left into one place "{0,40}". */
static void take_core(struct rankmap_cpus* left, const struct rankmap_cpus* core, char* places) {
  const char* before = *places ? ",{" : "{";
  const size_t start = strlen(places);
  char* const end = places + start;
  for (size_t word = 0; word < RANKMAP_CPU_WORDS; ++word) {
    uint64_t bits = left->words[word] & core->words[word];
    left->words[word] &= ~bits;
    for (; bits; bits &= bits - 1, before = ",")
      rankmap_append(end, PLACES - start, "%s%zu", before,
                     word * 64 + (size_t)__builtin_ctzll(bits));
  }
  rankmap_append(end, PLACES - start, "}");
}

/* "{0,40},{1,41}"; returns the number of cores. */
static int list_places(struct rankmap_cpus left, char* places) {
  int cores = 0;
  *places = '\0';
  for (size_t cpu = 0; cpu < RANKMAP_CPU_WORDS * 64; ++cpu) {
    struct rankmap_cpus core;
    if (!has(&left, cpu)) continue;
    read_core(cpu, &core);
    take_core(&left, &core, places);
    ++cores;
  }
  return cores;
}

static int set_by_user(const char* const* names) {
  for (; *names; ++names)
    if (rankmap_variable(*names)) return 1;
  return 0;
}

static void choose_threads(struct rankmap_placement* placement, int cores) {
  const char* const wanted = rankmap_variable("OMP_NUM_THREADS");
  char number[16];
  if (!wanted) {
    snprintf(number, sizeof number, "%d", cores);
    setenv("OMP_NUM_THREADS", number, 1);
    placement->openmp_threads = cores;
  } else if (strtol(wanted, NULL, 10) > cores) {
    rankmap_append(placement->note, sizeof placement->note,
                   "OMP_NUM_THREADS=%.32s is more than the %d cores of this rank. ", wanted, cores);
  }
}

/* What the user set about threads stays, and with it how they are bound. */
void rankmap_place_openmp(struct rankmap_placement* placement) {
  static const char* const bindings[] = {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY", NULL};
  char places[PLACES];
  if (!placement->settings.openmp) return;
  if (rankmap_cpus_empty(&placement->given)) {
    snprintf(placement->openmp, sizeof placement->openmp, "left alone, no CPUs were given");
    return;
  }
  const int kept = set_by_user(bindings);
  placement->openmp_bound_by_user = kept || rankmap_variable("OMP_PROC_BIND");
  const int cores = list_places(placement->given, places);
  choose_threads(placement, cores);
  if (!kept) {
    setenv("OMP_PLACES", places, 1);
    setenv("OMP_PROC_BIND", "close", 0);
  }
  snprintf(placement->openmp, sizeof placement->openmp, "%.32s threads on %d cores%s",
           rankmap_variable("OMP_NUM_THREADS"), cores, kept ? ", places kept" : "");
}
