/* Communicators and windows as ranks of MPI_COMM_WORLD, worked out once each. Not locked. */
#ifndef RANKMAP_MPI_SHIM_RECORD_PLACES_H
#define RANKMAP_MPI_SHIM_RECORD_PLACES_H

#include <mpi.h>

#include "mpi_shim/record/flows.h"

struct rankmap_place {
  int users;                       /* the handle, and persistent calls on it */
  struct rankmap_members* members; /* NULL: there is no room to know them */
  int is_inter;
  int neighbours; /* to which it sends; -1: not asked for yet */
  int* neighbour; /* in the order of the counts; negative: none there */
};

/* NULL: no memory. */
struct rankmap_place* rankmap_place_of_comm(struct rankmap_flows* flows, MPI_Comm comm);
struct rankmap_place* rankmap_place_of_win(struct rankmap_flows* flows, MPI_Win win);
void rankmap_find_neighbours(struct rankmap_place* place, MPI_Comm comm);
void rankmap_release_place(struct rankmap_flows* flows, struct rankmap_place* place);
void rankmap_drop_comm(struct rankmap_flows* flows, MPI_Comm comm);
void rankmap_drop_win(struct rankmap_flows* flows, MPI_Win win);

#endif
