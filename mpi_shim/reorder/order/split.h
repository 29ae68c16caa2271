/* Splits a graph into parts of given sizes so that little weight lies between them. */
#ifndef RANKMAP_MPI_SHIM_REORDER_ORDER_SPLIT_H
#define RANKMAP_MPI_SHIM_REORDER_ORDER_SPLIT_H

#include "mpi_shim/reorder/order/graph.h"

/* part[v] < parts is in: a split that fills the sizes exactly; out: the best one found, never one of
 * more weight between parts, and the same one where none is better. Up to 16 vertices or so it is the
 * optimum. Deterministic; work is bounded by counting, not by time. 0: no memory, part unchanged. */
int rankmap_split(const struct rankmap_graph* graph, int parts, int* part);

#endif
