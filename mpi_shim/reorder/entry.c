/* librankmap_reorder_*.so: honours reorder=1 in the calls that make a topology. C programs enter by the
 * MPI_ names, Fortran by these or by the PMPI_ names, as its MPI has it; a call of ours that comes back
 * here passes through. */
#define _GNU_SOURCE
#include "mpi_shim/reorder/calls.h"
#include "mpi_shim/reorder/next.h"

#define EXPORTED __attribute__((visibility("default")))

/* POSIX lets a data pointer hold a function's address; ISO C wants this detour. */
union function {
  void* address;
  rankmap_cart_create cart;
  rankmap_graph_create graph;
  rankmap_adjacent_create adjacent;
  rankmap_dist_create dist;
};

static _Thread_local int is_inside __attribute__((tls_model("initial-exec")));

#define CALLER __builtin_return_address(0)
#define NEXT(name, member) (((union function){rankmap_reorder_next(#name, CALLER)}).member)
#define ENTERS(reorder) ((reorder) && !is_inside && (is_inside = 1))

static int left(int result) {
  is_inside = 0;
  return result;
}

#define CART(name)                                                                              \
  EXPORTED int name(rankmap_word comm, int dimensions, const int* extents, const int* periodic, \
                    int reorder, void* out);                                                    \
  int name(rankmap_word comm, int dimensions, const int* extents, const int* periodic,          \
           int reorder, void* out) {                                                            \
    const rankmap_cart_create next = NEXT(name, cart);                                          \
    if (!ENTERS(reorder)) return next(comm, dimensions, extents, periodic, reorder, out);       \
    return left(rankmap_reorder_cart(next, CALLER, comm, dimensions, extents, periodic, out));  \
  }

#define GRAPH(name)                                                                                \
  EXPORTED int name(rankmap_word comm, int nodes, const int* index, const int* edges, int reorder, \
                    void* out);                                                                    \
  int name(rankmap_word comm, int nodes, const int* index, const int* edges, int reorder,          \
           void* out) {                                                                            \
    const rankmap_graph_create next = NEXT(name, graph);                                           \
    if (!ENTERS(reorder)) return next(comm, nodes, index, edges, reorder, out);                    \
    return left(rankmap_reorder_graph(next, CALLER, comm, nodes, index, edges, out));              \
  }

#define ADJACENT(name)                                                                             \
  EXPORTED int name(rankmap_word comm, int indegree, const int* sources, const int* in_weights,    \
                    int outdegree, const int* destinations, const int* out_weights,                \
                    rankmap_word info, int reorder, void* out);                                    \
  int name(rankmap_word comm, int indegree, const int* sources, const int* in_weights,             \
           int outdegree, const int* destinations, const int* out_weights, rankmap_word info,      \
           int reorder, void* out) {                                                               \
    const rankmap_adjacent_create next = NEXT(name, adjacent);                                     \
    const struct rankmap_adjacent lists = {indegree,  sources,      in_weights,                    \
                                           outdegree, destinations, out_weights};                  \
    if (!ENTERS(reorder))                                                                          \
      return next(comm, indegree, sources, in_weights, outdegree, destinations, out_weights, info, \
                  reorder, out);                                                                   \
    return left(rankmap_reorder_adjacent(next, CALLER, comm, &lists, info, out));                  \
  }

#define DIST(name)                                                                               \
  EXPORTED int name(rankmap_word comm, int count, const int* sources, const int* degrees,        \
                    const int* destinations, const int* weights, rankmap_word info, int reorder, \
                    void* out);                                                                  \
  int name(rankmap_word comm, int count, const int* sources, const int* degrees,                 \
           const int* destinations, const int* weights, rankmap_word info, int reorder,          \
           void* out) {                                                                          \
    const rankmap_dist_create next = NEXT(name, dist);                                           \
    const struct rankmap_dist lists = {count, sources, degrees, destinations, weights};          \
    if (!ENTERS(reorder))                                                                        \
      return next(comm, count, sources, degrees, destinations, weights, info, reorder, out);     \
    return left(rankmap_reorder_dist(next, CALLER, comm, &lists, info, out));                    \
  }

CART(MPI_Cart_create)
CART(PMPI_Cart_create)
GRAPH(MPI_Graph_create)
GRAPH(PMPI_Graph_create)
ADJACENT(MPI_Dist_graph_create_adjacent)
ADJACENT(PMPI_Dist_graph_create_adjacent)
DIST(MPI_Dist_graph_create)
DIST(PMPI_Dist_graph_create)
