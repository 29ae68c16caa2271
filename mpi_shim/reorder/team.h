/* The processes of a communicator that agree on a new order of their ranks. */
#ifndef RANKMAP_MPI_SHIM_REORDER_TEAM_H
#define RANKMAP_MPI_SHIM_REORDER_TEAM_H

#include "mpi_shim/reorder/calls.h"
#include "mpi_shim/reorder/functions.h"
#include "mpi_shim/reorder/order/order.h"

enum {
  RANKMAP_MOST_PROCESSES = 8192, /* the order is computed by one of them */
  RANKMAP_MOST_EDGES = 1 << 22   /* of all processes together */
};

struct rankmap_team {
  struct rankmap_mpi mpi;
  const char* call; /* which call of the program this is */
  MPI_Comm old;     /* the program's */
  MPI_Comm work;    /* the same ranks; where our own messages go */
  MPI_Comm ordered; /* the same processes by their new ranks */
  int rank, size;
  int strict, verbose;
  int* rank_of;               /* the new rank of each process */
  struct rankmap_site* sites; /* of all, on rank 0 */
};

/* Edges of the whole communicator on rank 0. */
struct rankmap_edges {
  struct rankmap_edge* list;
  int count;
};

/* All of these are collective and have one result on all processes. 0: not to be done; end the team
 * and make the original call. */
int rankmap_team_begin(struct rankmap_team* team, const char* call, const void* caller,
                       rankmap_word comm);
int rankmap_team_agrees(struct rankmap_team* team, int good);
/* `good`: this process has its edges. On rank 0 the list is to be freed, also where the result is 0. */
int rankmap_team_gather(struct rankmap_team* team, int good, const struct rankmap_edge* own,
                        int count, struct rankmap_edges* all);
/* The graph is rank 0's; NULL: it has none. With 1, `ordered` is there. 0 also where nothing is won. */
int rankmap_team_order(struct rankmap_team* team, const struct rankmap_graph* graph);
void rankmap_team_end(struct rankmap_team* team);

/* What the program set for errors holds for the communicator it gets. */
int rankmap_team_hand_over(struct rankmap_team* team, int result, void* out);

/* One line on stderr by rank 0. */
void rankmap_team_say(const struct rankmap_team* team, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static inline rankmap_word rankmap_word_of(MPI_Comm comm) {
  return (rankmap_word)(intptr_t)comm;
}

#endif
