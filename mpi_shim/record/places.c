#include "mpi_shim/record/places.h"

#include <stdlib.h>

#include "mpi_shim/record/key_map.h"
#include "mpi_shim/record/real.h"
#include "mpi_shim/record/recorder.h"

static struct rankmap_key_map comms, windows;

/* The group's ranks in MPI_COMM_WORLD, -1 for those of another world; NULL: no memory. */
static int* world_ranks(MPI_Group group, int size) {
  MPI_Group world;
  int* const own = malloc((size_t)size * sizeof *own + 1);
  int* const ranks = malloc((size_t)size * sizeof *ranks + 1);
  int done =
      own && ranks && rankmap_real.Comm_group(rankmap_real.comm_world, &world) == MPI_SUCCESS;
  if (done) {
    for (int i = 0; i < size; ++i) own[i] = i;
    done = rankmap_real.Group_translate_ranks(group, size, own, world, ranks) == MPI_SUCCESS;
    rankmap_real.Group_free(&world);
    for (int i = 0; done && i < size; ++i)
      if (ranks[i] < 0) ranks[i] = -1;
  }
  free(own);
  if (done) return ranks;
  free(ranks);
  return NULL;
}

static struct rankmap_members* members_of(struct rankmap_flows* flows, MPI_Group group) {
  int size = 0;
  if (rankmap_real.Group_size(group, &size) != MPI_SUCCESS) return NULL;
  int* const ranks = world_ranks(group, size);
  return ranks ? rankmap_members_of(flows, ranks, size) : NULL;
}

static struct rankmap_place* add(struct rankmap_flows* flows, struct rankmap_key_map* map,
                                 uint64_t key, MPI_Group group, int is_inter) {
  struct rankmap_place* const place = calloc(1, sizeof *place);
  if (place) *place = (struct rankmap_place){1, members_of(flows, group), is_inter, -1, NULL};
  rankmap_real.Group_free(&group);
  if (place && rankmap_key_put(map, key, place) == 0) return place;
  if (place && place->members) rankmap_members_release(flows, place->members);
  free(place);
  return NULL;
}

struct rankmap_place* rankmap_place_of_comm(struct rankmap_flows* flows, MPI_Comm comm) {
  struct rankmap_place* const known = rankmap_key_find(&comms, RANKMAP_KEY(comm));
  int inter = 0;
  MPI_Group group;
  if (known) return known;
  rankmap_real.Comm_test_inter(comm, &inter);
  const int found =
      inter ? rankmap_real.Comm_remote_group(comm, &group) : rankmap_real.Comm_group(comm, &group);
  return found == MPI_SUCCESS ? add(flows, &comms, RANKMAP_KEY(comm), group, inter) : NULL;
}

struct rankmap_place* rankmap_place_of_win(struct rankmap_flows* flows, MPI_Win win) {
  struct rankmap_place* const known = rankmap_key_find(&windows, RANKMAP_KEY(win));
  MPI_Group group;
  if (known) return known;
  if (rankmap_real.Win_get_group(win, &group) != MPI_SUCCESS) return NULL;
  return add(flows, &windows, RANKMAP_KEY(win), group, 0);
}

void rankmap_release_place(struct rankmap_flows* flows, struct rankmap_place* place) {
  if (!place || --place->users > 0) return;
  if (place->members) rankmap_members_release(flows, place->members);
  free(place->neighbour);
  free(place);
}

void rankmap_drop_comm(struct rankmap_flows* flows, MPI_Comm comm) {
  rankmap_release_place(flows, rankmap_key_take(&comms, RANKMAP_KEY(comm)));
}

void rankmap_drop_win(struct rankmap_flows* flows, MPI_Win win) {
  rankmap_release_place(flows, rankmap_key_take(&windows, RANKMAP_KEY(win)));
}

static int* room_for(struct rankmap_place* place, int count) {
  place->neighbour = malloc((size_t)count * sizeof *place->neighbour + 1);
  place->neighbours = place->neighbour ? count : 0;
  return place->neighbour;
}

/* A grid's neighbours: in each dimension the one below, then the one above. */
static void cart_neighbours(struct rankmap_place* place, MPI_Comm comm) {
  int dimensions = 0;
  if (rankmap_real.Cartdim_get(comm, &dimensions) != MPI_SUCCESS) return;
  int* const at = room_for(place, 2 * dimensions);
  for (int d = 0; at && d < dimensions; ++d)
    if (rankmap_real.Cart_shift(comm, d, 1, &at[2 * d], &at[2 * d + 1]) != MPI_SUCCESS)
      at[2 * d] = at[2 * d + 1] = MPI_PROC_NULL;
}

static void graph_neighbours(struct rankmap_place* place, MPI_Comm comm) {
  int rank = 0, count = 0;
  if (rankmap_real.Comm_rank(comm, &rank) != MPI_SUCCESS ||
      rankmap_real.Graph_neighbors_count(comm, rank, &count) != MPI_SUCCESS)
    return;
  int* const at = room_for(place, count);
  if (at && rankmap_real.Graph_neighbors(comm, rank, count, at) != MPI_SUCCESS)
    place->neighbours = 0;
}

static void dist_graph_neighbours(struct rankmap_place* place, MPI_Comm comm) {
  int in = 0, out = 0, weighted = 0;
  if (rankmap_real.Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS) return;
  int* const at = room_for(place, out);
  int* const rest = malloc(((size_t)in * 2 + (size_t)out) * sizeof *rest + 1);
  if (at && rest) {
    int* const weights_in = rest + in;
    if (rankmap_real.Dist_graph_neighbors(comm, in, rest, weights_in, out, at, weights_in + in) !=
        MPI_SUCCESS)
      place->neighbours = 0;
  } else {
    place->neighbours = 0;
  }
  free(rest);
}

void rankmap_find_neighbours(struct rankmap_place* place, MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  place->neighbours = 0;
  rankmap_real.Topo_test(comm, &topology);
  if (topology == MPI_CART) cart_neighbours(place, comm);
  if (topology == MPI_GRAPH) graph_neighbours(place, comm);
  if (topology == MPI_DIST_GRAPH) dist_graph_neighbours(place, comm);
}
