/* The recorder of NCCL: a profiler plugin (NCCL_PROFILER_PLUGIN) that counts collectives and sends.
 * Without RANKMAP_RECORD it asks for no events. It never fails NCCL. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/identity.h"
#include "mpi_shim/nccl/abi.h"
#include "mpi_shim/nccl/names.h"
#include "mpi_shim/nccl/part.h"
#include "mpi_shim/nccl/tally.h"
#include "mpi_shim/old_symbols.h"
#include "mpi_shim/record/phase.h"

enum state { UNKNOWN, RECORDING, OFF };
enum { LONGEST_INTERVAL = 64 }; /* seconds between two parts of a process that goes on */

static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic int state = UNKNOWN;
static struct rankmap_nccl_tally tally;
static struct rankmap_nccl_comm unlisted = {.number = -1, .own = -1};
static struct rankmap_nccl_process self;
static int (*phase_of_mpi)(void); /* the recorder's beside us; NULL: there is none */
static int live;                  /* communicators */
static int is_writing;
static int has_news; /* since the last part */
static int has_warned;
static long next_part, interval; /* seconds */

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
}

static void give_lock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (long)time.tv_sec;
}

/* POSIX lets a data pointer hold a function's address; ISO C wants this detour. */
static void find_phase_of_mpi(void) {
  union {
    void* object;
    int (*function)(void);
  } found = {NULL};
  if (rankmap_dlsym) found.object = rankmap_dlsym(RTLD_DEFAULT, "rankmap_record_phase");
  phase_of_mpi = found.function;
}

/* The MPI recorder's, so that both count in the same one; else our own, which knows time only. */
static int current_phase(void) {
  const int phase = phase_of_mpi ? phase_of_mpi() : RANKMAP_NO_RECORDER;
  return phase == RANKMAP_NO_RECORDER ? rankmap_phase() : phase;
}

static enum state begin(void) {
  const char* const record = getenv("RANKMAP_RECORD");
  if (!record || !*record) return OFF;
  self.record = strdup(record);
  if (!self.record) return OFF;
  const struct rankmap_identity identity = rankmap_identify();
  self.pid = (long)getpid();
  self.rank = identity.rank;
  self.size = identity.size;
  rankmap_phase_begin(getenv("RANKMAP_RECORD_PHASES"));
  find_phase_of_mpi();
  interval = 1;
  next_part = now() + interval;
  return RECORDING;
}

/* A child of fork has its parent's counts, which are the parent's to tell; it must not touch the
 * lock, which another thread may have held. NCCL does not work across a fork either. */
static int is_forked(void) {
  return state == RECORDING && self.pid != (long)getpid();
}

static void write_taken(void) {
  struct rankmap_nccl_tally copy;
  take_lock();
  const int no_memory = rankmap_nccl_copy(&tally, &copy);
  has_news = 0;
  give_lock();
  errno = ENOMEM;
  const int failed = no_memory || rankmap_nccl_part_write(&self, &copy) != 0;
  if (failed && !has_warned)
    fprintf(stderr, "rankmap: cannot write what NCCL did into %s.nccl: %s\n", self.record,
            strerror(errno));
  if (!no_memory) rankmap_nccl_end_copy(&copy);
  take_lock();
  has_warned |= failed;
  has_news |= failed;
  is_writing = 0;
  give_lock();
}

/* One thread writes at a time; a later one has more to tell. */
static void write_part(void) {
  for (;;) {
    take_lock();
    const int is_mine = !is_writing, is_wanted = has_news;
    if (is_mine && is_wanted) is_writing = 1;
    give_lock();
    if (is_mine && is_wanted) write_taken();
    if (is_mine) return;
    sched_yield();
  }
}

/* Workers are killed rather than ended: what they did must be on disk before. */
static int is_part_due(void) {
  const long time = now();
  if (time < next_part || is_writing) return 0;
  interval = interval < LONGEST_INTERVAL ? 2 * interval : LONGEST_INTERVAL;
  next_part = time + interval;
  return is_writing = 1;
}

/* The context of a communicator; NULL: nothing is recorded. */
static struct rankmap_nccl_comm* joined(uint64_t id, const char* name, int ranks, int rank) {
  struct rankmap_nccl_comm* comm = NULL;
  if (is_forked()) return NULL;
  take_lock();
  if (state == UNKNOWN) state = begin();
  if (state == RECORDING) {
    comm = rankmap_nccl_join(&tally, id, name, ranks, rank);
    if (!comm) comm = &unlisted;
    has_news = 1;
    ++live;
  }
  give_lock();
  return comm;
}

/* NCCL has one mask for all communicators, and other threads look at it meanwhile: no other value
 * may stand in it for a moment. */
static int join(void** context, int* mask, int wanted, uint64_t id, const char* name, int ranks,
                int rank) {
  *context = joined(id, name, ranks, rank);
  __atomic_store_n(mask, *context ? wanted : 0, __ATOMIC_RELAXED);
  return 0;
}

static void count(const struct rankmap_nccl_comm* comm, const char* operation, int peer,
                  const char* type, size_t elements) {
  const int size = rankmap_nccl_type_bytes(type);
  struct rankmap_nccl_row row = {.operation = rankmap_nccl_operation(operation),
                                 .peer = peer,
                                 .phase = current_phase(),
                                 .calls = 1};
  if (row.phase < 0 || row.operation == RANKMAP_NCCL_RECV) return;
  row.bytes = (uint64_t)elements * (uint64_t)size;
  if (size == 0 || elements > SIZE_MAX / 8) row.operation = -1, row.bytes = 0;
  take_lock();
  rankmap_nccl_add(&tally, comm, row);
  has_news = 1;
  const int is_due = is_part_due();
  give_lock();
  if (is_due) write_taken();
}

/* The handle is not NULL: below a NULL one NCCL tells nothing. */
static int start(void* context, void** handle, uint64_t type,
                 const union rankmap_nccl_details* details) {
  static char something;
  *handle = &something;
  if (!context) return 0;
  if (type == RANKMAP_NCCL_MESSAGE) {
    const struct rankmap_nccl_message* const message = &details->message;
    count(context, message->operation, message->peer, message->type, message->count);
  } else if (type == RANKMAP_NCCL_COLLECTIVE || type == RANKMAP_NCCL_COPIED_COLLECTIVE) {
    const struct rankmap_nccl_collective* const call = &details->collective;
    count(context, call->operation, call->root, call->type, call->count);
  }
  return 0;
}

static int init_v4(void** context, int* mask, const char* name, uint64_t id, int nodes, int ranks,
                   int rank, rankmap_nccl_log log) {
  (void)nodes, (void)log;
  return join(context, mask, RANKMAP_NCCL_COLLECTIVE | RANKMAP_NCCL_MESSAGE, id, name, ranks, rank);
}

static int init_v5(void** context, uint64_t id, int* mask, const char* name, int nodes, int ranks,
                   int rank, rankmap_nccl_log log) {
  return init_v4(context, mask, name, id, nodes, ranks, rank, log);
}

static int init_v6(void** context, uint64_t id, int* mask, const char* name, int nodes, int ranks,
                   int rank, rankmap_nccl_log log) {
  (void)nodes, (void)log;
  const int wanted =
      RANKMAP_NCCL_COLLECTIVE | RANKMAP_NCCL_MESSAGE | RANKMAP_NCCL_COPIED_COLLECTIVE;
  return join(context, mask, wanted, id, name, ranks, rank);
}

static int start_v4(void* context, void** handle, const struct rankmap_nccl_event_v4* event) {
  return start(context, handle, event->type, &event->details);
}

static int start_v5(void* context, void** handle, const struct rankmap_nccl_event_v5* event) {
  return start(context, handle, event->type, &event->details);
}

static int stop(void* handle) {
  (void)handle;
  return 0;
}

static int change(void* handle, int new_state, const void* arguments) {
  (void)handle, (void)new_state, (void)arguments;
  return 0;
}

static int finalize(void* context) {
  if (!context || state != RECORDING || is_forked()) return 0;
  take_lock();
  const int is_last = --live == 0;
  give_lock();
  if (is_last) write_part();
  return 0;
}

/* A program need not destroy its communicators. The library stays till then (-z nodelete). */
__attribute__((destructor)) static void end(void) {
  if (state == RECORDING && !is_forked()) write_part();
}

#define EXPORTED __attribute__((visibility("default"))) extern
EXPORTED const struct rankmap_nccl_plugin_v4 ncclProfiler_v4;
EXPORTED const struct rankmap_nccl_plugin_v5 ncclProfiler_v5, ncclProfiler_v6;

const struct rankmap_nccl_plugin_v4 ncclProfiler_v4 = {"rankmap", init_v4, start_v4,
                                                       stop,      change,  finalize};
const struct rankmap_nccl_plugin_v5 ncclProfiler_v5 = {"rankmap", init_v5, start_v5,
                                                       stop,      change,  finalize};
const struct rankmap_nccl_plugin_v5 ncclProfiler_v6 = {"rankmap", init_v6, start_v5,
                                                       stop,      change,  finalize};
