/* Every rank is asked twice: for its groups, then for its edges, one rank after the other and a
 * chunk at a time, so that rank 0 holds one chunk only. A group is told by its first member. */
#include "mpi_shim/record/gather.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mpi_shim/record/listing.h"
#include "mpi_shim/record/real.h"

enum { CHUNK = 1024, TAG = 7472 };

struct sender {
  struct rankmap_flows* flows;
  const struct rankmap_group* group; /* that is being expanded */
  MPI_Comm comm;
  struct rankmap_listing* listing; /* rank 0: pieces go here at once; NULL: drop them */
  int count;
  struct rankmap_piece pieces[CHUNK];
};

static void flush(struct sender* sender) {
  rankmap_real.Send(sender->pieces, sender->count * (int)sizeof *sender->pieces, rankmap_real.byte,
                    0, TAG, sender->comm);
  sender->count = 0;
}

static void tell(struct sender* sender, const struct rankmap_piece* piece) {
  if (sender->flows->rank == 0) {
    if (sender->listing) rankmap_listing_add(sender->listing, piece);
    return;
  }
  sender->pieces[sender->count++] = *piece;
  if (sender->count == CHUNK) flush(sender);
}

static void tell_members(struct sender* sender, const struct rankmap_members* members) {
  for (int begin = 0; members->ranks && begin < members->size; begin += 6) {
    const int rest = members->size - begin;
    struct rankmap_piece piece = {.kind = RANKMAP_MEMBERS, .phase = rest < 6 ? rest : 6};
    memcpy(piece.members, members->ranks + begin, (size_t)piece.phase * sizeof *piece.members);
    tell(sender, &piece);
  }
}

static void tell_groups(struct sender* sender) {
  const struct rankmap_flows* const flows = sender->flows;
  for (size_t i = 0; i < flows->group_count; ++i) {
    const struct rankmap_group* const group = &flows->groups[i];
    if (group->members->own != 0) continue;
    struct rankmap_piece piece = {
        .kind = RANKMAP_GROUP, .phase = group->phase, .group = group->key};
    piece.source = group->operation;
    piece.destination = rankmap_member(group->members, group->root);
    piece.bytes = group->bytes;
    piece.messages = group->calls;
    tell(sender, &piece);
    tell_members(sender, group->members);
  }
  struct rankmap_piece other = {.kind = RANKMAP_OTHER};
  other.bytes = flows->other_bytes;
  other.messages = flows->other_messages;
  tell(sender, &other);
}

static void tell_edge(struct sender* sender, int32_t phase, uint64_t group, int source,
                      int destination, uint64_t bytes, uint64_t messages) {
  struct rankmap_piece piece = {.kind = RANKMAP_EDGE, .phase = phase, .group = group};
  piece.source = source;
  piece.destination = destination;
  piece.bytes = bytes;
  piece.messages = messages;
  tell(sender, &piece);
}

static void tell_expanded(void* context, int destination, uint64_t bytes, uint64_t messages) {
  struct sender* const sender = context;
  tell_edge(sender, sender->group->phase, sender->group->key, sender->flows->rank, destination,
            bytes, messages);
}

static void tell_edges(struct sender* sender) {
  const struct rankmap_flows* const flows = sender->flows;
  for (size_t i = 0; i < flows->flow_count; ++i) {
    const struct rankmap_flow* const flow = &flows->flows[i];
    const uint64_t key = flow->group < 0 ? 0 : flows->groups[flow->group].key;
    const int source = flow->incoming ? flow->peer : flows->rank;
    const int destination = flow->incoming ? flows->rank : flow->peer;
    tell_edge(sender, flow->phase, key, source, destination, flow->bytes, flow->messages);
  }
  for (size_t i = 0; i < flows->group_count; ++i) {
    sender->group = &flows->groups[i];
    rankmap_expand(sender->group, tell_expanded, sender);
  }
}

/* Rank 0 asks, so that what it has not read yet waits at its sender and not in its own memory. */
static void tell_when_asked(struct sender* sender, void (*tell_all)(struct sender*)) {
  char asked = 0;
  if (sender->flows->rank != 0)
    rankmap_real.Recv(&asked, 1, rankmap_real.byte, 0, TAG, sender->comm, MPI_STATUS_IGNORE);
  tell_all(sender);
  const struct rankmap_piece last = {.kind = RANKMAP_LAST};
  if (sender->flows->rank == 0) return;
  tell(sender, &last);
  if (sender->count > 0) flush(sender);
}

/* One rank's pieces: as many chunks as it takes up to the last. */
static void hear(struct sender* own, int rank) {
  char ask = 1;
  rankmap_real.Send(&ask, 1, rankmap_real.byte, rank, TAG, own->comm);
  for (;;) {
    memset(own->pieces, 0xff, sizeof own->pieces);
    if (rankmap_real.Recv(own->pieces, (int)sizeof own->pieces, rankmap_real.byte, rank, TAG,
                          own->comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return;
    for (int i = 0; i < CHUNK && own->pieces[i].kind >= 0; ++i) {
      if (own->pieces[i].kind == RANKMAP_LAST) return;
      if (own->listing) rankmap_listing_add(own->listing, &own->pieces[i]);
    }
  }
}

static void pass(struct sender* sender, void (*tell_all)(struct sender*)) {
  tell_when_asked(sender, tell_all);
  for (int rank = 1; sender->flows->rank == 0 && rank < sender->flows->size; ++rank)
    hear(sender, rank);
}

static void warn_not_written(const char* file) {
  fprintf(stderr, "rankmap: cannot write the record %s: %s\n", file, strerror(errno));
}

static void write_out(struct sender* sender, const char* file) {
  struct rankmap_listing listing;
  if (sender->flows->rank == 0) {
    if (rankmap_listing_begin(&listing, file, sender->flows->size) == 0)
      sender->listing = &listing;
    else
      warn_not_written(file);
  }
  pass(sender, tell_groups);
  pass(sender, tell_edges);
  if (!sender->listing) return;
  if (listing.other_messages != 0)
    fprintf(
        stderr,
        "rankmap: the record leaves out %llu messages (%llu bytes): there were more streams than "
        "a rank keeps (RANKMAP_RECORD_FLOWS), or their ranks are of another world\n",
        (unsigned long long)listing.other_messages, (unsigned long long)listing.other_bytes);
  if (rankmap_listing_end(&listing) != 0) warn_not_written(file);
}

void rankmap_gather(struct rankmap_flows* flows, const char* file) {
  static struct sender
      sender; /* not of malloc: a rank that failed here would leave the others waiting */
  if (rankmap_real.Comm_dup(rankmap_real.comm_world, &sender.comm) != MPI_SUCCESS) return;
  rankmap_real.Comm_set_errhandler(sender.comm, rankmap_real.errors_return);
  sender.flows = flows;
  write_out(&sender, file);
  rankmap_real.Comm_free(&sender.comm);
}
