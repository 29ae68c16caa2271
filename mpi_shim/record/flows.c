#include "mpi_shim/record/flows.h"

#include <stdlib.h>
#include <string.h>

void rankmap_flows_begin(struct rankmap_flows* flows, int rank, int size, size_t most_flows) {
  memset(flows, 0, sizeof *flows);
  flows->rank = rank;
  flows->size = size;
  flows->most_flows = most_flows != 0 ? most_flows : RANKMAP_MOST_FLOWS;
  flows->world.hash = rankmap_mix((uint64_t)size);
  flows->world.size = size;
  flows->world.own = rank;
  flows->world.users = 1;
}

void rankmap_flows_end(struct rankmap_flows* flows) {
  for (size_t i = 0; i < flows->member_sets; ++i) {
    free(flows->members[i]->ranks);
    free(flows->members[i]);
  }
  free(flows->members);
  free(flows->groups);
  free(flows->group_numbers.slots);
  free(flows->flows);
  free(flows->flow_slots);
  memset(flows, 0, sizeof *flows);
}

static void count_other(struct rankmap_flows* flows, uint64_t bytes, uint64_t messages) {
  flows->other_bytes += bytes;
  flows->other_messages += messages;
}

/* The items, moved to where one more has room, twice as many at a time; NULL: no memory, nothing
 * moved. */
static void* with_room(void* items, size_t count, size_t* capacity, size_t item) {
  if (count < *capacity) return items;
  const size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
  void* const moved = realloc(items, larger * item);
  if (moved) *capacity = larger;
  return moved;
}

static size_t flow_slot(const struct rankmap_flows* flows, const struct rankmap_flow* flow) {
  const size_t mask = 2 * flows->flow_capacity - 1;
  const uint64_t where = (uint64_t)(uint32_t)flow->peer << 32 | (uint32_t)flow->phase;
  const uint64_t what = (uint64_t)(uint32_t)flow->group << 1 | (uint32_t)flow->incoming;
  size_t at = (size_t)rankmap_mix(where ^ rankmap_mix(what)) & mask;
  for (; flows->flow_slots[at] != 0; at = (at + 1) & mask) {
    const struct rankmap_flow* const known = &flows->flows[flows->flow_slots[at] - 1];
    if (known->peer == flow->peer && known->phase == flow->phase && known->group == flow->group &&
        known->incoming == flow->incoming)
      break;
  }
  return at;
}

/* The flows stay where they are; the slots are found again for the larger size. */
static int grow_flows(struct rankmap_flows* flows) {
  const size_t larger = flows->flow_capacity == 0 ? 256 : 2 * flows->flow_capacity;
  int32_t* const slots = calloc(2 * larger, sizeof *slots);
  struct rankmap_flow* const moved = realloc(flows->flows, larger * sizeof *moved);
  if (moved) flows->flows = moved;
  if (!slots || !moved) {
    free(slots);
    return -1;
  }
  free(flows->flow_slots);
  flows->flow_slots = slots;
  flows->flow_capacity = larger;
  for (size_t i = 0; i < flows->flow_count; ++i)
    slots[flow_slot(flows, &flows->flows[i])] = (int32_t)i + 1;
  return 0;
}

static int can_add_flow(struct rankmap_flows* flows) {
  if (flows->flow_count >= flows->most_flows) return 0;
  return flows->flow_count < flows->flow_capacity || grow_flows(flows) == 0;
}

void rankmap_flows_add(struct rankmap_flows* flows, struct rankmap_flow flow) {
  if (flow.peer == flows->rank) return;
  if (flow.peer < 0 || flow.peer >= flows->size ||
      (flows->flow_capacity == 0 && grow_flows(flows))) {
    count_other(flows, flow.bytes, flow.messages);
    return;
  }
  size_t slot = flow_slot(flows, &flow);
  if (flows->flow_slots[slot] != 0) {
    struct rankmap_flow* const known = &flows->flows[flows->flow_slots[slot] - 1];
    known->bytes += flow.bytes;
    known->messages += flow.messages;
    return;
  }
  if (!can_add_flow(flows)) {
    count_other(flows, flow.bytes, flow.messages);
    return;
  }
  slot = flow_slot(flows, &flow);
  flows->flows[flows->flow_count] = flow;
  flows->flow_slots[slot] = (int32_t)++flows->flow_count;
}

static int is_world(const struct rankmap_flows* flows, const int* ranks, int size) {
  if (size != flows->size) return 0;
  for (int i = 0; i < size; ++i)
    if (ranks[i] != i) return 0;
  return 1;
}

static uint64_t hash_of(const int* ranks, int size) {
  uint64_t hash = rankmap_mix((uint64_t)size + 1);
  for (int i = 0; i < size; ++i) hash = rankmap_mix(hash ^ (uint32_t)ranks[i]);
  return hash;
}

static struct rankmap_members* known_members(struct rankmap_flows* flows, uint64_t hash,
                                             const int* ranks, int size) {
  for (size_t i = 0; i < flows->member_sets; ++i) {
    struct rankmap_members* const known = flows->members[i];
    if (known->hash == hash && known->size == size &&
        memcmp(known->ranks, ranks, (size_t)size * sizeof *ranks) == 0)
      return known;
  }
  return NULL;
}

static struct rankmap_members* new_members(struct rankmap_flows* flows, uint64_t hash, int* ranks,
                                           int size) {
  if (flows->member_ranks + (size_t)size > RANKMAP_MOST_MEMBERS) return NULL;
  struct rankmap_members** const sets =
      with_room(flows->members, flows->member_sets, &flows->member_capacity, sizeof *sets);
  if (!sets) return NULL;
  flows->members = sets;
  struct rankmap_members* const members = malloc(sizeof *members);
  if (!members) return NULL;
  *members = (struct rankmap_members){hash, size, -1, 1, ranks};
  for (int i = 0; i < size; ++i)
    if (ranks[i] == flows->rank) members->own = i;
  flows->members[flows->member_sets++] = members;
  flows->member_ranks += (size_t)size;
  return members;
}

struct rankmap_members* rankmap_members_of(struct rankmap_flows* flows, int* ranks, int size) {
  const uint64_t hash = hash_of(ranks, size);
  struct rankmap_members* known =
      is_world(flows, ranks, size) ? &flows->world : known_members(flows, hash, ranks, size);
  if (known) {
    ++known->users;
    free(ranks);
    return known;
  }
  known = new_members(flows, hash, ranks, size);
  if (!known) free(ranks);
  return known;
}

void rankmap_members_release(struct rankmap_flows* flows, struct rankmap_members* members) {
  if (--members->users > 0) return;
  for (size_t i = 0; i < flows->member_sets; ++i) {
    if (flows->members[i] != members) continue;
    flows->members[i] = flows->members[--flows->member_sets];
    flows->member_ranks -= (size_t)members->size;
    free(members->ranks);
    free(members);
    return;
  }
}

/* Not 0, which means none: a world of N ranks has the hash of N, so the call must not be a small
 * number too. */
static uint64_t key_of(const struct rankmap_group* group) {
  const uint64_t call = (uint64_t)(uint32_t)group->root << 32 | (uint32_t)group->operation;
  return rankmap_mix(group->members->hash ^
                     rankmap_mix(~call ^ rankmap_mix((uint32_t)group->phase)));
}

static int32_t new_group(struct rankmap_flows* flows, struct rankmap_group group) {
  if (flows->group_count >= RANKMAP_MOST_GROUPS) return -1;
  struct rankmap_group* const groups =
      with_room(flows->groups, flows->group_count, &flows->group_capacity, sizeof group);
  if (!groups) return -1;
  flows->groups = groups;
  const uintptr_t number = (uintptr_t)flows->group_count + 1;
  if (rankmap_key_put(&flows->group_numbers, group.key, (void*)number) != 0) return -1;
  ++group.members->users;
  groups[flows->group_count] = group;
  return (int32_t)flows->group_count++;
}

int32_t rankmap_flows_call(struct rankmap_flows* flows, struct rankmap_members* members,
                           enum rankmap_operation operation, int root, int phase, uint64_t bytes) {
  if (members->size < 2) return -1;
  struct rankmap_group group = {members, 0, (int32_t)operation, root, phase, bytes, 1};
  group.key = key_of(&group);
  const uintptr_t number = (uintptr_t)rankmap_key_find(&flows->group_numbers, group.key);
  if (number != 0) {
    struct rankmap_group* const known = &flows->groups[number - 1];
    known->bytes += bytes;
    ++known->calls;
    return (int32_t)(number - 1);
  }
  const int32_t added = new_group(flows, group);
  if (added < 0) count_other(flows, bytes, 1);
  return added;
}
