/* MPI_Dist_graph_create_adjacent and MPI_Dist_graph_create: each process knows some of the edges. */
#include <stdlib.h>
#include <string.h>

#include "mpi_shim/reorder/ends.h"
#include "mpi_shim/reorder/team.h"

/* All edges on rank 0, as a graph, and the order for it. */
static int order_edges(struct rankmap_team* team, int good, const struct rankmap_edge* own,
                       int count) {
  struct rankmap_edges all;
  struct rankmap_graph graph;
  int done = rankmap_team_gather(team, good, own, count, &all);
  if (done) {
    const int made =
        team->rank == 0 && rankmap_graph_of_edges(&graph, team->size, all.list, all.count);
    done = rankmap_team_order(team, made ? &graph : NULL);
    if (made) rankmap_graph_free(&graph);
  }
  free(all.list);
  return done;
}

/* Are all processes of one mind about a switch? */
static int is_common(struct rankmap_team* team, int flag) {
  const int all = rankmap_team_agrees(team, flag), none = rankmap_team_agrees(team, !flag);
  return all || none;
}

/* The lists of one vertex, in one piece: sources, their weights, destinations, their weights. */
struct vertex {
  int degrees[2]; /* in, out */
  int* numbers;
};

static int numbers_of(const struct vertex* vertex) {
  return 2 * (vertex->degrees[0] + vertex->degrees[1]);
}

static const int* sources_of(const struct vertex* vertex) {
  return vertex->numbers;
}

static const int* destinations_of(const struct vertex* vertex) {
  return vertex->numbers + 2 * vertex->degrees[0];
}

static void put_list(int* to, const int* ranks, const int* weights, int count, int weighted) {
  if (count == 0) return;
  memcpy(to, ranks, (size_t)count * sizeof *to);
  for (int i = 0; i < count; ++i) to[count + i] = weighted ? weights[i] : 1;
}

static int is_list(const int* ranks, const int* weights, int count) {
  return count == 0 || (count > 0 && count <= RANKMAP_MOST_EDGES && ranks && weights);
}

/* 0: the lists are not to be read, or no memory. */
static int read_vertex(const struct rankmap_team* team, const struct rankmap_adjacent* lists,
                       struct vertex* vertex) {
  memset(vertex, 0, sizeof *vertex);
  if (!is_list(lists->sources, lists->source_weights, lists->indegree) ||
      !is_list(lists->destinations, lists->destination_weights, lists->outdegree))
    return 0;
  vertex->degrees[0] = lists->indegree;
  vertex->degrees[1] = lists->outdegree;
  vertex->numbers = calloc((size_t)numbers_of(vertex) + 1, sizeof *vertex->numbers);
  if (!vertex->numbers) return 0;
  put_list(vertex->numbers, lists->sources, lists->source_weights, lists->indegree,
           lists->source_weights != team->mpi.unweighted);
  put_list(vertex->numbers + 2 * lists->indegree, lists->destinations, lists->destination_weights,
           lists->outdegree, lists->destination_weights != team->mpi.unweighted);
  return 1;
}

/* The edges that leave, then those that reach this vertex. NULL: no memory. */
static struct rankmap_edge* edges_of(const struct vertex* vertex, int rank) {
  const int in = vertex->degrees[0], out = vertex->degrees[1];
  const int *const sources = sources_of(vertex), *const destinations = destinations_of(vertex);
  struct rankmap_edge* const edges = calloc((size_t)(in + out) + 1, sizeof *edges);
  for (int i = 0; edges && i < out; ++i)
    edges[i] = (struct rankmap_edge){rank, destinations[i], destinations[out + i]};
  for (int i = 0; edges && i < in; ++i)
    edges[out + i] = (struct rankmap_edge){sources[i], rank, sources[in + i]};
  return edges;
}

static int order_vertex(struct rankmap_team* team, int good, const struct vertex* own) {
  struct rankmap_edge* const edges = good ? edges_of(own, team->rank) : NULL;
  good = rankmap_team_agrees(team, edges != NULL);
  if (good && team->strict)
    rankmap_check_ends(team, edges, own->degrees[1], edges + own->degrees[1], own->degrees[0], "");
  if (good) good = order_edges(team, 1, edges, own->degrees[1]);
  free(edges);
  return good;
}

static int process_of(const struct rankmap_team* team, int rank) {
  int process = 0;
  while (team->rank_of[process] != rank) ++process;
  return process;
}

/* The process that takes a vertex gets its lists from the process that named them. */
static int move_vertex(struct rankmap_team* team, const struct vertex* own, struct vertex* taken) {
  enum { DEGREES, LISTS };
  const struct rankmap_mpi* const mpi = &team->mpi;
  const int from = team->rank_of[team->rank], to = process_of(team, team->rank);
  int done =
      mpi->Sendrecv(own->degrees, 2, mpi->number, to, DEGREES, taken->degrees, 2, mpi->number, from,
                    DEGREES, team->work, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  taken->numbers = done ? calloc((size_t)numbers_of(taken) + 1, sizeof *taken->numbers) : NULL;
  if (!rankmap_team_agrees(team, taken->numbers != NULL)) return 0;
  done = mpi->Sendrecv(own->numbers, numbers_of(own), mpi->number, to, LISTS, taken->numbers,
                       numbers_of(taken), mpi->number, from, LISTS, team->work,
                       MPI_STATUS_IGNORE) == MPI_SUCCESS;
  return rankmap_team_agrees(team, done);
}

/* What the MPI is told about the weights of a list. */
static const int* weights_for(const struct rankmap_team* team, const int* given, const int* list,
                              int count) {
  if (given == team->mpi.unweighted) return team->mpi.unweighted;
  return count ? list + count : team->mpi.weights_empty;
}

static int create_adjacent(struct rankmap_team* team, rankmap_adjacent_create next,
                           const struct rankmap_adjacent* lists, const struct vertex* vertex,
                           rankmap_word info, void* out) {
  const int in = vertex->degrees[0], outdegree = vertex->degrees[1];
  const int *const sources = sources_of(vertex), *const destinations = destinations_of(vertex);
  const int result =
      next(rankmap_word_of(team->ordered), in, sources,
           weights_for(team, lists->source_weights, sources, in), outdegree, destinations,
           weights_for(team, lists->destination_weights, destinations, outdegree), info, 0, out);
  if (result == MPI_SUCCESS && team->strict)
    rankmap_check_made(team, rankmap_word_of(*(MPI_Comm*)out));
  return rankmap_team_hand_over(team, result, out);
}

int rankmap_reorder_adjacent(rankmap_adjacent_create next, const void* caller, rankmap_word comm,
                             const struct rankmap_adjacent* lists, rankmap_word info, void* out) {
  struct rankmap_team team;
  struct vertex own = {{0, 0}, NULL}, taken = {{0, 0}, NULL};
  int result = 0, done = 0;
  if (rankmap_team_begin(&team, "MPI_Dist_graph_create_adjacent", caller, comm)) {
    const int good = read_vertex(&team, lists, &own);
    done = is_common(&team, lists->source_weights == team.mpi.unweighted) &&
           is_common(&team, lists->destination_weights == team.mpi.unweighted) &&
           order_vertex(&team, good, &own) && move_vertex(&team, &own, &taken);
    if (done) result = create_adjacent(&team, next, lists, &taken, info, out);
  }
  free(own.numbers);
  free(taken.numbers);
  rankmap_team_end(&team);
  if (done) return result;
  return next(comm, lists->indegree, lists->sources, lists->source_weights, lists->outdegree,
              lists->destinations, lists->destination_weights, info, 1, out);
}

/* Edges are between ranks, whoever names them, so here nothing moves. */

static struct rankmap_edge* read_dist(const struct rankmap_team* team,
                                      const struct rankmap_dist* lists, int* count) {
  const int weighted = lists->weights != team->mpi.unweighted;
  int64_t total = 0;
  *count = 0;
  if (lists->count < 0 || (lists->count && (!lists->sources || !lists->degrees))) return NULL;
  for (int i = 0; i < lists->count && total <= RANKMAP_MOST_EDGES; ++i) {
    if (lists->degrees[i] < 0) return NULL;
    total += lists->degrees[i];
  }
  if (total > RANKMAP_MOST_EDGES || (total && (!lists->destinations || !lists->weights)))
    return NULL;
  struct rankmap_edge* const edges = calloc((size_t)total + 1, sizeof *edges);
  for (int i = 0; edges && i < lists->count; ++i)
    for (int left = lists->degrees[i]; left > 0; --left, ++*count)
      edges[*count] = (struct rankmap_edge){lists->sources[i], lists->destinations[*count],
                                            weighted ? lists->weights[*count] : 1};
  return edges;
}

int rankmap_reorder_dist(rankmap_dist_create next, const void* caller, rankmap_word comm,
                         const struct rankmap_dist* lists, rankmap_word info, void* out) {
  struct rankmap_team team;
  int result = 0, done = 0, count = 0;
  if (rankmap_team_begin(&team, "MPI_Dist_graph_create", caller, comm)) {
    struct rankmap_edge* const edges = read_dist(&team, lists, &count);
    done = order_edges(&team, edges != NULL, edges, count);
    free(edges);
    if (done) {
      result = next(rankmap_word_of(team.ordered), lists->count, lists->sources, lists->degrees,
                    lists->destinations, lists->weights, info, 0, out);
      if (result == MPI_SUCCESS && team.strict)
        rankmap_check_made(&team, rankmap_word_of(*(MPI_Comm*)out));
      result = rankmap_team_hand_over(&team, result, out);
    }
  }
  rankmap_team_end(&team);
  if (done) return result;
  return next(comm, lists->count, lists->sources, lists->degrees, lists->destinations,
              lists->weights, info, 1, out);
}
