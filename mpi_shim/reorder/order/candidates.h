/* Orders of a graph's vertices, along which parts are filled one after the other. */
#ifndef RANKMAP_MPI_SHIM_REORDER_ORDER_CANDIDATES_H
#define RANKMAP_MPI_SHIM_REORDER_ORDER_CANDIDATES_H

#include "mpi_shim/reorder/order/graph.h"

struct rankmap_filling {
  const struct rankmap_graph* graph;
  int parts;
  const int* sizes; /* of the parts */
  int* scratch;     /* one a vertex */
  int64_t* pulls;   /* two a vertex */
};

enum rankmap_candidate { RANKMAP_CANDIDATE_MADE, RANKMAP_CANDIDATE_UNFIT, RANKMAP_CANDIDATE_LAST };

/* Makes the order of a number from 0 on: a permutation of the vertices. UNFIT: there is none of this
 * number; LAST: nor of any higher one. */
typedef enum rankmap_candidate (*rankmap_candidates)(const struct rankmap_filling* filling,
                                                     int number, int* order);

enum { RANKMAP_CANDIDATE_KINDS = 4 };
extern const rankmap_candidates rankmap_candidate_kinds[RANKMAP_CANDIDATE_KINDS];

/* The kinds. */
enum rankmap_candidate rankmap_strips(const struct rankmap_filling* filling, int number,
                                      int* order);
enum rankmap_candidate rankmap_bricks(const struct rankmap_filling* filling, int number,
                                      int* order);
enum rankmap_candidate rankmap_halves(const struct rankmap_filling* filling, int number,
                                      int* order);
enum rankmap_candidate rankmap_growth(const struct rankmap_filling* filling, int number,
                                      int* order);

#endif
