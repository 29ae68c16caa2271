/* How a row of calls becomes the two functions MPI_name and PMPI_name. Both are ours because
 * Open MPI's Fortran, and tools loaded before us, call the PMPI names; the depth in enter and
 * leave keeps one call from being counted twice. Their own names are others, which keeps mpi.h's
 * prototypes out of the way: under MPICH, handles are taken as whole words, so that a process of
 * Open MPI (whose handles are pointers) that was given the wrong recorder gets through unharmed. */
#ifndef RANKMAP_MPI_SHIM_RECORD_WRAP_H
#define RANKMAP_MPI_SHIM_RECORD_WRAP_H

#include <mpi.h>
#include <stdatomic.h>

#include "mpi_shim/record/real.h"
#include "mpi_shim/record/recorder.h"

#define EXPORTED __attribute__((visibility("default")))

#define RANKMAP_ONE(symbol, text, parameters, arguments, before, after)             \
  EXPORTED int rankmap_##symbol parameters __asm__(text);                           \
  int rankmap_##symbol parameters {                                                 \
    static _Atomic(rankmap_any_function) known;                                     \
    rankmap_any_function next = atomic_load_explicit(&known, memory_order_relaxed); \
    if (!next) atomic_store(&known, next = rankmap_next(text));                     \
    rankmap_enter();                                                                \
    before;                                                                         \
    const int code = ((int(*) parameters)next)arguments;                            \
    if (rankmap_leave() && code == MPI_SUCCESS) {                                   \
      after;                                                                        \
    }                                                                               \
    return code;                                                                    \
  }

#define RANKMAP_TWO(prefix, name, parameters, arguments, before, after)                 \
  RANKMAP_ONE(prefix##_##name, #prefix "_" #name, parameters, arguments, before, after) \
  RANKMAP_ONE(P##prefix##_##name, "P" #prefix "_" #name, parameters, arguments, before, after)

#endif
