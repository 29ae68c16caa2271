/* One rank's recorder: from the calls of MPI to flows. */
#ifndef RANKMAP_MPI_SHIM_RECORD_RECORDER_H
#define RANKMAP_MPI_SHIM_RECORD_RECORDER_H

#include <mpi.h>
#include <stdint.h>

#include "mpi_shim/record/flows.h"

enum rankmap_shape {
  RANKMAP_NOTHING,
  RANKMAP_MESSAGE,    /* to `peer` of comm */
  RANKMAP_COLLECTIVE, /* of `operation` with `bytes` */
  RANKMAP_VARYING,    /* the same, with counts for each member */
  RANKMAP_NEIGHBOURS  /* to the neighbours of comm's topology */
};

/* One call as it was made; a persistent one is kept, and counted whenever it is started. */
struct rankmap_work {
  enum rankmap_shape shape;
  enum rankmap_operation operation;
  MPI_Comm comm;
  struct rankmap_place* place; /* of comm, where the call is kept: comm may be freed by then */
  int peer;                    /* or root */
  uint64_t bytes;
  uint64_t messages;
  const void* counts; /* NULL: `bytes` for each; MPI_Count where wide, else int */
  int wide;
  uint64_t type_bytes;       /* of all counts, unless there are types */
  const MPI_Datatype* types; /* one for each count */
};

/* Around every call of MPI that we see: only the outermost one in a thread is counted, as MPI
 * and other tools call one another. leave says whether this one is. */
void rankmap_enter(void);
int rankmap_leave(void);

void rankmap_count(const struct rankmap_work* work);
uint64_t rankmap_bytes(uint64_t count, MPI_Datatype type);
int rankmap_is_rank(MPI_Comm comm, int rank); /* is it this one? */

void rankmap_keep(MPI_Request request, const struct rankmap_work* work); /* a persistent call */
void rankmap_start(MPI_Request request);
void rankmap_forget_request(MPI_Request request);
void rankmap_forget_comm(MPI_Comm comm);
void rankmap_forget_win(MPI_Win win);

/* One-sided: bytes that go to the target, and that come back from it. */
void rankmap_count_window(MPI_Win win, int target, uint64_t put, uint64_t fetched);

void rankmap_record_begin(void); /* MPI was initialised */
void rankmap_record_end(void);   /* before MPI is finalised: collective over MPI_COMM_WORLD */

/* The keys of handles: Open MPI's are pointers, MPICH's are integers. Never 0. */
#ifdef OMPI_MAJOR_VERSION
#define RANKMAP_KEY(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define RANKMAP_KEY(handle) ((uint64_t)(uint32_t)(handle) | UINT64_C(1) << 32)
#endif

#endif
