#define _GNU_SOURCE
#include "mpi_shim/preload/openmp_loaded.h"

#include <dlfcn.h>
#include <stddef.h>

#include "mpi_shim/old_symbols.h"
#include "mpi_shim/text.h"

union set_threads {
  void* address;
  void (*call)(int);
};

/* Its threads are started by this one and inherit its CPUs, unless the user had them bound: then their
 * places were chosen while the whole node was open. */
void rankmap_tell_openmp(struct rankmap_placement* placement) {
  union set_threads set = {NULL};
  if (placement->state != RANKMAP_PLACED || rankmap_cpus_empty(&placement->given)) return;
  if (rankmap_dlsym) set.address = rankmap_dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (!set.address) return;
  if (placement->openmp_threads > 0) {
    set.call(placement->openmp_threads);
    rankmap_append(placement->openmp, sizeof placement->openmp, ", told to the loaded runtime");
  }
  if (placement->openmp_bound_by_user)
    rankmap_append(placement->note, sizeof placement->note,
                   "OpenMP read its bindings before this rank was placed: its threads may be bound "
                   "outside the plan; start it by rankmap exec. ");
}
