/* What one rank tells about itself: lines of `key value`, read by libmap/mapping's placement report. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

enum { REPORT = 16384, PATH = 4096 };

/* Values are one line each, whatever the environment holds. */
static void put(char* report, const char* key, const char* value) {
  const size_t start = strlen(report);
  rankmap_append(report, REPORT, "%s %s\n", key, value);
  for (char* at = report + start; *at && at[1]; ++at)
    if (*at == '\n' || *at == '\r') *at = ' ';
}

static void put_number(char* report, const char* key, long value) {
  char number[24];
  snprintf(number, sizeof number, "%ld", value);
  put(report, key, number);
}

static void put_cpus(char* report, const char* key, const struct rankmap_cpus* cpus) {
  char list[2048];
  if (!rankmap_wire_print_list(cpus->words, RANKMAP_CPU_WORDS, list, sizeof list))
    snprintf(list, sizeof list, "?");
  put(report, key, list);
}

/* Set to nothing is not the same as not set: "" and "-". */
static void put_variable(char* report, const char* key, const char* variable) {
  const char* const value = *variable ? getenv(variable) : NULL;
  char text[sizeof((struct rankmap_placement*)NULL)->gpu_planned];
  snprintf(text, sizeof text, "%s", value ? value : "-");
  put(report, key, text);
}

static void put_nic(char* report) {
  const int ucx = getenv("UCX_NET_DEVICES") != NULL;
  put_variable(report, "nic_actual", ucx ? "UCX_NET_DEVICES" : "MPICH_OFI_NIC_POLICY");
}

static void put_identity(char* report, const struct rankmap_placement* placement) {
  const struct rankmap_identity* const identity = &placement->identity;
  put_number(report, "rank", identity->rank);
  put_number(report, "size", identity->size);
  put(report, "launcher", identity->launcher);
  put_number(report, "local_rank", identity->local_rank);
  put_number(report, "local_size", identity->local_size);
  put(report, "host", placement->host);
  put_number(report, "pid", (long)getpid());
}

static void compose(const struct rankmap_placement* placement, char* report) {
  struct rankmap_cpus actual;
  strcpy(report, "rankmap-report 1\n");
  put_identity(report, placement);
  put(report, "state", placement->state == RANKMAP_PLACED ? "placed" : "passed");
  put_cpus(report, "cpus_absent", &placement->absent);
  put_cpus(report, "cpus_barred", &placement->barred);
  if (rankmap_current_cpus(&actual)) put_cpus(report, "cpus_actual", &actual);
  put_number(report, "threads", placement->threads_moved);
  put(report, "gpu_mode", placement->gpu_mode);
  put(report, "gpu_device", placement->gpu_device);
  put(report, "gpu_variable", placement->gpu_variable);
  put(report, "gpu_planned", placement->gpu_planned);
  put_variable(report, "gpu_actual", placement->gpu_variable);
  put(report, "nic_variable", placement->nic_variable);
  put_nic(report);
  put(report, "memory_actual", placement->memory);
  put(report, "openmp", *placement->openmp ? placement->openmp : "-");
  put_number(report, "mpi_peers", placement->mpi_peers);
  put(report, "doubt", placement->doubt);
  put(report, "note", placement->note);
}

static int report_path(const struct rankmap_placement* placement, char* path) {
  const char* const folder = placement->settings.report;
  if (!folder || placement->identity.rank < 0) return 0;
  const int length = snprintf(path, PATH, "%s/rank.%ld", folder, placement->identity.rank);
  return length > 0 && length < PATH;
}

void rankmap_report(const struct rankmap_placement* placement) {
  static char report[REPORT]; /* once a process; stacks may be small */
  char path[PATH];
  if (placement->state == RANKMAP_ALREADY || !report_path(placement, path)) return;
  compose(placement, report);
  rankmap_write_file(path, report, strlen(report));
}

/* One line of the old report: as it is, or as this process finds it now. */
static void refresh_line(const struct rankmap_placement* placement, const char* key,
                         const char* value, char* variable, char* report) {
  struct rankmap_cpus actual;
  if (strcmp(key, "gpu_variable") == 0) snprintf(variable, 32, "%s", value);
  if (strcmp(key, "pid") == 0)
    put_number(report, key, (long)getpid());
  else if (strcmp(key, "gpu_actual") == 0)
    put_variable(report, key, variable);
  else if (strcmp(key, "nic_actual") == 0)
    put_nic(report);
  else if (strcmp(key, "mpi_peers") == 0)
    put_number(report, key, placement->mpi_peers);
  else if (strcmp(key, "cpus_actual") == 0 && rankmap_current_cpus(&actual))
    put_cpus(report, key, &actual);
  else
    put(report, key, value);
}

/* The wrapper, or a shell between the launcher and the program, wrote the first report. */
static void refresh(const struct rankmap_placement* placement, const char* path) {
  static char old[REPORT], report[REPORT];
  char variable[32] = "";
  *report = '\0';
  if (rankmap_read_start(path, old, sizeof old) <= 0) return;
  if (strncmp(old, "rankmap-report ", 15) != 0) return;
  for (char *line = old, *end; (end = strchr(line, '\n')); line = end + 1) {
    char* const blank = strchr(line, ' ');
    *end = '\0';
    if (!blank) return;
    *blank = '\0';
    refresh_line(placement, line, blank + 1, variable, report);
  }
  rankmap_write_file(path, report, strlen(report));
}

void rankmap_report_again(const struct rankmap_placement* placement) {
  char path[PATH];
  if (placement->state != RANKMAP_ALREADY)
    rankmap_report(placement);
  else if (report_path(placement, path))
    refresh(placement, path);
}
