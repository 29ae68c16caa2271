#define _GNU_SOURCE
#include "mpi_shim/preload/neighbours.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/map/stage.h"
#include "mpi_shim/old_symbols.h"
#include "mpi_shim/own_file.h"
#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

enum { MOST = 1024, PATIENCE = 300 /* steps of 10 ms */ };

union question {
  void* address;
  int (*world)(int* rank, int* size);
  int (*peers)(const int* ranks, int count);
};

/* Where the ranks of a node meet: a file of their numbers in the order they came, and a link whose
 * text is how many of them take part. Making the link is the decision: only one rank succeeds. */
struct meeting {
  char numbers[RANKMAP_STAGE_PATH];
  char decision[RANKMAP_STAGE_PATH];
  int ranks[MOST];
  int count;
};

static union question find(const char* name) {
  union question found = {NULL};
  if (rankmap_dlsym) found.address = rankmap_dlsym(RTLD_DEFAULT, name);
  return found;
}

/* The report's folder is the job's own, and hosts that share memory in a test are told apart. */
static int name_meeting(const struct rankmap_placement* placement, struct meeting* meeting) {
  char folder[RANKMAP_STAGE_PATH - 100], key[4096 + sizeof placement->host];
  if (!rankmap_shared_folder(folder, sizeof folder)) return 0;
  snprintf(key, sizeof key, "%.4000s %s", placement->settings.report, placement->host);
  snprintf(meeting->numbers, sizeof meeting->numbers, "%s/rankmap.%lu.%016lx.peers", folder,
           (unsigned long)geteuid(), (unsigned long)rankmap_wire_checksum(key, strlen(key)));
  snprintf(meeting->decision, sizeof meeting->decision, "%.400s.decision", meeting->numbers);
  return 1;
}

static int append_rank(const struct meeting* meeting, int rank) {
  struct rankmap_own_file status;
  const int file = open(meeting->numbers,
                        O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  const int appended = rankmap_is_own_file(file, &status) &&
                       rankmap_write_quietly(file, (const char*)&rank, sizeof rank);
  close(file);
  return appended;
}

static void read_ranks(struct meeting* meeting) {
  struct rankmap_own_file status;
  const int file = open(meeting->numbers, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  meeting->count = 0;
  if (file < 0) return;
  const int own = rankmap_is_own_file(file, &status);
  const ssize_t got = own ? pread(file, meeting->ranks, sizeof meeting->ranks, 0) : 0;
  close(file);
  if (got > 0) meeting->count = (int)((size_t)got / sizeof meeting->ranks[0]);
}

/* How many take part; -1: not decided yet. */
static int read_decision(const struct meeting* meeting) {
  char text[16] = "";
  const ssize_t length = readlink(meeting->decision, text, sizeof text - 1);
  return length > 0 ? (int)rankmap_number(text) : -1;
}

static int decide(const struct meeting* meeting, int count) {
  char text[16];
  snprintf(text, sizeof text, "%d", count);
  if (symlink(text, meeting->decision) == 0) return count;
  const int other = read_decision(meeting);
  return other < 0 ? 0 : other;
}

/* Waits until `expected` ranks are here; whoever finds that, or loses patience, decides for all. */
static int agree(struct meeting* meeting, int expected) {
  const struct timespec step = {0, 10000000};
  for (int steps = 0;; ++steps) {
    const int decided = read_decision(meeting);
    read_ranks(meeting);
    if (decided >= 0) return decided;
    if (meeting->count >= expected) return decide(meeting, meeting->count);
    if (steps == PATIENCE) return decide(meeting, 0);
    nanosleep(&step, NULL);
  }
}

static void part(const struct meeting* meeting) {
  unlink(meeting->numbers);
  unlink(meeting->decision);
}

static int is_among(const struct meeting* meeting, int count, int rank) {
  for (int i = 0; i < count && i < meeting->count; ++i)
    if (meeting->ranks[i] == rank) return 1;
  return 0;
}

/* Ranks of this node by the map: all on a nameless one, else its line lists a GPU for each. */
static long ranks_by_map(struct rankmap_placement* placement) {
  long ranks = 0;
  if (placement->state == RANKMAP_PASSED) return 0;
  if (placement->state == RANKMAP_ALREADY && /* another process read the line */
      rankmap_wire_read_rank(placement->settings.map, (int32_t)placement->identity.rank,
                             &placement->header, placement->line,
                             &placement->row) != RANKMAP_WIRE_OK)
    return 0;
  if (strcmp(placement->row.host, "*") == 0) return placement->header.ranks;
  for (const char* at = placement->row.node_gpus; *at; ++at) ranks += *at == ',' || !at[1];
  return ranks;
}

static void warn(const struct rankmap_placement* placement, long seen, long there,
                 const char* where) {
  char text[RANKMAP_TEXT] = "";
  rankmap_append(text, sizeof text,
                 "MPI sees %ld of the %ld ranks of this %s as neighbours, so they do not talk "
                 "through its memory (hydra: a host that is listed twice; Slurm: start with "
                 "--mpi=pmix)",
                 seen, there, where);
  rankmap_say(placement, "rankmap", text);
}

static void ask(struct rankmap_placement* placement, struct meeting* meeting, int rank,
                int expected) {
  const union question peers = find("rankmap_mpi_peers");
  if (!peers.address || !name_meeting(placement, meeting) || !append_rank(meeting, rank)) return;
  const int count = agree(meeting, expected);
  if (count == 0) part(meeting); /* who comes later will wait, and part as well */
  if (count > meeting->count) read_ranks(meeting);
  if (!is_among(meeting, count, rank)) return;
  const int seen = peers.peers(meeting->ranks, count);
  if (meeting->ranks[0] == rank) { /* all have read the decision, or they had not been counted */
    part(meeting);
    if (seen > 0 && seen < count) warn(placement, seen, count, "node");
  }
  if (seen > 0) placement->mpi_peers = seen;
}

static long ranks_here(struct rankmap_placement* placement) {
  const long by_launcher = placement->identity.local_size, by_map = ranks_by_map(placement);
  return by_launcher > by_map ? by_launcher : by_map;
}

void rankmap_count_neighbours(struct rankmap_placement* placement) {
  static struct meeting meeting;
  const union question world = find("rankmap_mpi_world");
  int rank = 0, size = 0;
  if (!placement->settings.report || !world.address || world.world(&rank, &size) != 0) return;
  if (size == placement->identity.size) {
    const long expected = ranks_here(placement);
    if (expected == 1) placement->mpi_peers = 1;
    if (expected > 1 && expected <= MOST) ask(placement, &meeting, rank, (int)expected);
    return;
  }
  /* Every rank thinks that it is a job of its own: MPI and the launcher do not speak one language. */
  if (size != 1 || placement->identity.size < 2) return;
  placement->mpi_peers = 1;
  if (placement->identity.rank == 0) warn(placement, 1, placement->identity.size, "job");
}
