#include "mpi_shim/record/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/record/flows.h"

int rankmap_listing_begin(struct rankmap_listing* listing, const char* path, int ranks) {
  memset(listing, 0, sizeof *listing);
  listing->path = path;
  listing->ranks = ranks;
  listing->group.kind = -1;
  const int length =
      snprintf(listing->temporary, sizeof listing->temporary, "%s.%ld", path, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof listing->temporary) {
    errno = ENAMETOOLONG;
    return -1;
  }
  listing->file = fopen(listing->temporary, "w");
  if (!listing->file) return -1;
  fprintf(listing->file, "# rankmap comm 1\nranks %d\n", ranks);
  return 0;
}

static void end_range(struct rankmap_listing* listing) {
  if (listing->first < 0) return;
  fprintf(listing->file, "%s%d", listing->ranges++ == 0 ? "" : ",", listing->first);
  if (listing->last != listing->first) fprintf(listing->file, "-%d", listing->last);
  listing->first = -1;
}

static void add_member(struct rankmap_listing* listing, int rank) {
  if (listing->first >= 0 && rank == listing->last + 1) {
    listing->last = rank;
    return;
  }
  end_range(listing);
  listing->first = listing->last = rank;
}

/* A group that told no members has all ranks. */
static void end_group(struct rankmap_listing* listing) {
  const struct rankmap_piece* const group = &listing->group;
  if (group->kind < 0) return;
  end_range(listing);
  if (listing->ranges == 0) fprintf(listing->file, "0-%d", listing->ranks - 1);
  fprintf(listing->file, " %s", rankmap_operation_name(group->source));
  if (rankmap_has_root(group->source)) fprintf(listing->file, " root=%d", group->destination);
  fprintf(listing->file, " calls=%" PRIu64 " bytes=%" PRIu64 "\n", group->messages, group->bytes);
  listing->group.kind = -1;
}

static void begin_group(struct rankmap_listing* listing, const struct rankmap_piece* piece) {
  void* const number = (void*)(listing->group_count + 1);
  if (rankmap_key_put(&listing->groups, piece->group, number) != 0) listing->failed = 1;
  ++listing->group_count;
  listing->group = *piece;
  listing->first = -1;
  listing->ranges = 0;
  fprintf(listing->file, "group %d ", piece->phase);
}

static void add_edge(struct rankmap_listing* listing, const struct rankmap_piece* piece) {
  FILE* const file = listing->file;
  if (!listing->in_edges) fprintf(file, "# source destination bytes messages phase group\n");
  listing->in_edges = 1;
  fprintf(file, "%d %d %" PRIu64 " %" PRIu64 " %d ", piece->source, piece->destination,
          piece->bytes, piece->messages, piece->phase);
  const uintptr_t number = (uintptr_t)rankmap_key_find(&listing->groups, piece->group);
  if (piece->group != 0 && number != 0)
    fprintf(file, "%ju\n", (uintmax_t)(number - 1));
  else
    fprintf(file, "-\n");
}

void rankmap_listing_add(struct rankmap_listing* listing, const struct rankmap_piece* piece) {
  if (piece->kind == RANKMAP_MEMBERS) {
    for (int i = 0; i < piece->phase; ++i) add_member(listing, piece->members[i]);
    return;
  }
  end_group(listing);
  if (piece->kind == RANKMAP_GROUP) begin_group(listing, piece);
  if (piece->kind == RANKMAP_EDGE) add_edge(listing, piece);
  if (piece->kind == RANKMAP_OTHER) {
    listing->other_bytes += piece->bytes;
    listing->other_messages += piece->messages;
  }
}

int rankmap_listing_end(struct rankmap_listing* listing) {
  end_group(listing);
  if (listing->other_messages != 0)
    fprintf(listing->file, "# other: %" PRIu64 " bytes in %" PRIu64 " messages are not listed\n",
            listing->other_bytes, listing->other_messages);
  free(listing->groups.slots);
  const int bad = listing->failed || ferror(listing->file);
  if (fclose(listing->file) == 0 && !bad && rename(listing->temporary, listing->path) == 0)
    return 0;
  const int reason = errno;
  unlink(listing->temporary);
  errno = reason;
  return -1;
}
