/* The four calls that may reorder ranks, as they come in: handles are words of a register, so that a
 * program of another MPI passes through unharmed. */
#ifndef RANKMAP_MPI_SHIM_REORDER_CALLS_H
#define RANKMAP_MPI_SHIM_REORDER_CALLS_H

typedef void* rankmap_word; /* a handle, by value */

typedef int (*rankmap_cart_create)(rankmap_word comm, int dimensions, const int* extents,
                                   const int* periodic, int reorder, void* out);
typedef int (*rankmap_graph_create)(rankmap_word comm, int nodes, const int* index,
                                    const int* edges, int reorder, void* out);
typedef int (*rankmap_adjacent_create)(rankmap_word comm, int indegree, const int* sources,
                                       const int* source_weights, int outdegree,
                                       const int* destinations, const int* destination_weights,
                                       rankmap_word info, int reorder, void* out);
typedef int (*rankmap_dist_create)(rankmap_word comm, int count, const int* sources,
                                   const int* degrees, const int* destinations, const int* weights,
                                   rankmap_word info, int reorder, void* out);

/* Each does what its call asks for with the order of ranks that the placement wants; where that is not
 * possible, and where nothing is won, it is the original call `next`. */
int rankmap_reorder_cart(rankmap_cart_create next, const void* caller, rankmap_word comm,
                         int dimensions, const int* extents, const int* periodic, void* out);
int rankmap_reorder_graph(rankmap_graph_create next, const void* caller, rankmap_word comm,
                          int nodes, const int* index, const int* edges, void* out);

struct rankmap_adjacent {
  int indegree;
  const int* sources;
  const int* source_weights;
  int outdegree;
  const int* destinations;
  const int* destination_weights;
};
int rankmap_reorder_adjacent(rankmap_adjacent_create next, const void* caller, rankmap_word comm,
                             const struct rankmap_adjacent* lists, rankmap_word info, void* out);

struct rankmap_dist {
  int count;
  const int* sources;
  const int* degrees;
  const int* destinations;
  const int* weights;
};
int rankmap_reorder_dist(rankmap_dist_create next, const void* caller, rankmap_word comm,
                         const struct rankmap_dist* lists, rankmap_word info, void* out);

#endif
