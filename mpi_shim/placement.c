/* One rank, once: find who we are, read our line, apply it, say what was doubtful. */
#define _GNU_SOURCE
#include "mpi_shim/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int is_address(const char* host) {
  return strchr(host, ':') || strspn(host, "0123456789.") == strlen(host);
}

/* Is the plan's host this one? Names are compared up to the first dot; what is no name of one
 * certain host is taken as this one. */
static int is_this_host(const struct rankmap_placement* placement) {
  const char *const planned = placement->row.host, *const here = placement->host;
  const char* const policy = placement->settings.hosts;
  const size_t length = strcspn(planned, ".");
  if (placement->header.hosts_unnamed || strcmp(planned, "*") == 0 ||
      strcmp(planned, "localhost") == 0 || is_address(planned) ||
      (policy && strcmp(policy, "any") == 0))
    return 1;
  return length == strcspn(here, ".") && strncmp(planned, here, length) == 0;
}

/* Reads the line of this rank. 0: in doubt. */
static int read_plan(struct rankmap_placement* placement, const char* map) {
  const struct rankmap_identity* const identity = &placement->identity;
  const enum rankmap_wire_status status = rankmap_wire_read_rank(
      map, (int32_t)identity->rank, &placement->header, placement->line, &placement->row);
  placement->doubt_of_all = 1;
  if (placement->header.ranks > 0 && identity->size != placement->header.ranks) {
    if (identity->size < 0)
      rankmap_append(placement->doubt, RANKMAP_TEXT, "%s does not tell the size of the job. ",
                     identity->launcher);
    else
      rankmap_append(placement->doubt, RANKMAP_TEXT,
                     "the job has %ld ranks, the map %.200s has %d. ", identity->size, map,
                     placement->header.ranks);
    return 0;
  }
  if (status != RANKMAP_WIRE_OK) {
    placement->doubt_of_all = placement->header.ranks == 0; /* else it is this rank's line alone */
    placement->doubt_of_line = !placement->doubt_of_all;
    rankmap_append(placement->doubt, RANKMAP_TEXT, "%.200s: %s. ", map,
                   rankmap_wire_message(status));
    return 0;
  }
  placement->doubt_of_all = 0;
  if (is_this_host(placement)) return 1;
  rankmap_append(
      placement->doubt, RANKMAP_TEXT,
      "planned on host %.80s, started on %.80s (RANKMAP_HOSTS=any places all the same). ",
      placement->row.host, placement->host);
  return 0;
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
  if (!read_plan(placement, settings->map)) return;
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
