/* Writing that cannot hurt the program around us. */
#ifndef RANKMAP_MPI_SHIM_QUIET_H
#define RANKMAP_MPI_SHIM_QUIET_H

#include <stddef.h>

/* Writes all of it, without the signals of a closed pipe and of a file size limit. 0: not all. */
int rankmap_write_quietly(int file, const char* bytes, size_t size);

/* A file that is there as a whole or not at all: written beside and renamed. 0: not written, and
 * nothing was left behind. */
int rankmap_write_file(const char* path, const char* bytes, size_t size);

#endif
