/* One copy of the map a node, so that not every rank opens a file that all nodes share. The first rank
 * of the node makes it in memory (/dev/shm, else TMPDIR, else /tmp), the last one removes it. Nothing
 * is staged where the launcher does not tell the local rank and size, where no checksum tells the right
 * map, or where the file is large. Nobody waits long: without a copy in time the shared file is read. */
#ifndef RANKMAP_MPI_SHIM_STAGE_H
#define RANKMAP_MPI_SHIM_STAGE_H

#include "mpi_shim/placement.h"

enum { RANKMAP_STAGE_PATH = 512 };

struct rankmap_stage {
  int file;        /* the copy, open; -1: read the shared file */
  long local_size; /* 0: nothing is staged */
  uint64_t sum;    /* of the map that is wanted */
  char copy[RANKMAP_STAGE_PATH];
  char done[RANKMAP_STAGE_PATH]; /* one byte of every rank that has read */
};

void rankmap_stage_begin(const struct rankmap_placement* placement, struct rankmap_stage* stage);

/* To be called once the rank has read its line. */
void rankmap_stage_end(struct rankmap_stage* stage);

/* 16 hex digits and nothing else. 0: not that. */
int rankmap_read_sum(const char* text, uint64_t* sum);

#endif
