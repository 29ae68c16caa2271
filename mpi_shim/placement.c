/* One rank, once: find who we are, read our line, apply it, say what was doubtful. */
#define _GNU_SOURCE
#include "mpi_shim/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/map/plan.h"
#include "mpi_shim/text.h"

/* A rank is marked for its children: as placed, or as left alone in a doubt that was told. */
static const char placed_mark[] = "RANKMAP_PLACED", passed_mark[] = "RANKMAP_PASSED";

/* "job.rank." , which the mark of this rank begins with; the pid follows. Where the launcher names no
 * job, "job." alone: the ranks of an mpiexec that a rank starts are taken for its children. */
static void mark_start(const struct rankmap_identity* identity, char* buffer, size_t capacity) {
  if (strcmp(identity->job, "-") == 0)
    snprintf(buffer, capacity, "-.");
  else
    snprintf(buffer, capacity, "%s.%ld.", identity->job, identity->rank);
}

static int has_mark(const char* mark, const char* start) {
  const char* const found = rankmap_variable(mark);
  return found && strncmp(found, start, strlen(start)) == 0;
}

/* We placed ourselves, or a parent of ours is the rank. */
static int is_marked(const struct rankmap_identity* identity) {
  char start[128];
  mark_start(identity, start, sizeof start);
  return has_mark(placed_mark, start) || has_mark(passed_mark, start);
}

static void set_mark(const char* mark, const struct rankmap_identity* identity) {
  char value[160];
  snprintf(value, sizeof value, "%s.%ld.%ld", identity->job, identity->rank, (long)getpid());
  setenv(mark, value, 1);
}

/* A launcher that counts in a way we do not know must not look like no launcher. */
static void doubt_rank(struct rankmap_placement* placement) {
  const char* const name = placement->identity.unreadable;
  placement->state = RANKMAP_PASSED;
  placement->doubt_of_all = 1;
  rankmap_append(placement->doubt, RANKMAP_TEXT, "%s is \"%.64s\", expected a rank's number. ",
                 name, rankmap_variable(name));
}

/* Cray's MPICH may number the ranks anew inside MPI_Init, which a map by launcher's ranks is not for. */
static void note_reordering(struct rankmap_placement* placement) {
  const char* const method = rankmap_variable("MPICH_RANK_REORDER_METHOD");
  if (method && strcmp(method, "1") != 0)
    rankmap_append(placement->note, RANKMAP_TEXT,
                   "MPICH_RANK_REORDER_METHOD=%.8s: this rank's number is the launcher's. ",
                   method);
}

void rankmap_place(struct rankmap_placement* placement, const struct rankmap_settings* settings) {
  memset(placement, 0, sizeof *placement);
  placement->settings = *settings;
  placement->row.rank = -1;
  placement->row.gpu = -1;
  placement->identity = rankmap_identify();
  gethostname(placement->host, sizeof placement->host - 1);
  placement->state = RANKMAP_NO_RANK;
  if (placement->identity.unreadable) doubt_rank(placement);
  if (placement->identity.rank < 0) return;
  placement->state = RANKMAP_ALREADY;
  if (is_marked(&placement->identity)) return;
  placement->state = RANKMAP_PASSED;
  if (!rankmap_read_plan(placement)) return;
  placement->state = RANKMAP_PLACED;
  note_reordering(placement);
  rankmap_place_cpus(placement);
  rankmap_place_gpu(placement);
  rankmap_place_nic(placement);
  rankmap_place_memory(placement);
  rankmap_place_openmp(placement);
  set_mark(placed_mark, &placement->identity);
}

int rankmap_finish(const struct rankmap_placement* placement, const char* who) {
  rankmap_report(placement);
  if (placement->state == RANKMAP_PASSED) set_mark(passed_mark, &placement->identity);
  return rankmap_tell(placement, who);
}
