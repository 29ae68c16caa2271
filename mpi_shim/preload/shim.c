/* librankmap_shim.so: places the rank when its program first enters MPI. No mpi.h: the four C entry
 * points (Fortran comes through them) and MPI_Session_init pass pointers and ints only, the handles of
 * sessions as words of a register. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/old_symbols.h"
#include "mpi_shim/placement.h"
#include "mpi_shim/preload/neighbours.h"
#include "mpi_shim/preload/openmp_loaded.h"
#include "mpi_shim/text.h"

#define EXPORTED __attribute__((visibility("default")))

typedef int (*init_function)(int*, char***);
typedef int (*init_thread_function)(int*, char***, int, int*);
typedef int (*session_function)(void*, void*, void*);

/* POSIX lets a data pointer hold a function's address; ISO C wants this detour. */
union function {
  void* address;
  init_function init;
  init_thread_function init_thread;
  session_function session;
};

/* What the process keeps between the first look at its rank and the return of MPI_Init. */
static struct rankmap_placement placement;
static atomic_flag entered = ATOMIC_FLAG_INIT;
static _Atomic int depth; /* entry points of MPI that are being called, one inside another */

static void finish(void) {
  if (placement.state == RANKMAP_PLACED) rankmap_move_memory(&placement);
  if (placement.settings.openmp) rankmap_tell_openmp(&placement);
  const int strict = rankmap_finish(&placement, "rankmap");
  if (strict) _exit(strict);
}

/* Before main, so that what reads its environment once (Python, OpenMP, CUDA in an import) and what
 * never passes our MPI_Init (a pointer from dlsym) is reached. Only where the variables say for sure
 * that this is the rank; a step's task that does not fit the map may be an agent, which never calls
 * MPI: it is looked at again when it does. */
__attribute__((constructor)) static void place_early(void) {
  const struct rankmap_settings settings = rankmap_settings_from_environment();
  if (!settings.map) return;
  const enum rankmap_certainty certainty = rankmap_identify().certainty;
  if (certainty == RANKMAP_BY_MPI_ONLY || atomic_flag_test_and_set(&entered)) return;
  rankmap_place(&placement, &settings);
  if (certainty == RANKMAP_SURE || placement.state != RANKMAP_PASSED)
    finish();
  else
    atomic_flag_clear(&entered);
}

static void enter(void) {
  ++depth;
  const struct rankmap_settings settings = rankmap_settings_from_environment();
  if (!settings.map || atomic_flag_test_and_set(&entered)) return;
  rankmap_place(&placement, &settings);
  finish();
}

/* MPI_Init itself may have bound the rank and set its memory policy: what counts is where it is now. */
static int leave(int result, int has_world) {
  if (--depth > 0 || !placement.settings.map) return result;
  if (result == 0 && has_world && placement.state != RANKMAP_NO_RANK)
    rankmap_count_neighbours(&placement);
  rankmap_keep_memory(&placement);
  if (placement.state != RANKMAP_NO_RANK) rankmap_report_again(&placement);
  return result;
}

/* The MPI that the calling object sees, where it was loaded out of the global scope (RTLD_LOCAL:
 * Python's extension modules). */
static void* behind_caller(const char* name, const void* caller) {
  Dl_info info;
  if (!rankmap_dladdr || !rankmap_dlopen || !rankmap_dladdr(caller, &info) || !info.dli_fname)
    return NULL;
  void* const object = rankmap_dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return object ? rankmap_dlsym(object, name) : NULL;
}

/* The next definition: RTLD_NEXT keeps the tools chained that were loaded behind us. */
static union function next(const char* name, const void* caller, const void* self) {
  union function found = {NULL};
  if (rankmap_dlsym) found.address = rankmap_dlsym(RTLD_NEXT, name);
  if (rankmap_dlsym && !found.address) found.address = behind_caller(name, caller);
  if (found.address && found.address != self) return found;
  static const char text[] = "rankmap: found no MPI behind the shim for ";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0 ||
      write(STDERR_FILENO, name, strlen(name)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
    _exit(125);
  _exit(125);
}

#define NEXT(name, member) \
  (next(#name, __builtin_return_address(0), (union function){.member = name}.address).member)

EXPORTED int MPI_Init(int* argc, char*** argv);
EXPORTED int PMPI_Init(int* argc, char*** argv);
EXPORTED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
EXPORTED int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided);
EXPORTED int MPI_Session_init(void* info, void* errhandler, void* session);
EXPORTED int PMPI_Session_init(void* info, void* errhandler, void* session);

int MPI_Init(int* argc, char*** argv) {
  enter();
  return leave(NEXT(MPI_Init, init)(argc, argv), 1);
}

int PMPI_Init(int* argc, char*** argv) {
  enter();
  return leave(NEXT(PMPI_Init, init)(argc, argv), 1);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  enter();
  return leave(NEXT(MPI_Init_thread, init_thread)(argc, argv, required, provided), 1);
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  enter();
  return leave(NEXT(PMPI_Init_thread, init_thread)(argc, argv, required, provided), 1);
}

int MPI_Session_init(void* info, void* errhandler, void* session) {
  enter();
  return leave(NEXT(MPI_Session_init, session)(info, errhandler, session), 0);
}

int PMPI_Session_init(void* info, void* errhandler, void* session) {
  enter();
  return leave(NEXT(PMPI_Session_init, session)(info, errhandler, session), 0);
}
