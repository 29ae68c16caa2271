/* MPI_Cart_create and MPI_Graph_create: every process knows the whole topology. */
#include <stdlib.h>
#include <string.h>

#include "mpi_shim/reorder/team.h"

/* 0: nothing that we order; the MPI itself has the word on what is wrong. */
static int read_grid(struct rankmap_grid* grid, int dimensions, const int* extents,
                     const int* periodic) {
  int64_t product = 1;
  memset(grid, 0, sizeof *grid);
  if (dimensions < 1 || dimensions > RANKMAP_MOST_DIMENSIONS || !extents || !periodic) return 0;
  grid->dimensions = dimensions;
  for (int d = 0; d < dimensions; ++d) {
    grid->extents[d] = extents[d];
    grid->periodic[d] = periodic[d] != 0;
    product *= extents[d];
    if (extents[d] < 1 || product > RANKMAP_MOST_PROCESSES) return 0;
  }
  return (int)product;
}

int rankmap_reorder_cart(rankmap_cart_create next, const void* caller, rankmap_word comm,
                         int dimensions, const int* extents, const int* periodic, void* out) {
  struct rankmap_team team;
  struct rankmap_graph graph;
  struct rankmap_grid grid;
  int result = 0, done = 0;
  const int needed = read_grid(&grid, dimensions, extents, periodic);
  if (!needed) return next(comm, dimensions, extents, periodic, 1, out);
  if (rankmap_team_begin(&team, "MPI_Cart_create", caller, comm)) {
    const int made =
        team.rank == 0 && needed <= team.size && rankmap_graph_of_grid(&graph, team.size, &grid);
    done = rankmap_team_order(&team, made ? &graph : NULL);
    if (made) rankmap_graph_free(&graph);
    if (done)
      result = rankmap_team_hand_over(
          &team, next(rankmap_word_of(team.ordered), dimensions, extents, periodic, 0, out), out);
  }
  rankmap_team_end(&team);
  return done ? result : next(comm, dimensions, extents, periodic, 1, out);
}

/* index[i]: edges of the nodes up to i. */
static int make_graph(struct rankmap_graph* graph, int count, int nodes, const int* index,
                      const int* edges) {
  const int edge_count = nodes > 0 && nodes <= count && index ? index[nodes - 1] : -1;
  if (edge_count < 0 || edge_count > RANKMAP_MOST_EDGES || (edge_count && !edges)) return 0;
  struct rankmap_edge* const list = calloc((size_t)edge_count + 1, sizeof *list);
  int node = 0, good = list != NULL;
  for (int e = 0; good && e < edge_count; ++e) {
    while (node < nodes && index[node] <= e) ++node;
    list[e] = (struct rankmap_edge){node, edges[e], 1};
  }
  good = good && rankmap_graph_of_edges(graph, count, list, edge_count);
  free(list);
  return good;
}

int rankmap_reorder_graph(rankmap_graph_create next, const void* caller, rankmap_word comm,
                          int nodes, const int* index, const int* edges, void* out) {
  struct rankmap_team team;
  struct rankmap_graph graph;
  int result = 0, done = 0;
  if (rankmap_team_begin(&team, "MPI_Graph_create", caller, comm)) {
    const int made = team.rank == 0 && make_graph(&graph, team.size, nodes, index, edges);
    done = rankmap_team_order(&team, made ? &graph : NULL);
    if (made) rankmap_graph_free(&graph);
    if (done)
      result = rankmap_team_hand_over(
          &team, next(rankmap_word_of(team.ordered), nodes, index, edges, 0, out), out);
  }
  rankmap_team_end(&team);
  return done ? result : next(comm, nodes, index, edges, 1, out);
}
