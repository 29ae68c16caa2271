/* The core under damage: maps with changed bytes, variables and system files with noise, in this process
 * and under sanitizers. fuzz_core FOLDER RUNS [SEED]; a run that breaks a promise is told and fails. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/placement.h"

enum { MAP = 2048, RANKS = 4, WIDTH = 128 };

static uint64_t state;

/* xorshift64: the same runs from the same seed everywhere */
static uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

static void save(const char* path, const char* bytes, size_t size) {
  FILE* const file = fopen(path, "w");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

static size_t make_map(char* map) {
  static const char* const rows[RANKS] = {
      "0 * 1 0000:07:00.0 1,0,3,2 mlx5_0 0-1 preferred:0 cores=0-1;slot=1;vendor=nvidia",
      "1 * 0 GPU-aaaa-bbbb 1,0,3,2 mlx5_1 0 bind:0 vendor=nvidia",
      "2 * 3 - 1,0,3,2 hsn0 1,8000-8001 - vendor=amd;slot=3",
      "3 * 2 MIG-1234 1,0,3,2 - 0-8191:2 preferred:0-3 vendor=intel;tile=0.1"};
  char body[RANKS * WIDTH + 1] = "";
  for (int i = 0; i < RANKS; ++i) sprintf(body + i * WIDTH, "%-*s\n", WIDTH - 1, rows[i]);
  const int length =
      sprintf(map, "# rankmap 1 ranks=%d width=%d machine=m objective=o body=%016llx", RANKS, WIDTH,
              (unsigned long long)rankmap_wire_checksum(body, RANKS * WIDTH));
  sprintf(map + length, "%*s\n", RANKMAP_WIRE_HEADER_SIZE - 1 - length, "");
  strcpy(map + RANKMAP_WIRE_HEADER_SIZE, body);
  return RANKMAP_WIRE_HEADER_SIZE + RANKS * WIDTH;
}

/* Flips, cuts, or swaps digits, mostly inside one line, so that many maps stay readable. */
static size_t damage(char* bytes, size_t size, size_t start) {
  static const char usual[] = "0123456789,-:*. =;\n";
  for (uint64_t left = draw(4); left > 0; --left) {
    const size_t at = start + draw(size - start);
    bytes[at] = draw(2) ? usual[draw(sizeof usual - 1)] : (char)draw(256);
  }
  return draw(16) ? size : draw(size + 1);
}

static void noise(char* text, size_t capacity) {
  static const char usual[] = "0123456789,-(x){}=GPUMIG abc\t";
  size_t length = draw(8) ? draw(24) : draw(capacity);
  for (size_t i = 0; i < length; ++i) text[i] = usual[draw(sizeof usual - 1)];
  text[length] = '\0';
}

static void set_variables(int rank) {
  static const char* const noisy[] = {
      "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ROCR_VISIBLE_DEVICES",
      "HIP_VISIBLE_DEVICES",  "ZE_AFFINITY_MASK",  "RANKMAP_GPUS",
      "RANKMAP_NICS",         "RANKMAP_SUM",       "OMP_NUM_THREADS",
      "OMP_PLACES",           "UCX_NET_DEVICES",   "RANKMAP_PLACED",
      "RANKMAP_PASSED",       "PMIX_NAMESPACE",    "OMPI_COMM_WORLD_LOCAL_RANK"};
  char text[4096];
  clearenv();
  for (size_t i = 0; i < sizeof noisy / sizeof *noisy; ++i) {
    if (draw(6)) continue;
    noise(text, sizeof text);
    setenv(noisy[i], text, 1);
  }
  sprintf(text, "%d", rank);
  setenv("OMPI_COMM_WORLD_RANK", text, 1);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  static const char* const modes[] = {"own", "aligned", "own-first", "keep"};
  if (draw(2)) setenv("RANKMAP_GPUS", modes[draw(4)], 1);
  if (draw(4) == 0) setenv("RANKMAP_OPENMP", "1", 1);
}

static void write_machine(const char* folder) {
  static const char* const files[] = {"sys/devices/system/cpu/present",
                                      "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
                                      "proc/driver/nvidia/gpus/0000:07:00.0/information"};
  char path[512], text[6000];
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    if (draw(3)) {
      noise(text, sizeof text);
      save(path, text, strlen(text));
    } else {
      unlink(path);
    }
  }
}

static int is_ended(const char* text, size_t capacity) {
  return memchr(text, '\0', capacity) != NULL;
}

static const char* broken_promise(const struct rankmap_placement* placement, double seconds) {
  cpu_set_t set;
  if (seconds > 30) return "took over half a minute"; /* hangs; machines may be slow */
  if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0) return "no CPUs left";
  if (!is_ended(placement->doubt, sizeof placement->doubt) ||
      !is_ended(placement->note, sizeof placement->note) ||
      !is_ended(placement->gpu_planned, sizeof placement->gpu_planned))
    return "a text without an end";
  if (placement->state == RANKMAP_PASSED && !*placement->doubt) return "passed without a reason";
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Its lines on stderr go to a file, which must have one at most. */
static int run_once(const char* folder, const char* map, long counts[]) {
  static struct rankmap_placement placement;
  char lines[4096] = "";
  setenv("RANKMAP_SYSROOT", folder, 1);
  setenv("RANKMAP_MAP", map, 1);
  setenv("RANKMAP_REPORT", folder, 1);
  const struct rankmap_settings settings = rankmap_settings_from_environment();
  const double start = now();
  if (ftruncate(STDERR_FILENO, 0) != 0) return 1;
  lseek(STDERR_FILENO, 0, SEEK_SET);
  rankmap_place(&placement, &settings);
  rankmap_finish(&placement, "fuzz");
  rankmap_report_again(&placement);
  const char* broken = broken_promise(&placement, now() - start);
  const ssize_t got = pread(STDERR_FILENO, lines, sizeof lines - 1, 0);
  const char* const end = got > 0 ? strchr(lines, '\n') : NULL;
  if (!broken && got > 0 && (!end || end[1])) broken = "not one line of warning";
  if (broken) printf("%s: %s\n", broken, lines);
  ++counts[placement.state];
  return broken != NULL;
}

int main(int argc, char** argv) {
  char map[MAP], path[512], errors[512];
  long counts[RANKMAP_PLACED + 1] = {0};
  cpu_set_t first;
  if (argc < 3) return 2;
  const long runs = strtol(argv[2], NULL, 10);
  state = argc > 3 ? strtoull(argv[3], NULL, 10) : 20260101;
  snprintf(path, sizeof path, "%s/map", argv[1]);
  snprintf(errors, sizeof errors, "%s/stderr", argv[1]);
  sched_getaffinity(0, sizeof first, &first);
  if (!freopen(errors, "w+", stderr)) return 2;
  for (long run = 0; run < runs; ++run) {
    const uint64_t seed = state;
    const size_t size = make_map(map);
    const size_t kept = damage(map, size, draw(4) ? RANKMAP_WIRE_HEADER_SIZE : 0);
    save(path, map, kept);
    set_variables((int)draw(RANKS));
    write_machine(argv[1]);
    if (run_once(argv[1], path, counts)) {
      printf("failed: run %ld, seed %llu\n", run, (unsigned long long)seed);
      return 1;
    }
    sched_setaffinity(0, sizeof first, &first);
  }
  printf("%ld runs: %ld placed, %ld passed\n", runs, counts[RANKMAP_PLACED],
         counts[RANKMAP_PASSED]);
  /* else the damage is such that nothing is tested */
  return counts[RANKMAP_PLACED] < runs / 10 || counts[RANKMAP_PASSED] < runs / 10;
}
