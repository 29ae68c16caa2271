/* What one rank has sent so far: streams to other ranks, and collective calls by their
 * communicator. No MPI in here. Not locked. Memory is bounded; what no longer fits is counted as
 * `other`. */
#ifndef RANKMAP_MPI_SHIM_RECORD_FLOWS_H
#define RANKMAP_MPI_SHIM_RECORD_FLOWS_H

#include <stddef.h>
#include <stdint.h>

#include "mpi_shim/record/key_map.h"

enum {
  RANKMAP_MOST_FLOWS = 1 << 18,          /* 32 bytes each and 4 or 8 of index: about 10 MiB */
  RANKMAP_MOST_GROUPS = 1 << 16,         /* 56 bytes each */
  RANKMAP_MOST_MEMBERS = 4 * 1024 * 1024 /* ranks in the lists of all communicators: 16 MiB */
};

/* The ranks of MPI_COMM_WORLD in a communicator, in its order; equal lists are one. */
struct rankmap_members {
  uint64_t hash;
  int size;
  int own;    /* where this rank stands in it; -1: nowhere (an intercommunicator's far side) */
  int users;  /* communicators and groups that point here */
  int* ranks; /* NULL: all of MPI_COMM_WORLD; -1: a rank of another world */
};

enum rankmap_operation {
  RANKMAP_ALLTOALL,
  RANKMAP_ALLTOALLV,
  RANKMAP_ALLGATHER,
  RANKMAP_ALLGATHERV,
  RANKMAP_ALLREDUCE,
  RANKMAP_BCAST,
  RANKMAP_REDUCE,
  RANKMAP_GATHER,
  RANKMAP_SCATTER,
  RANKMAP_SCATTERV,
  RANKMAP_REDUCE_SCATTER,
  RANKMAP_SCAN,
  RANKMAP_BARRIER,
  RANKMAP_OPERATIONS
};

struct rankmap_group {
  struct rankmap_members* members;
  uint64_t key; /* the same on every rank of the group, different for every group */
  int32_t operation;
  int32_t root; /* in the order of members; 0 where there is none */
  int32_t phase;
  uint64_t bytes; /* of this rank's buffer, all calls together */
  uint64_t calls;
};

struct rankmap_flow {
  int32_t peer;
  int32_t phase;
  int32_t group;    /* into groups; -1: none */
  int32_t incoming; /* 1: the peer's bytes come to this rank, fetched from its window */
  uint64_t bytes;
  uint64_t messages;
};

struct rankmap_flows {
  int rank, size; /* of MPI_COMM_WORLD */
  struct rankmap_flow* flows;
  int32_t* flow_slots; /* position in flows + 1; 0: free */
  size_t flow_count, flow_capacity, most_flows;
  struct rankmap_group* groups;
  size_t group_count, group_capacity;
  struct rankmap_key_map group_numbers; /* key to position in groups + 1 */
  struct rankmap_members** members;
  size_t member_sets, member_capacity, member_ranks;
  struct rankmap_members world;
  uint64_t other_bytes, other_messages;
};

/* most_flows 0: RANKMAP_MOST_FLOWS. */
void rankmap_flows_begin(struct rankmap_flows* flows, int rank, int size, size_t most_flows);
void rankmap_flows_end(struct rankmap_flows* flows);

/* Bytes that leave for (or, incoming, arrive from) a rank of MPI_COMM_WORLD; to itself: nothing. */
void rankmap_flows_add(struct rankmap_flows* flows, struct rankmap_flow flow);

/* The list itself if it is new (it must be of malloc and is owned from now on), else the one
 * that is already known. NULL: no room; the list is freed. users is one more. */
struct rankmap_members* rankmap_members_of(struct rankmap_flows* flows, int* ranks, int size);
void rankmap_members_release(struct rankmap_flows* flows, struct rankmap_members* members);

/* Counts a call of `bytes`. Index of the group, or -1: none, because the communicator has one
 * rank or there is no room (then the call is among `other`). */
int32_t rankmap_flows_call(struct rankmap_flows* flows, struct rankmap_members* members,
                           enum rankmap_operation operation, int root, int phase, uint64_t bytes);

static inline int rankmap_member(const struct rankmap_members* members, int index) {
  return members->ranks ? members->ranks[index] : index;
}

/* "alltoall" */
const char* rankmap_operation_name(int operation);
int rankmap_has_root(int operation);

/* The messages that this rank sends in all calls of the group by the algorithm that rankmap's
 * patterns take for the operation; to ranks of MPI_COMM_WORLD. Operations whose sizes differ
 * from peer to peer (the v ones) are flows with that group already, and nothing comes here. */
typedef void (*rankmap_send)(void* context, int destination, uint64_t bytes, uint64_t messages);
void rankmap_expand(const struct rankmap_group* group, rankmap_send send, void* context);

#endif
