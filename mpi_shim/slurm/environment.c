#define _GNU_SOURCE
#include "mpi_shim/slurm/environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t count(char** list) {
  size_t entries = 0;
  while (list && list[entries]) ++entries;
  return entries;
}

/* Where the entry of a name is in a list; NULL: it is not there. */
static const char* find(char** list, const char* name, size_t length) {
  for (; list && *list; ++list)
    if (strncmp(*list, name, length) == 0 && (*list)[length] == '=') return *list;
  return NULL;
}

static char** copy_of(char** list) {
  const size_t entries = count(list);
  char** const copy = calloc(entries + 1, sizeof *copy);
  if (copy && entries) memcpy(copy, list, entries * sizeof *copy);
  return copy;
}

/* Our own list is copied as well: setenv gives the last list that it made itself back to malloc, also
 * where another one is in use. */
int rankmap_lend_environment(struct rankmap_lent_environment* lent, char** task) {
  char** const ours = copy_of(environ);
  char** const theirs = copy_of(task);
  if (!ours || !theirs) {
    free(ours);
    free(theirs);
    return 0;
  }
  *lent = (struct rankmap_lent_environment){ours, task};
  environ = theirs;
  return 1;
}

static void tell_set(char** now, char** before, void* context,
                     void (*set)(void*, const char*, const char*)) {
  for (; *now; ++now) {
    const size_t length = strcspn(*now, "=");
    const char* const old = find(before, *now, length);
    if (!(*now)[length] || (old && strcmp(old, *now) == 0)) continue;
    char* const name = strndup(*now, length);
    if (name) set(context, name, *now + length + 1);
    free(name);
  }
}

static void tell_gone(char** now, char** before, void* context, void (*unset)(void*, const char*)) {
  for (; before && *before; ++before) {
    const size_t length = strcspn(*before, "=");
    if (find(now, *before, length)) continue;
    char* const name = strndup(*before, length);
    if (name) unset(context, name);
    free(name);
  }
}

/* The copies stay behind, as libc may hold on to them; the process ends in an exec. The task's list
 * changes while it is told, so it is kept by its entries. */
void rankmap_return_environment(struct rankmap_lent_environment* lent, void* context,
                                void (*set)(void* context, const char* name, const char* value),
                                void (*unset)(void* context, const char* name)) {
  char** const now = environ;
  environ = lent->own;
  const size_t entries = count(lent->task);
  char** const before = calloc(entries + 1, sizeof *before);
  if (!before) return;
  for (size_t i = 0; i < entries; ++i) before[i] = strdup(lent->task[i]);
  tell_set(now, before, context, set);
  tell_gone(now, before, context, unset);
  for (size_t i = 0; i < entries; ++i) free(before[i]);
  free(before);
}
