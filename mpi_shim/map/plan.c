/* This rank's line of the map: read, and held against the job and the host it finds itself in. */
#define _GNU_SOURCE
#include "mpi_shim/map/plan.h"

#include <inttypes.h>
#include <string.h>

#include "mpi_shim/map/stage.h"
#include "mpi_shim/text.h"

#define DOUBT(placement, ...) rankmap_append((placement)->doubt, RANKMAP_TEXT, __VA_ARGS__)

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

/* The node's copy, where there is one of the right map. */
static enum rankmap_wire_status read_copy(struct rankmap_placement* placement) {
  struct rankmap_stage stage;
  enum rankmap_wire_status status = RANKMAP_WIRE_CANNOT_OPEN;
  rankmap_stage_begin(placement, &stage);
  if (stage.file >= 0)
    status = rankmap_wire_read_rank_from(stage.file, (int32_t)placement->identity.rank,
                                         &placement->header, placement->line, &placement->row);
  rankmap_stage_end(&stage);
  return placement->header.body == stage.sum ? status : RANKMAP_WIRE_CANNOT_OPEN;
}

static enum rankmap_wire_status read_line(struct rankmap_placement* placement) {
  if (placement->settings.stage && read_copy(placement) == RANKMAP_WIRE_OK) return RANKMAP_WIRE_OK;
  return rankmap_wire_read_rank(placement->settings.map, (int32_t)placement->identity.rank,
                                &placement->header, placement->line, &placement->row);
}

/* The ranks that read the map before it was replaced have no doubt, so these speak for themselves. */
static int is_replaced(struct rankmap_placement* placement) {
  const char* const expected = placement->settings.sum;
  uint64_t sum;
  if (!expected || placement->header.ranks == 0) return 0;
  if (!rankmap_read_sum(expected, &sum)) {
    placement->doubt_of_all = 1;
    DOUBT(placement, "RANKMAP_SUM=%.32s is no checksum, expected 16 hex digits. ", expected);
    return 1;
  }
  if (sum == placement->header.body) return 0;
  DOUBT(placement,
        "the map %.200s was replaced after the job was started (its checksum is %016" PRIx64
        ", expected %016" PRIx64 "). ",
        placement->settings.map, placement->header.body, sum);
  return 1;
}

static int is_other_size(struct rankmap_placement* placement) {
  const long size = placement->identity.size;
  if (placement->header.ranks == 0 || size == placement->header.ranks) return 0;
  placement->doubt_of_all = 1;
  if (size < 0)
    DOUBT(placement, "%s does not tell the size of the job. ", placement->identity.launcher);
  else
    DOUBT(placement, "the job has %ld ranks, the map %.200s has %d. ", size,
          placement->settings.map, (int)placement->header.ranks);
  return 1;
}

int rankmap_read_plan(struct rankmap_placement* placement) {
  const enum rankmap_wire_status status = read_line(placement);
  if (is_replaced(placement) || is_other_size(placement)) return 0;
  if (status != RANKMAP_WIRE_OK) {
    placement->doubt_of_line = placement->header.ranks > 0;
    placement->doubt_of_all = !placement->doubt_of_line;
    DOUBT(placement, "%.200s: %s. ", placement->settings.map, rankmap_wire_message(status));
    return 0;
  }
  if (is_this_host(placement)) return 1;
  DOUBT(placement,
        "planned on host %.80s, started on %.80s (RANKMAP_HOSTS=any places all the same). ",
        placement->row.host, placement->host);
  return 0;
}
