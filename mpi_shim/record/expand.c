/* What a member of a communicator sends in a collective: the first algorithm that patterns/ has
 * for the operation, told from the side of one rank. Totals of all calls are cut into blocks, so
 * the bytes of a ring may differ by rounding from those of its calls one by one; their sum does
 * not. */
#include <stddef.h>

#include "mpi_shim/record/flows.h"

struct member {
  const struct rankmap_group* group;
  rankmap_send send;
  void* context;
  int size, own;
  int from_root; /* own place, counted from the root */
};

static void to_member(const struct member* self, int index, uint64_t bytes, uint64_t messages) {
  const int rank = rankmap_member(self->group->members, index % self->size);
  if (messages != 0) self->send(self->context, rank, bytes, messages);
}

/* To the place counted from the root. */
static void to_place(const struct member* self, int place) {
  to_member(self, place + self->group->root, self->group->bytes, self->group->calls);
}

static void to_all_others(const struct member* self) {
  for (int i = 0; i < self->size; ++i)
    if (i != self->own) to_member(self, i, self->group->bytes, self->group->calls);
}

/* Every block but the successor's own. */
static void around_ring(const struct member* self) {
  const uint64_t steps = (uint64_t)self->size - 1;
  to_member(self, self->own + 1, steps * self->group->bytes, steps * self->group->calls);
}

static uint64_t block(const struct member* self, int index) {
  const uint64_t n = (uint64_t)self->size;
  return self->group->bytes / n + ((uint64_t)(index % self->size) < self->group->bytes % n);
}

/* Reduce-scatter and allgather around the ring: all blocks twice, but for the two that the
 * successor does not need. */
static void allreduce(const struct member* self) {
  const uint64_t bytes =
      2 * self->group->bytes - block(self, self->own + 1) - block(self, self->own + 2);
  to_member(self, self->own + 1, bytes, 2 * ((uint64_t)self->size - 1) * self->group->calls);
}

/* The parent of a place in the binomial tree has its lowest set bit cleared. */
static void to_children(const struct member* self) {
  const int lowest = self->from_root & -self->from_root;
  for (int bit = 1; (lowest == 0 || bit < lowest) && self->from_root + bit < self->size; bit *= 2)
    to_place(self, self->from_root + bit);
}

static void to_parent(const struct member* self) {
  if (self->from_root != 0) to_place(self, self->from_root & (self->from_root - 1));
}

static void to_root(const struct member* self) {
  if (self->from_root != 0) to_place(self, 0);
}

static void from_root(const struct member* self) {
  if (self->from_root == 0) to_all_others(self);
}

static void to_next(const struct member* self) {
  if (self->own + 1 < self->size)
    to_member(self, self->own + 1, self->group->bytes, self->group->calls);
}

/* Dissemination: to the places 1, 2, 4, ... further on, without data. */
static void barrier(const struct member* self) {
  for (int distance = 1; distance < self->size; distance *= 2)
    to_member(self, self->own + distance, 0, self->group->calls);
}

static const struct {
  const char* name;
  int has_root;
  void (*expand)(const struct member* self); /* NULL: its flows are counted call by call */
} operations[RANKMAP_OPERATIONS] = {
    [RANKMAP_ALLTOALL] = {"alltoall", 0, to_all_others},
    [RANKMAP_ALLTOALLV] = {"alltoallv", 0, NULL},
    [RANKMAP_ALLGATHER] = {"allgather", 0, around_ring},
    [RANKMAP_ALLGATHERV] = {"allgatherv", 0, NULL},
    [RANKMAP_ALLREDUCE] = {"allreduce", 0, allreduce},
    [RANKMAP_BCAST] = {"bcast", 1, to_children},
    [RANKMAP_REDUCE] = {"reduce", 1, to_parent},
    [RANKMAP_GATHER] = {"gather", 1, to_root},
    [RANKMAP_SCATTER] = {"scatter", 1, from_root},
    [RANKMAP_SCATTERV] = {"scatterv", 1, NULL},
    [RANKMAP_REDUCE_SCATTER] = {"reduce_scatter", 0, NULL},
    [RANKMAP_SCAN] = {"scan", 0, to_next},
    [RANKMAP_BARRIER] = {"barrier", 0, barrier},
};

const char* rankmap_operation_name(int operation) {
  return operations[operation].name;
}

int rankmap_has_root(int operation) {
  return operations[operation].has_root;
}

void rankmap_expand(const struct rankmap_group* group, rankmap_send send, void* context) {
  const int size = group->members->size, own = group->members->own;
  const struct member self = {group, send, context, size, own, (own - group->root + size) % size};
  if (own >= 0 && operations[group->operation].expand) operations[group->operation].expand(&self);
}
