/* The check of RANKMAP_STRICT=1: every edge of a distributed graph stands at both of its ends. */
#ifndef RANKMAP_MPI_SHIM_REORDER_ENDS_H
#define RANKMAP_MPI_SHIM_REORDER_ENDS_H

#include "mpi_shim/reorder/team.h"

/* Collective. Each process gives the edges that leave it and those that reach it; where one has no
 * other end rank 0 says which and the job ends with 125. `when` goes into the sentence. */
void rankmap_check_ends(struct rankmap_team* team, const struct rankmap_edge* leaving,
                        int outdegree, const struct rankmap_edge* reaching, int indegree,
                        const char* when);

/* The same of a communicator that was made. */
void rankmap_check_made(struct rankmap_team* team, rankmap_word made);

#endif
