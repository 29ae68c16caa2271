/* What a process has done with NCCL so far: where it stands in which communicators, and calls and
 * bytes by communicator, operation, root or peer, and phase. No NCCL in here. Not locked. Memory is
 * bounded; what no longer fits is counted as `other`. */
#ifndef RANKMAP_MPI_SHIM_NCCL_TALLY_H
#define RANKMAP_MPI_SHIM_NCCL_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "mpi_shim/record/flows.h"
#include "mpi_shim/record/key_map.h"

enum {
  RANKMAP_MOST_NCCL_ROWS = RANKMAP_MOST_FLOWS,           /* 32 bytes each and 64 of index */
  RANKMAP_MOST_NCCL_COMMUNICATORS = RANKMAP_MOST_GROUPS, /* 96 bytes each and 72 of index */
  RANKMAP_MOST_NCCL_RANKS = 1 << 24                      /* of a communicator */
};

/* Never moved nor changed once it is there. */
struct rankmap_nccl_comm {
  uint64_t id;
  int32_t number; /* from 0 on; -1: one of those that found no room */
  int32_t ranks;
  int32_t own;   /* this process's rank in it: it may have several, each a row of its own */
  char name[64]; /* printable; "": none */
};

struct rankmap_nccl_row {
  int32_t comm;
  int32_t operation;
  int32_t peer; /* of a send; the root of an operation that has one; else 0 */
  int32_t phase;
  uint64_t calls;
  uint64_t bytes; /* as NCCL counts: element count by size, all calls together */
};

struct rankmap_nccl_tally {
  struct rankmap_nccl_comm** comms;
  size_t comm_count, comm_capacity;
  struct rankmap_nccl_row* rows;
  size_t row_count, row_capacity;
  struct rankmap_key_map comm_numbers, row_numbers; /* number + 1 */
  uint64_t other_calls, other_bytes;
};

/* Where `own` stands in the communicator: the one that is known already, or a new one. NULL: no
 * room, or numbers that cannot be. `name` may be NULL. */
struct rankmap_nccl_comm* rankmap_nccl_join(struct rankmap_nccl_tally* tally, uint64_t id,
                                            const char* name, int ranks, int own);

/* row.calls and row.bytes are added to those of the same communicator, operation, peer and phase. A
 * send of a rank to itself is nothing. */
void rankmap_nccl_add(struct rankmap_nccl_tally* tally, const struct rankmap_nccl_comm* comm,
                      struct rankmap_nccl_row row);

/* A copy to be read without a lock; it shares the communicators and has no index. -1: no memory. */
int rankmap_nccl_copy(const struct rankmap_nccl_tally* tally, struct rankmap_nccl_tally* copy);
void rankmap_nccl_end_copy(struct rankmap_nccl_tally* copy);
void rankmap_nccl_end(struct rankmap_nccl_tally* tally);

#endif
