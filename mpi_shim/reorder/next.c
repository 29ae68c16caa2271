#define _GNU_SOURCE
#include "mpi_shim/reorder/next.h"

#include <string.h>
#include <unistd.h>

#include "mpi_shim/old_symbols.h"
#include "mpi_shim/quiet.h"

static void* behind_caller(const char* name, const void* caller) {
  Dl_info info;
  if (!rankmap_dlsym || !rankmap_dladdr || !rankmap_dlopen) return NULL;
  if (!rankmap_dladdr(caller, &info) || !info.dli_fname) return NULL;
  void* const object = rankmap_dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return object ? rankmap_dlsym(object, name) : NULL;
}

void* rankmap_reorder_next(const char* name, const void* caller) {
  static const char text[] = "rankmap: found no MPI behind the reorder library for ";
  void* found = rankmap_dlsym ? rankmap_dlsym(RTLD_NEXT, name) : NULL;
  if (!found) found = behind_caller(name, caller);
  if (found) return found;
  rankmap_write_quietly(STDERR_FILENO, text, sizeof text - 1);
  rankmap_write_quietly(STDERR_FILENO, name, strlen(name));
  rankmap_write_quietly(STDERR_FILENO, "\n", 1);
  _exit(125);
}

void* rankmap_reorder_function(const char* name, const void* caller) {
  void* const found = rankmap_dlsym ? rankmap_dlsym(RTLD_NEXT, name) : NULL;
  return found ? found : behind_caller(name, caller);
}

void* rankmap_reorder_object(const char* name, const void* caller) {
  void* const found = rankmap_dlsym ? rankmap_dlsym(RTLD_DEFAULT, name) : NULL;
  return found ? found : behind_caller(name, caller);
}
