/* An undirected weighted graph of vertices, each edge kept at both of its ends; on a grid with the
 * coordinates of its vertices. */
#ifndef RANKMAP_MPI_SHIM_REORDER_ORDER_GRAPH_H
#define RANKMAP_MPI_SHIM_REORDER_ORDER_GRAPH_H

#include <stdint.h>

enum { RANKMAP_MOST_DIMENSIONS = 8 };

/* One directed message of an application's topology. */
struct rankmap_edge {
  int32_t from;
  int32_t to;
  int32_t weight; /* below 0 counts as 0 */
};

struct rankmap_grid {
  int dimensions; /* 0: not a grid */
  int extents[RANKMAP_MOST_DIMENSIONS];
  int periodic[RANKMAP_MOST_DIMENSIONS];
};

struct rankmap_graph {
  int count;
  int* starts;              /* count + 1: where each vertex' ends begin */
  int* ends;                /* the other vertex of each edge */
  int64_t* weights;         /* of each end */
  int dimensions;           /* 0: no coordinates */
  int* coordinates;         /* count x dimensions */
  struct rankmap_grid grid; /* the whole of it, where the vertices are one */
};

/* Each makes a graph that rankmap_graph_free() gives back. 0: no memory, or an edge to a vertex that is
 * not there; nothing is to be given back then. Edges from a vertex to itself are left out. */
int rankmap_graph_of_edges(struct rankmap_graph* graph, int count, const struct rankmap_edge* edges,
                           int edge_count);

/* A grid in row-major order; vertices beyond its product stand alone. Weight 1 a neighbour and
 * direction, so that a pair of ranks that are neighbours twice (periodic extent 2) weighs 2. */
int rankmap_graph_of_grid(struct rankmap_graph* graph, int count, const struct rankmap_grid* grid);

/* The graph of some of the vertices, numbered as they are listed. */
int rankmap_graph_among(struct rankmap_graph* part, const struct rankmap_graph* whole,
                        const int* vertices, int count);

void rankmap_graph_free(struct rankmap_graph* graph);

/* The weight of the edges between vertices of different parts. */
int64_t rankmap_graph_cut(const struct rankmap_graph* graph, const int* part);

/* The weight between a vertex and the vertices of one part. */
int64_t rankmap_graph_pull(const struct rankmap_graph* graph, int vertex, const int* part, int to);

#endif
