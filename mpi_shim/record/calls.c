/* Every MPI function that the recorder stands before: the rows, and the few that are their own. */
#include <stdarg.h>
#include <stddef.h>

#include "mpi_shim/record/counted.h"
#include "mpi_shim/record/phase.h"
#include "mpi_shim/record/wrap.h"

/* Open MPI 5 has most of MPI 4 but for large counts, and calls itself MPI 3. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define HAS_MPI_4 1
#define PERSISTENT MPI
#else
#define HAS_MPI_4 0
#define PERSISTENT MPIX /* as Open MPI 4 has them */
#endif

/* Handles inside arrays and behind pointers, which only a call that is counted looks at. */
typedef MPI_Comm comm_behind;
typedef MPI_Win win_behind;
typedef MPI_Datatype type_behind;

static void count_now(struct rankmap_work work) {
  rankmap_count(&work);
}

static void keep(struct rankmap_work work, MPI_Request* request) {
  rankmap_keep(*request, &work);
}

static void count_in_window(MPI_Win win, int target, uint64_t bytes, int put, int fetched) {
  rankmap_count_window(win, target, put ? bytes : 0, fetched ? bytes : 0);
}

#ifndef OMPI_MAJOR_VERSION
typedef uintptr_t word;
#define MPI_Comm word
#define MPI_Datatype word
#define MPI_Op word
#define MPI_Win word
#define MPI_Info word
#endif

#define COUNTED(work) count_now(work)
#define KEPT(work) keep(work, request)
#define IN_WINDOW(count, type, put, fetched) \
  if (target >= 0)                           \
  count_in_window(win, target, rankmap_bytes((uint64_t)(count), type), put, fetched)

/* The parentheses of a list of parameters or arguments, opened. */
#define OPEN(...) __VA_ARGS__
/* A call that is counted when it has succeeded; `after` may use its arguments. */
#define CALL(name, parameters, arguments, after) PREFIXED(MPI, name, parameters, arguments, after)
#define PREFIXED(prefix, name, parameters, arguments, after) \
  NAMED(prefix, name, parameters, arguments, after)
#define NAMED(prefix, name, parameters, arguments, after) \
  RANKMAP_TWO(prefix, name, parameters, arguments, (void)0, after)
#define COLLECTIVE(name, requested, persistent, parameters, arguments, work)                   \
  CALL(N(name), parameters, arguments, COUNTED(work))                                          \
  CALL(N(requested), (OPEN parameters, MPI_Request * request), (OPEN arguments, request),      \
       COUNTED(work))                                                                          \
  PREFIXED(PERSISTENT, N(persistent), (OPEN parameters, MPI_Info info, MPI_Request * request), \
           (OPEN arguments, info, request), KEPT(work))

#define COUNT int
#define OFFSET int
#define WOFFSET int
#define WIDE 0
#define N(name) name
#include "mpi_shim/record/rows_collectives.h"
#include "mpi_shim/record/rows_messages.h"
COLLECTIVE(Barrier, Ibarrier, Barrier_init, (MPI_Comm comm), (comm),
           rankmap_collective(RANKMAP_BARRIER, comm, 0, 0))
#undef COUNT
#undef OFFSET
#undef WOFFSET
#undef WIDE
#undef N

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define OFFSET MPI_Aint
#define WOFFSET MPI_Aint
#define WIDE 1
#define N(name) LARGE(name)
#define LARGE(name) name##_c
#include "mpi_shim/record/rows_collectives.h"
#include "mpi_shim/record/rows_messages.h"
#endif

CALL(Fetch_and_op,
     (const void* data, void* result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op operation,
      MPI_Win win),
     (data, result, type, target, at, operation, win), IN_WINDOW(1, type, data != NULL, 1))
/* What it is compared with goes along with what it is to become. */
CALL(Compare_and_swap,
     (const void* data, const void* compared, void* result, MPI_Datatype type, int target,
      MPI_Aint at, MPI_Win win),
     (data, compared, result, type, target, at, win), {
       const uint64_t bytes = target >= 0 ? rankmap_bytes(1, type) : 0;
       rankmap_count_window(win, target, 2 * bytes, bytes);
     })

#if HAS_MPI_4
/* Counted when it is started: all partitions have to be ready before it is complete. */
CALL(Psend_init,
     (const void* data, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
      MPI_Comm comm, MPI_Info info, MPI_Request* request),
     (data, partitions, count, type, to, tag, comm, info, request),
     KEPT(rankmap_partitioned(comm, to, partitions, count, type)))
#endif

CALL(Start, (MPI_Request * request), (request), rankmap_start(*request))
CALL(Startall, (int count, MPI_Request requests[]), (count, requests),
     for (int i = 0; i < count; ++i) rankmap_start(requests[i]))

/* A handle that is freed may be given to another object at once: it is forgotten before. */
RANKMAP_TWO(MPI, Request_free, (MPI_Request * request), (request), rankmap_forget_request(*request),
            (void)0)
RANKMAP_TWO(MPI, Comm_free, (comm_behind * comm), (comm), rankmap_forget_comm(*comm), (void)0)
RANKMAP_TWO(MPI, Comm_disconnect, (comm_behind * comm), (comm), rankmap_forget_comm(*comm), (void)0)
RANKMAP_TWO(MPI, Win_free, (win_behind * win), (win), rankmap_forget_win(*win), (void)0)

CALL(Init, (int* argc, char*** argv), (argc, argv), (void)0)
CALL(Init_thread, (int* argc, char*** argv, int required, int* provided),
     (argc, argv, required, provided), (void)0)
RANKMAP_TWO(MPI, Finalize, (void), (), rankmap_record_end(), (void)0)

/* Variadic, but no MPI looks at what follows the level; other tools get the level alone. */
#define PCONTROL(symbol, text)                                                       \
  EXPORTED int rankmap_##symbol(const int level, ...) __asm__(text);                 \
  int rankmap_##symbol(const int level, ...) {                                       \
    int (*const next)(const int, ...) = (int (*)(const int, ...))rankmap_next(text); \
    rankmap_enter();                                                                 \
    const int code = next(level);                                                    \
    if (rankmap_leave()) rankmap_phase_level(level);                                 \
    return code;                                                                     \
  }
PCONTROL(MPI_Pcontrol, "MPI_Pcontrol")
PCONTROL(PMPI_Pcontrol, "PMPI_Pcontrol")
