/* topology KIND [EXTENT...]: makes a topology over all ranks with reorder=1 and checks it by
 * communication: every value must come from the neighbour that the program asked for. Rank 0 prints
 *   between hosts N       weight of the edges between hosts in the new order
 *   least N               the least that any order has (tried: all)
 *   rank moved R -> S     per rank that moved
 * and any failure ends with exit code 1. KIND: cart, torus, graph, adjacent, adjacent-weights, dist,
 * dist-weights; a `!` behind it asks for reorder=0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 12 };

static int size, old_rank;
static int weight_of[MOST][MOST]; /* what rank a sends to rank b; 0: nothing */
static int hosts[MOST];           /* of each process, by its old rank */

static void fail(const char* what) {
  fprintf(stderr, "topology: rank %d: %s\n", old_rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int number_of_host(void) {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name[strlen(name) - 1];
}

/* Weight between hosts where process p has rank rank_of[p]. */
static int weight_between(const int* rank_of) {
  int sum = 0;
  for (int p = 0; p < size; ++p)
    for (int q = 0; q < size; ++q)
      if (hosts[p] != hosts[q]) sum += weight_of[rank_of[p]][rank_of[q]];
  return sum;
}

/* Hosts of the ranks from `rank` on: all ways that use up what each host has. */
static int least_from(int rank, int on_first, int* on_which) {
  if (rank == size) {
    int sum = 0;
    for (int a = 0; a < size; ++a)
      for (int b = 0; b < size; ++b)
        if (on_which[a] != on_which[b]) sum += weight_of[a][b];
    return on_first == 0 ? sum : 1 << 30;
  }
  int least = 1 << 30;
  for (int host = 0; host < 2; ++host) {
    if (host == 0 && on_first == 0) continue;
    on_which[rank] = host;
    const int sum = least_from(rank + 1, on_first - (host == 0), on_which);
    if (sum < least) least = sum;
  }
  return least;
}

static void put(int from, int to, int weight) {
  if (from != to) weight_of[from][to] += weight;
}

static void put_grid(int dimensions, const int* extents, const int* periodic) {
  for (int v = 0; v < size; ++v)
    for (int d = 0, stride = size; d < dimensions; ++d) {
      stride /= extents[d];
      const int at = v / stride % extents[d], last = at + 1 == extents[d];
      if (last && !periodic[d]) continue;
      const int next = last ? v - at * stride : v + stride;
      put(v, next, 1);
      put(next, v, 1);
    }
}

/* Pairs, a ring, every second rank, and from the first half the opposite rank. By the number of edges
 * it is best cut into {0,1,2,3} and {4,5,6,7}: 2 edges of the ring, 4 to every second and 4 opposite,
 * 10. By weight {0,1,4,5} and {2,3,6,7} are best: 4 of the ring and 8 to every second, 12. Dealt by
 * turns 12 edges are cut, of weight 80. */
static void put_chords(int weighted) {
  const int weights[] = {9, 1, 1, 50};
  for (int v = 0; v < size; ++v) {
    const int to[] = {v ^ 1, (v + 1) % size, (v + 2) % size, v < size / 2 ? v + size / 2 : v};
    for (int i = 0; i < 4; ++i)
      if (weighted)
        put(v, to[i], weights[i]);
      else if (to[i] != v)
        weight_of[v][to[i]] = 1;
  }
}

static int list(int vertex, int out, int* ranks, int* weights) {
  int count = 0;
  for (int other = size - 1; other >= 0; --other) {
    const int weight = out ? weight_of[vertex][other] : weight_of[other][vertex];
    if (!weight) continue;
    weights[count] = weight;
    ranks[count++] = other;
  }
  return count;
}

static MPI_Comm make_cart(int dimensions, const int* extents, int periodic, int reorder) {
  int wraps[MOST];
  MPI_Comm comm;
  for (int d = 0; d < dimensions; ++d) wraps[d] = periodic;
  put_grid(dimensions, extents, wraps);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents, wraps, reorder, &comm);
  return comm;
}

static MPI_Comm make_graph(int dimensions, const int* extents, int reorder) {
  int index[MOST], edges[MOST * MOST], ignored[MOST], wraps[MOST] = {0}, count = 0;
  MPI_Comm comm;
  put_grid(dimensions, extents, wraps);
  for (int v = 0; v < size; ++v) {
    count += list(v, 1, edges + count, ignored);
    index[v] = count;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &comm);
  return comm;
}

static MPI_Comm make_adjacent(int weighted, int reorder) {
  int in[MOST], out[MOST], in_weights[MOST], out_weights[MOST];
  MPI_Comm comm;
  put_chords(weighted);
  const int sources = list(old_rank, 0, in, in_weights),
            targets = list(old_rank, 1, out, out_weights);
  MPI_Dist_graph_create_adjacent(
      MPI_COMM_WORLD, sources, in, weighted ? in_weights : MPI_UNWEIGHTED, targets, out,
      weighted ? out_weights : MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &comm);
  return comm;
}

/* Each process names the edges of the rank after it, but the last names none and the one before two. */
static MPI_Comm make_dist(int weighted, int reorder) {
  int sources[2], degrees[2], targets[2 * MOST], weights[2 * MOST], count = 0, at = 0;
  MPI_Comm comm;
  put_chords(weighted);
  if (old_rank < size - 1) sources[count++] = (old_rank + 1) % size;
  if (old_rank == size - 2) sources[count++] = 0;
  for (int i = 0; i < count; ++i)
    at += degrees[i] = list(sources[i], 1, targets + at, weights + at);
  MPI_Dist_graph_create(MPI_COMM_WORLD, count, sources, degrees, targets,
                        weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &comm);
  return comm;
}

/* What rank `from` sends to rank `to`. */
static int value(int from, int to) {
  return 100 * from + to + 1;
}

static void check_grid(MPI_Comm comm) {
  int dimensions, extents[MOST], wraps[MOST], at[MOST], rank, own;
  MPI_Comm_rank(comm, &rank);
  MPI_Cartdim_get(comm, &dimensions);
  MPI_Cart_get(comm, dimensions, extents, wraps, at);
  MPI_Cart_rank(comm, at, &own);
  if (own != rank) fail("the coordinates are another rank's");
  for (int d = 0; d < dimensions; ++d) {
    int got[MOST] = {0}, there[MOST], from, to;
    MPI_Cart_shift(comm, d, 1, &from, &to);
    if (to >= 0 && to != rank && !weight_of[rank][to]) fail("the next along is no neighbour");
    MPI_Sendrecv(at, dimensions, MPI_INT, to, d, got, dimensions, MPI_INT, from, d, comm,
                 MPI_STATUS_IGNORE);
    memcpy(there, at, sizeof there);
    there[d] = (at[d] + extents[d] - 1) % extents[d];
    if (from >= 0 && memcmp(got, there, (size_t)dimensions * sizeof *got) != 0)
      fail("the neighbour has other coordinates");
  }
}

static void check_graph(MPI_Comm comm) {
  int rank, count, neighbours[MOST], ranks[MOST], weights[MOST];
  MPI_Comm_rank(comm, &rank);
  MPI_Graph_neighbors_count(comm, rank, &count);
  MPI_Graph_neighbors(comm, rank, MOST, neighbours);
  if (count != list(rank, 1, ranks, weights) ||
      memcmp(neighbours, ranks, (size_t)count * sizeof *ranks) != 0)
    fail("the neighbours are others");
}

static void check_dist(MPI_Comm comm, int weighted) {
  int rank, in, out, has_weights, sources[MOST], targets[MOST], in_weights[MOST], out_weights[MOST];
  MPI_Comm_rank(comm, &rank);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &has_weights);
  if (!has_weights != !weighted) fail("weights were lost or made");
  MPI_Dist_graph_neighbors(comm, in, sources, in_weights, out, targets, out_weights);
  int ranks[MOST], weights[MOST];
  if (in != list(rank, 0, ranks, weights) || out != list(rank, 1, ranks, weights))
    fail("other degrees");
  for (int i = 0; i < in; ++i)
    if (weighted && in_weights[i] != weight_of[sources[i]][rank]) fail("other weights come in");
  for (int i = 0; i < out; ++i)
    if (weighted && out_weights[i] != weight_of[rank][targets[i]]) fail("other weights go out");
  int sent[MOST], got[MOST];
  for (int i = 0; i < out; ++i) sent[i] = value(rank, targets[i]);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
  for (int i = 0; i < in; ++i)
    if (got[i] != value(sources[i], rank) || !weight_of[sources[i]][rank])
      fail("a value came from somebody else");
}

static void tell(MPI_Comm comm) {
  int rank, rank_of[MOST], on_which[MOST], on_first = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Gather(&rank, 1, MPI_INT, rank_of, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const int host = number_of_host();
  MPI_Gather(&host, 1, MPI_INT, hosts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (old_rank != 0) return;
  for (int p = 0; p < size; ++p) on_first += hosts[p] == hosts[0];
  printf("between hosts %d\n", weight_between(rank_of));
  printf("least %d\n", least_from(0, on_first, on_which));
  for (int p = 0; p < size; ++p)
    if (rank_of[p] != p) printf("rank moved %d -> %d\n", p, rank_of[p]);
}

/* A message that nobody but the program may take: our own must not fall into it. */
static MPI_Request open_mailbox(int* mail) {
  MPI_Request request;
  MPI_Irecv(mail, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  return request;
}

static void close_mailbox(int* mail, MPI_Request* request) {
  const int to = (old_rank + 1) % size;
  MPI_Send(&old_rank, 1, MPI_INT, to, 77, MPI_COMM_WORLD);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  if (*mail != (old_rank + size - 1) % size) fail("a message came into the program's mailbox");
}

int main(int argc, char** argv) {
  int extents[MOST], mail = -1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
  if (argc < 2 || size > MOST) fail("usage: topology KIND [EXTENT...], up to 12 ranks");
  char* const kind = argv[1];
  const size_t length = strlen(kind);
  const int reorder = kind[length - 1] != '!', dimensions = argc - 2;
  if (!reorder) kind[length - 1] = '\0';
  for (int d = 0; d < dimensions && d < MOST; ++d) extents[d] = atoi(argv[d + 2]);
  MPI_Request request = open_mailbox(&mail);
  const int weighted = strstr(kind, "-weights") != NULL;
  if (strcmp(kind, "cart") == 0 || strcmp(kind, "torus") == 0) {
    comm = make_cart(dimensions, extents, *kind == 't', reorder);
    check_grid(comm);
  } else if (strcmp(kind, "graph") == 0) {
    comm = make_graph(dimensions, extents, reorder);
    check_graph(comm);
  } else if (strncmp(kind, "adjacent", 8) == 0) {
    comm = make_adjacent(weighted, reorder);
    check_dist(comm, weighted);
  } else if (strncmp(kind, "dist", 4) == 0) {
    comm = make_dist(weighted, reorder);
    check_dist(comm, weighted);
  } else {
    fail("no such kind");
  }
  close_mailbox(&mail, &request);
  tell(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
