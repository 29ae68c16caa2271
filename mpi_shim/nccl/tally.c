#include "mpi_shim/nccl/tally.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_shim/nccl/names.h"
#include "mpi_shim/record/phase.h"

/* The items, moved to where one more has room, twice as many at a time; NULL: no memory, nothing
 * moved. */
static void* with_room(void* items, size_t count, size_t* capacity, size_t item) {
  if (count < *capacity) return items;
  const size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
  void* const moved = realloc(items, larger * item);
  if (moved) *capacity = larger;
  return moved;
}

/* Blanks are single and inside, as the name ends a line of the part. */
static void take_name(char* to, size_t capacity, const char* name) {
  size_t length = 0;
  for (; name && *name && length + 1 < capacity; ++name) {
    const int is_blank = (unsigned char)*name <= ' ' || *name == 127;
    if (is_blank && (length == 0 || to[length - 1] == ' ')) continue;
    to[length++] = is_blank ? ' ' : *name;
  }
  while (length > 0 && to[length - 1] == ' ') --length;
  to[length] = '\0';
}

static struct rankmap_nccl_comm* new_comm(struct rankmap_nccl_tally* tally, uint64_t key) {
  if (tally->comm_count >= RANKMAP_MOST_NCCL_COMMUNICATORS) return NULL;
  struct rankmap_nccl_comm** const comms =
      with_room(tally->comms, tally->comm_count, &tally->comm_capacity, sizeof *comms);
  if (!comms) return NULL;
  tally->comms = comms;
  struct rankmap_nccl_comm* const comm = calloc(1, sizeof *comm);
  if (!comm) return NULL;
  if (rankmap_key_put(&tally->comm_numbers, key, (void*)(tally->comm_count + 1)) != 0) {
    free(comm);
    return NULL;
  }
  comm->number = (int32_t)tally->comm_count;
  comms[tally->comm_count++] = comm;
  return comm;
}

struct rankmap_nccl_comm* rankmap_nccl_join(struct rankmap_nccl_tally* tally, uint64_t id,
                                            const char* name, int ranks, int own) {
  if (ranks < 1 || ranks > RANKMAP_MOST_NCCL_RANKS || own < 0 || own >= ranks) return NULL;
  const uint64_t key =
      rankmap_mix(id ^ rankmap_mix((uint64_t)(uint32_t)ranks << 32 | (uint32_t)own)) | 1;
  const uintptr_t number = (uintptr_t)rankmap_key_find(&tally->comm_numbers, key);
  if (number != 0) {
    struct rankmap_nccl_comm* const known = tally->comms[number - 1];
    return known->id == id && known->ranks == ranks && known->own == own ? known : NULL;
  }
  struct rankmap_nccl_comm* const comm = new_comm(tally, key);
  if (!comm) return NULL;
  comm->id = id;
  comm->ranks = ranks;
  comm->own = own;
  take_name(comm->name, sizeof comm->name, name);
  return comm;
}

/* Exact: 16 bits of communicator, 4 of operation, 24 of peer and 12 of phase; never 0. */
static uint64_t key_of(const struct rankmap_nccl_row* row) {
  _Static_assert((int)RANKMAP_MOST_NCCL_COMMUNICATORS <= 1 << 16 && RANKMAP_NCCL_OPERATIONS <= 16 &&
                     (int)RANKMAP_MOST_NCCL_RANKS <= 1 << 24 && RANKMAP_MOST_PHASES <= 1 << 12,
                 "the parts of a key overlap");
  const uint64_t call = (uint64_t)(uint32_t)row->comm << 4 | (uint32_t)row->operation;
  return UINT64_C(1) << 63 | call << 36 | (uint64_t)(uint32_t)row->peer << 12 |
         (uint32_t)row->phase;
}

static int add_row(struct rankmap_nccl_tally* tally, const struct rankmap_nccl_row* row,
                   uint64_t key) {
  if (tally->row_count >= RANKMAP_MOST_NCCL_ROWS) return -1;
  struct rankmap_nccl_row* const rows =
      with_room(tally->rows, tally->row_count, &tally->row_capacity, sizeof *rows);
  if (!rows) return -1;
  tally->rows = rows;
  if (rankmap_key_put(&tally->row_numbers, key, (void*)(tally->row_count + 1)) != 0) return -1;
  rows[tally->row_count++] = *row;
  return 0;
}

static void add_other(struct rankmap_nccl_tally* tally, const struct rankmap_nccl_row* row) {
  tally->other_calls += row->calls;
  tally->other_bytes += row->bytes;
}

static int can_be_listed(const struct rankmap_nccl_comm* comm, const struct rankmap_nccl_row* row) {
  return comm->number >= 0 && row->operation >= 0 && row->peer >= 0 && row->peer < comm->ranks &&
         row->phase >= 0 && row->phase < RANKMAP_MOST_PHASES;
}

void rankmap_nccl_add(struct rankmap_nccl_tally* tally, const struct rankmap_nccl_comm* comm,
                      struct rankmap_nccl_row row) {
  const int is_send = row.operation == RANKMAP_NCCL_SEND;
  if (is_send && row.peer == comm->own) return;
  if (row.operation >= 0 && !is_send && !rankmap_nccl_has_root(row.operation)) row.peer = 0;
  if (!can_be_listed(comm, &row)) {
    add_other(tally, &row);
    return;
  }
  row.comm = comm->number;
  const uint64_t key = key_of(&row);
  const uintptr_t number = (uintptr_t)rankmap_key_find(&tally->row_numbers, key);
  if (number != 0) {
    tally->rows[number - 1].calls += row.calls;
    tally->rows[number - 1].bytes += row.bytes;
  } else if (add_row(tally, &row, key) != 0) {
    add_other(tally, &row);
  }
}

static void* copy_of(const void* items, size_t bytes) {
  void* const copy = malloc(bytes != 0 ? bytes : 1);
  if (copy && bytes != 0) memcpy(copy, items, bytes);
  return copy;
}

int rankmap_nccl_copy(const struct rankmap_nccl_tally* tally, struct rankmap_nccl_tally* copy) {
  *copy = *tally;
  copy->comm_numbers = copy->row_numbers = (struct rankmap_key_map){NULL, 0, 0};
  copy->comms = copy_of(tally->comms, tally->comm_count * sizeof *tally->comms);
  copy->rows = copy_of(tally->rows, tally->row_count * sizeof *tally->rows);
  if (copy->comms && copy->rows) return 0;
  rankmap_nccl_end_copy(copy);
  return -1;
}

void rankmap_nccl_end_copy(struct rankmap_nccl_tally* copy) {
  free(copy->comms);
  free(copy->rows);
}

void rankmap_nccl_end(struct rankmap_nccl_tally* tally) {
  for (size_t i = 0; i < tally->comm_count; ++i) free(tally->comms[i]);
  free(tally->comm_numbers.slots);
  free(tally->row_numbers.slots);
  rankmap_nccl_end_copy(tally);
}
