/* Which rank each process of a communicator should get, so that little weight of the application's
 * graph crosses hosts, and inside a host crosses NUMA nodes. No MPI in here. */
#ifndef RANKMAP_MPI_SHIM_REORDER_ORDER_ORDER_H
#define RANKMAP_MPI_SHIM_REORDER_ORDER_ORDER_H

#include "mpi_shim/reorder/order/graph.h"

/* Where a process is: numbers that are equal exactly for processes of one host, of one NUMA node. */
struct rankmap_site {
  uint64_t host;
  int32_t domain; /* -1: not bound to one NUMA node */
};

struct rankmap_order {
  int* rank_of;   /* the rank that each process gets: a permutation; the caller's array */
  int hosts;      /* how many */
  int64_t before; /* weight between hosts when every process keeps its rank */
  int64_t after;  /* never more */
};

/* graph->count processes at `sites`. Ranks move only where that saves weight. 0: no memory. */
int rankmap_order(const struct rankmap_graph* graph, const struct rankmap_site* sites,
                  struct rankmap_order* order);

#endif
