#include "mpi_shim/record/recorder.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi_shim/record/gather.h"
#include "mpi_shim/record/key_map.h"
#include "mpi_shim/record/phase.h"
#include "mpi_shim/record/places.h"
#include "mpi_shim/record/real.h"

enum state { UNKNOWN, RECORDING, OFF };

static _Atomic int state = UNKNOWN;
static _Atomic int has_begun;
static const char* file;
static struct rankmap_flows flows;
static struct rankmap_key_map requests;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
}

static void give_lock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void rankmap_enter(void) {
  ++depth;
}

/* A program whose MPI_Init we did not see (it called through a pointer of its own) begins here. */
int rankmap_leave(void) {
  if (--depth > 0) return 0;
  if (state == UNKNOWN) rankmap_record_begin();
  return state == RECORDING;
}

uint64_t rankmap_bytes(uint64_t count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count == 0 || rankmap_real.Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return 0;
  return count * (uint64_t)size;
}

int rankmap_is_rank(MPI_Comm comm, int rank) {
  int own = -1;
  return rankmap_real.Comm_rank(comm, &own) == MPI_SUCCESS && own == rank;
}

static int member_or_none(const struct rankmap_place* place, int index) {
  if (!place->members || index < 0 || index >= place->members->size) return -1;
  return rankmap_member(place->members, index);
}

static void add_flow(int peer, int phase, int group, uint64_t bytes, uint64_t messages) {
  rankmap_flows_add(&flows, (struct rankmap_flow){peer, phase, group, 0, bytes, messages});
}

static uint64_t counted(const struct rankmap_work* work, int index) {
  if (!work->counts) return work->bytes;
  const uint64_t count = work->wide ? (uint64_t)((const MPI_Count*)work->counts)[index]
                                    : (uint64_t)((const int*)work->counts)[index];
  return work->types ? rankmap_bytes(count, work->types[index]) : count * work->type_bytes;
}

static uint64_t counted_together(const struct rankmap_work* work, int size) {
  uint64_t bytes = 0;
  for (int i = 0; i < size; ++i) bytes += counted(work, i);
  return bytes;
}

/* To every member what its count says, in one message each. */
static void send_each(const struct rankmap_work* work, const struct rankmap_members* members,
                      int phase, int group) {
  for (int i = 0; i < members->size; ++i)
    if (i != members->own && counted(work, i) != 0)
      add_flow(rankmap_member(members, i), phase, group, counted(work, i), 1);
}

/* Around the ring go the blocks of all members, but for one: an allgather leaves out the
 * successor's own, a reduce-scatter ends with this rank's. */
static void send_around(const struct rankmap_work* work, const struct rankmap_members* members,
                        int phase, int group) {
  const int next = (members->own + 1) % members->size;
  const int left_out = work->operation == RANKMAP_ALLGATHERV ? next : members->own;
  const uint64_t bytes = counted_together(work, members->size) - counted(work, left_out);
  add_flow(rankmap_member(members, next), phase, group, bytes, (uint64_t)members->size - 1);
}

static void count_collective(const struct rankmap_work* work, const struct rankmap_place* place,
                             int phase) {
  struct rankmap_members* const members = place->members;
  const int has_counts = work->shape == RANKMAP_VARYING &&
                         (work->operation != RANKMAP_SCATTERV || work->peer == members->own);
  const uint64_t bytes = has_counts ? counted_together(work, members->size) : work->bytes;
  const int group = rankmap_flows_call(&flows, members, work->operation, work->peer, phase, bytes);
  if (group < 0 || !has_counts) return;
  if (work->operation == RANKMAP_ALLGATHERV || work->operation == RANKMAP_REDUCE_SCATTER)
    send_around(work, members, phase, group);
  else
    send_each(work, members, phase, group);
}

static void count_neighbours(const struct rankmap_work* work, struct rankmap_place* place,
                             int phase) {
  if (place->neighbours < 0) rankmap_find_neighbours(place, work->comm);
  for (int i = 0; i < place->neighbours; ++i)
    if (place->neighbour[i] >= 0)
      add_flow(member_or_none(place, place->neighbour[i]), phase, -1, counted(work, i), 1);
}

static void count_other(uint64_t bytes, uint64_t messages) {
  flows.other_bytes += bytes;
  flows.other_messages += messages;
}

static void count_locked(const struct rankmap_work* work, int phase) {
  struct rankmap_place* const place =
      work->place ? work->place : rankmap_place_of_comm(&flows, work->comm);
  if (!place || !place->members) return count_other(work->bytes, work->messages);
  if (work->shape == RANKMAP_MESSAGE)
    return add_flow(member_or_none(place, work->peer), phase, -1, work->bytes, work->messages);
  if (work->shape == RANKMAP_NEIGHBOURS) return count_neighbours(work, place, phase);
  if (place->is_inter) return count_other(work->bytes, 1);
  count_collective(work, place, phase);
}

void rankmap_count(const struct rankmap_work* work) {
  const int phase = rankmap_phase();
  const int has_peer = work->shape != RANKMAP_MESSAGE || work->peer >= 0;
  if (phase < 0 || work->shape == RANKMAP_NOTHING || !has_peer) return;
  take_lock();
  count_locked(work, phase);
  give_lock();
}

void rankmap_count_window(MPI_Win win, int target, uint64_t put, uint64_t fetched) {
  const int phase = rankmap_phase();
  if (phase < 0 || target < 0) return;
  take_lock();
  struct rankmap_place* const place = rankmap_place_of_win(&flows, win);
  const int peer = place ? member_or_none(place, target) : -1;
  if (put != 0) rankmap_flows_add(&flows, (struct rankmap_flow){peer, phase, -1, 0, put, 1});
  if (fetched != 0)
    rankmap_flows_add(&flows, (struct rankmap_flow){peer, phase, -1, 1, fetched, 1});
  give_lock();
}

static void forget_kept(struct rankmap_work* kept) {
  if (kept) rankmap_release_place(&flows, kept->place);
  free(kept);
}

static void keep_locked(uint64_t key, struct rankmap_work* kept) {
  forget_kept(rankmap_key_take(&requests, key));
  kept->place = rankmap_place_of_comm(&flows, kept->comm);
  if (kept->place) ++kept->place->users;
  if (kept->place && kept->shape == RANKMAP_NEIGHBOURS && kept->place->neighbours < 0)
    rankmap_find_neighbours(kept->place, kept->comm);
  if (rankmap_key_put(&requests, key, kept) != 0) forget_kept(kept);
}

void rankmap_keep(MPI_Request request, const struct rankmap_work* work) {
  struct rankmap_work* const kept = malloc(sizeof *kept);
  if (!kept) return;
  *kept = *work;
  take_lock();
  keep_locked(RANKMAP_KEY(request), kept);
  give_lock();
}

void rankmap_start(MPI_Request request) {
  take_lock();
  const struct rankmap_work* const work = rankmap_key_find(&requests, RANKMAP_KEY(request));
  const struct rankmap_work started =
      work ? *work : (struct rankmap_work){.shape = RANKMAP_NOTHING};
  give_lock();
  rankmap_count(&started);
}

void rankmap_forget_request(MPI_Request request) {
  if (state != RECORDING) return;
  take_lock();
  forget_kept(rankmap_key_take(&requests, RANKMAP_KEY(request)));
  give_lock();
}

void rankmap_forget_comm(MPI_Comm comm) {
  if (state != RECORDING) return;
  take_lock();
  rankmap_drop_comm(&flows, comm);
  give_lock();
}

void rankmap_forget_win(MPI_Win win) {
  if (state != RECORDING) return;
  take_lock();
  rankmap_drop_win(&flows, win);
  give_lock();
}

static size_t most_flows_wanted(void) {
  const char* const text = getenv("RANKMAP_RECORD_FLOWS");
  const long wanted = text ? strtol(text, NULL, 10) : 0;
  return wanted > 0 && wanted <= INT32_MAX / 4 ? (size_t)wanted : 0;
}

static void warn_first_rank(const char* text) {
  if (flows.rank == 0) fprintf(stderr, "rankmap: %s\n", text);
}

/* Programs that others spawned have a world of their own: only the first one is recorded. */
static int is_spawned(void) {
  MPI_Comm parent = rankmap_real.comm_null;
  return rankmap_real.Comm_get_parent(&parent) == MPI_SUCCESS && parent != rankmap_real.comm_null;
}

static enum state begin(void) {
  int initialised = 0, rank = 0, size = 0;
  file = getenv("RANKMAP_RECORD");
  if (!file || !*file || rankmap_find_real() != 0) return OFF;
  if (rankmap_real.Initialized(&initialised) != MPI_SUCCESS || !initialised) return UNKNOWN;
  if (rankmap_real.Comm_rank(rankmap_real.comm_world, &rank) != MPI_SUCCESS ||
      rankmap_real.Comm_size(rankmap_real.comm_world, &size) != MPI_SUCCESS)
    return OFF;
  if (is_spawned()) return OFF;
  rankmap_flows_begin(&flows, rank, size, most_flows_wanted());
  if (rankmap_phase_begin(getenv("RANKMAP_RECORD_PHASES")) != 0)
    warn_first_rank(
        "RANKMAP_RECORD_PHASES is neither pcontrol nor time:SECONDS, phases are those of "
        "MPI_Pcontrol");
  return RECORDING;
}

void rankmap_record_begin(void) {
  take_lock();
  if (state == UNKNOWN) state = begin();
  if (state == RECORDING) has_begun = 1;
  give_lock();
}

int rankmap_record_phase(void) {
  return has_begun ? rankmap_phase() : RANKMAP_NO_RECORDER;
}

void rankmap_record_end(void) {
  if (state != RECORDING) return;
  state = OFF;
  rankmap_gather(&flows, file);
}
