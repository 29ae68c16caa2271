#define _GNU_SOURCE
#include "mpi_shim/record/real.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/old_symbols.h"

struct rankmap_real rankmap_real;

/* POSIX lets a data pointer hold a function's address; ISO C wants this detour. */
union address {
  void* object;
  rankmap_any_function function;
};

struct names {
  char paths[8][512];
  int count;
};

static int note_mpi(struct dl_phdr_info* info, size_t size, void* context) {
  struct names* const names = context;
  const char* const slash = strrchr(info->dlpi_name, '/');
  (void)size;
  if (!slash || strncmp(slash + 1, "libmpi", 6) != 0 || names->count == 8 ||
      strlen(info->dlpi_name) >= sizeof names->paths[0])
    return 0;
  strcpy(names->paths[names->count++], info->dlpi_name);
  return 0;
}

/* Where MPI was loaded out of the global scope, the object that has it. The names are collected
 * first: the loader must not be entered from inside its own list. */
static void* hidden_mpi(void) {
  struct names names = {.count = 0};
  dl_iterate_phdr(note_mpi, &names);
  for (int i = 0; i < names.count; ++i) {
    void* const object = rankmap_dlopen(names.paths[i], RTLD_LAZY | RTLD_NOLOAD);
    if (object && rankmap_dlsym(object, "PMPI_Comm_rank")) return object;
  }
  return NULL;
}

static void* find(const char* name) {
  static void* hidden;
  if (!rankmap_dlsym) return NULL;
  if (rankmap_dlsym(RTLD_NEXT, "PMPI_Comm_rank")) return rankmap_dlsym(RTLD_NEXT, name);
  if (!hidden && rankmap_dlopen) hidden = hidden_mpi();
  return hidden ? rankmap_dlsym(hidden, name) : NULL;
}

rankmap_any_function rankmap_next(const char* name) {
  const union address found = {find(name)};
  if (found.object) return found.function;
  fprintf(stderr, "rankmap: found no MPI behind the recorder for %s\n", name);
  _exit(125);
}

/* The linker may have given the program its own copy of an object, which is then the one that
 * MPI uses: it is searched from the program on. */
static void* find_object(const char* name) {
  void* const object = rankmap_dlsym ? rankmap_dlsym(RTLD_DEFAULT, name) : NULL;
  return object ? object : find(name);
}

#ifdef OMPI_MAJOR_VERSION
static int find_handles(void) {
  rankmap_real.comm_world = find_object("ompi_mpi_comm_world");
  rankmap_real.comm_null = find_object("ompi_mpi_comm_null");
  rankmap_real.byte = find_object("ompi_mpi_byte");
  rankmap_real.errors_return = find_object("ompi_mpi_errors_return");
  return rankmap_real.comm_world && rankmap_real.comm_null && rankmap_real.byte &&
         rankmap_real.errors_return;
}
#else
static int find_handles(void) {
  rankmap_real.comm_world = MPI_COMM_WORLD;
  rankmap_real.comm_null = MPI_COMM_NULL;
  rankmap_real.byte = MPI_BYTE;
  rankmap_real.errors_return = MPI_ERRORS_RETURN;
  return !find_object("ompi_mpi_comm_world");
}
#endif

int rankmap_find_real(void) {
  if (!find_handles()) return -1;
  union address found;
#define FIND(name)                    \
  found.object = find("PMPI_" #name); \
  if (!found.object) return -1;       \
  rankmap_real.name = (__typeof__(PMPI_##name)*)found.function;
  RANKMAP_REAL_FUNCTIONS(FIND)
#undef FIND
  return 0;
}
