/* What one rank tells about itself: lines of `key value`, read by libmap/mapping's placement report. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

enum { REPORT = 8192 };

static void put_cpus(char* report, const char* key, const struct rankmap_cpus* cpus) {
  char list[2048];
  if (!rankmap_wire_print_list(cpus->words, RANKMAP_CPU_WORDS, list, sizeof list))
    snprintf(list, sizeof list, "?");
  rankmap_append(report, REPORT, "%s %s\n", key, list);
}

/* Set to nothing is not the same as not set: "" and "-". */
static const char* value_of(const char* variable) {
  const char* const value = *variable ? getenv(variable) : NULL;
  return value ? value : "-";
}

static const char* nic_value(void) {
  const char* const ucx = getenv("UCX_NET_DEVICES");
  return ucx ? ucx : value_of("MPICH_OFI_NIC_POLICY");
}

static void compose(const struct rankmap_placement* placement, char* report) {
  struct rankmap_cpus actual;
  const int known = rankmap_current_cpus(&actual);
  *report = '\0';
  rankmap_append(report, REPORT,
                 "rankmap-report 1\nrank %ld\nsize %ld\nhost %s\npid %ld\nstate %s\n",
                 placement->identity.rank, placement->identity.size, placement->host,
                 (long)getpid(), placement->state == RANKMAP_PLACED ? "placed" : "passed");
  put_cpus(report, "cpus_absent", &placement->absent);
  put_cpus(report, "cpus_barred", &placement->barred);
  if (known) put_cpus(report, "cpus_actual", &actual);
  rankmap_append(report, REPORT, "gpu_variable %s\ngpu_planned %s\ngpu_actual %.256s\n",
                 placement->gpu_variable, placement->gpu_planned,
                 value_of(placement->gpu_variable));
  rankmap_append(report, REPORT, "nic_actual %.256s\nmemory_actual %s\n", nic_value(),
                 placement->memory);
  rankmap_append(report, REPORT, "doubt %s\nnote %s\n", placement->doubt, placement->note);
}

void rankmap_report(const struct rankmap_placement* placement) {
  const char* const directory = placement->settings.report;
  char path[4096], report[REPORT];
  if (!directory || placement->identity.rank < 0 || placement->state == RANKMAP_ALREADY) return;
  const int length =
      snprintf(path, sizeof path, "%s/rank.%ld", directory, placement->identity.rank);
  if (length < 0 || (size_t)length >= sizeof path) return;
  compose(placement, report);
  const int file =
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (file < 0) return;
  const size_t size = strlen(report);
  if (write(file, report, size) != (ssize_t)size) unlink(path);
  close(file);
}
