/* The record as rankmap's edge list: "# rankmap comm 1", the groups, the edges. Told in pieces
 * of equal size, as they come from the ranks; groups before edges. */
#ifndef RANKMAP_MPI_SHIM_RECORD_LISTING_H
#define RANKMAP_MPI_SHIM_RECORD_LISTING_H

#include <stdint.h>
#include <stdio.h>

#include "mpi_shim/record/key_map.h"

enum rankmap_piece_kind {
  RANKMAP_GROUP,   /* what it is; followed by its members */
  RANKMAP_MEMBERS, /* up to six of its ranks; `phase` says how many */
  RANKMAP_EDGE,
  RANKMAP_OTHER, /* what was not kept */
  RANKMAP_LAST   /* of this rank */
};

struct rankmap_piece {
  int32_t kind;
  int32_t phase;
  uint64_t group; /* its key; 0: none */
  union {
    struct {
      int32_t source;      /* of a group: the operation */
      int32_t destination; /* of a group: the root, as a rank of MPI_COMM_WORLD */
      uint64_t bytes;
      uint64_t messages; /* of a group: calls */
    };
    int32_t members[6];
  };
};

struct rankmap_listing {
  FILE* file;
  const char* path;
  char temporary[4096];
  int ranks;
  struct rankmap_key_map groups; /* key to number + 1 */
  uintptr_t group_count;
  struct rankmap_piece group; /* whose members are being told; kind -1: none */
  int first, last;            /* the range of members that is being told; first -1: none yet */
  int ranges;
  int in_edges;
  uint64_t other_bytes, other_messages;
  int failed;
};

/* Opens a file beside `path`. -1: it cannot be written; errno says why. */
int rankmap_listing_begin(struct rankmap_listing* listing, const char* path, int ranks);
void rankmap_listing_add(struct rankmap_listing* listing, const struct rankmap_piece* piece);
int rankmap_listing_end(struct rankmap_listing* listing); /* renames; -1: there is no file */

#endif
