/* What the wrapper costs a rank: CPU time (user and system, of wait4) of a small static program started
 * alone, by a static program that does nothing but exec, and by rankmap-exec, in turns.
 * exec_cost WRAPPER [RUNS]: prints medians in milliseconds, and rankmap-exec over the bare exec.
 * exec_cost --nothing | --exec PROGRAM...: the programs that are started. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libmap/wire/wire.h"

enum { MOST = 100000, WIDTH = 64 };

static char map_path[] = "/tmp/rankmap-exec-cost-XXXXXX";

/* A million ranks, of which only the first has a line: a GPU, the CPUs of this machine, its memory. */
static void write_map(void) {
  char text[RANKMAP_WIRE_HEADER_SIZE + WIDTH + 1];
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN), ranks = 1000000;
  const int length =
      snprintf(text, sizeof text, "# rankmap 1 ranks=%ld width=%d machine=m objective=o body=%016d",
               ranks, WIDTH, 0);
  char row[WIDTH];
  snprintf(row, sizeof row, "0 * 0 - 0 - 0-%ld preferred:0 -", cpus - 1);
  snprintf(text + length, sizeof text - (size_t)length, "%*s\n%-*s\n",
           RANKMAP_WIRE_HEADER_SIZE - 1 - length, "", WIDTH - 1, row);
  const int file = mkstemp(map_path);
  if (file < 0 || write(file, text, sizeof text - 1) != (ssize_t)sizeof text - 1 ||
      ftruncate(file, RANKMAP_WIRE_HEADER_SIZE + ranks * WIDTH) != 0) {
    perror(map_path);
    exit(1);
  }
  close(file);
}

static double seconds_of(const char* const* command) {
  struct rusage usage;
  int status = 0;
  const pid_t child = vfork();
  if (child == 0) {
    execv(command[0], (char**)(size_t)command);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
    fprintf(stderr, "exec_cost: %s ended with status %d\n", command[0], status);
    unlink(map_path);
    exit(1);
  }
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, long count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static void run(const char* wrapper, const char* self, long runs) {
  static double alone[MOST], bare[MOST], wrapped[MOST];
  const char* const by_itself[] = {self, "--nothing", NULL};
  const char* const by_exec[] = {self, "--exec", self, "--nothing", NULL};
  const char* const by_wrapper[] = {wrapper, "--map", map_path, "--", self, "--nothing", NULL};
  for (long i = 0; i < runs; ++i) {
    alone[i] = seconds_of(by_itself);
    bare[i] = seconds_of(by_exec);
    wrapped[i] = seconds_of(by_wrapper);
  }
  const double a = 1e3 * median(alone, runs), b = 1e3 * median(bare, runs),
               c = 1e3 * median(wrapped, runs);
  printf("alone %.3f ms, by a bare exec %.3f ms, by rankmap-exec %.3f ms\n", a, b, c);
  printf("over the bare exec: %.3f ms, %.2f times (medians of %ld runs)\n", c - b, c / b, runs);
}

int main(int argc, char** argv) {
  char self[4096] = "";
  if (argc == 2 && strcmp(argv[1], "--nothing") == 0) return 0;
  if (argc > 2 && strcmp(argv[1], "--exec") == 0) return execvp(argv[2], argv + 2);
  const long runs = argc > 2 ? strtol(argv[2], NULL, 10) : 1000;
  if (argc < 2 || runs < 1 || runs > MOST) {
    fprintf(stderr, "usage: exec_cost WRAPPER [RUNS]\n");
    return 2;
  }
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
  write_map();
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "1000000", 1);
  run(argv[1], self, runs);
  unlink(map_path);
  return 0;
}
