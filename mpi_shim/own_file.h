/* Files in folders that are open to everybody. */
#ifndef RANKMAP_MPI_SHIM_OWN_FILE_H
#define RANKMAP_MPI_SHIM_OWN_FILE_H

#include <stddef.h>

/* A folder of this node that all its ranks choose alike, as far as their variables are: /dev/shm, else
 * TMPDIR, else /tmp. 0: none. */
int rankmap_shared_folder(char* folder, size_t capacity);

struct rankmap_own_file {
  long size;
  long changed; /* seconds since 1970 */
};

/* 1: a plain file of this user under one name, mode 0600. */
int rankmap_is_own_file(int file, struct rankmap_own_file* status);

/* Removes a file of ours that a job left behind which died: older than half a minute. */
void rankmap_remove_stale(const char* path);

#endif
