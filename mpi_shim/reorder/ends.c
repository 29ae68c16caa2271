#include "mpi_shim/reorder/ends.h"

#include <stdlib.h>

enum { REFUSED = 125 };

static int compare(const void* left, const void* right) {
  const struct rankmap_edge *const a = left, *const b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* The first edge that one of the lists has and the other has not; NULL: they are equal. */
static const struct rankmap_edge* find_lonely(struct rankmap_edges* leaving,
                                              struct rankmap_edges* reaching) {
  qsort(leaving->list, (size_t)leaving->count, sizeof *leaving->list, compare);
  qsort(reaching->list, (size_t)reaching->count, sizeof *reaching->list, compare);
  for (int i = 0; i < leaving->count || i < reaching->count; ++i) {
    if (i == leaving->count) return &reaching->list[i];
    if (i == reaching->count) return &leaving->list[i];
    const int order = compare(&leaving->list[i], &reaching->list[i]);
    if (order) return order < 0 ? &leaving->list[i] : &reaching->list[i];
  }
  return NULL;
}

void rankmap_check_ends(struct rankmap_team* team, const struct rankmap_edge* leaving,
                        int outdegree, const struct rankmap_edge* reaching, int indegree,
                        const char* when) {
  struct rankmap_edges out = {NULL, 0}, in = {NULL, 0};
  const int known = rankmap_team_gather(team, 1, leaving, outdegree, &out) &&
                    rankmap_team_gather(team, 1, reaching, indegree, &in);
  const struct rankmap_edge* const lonely =
      known && team->rank == 0 ? find_lonely(&out, &in) : NULL;
  if (lonely) {
    rankmap_team_say(team,
                     "rankmap: reorder: %s: the edge %d -> %d stands at one of its ends only%s",
                     team->call, (int)lonely->from, (int)lonely->to, when);
    team->mpi.Abort(team->old, REFUSED);
  }
  free(out.list);
  free(in.list);
  rankmap_team_agrees(team, 1); /* nobody goes on while rank 0 may end the job */
}

void rankmap_check_made(struct rankmap_team* team, rankmap_word made) {
  const struct rankmap_mpi* const mpi = &team->mpi;
  const MPI_Comm comm = (MPI_Comm)(intptr_t)made;
  int in = 0, out = 0, weighted = 0, rank = 0;
  mpi->Comm_rank(comm, &rank);
  int good = mpi->Dist_graph_neighbors_count(comm, &in, &out, &weighted) == MPI_SUCCESS;
  const size_t count = (size_t)in + (size_t)out + 1;
  int* const numbers =
      calloc(2 * count, sizeof *numbers); /* sources, destinations, their weights */
  struct rankmap_edge* const edges = calloc(count, sizeof *edges);
  good = good && numbers && edges &&
         mpi->Dist_graph_neighbors(comm, in, numbers, numbers + count, out, numbers + in,
                                   numbers + count + in) == MPI_SUCCESS;
  if (rankmap_team_agrees(team, good)) {
    for (int i = 0; i < in; ++i) edges[i] = (struct rankmap_edge){numbers[i], rank, 1};
    for (int i = 0; i < out; ++i) edges[in + i] = (struct rankmap_edge){rank, numbers[in + i], 1};
    rankmap_check_ends(team, edges + in, out, edges, in, " after the ranks were reordered");
  }
  free(numbers);
  free(edges);
}
