#define _GNU_SOURCE
#include "mpi_shim/gpus/driver.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "mpi_shim/folder.h"
#include "mpi_shim/text.h"

struct search {
  const char* control;
  const char* numbered;
  int found;
};

static int ends_with(const char* text, size_t length, const char* end) {
  const size_t size = strlen(end);
  return length >= size && strncmp(text + length - size, end, size) == 0;
}

static void look_at(const char* name, void* context) {
  struct search* const search = context;
  char path[64] = "/proc/self/fd/", target[512];
  rankmap_append(path, sizeof path, "%.32s", name);
  const ssize_t got = readlink(path, target, sizeof target - 1);
  if (got <= 0) return;
  target[got] = '\0';
  size_t stem = (size_t)got;
  while (stem && strchr("0123456789", target[stem - 1])) --stem;
  if (ends_with(target, (size_t)got, search->control) ||
      (stem < (size_t)got && search->numbered && ends_with(target, stem, search->numbered)))
    search->found = 1;
}

/* A program without a loader has no driver in it. */
static int is_static(void) {
  return getauxval(AT_BASE) == 0;
}

int rankmap_driver_is_open(const char* control, const char* numbered) {
  struct search search = {control, numbered, 0};
  if (!control || is_static()) return 0;
  rankmap_each_name("/proc/self/fd", look_at, &search);
  return search.found;
}

int rankmap_mps_is_used(void) {
  char path[512];
  rankmap_system_path(path, sizeof path, "/tmp/nvidia-mps/control");
  return rankmap_variable("CUDA_MPS_PIPE_DIRECTORY") != NULL || access(path, F_OK) == 0;
}
