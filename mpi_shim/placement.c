/* One rank, once: find who we are, read our line, apply it, say what was doubtful. */
#define _GNU_SOURCE
#include "mpi_shim/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/text.h"

static const char mark[] = "RANKMAP_PLACED";

/* "job.rank." , which the mark of this rank begins with; the pid follows. */
static void mark_start(const struct rankmap_identity* identity, char* buffer, size_t capacity) {
  snprintf(buffer, capacity, "%s.%ld.", identity->job, identity->rank);
}

/* A mark of the same job and rank: we placed ourselves, or a parent of ours is the rank. */
static int is_marked(const struct rankmap_identity* identity) {
  const char* const found = rankmap_variable(mark);
  char start[128];
  mark_start(identity, start, sizeof start);
  return found && strncmp(found, start, strlen(start)) == 0;
}

static void set_mark(const struct rankmap_identity* identity) {
  char value[160];
  mark_start(identity, value, sizeof value);
  rankmap_append(value, sizeof value, "%ld", (long)getpid());
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

void rankmap_place(struct rankmap_placement* placement, const struct rankmap_settings* settings) {
  memset(placement, 0, sizeof *placement);
  placement->settings = *settings;
  placement->row.rank = -1;
  placement->row.gpu = -1;
  placement->identity = rankmap_identify();
  gethostname(placement->host, sizeof placement->host - 1);
  placement->state = RANKMAP_NO_RANK;
  if (placement->identity.rank < 0) return;
  placement->state = RANKMAP_ALREADY;
  if (is_marked(&placement->identity)) return;
  placement->state = RANKMAP_PASSED;
  if (!read_plan(placement, settings->map)) return;
  placement->state = RANKMAP_PLACED;
  rankmap_place_cpus(placement);
  rankmap_place_gpu(placement);
  rankmap_place_nic(placement);
  rankmap_place_memory(placement);
  set_mark(&placement->identity);
}

static void say(const struct rankmap_placement* placement, const char* who, const char* text) {
  char line[RANKMAP_TEXT * 2] = "";
  size_t length = strlen(text);
  while (length && strchr(" .\n", text[length - 1])) --length;
  rankmap_append(line, sizeof line, "%s: ", who);
  if (placement->identity.rank >= 0)
    rankmap_append(line, sizeof line, "rank %ld: ", placement->identity.rank);
  rankmap_append(line, sizeof line, "%.*s\n", (int)length, text);
  if (write(STDERR_FILENO, line, strlen(line)) < 0) return;
}

int rankmap_tell(const struct rankmap_placement* placement, const char* who) {
  const struct rankmap_identity* const identity = &placement->identity;
  const int first_here = identity->local_rank < 0 ? identity->rank <= 0 : identity->local_rank == 0;
  const int first = placement->doubt_of_all    ? identity->rank <= 0
                    : placement->doubt_of_line ? 1
                                               : first_here;
  if (*placement->doubt) {
    const int fails = placement->settings.strict;
    if (fails || first) say(placement, who, placement->doubt);
    return fails ? 125 : 0;
  }
  if (first && !rankmap_cpus_empty(&placement->absent)) {
    char list[256], text[RANKMAP_TEXT] = "";
    if (!rankmap_wire_print_list(placement->absent.words, RANKMAP_CPU_WORDS, list, sizeof list))
      snprintf(list, sizeof list, "%.200s", placement->row.cpus);
    rankmap_append(text, sizeof text, "this machine does not have the planned CPUs %s; skipped",
                   list);
    say(placement, who, text);
  }
  return 0;
}
