#include "mpi_shim/reorder/order/graph.h"

#include <stdlib.h>
#include <string.h>

static int allocate(struct rankmap_graph* graph, int count, int ends, int dimensions) {
  memset(graph, 0, sizeof *graph);
  graph->count = count;
  graph->dimensions = dimensions;
  graph->starts = calloc((size_t)count + 1, sizeof *graph->starts);
  graph->ends = calloc((size_t)ends + 1, sizeof *graph->ends);
  graph->weights = calloc((size_t)ends + 1, sizeof *graph->weights);
  graph->coordinates = calloc((size_t)count * (size_t)dimensions + 1, sizeof *graph->coordinates);
  if (graph->starts && graph->ends && graph->weights && graph->coordinates) return 1;
  rankmap_graph_free(graph);
  return 0;
}

void rankmap_graph_free(struct rankmap_graph* graph) {
  free(graph->starts);
  free(graph->ends);
  free(graph->weights);
  free(graph->coordinates);
  memset(graph, 0, sizeof *graph);
}

static int is_inside(const struct rankmap_edge* edge, int count) {
  return edge->from >= 0 && edge->from < count && edge->to >= 0 && edge->to < count;
}

static void put_end(struct rankmap_graph* graph, int* next, const struct rankmap_edge* edge,
                    int vertex, int other) {
  graph->ends[next[vertex]] = other;
  graph->weights[next[vertex]++] = edge->weight > 0 ? edge->weight : 0;
}

static int fill(struct rankmap_graph* graph, const struct rankmap_edge* edges, int edge_count) {
  int* const next = malloc(((size_t)graph->count + 1) * sizeof *next);
  if (!next) return 0;
  for (int i = 0; i < edge_count; ++i) {
    if (edges[i].from == edges[i].to) continue;
    ++graph->starts[edges[i].from + 1];
    ++graph->starts[edges[i].to + 1];
  }
  for (int v = 0; v < graph->count; ++v) graph->starts[v + 1] += graph->starts[v];
  memcpy(next, graph->starts, ((size_t)graph->count + 1) * sizeof *next);
  for (int i = 0; i < edge_count; ++i) {
    if (edges[i].from == edges[i].to) continue;
    put_end(graph, next, &edges[i], edges[i].from, edges[i].to);
    put_end(graph, next, &edges[i], edges[i].to, edges[i].from);
  }
  free(next);
  return 1;
}

int rankmap_graph_of_edges(struct rankmap_graph* graph, int count, const struct rankmap_edge* edges,
                           int edge_count) {
  for (int i = 0; i < edge_count; ++i)
    if (!is_inside(&edges[i], count)) return 0;
  if (!allocate(graph, count, 2 * edge_count, 0)) return 0;
  if (fill(graph, edges, edge_count)) return 1;
  rankmap_graph_free(graph);
  return 0;
}

/* Vertices outside the grid get coordinates behind all others. */
static void put_coordinates(struct rankmap_graph* graph, const struct rankmap_grid* grid,
                            int size) {
  for (int v = 0; v < graph->count; ++v) {
    int rest = v;
    for (int d = grid->dimensions - 1; d >= 0; --d) {
      graph->coordinates[v * grid->dimensions + d] =
          v < size ? rest % grid->extents[d] : grid->extents[d];
      rest /= grid->extents[d];
    }
  }
}

/* The edge from a vertex to its next one along a dimension. 0: there is none. */
static int step(const struct rankmap_grid* grid, int vertex, int dimension,
                struct rankmap_edge* edge) {
  int stride = 1;
  for (int d = grid->dimensions - 1; d > dimension; --d) stride *= grid->extents[d];
  const int extent = grid->extents[dimension], at = vertex / stride % extent;
  if (at + 1 == extent && (!grid->periodic[dimension] || extent == 1)) return 0;
  *edge =
      (struct rankmap_edge){vertex, at + 1 == extent ? vertex - at * stride : vertex + stride, 1};
  return 1;
}

int rankmap_graph_of_grid(struct rankmap_graph* graph, int count, const struct rankmap_grid* grid) {
  const int dimensions = grid->dimensions;
  int size = 1, edges = 0;
  for (int d = 0; d < dimensions; ++d) size *= grid->extents[d];
  struct rankmap_edge* const list = malloc(((size_t)(size * dimensions) + 1) * sizeof *list);
  if (!list) return 0;
  for (int v = 0; v < size; ++v)
    for (int d = 0; d < dimensions; ++d) edges += step(grid, v, d, &list[edges]);
  int made = allocate(graph, count, 2 * edges, dimensions);
  if (made && !fill(graph, list, edges)) {
    rankmap_graph_free(graph);
    made = 0;
  }
  free(list);
  if (!made) return 0;
  put_coordinates(graph, grid, size);
  graph->grid = *grid;
  return 1;
}

static int ends_among(const struct rankmap_graph* whole, const int* vertices, int count) {
  int ends = 0;
  for (int i = 0; i < count; ++i)
    ends += whole->starts[vertices[i] + 1] - whole->starts[vertices[i]];
  return ends;
}

static void copy_vertex(struct rankmap_graph* part, const struct rankmap_graph* whole,
                        const int* number, int from, int to, int* used) {
  for (int e = whole->starts[from]; e < whole->starts[from + 1]; ++e) {
    if (number[whole->ends[e]] < 0) continue;
    part->ends[*used] = number[whole->ends[e]];
    part->weights[(*used)++] = whole->weights[e];
  }
  part->starts[to + 1] = *used;
  for (int d = 0; d < whole->dimensions; ++d)
    part->coordinates[to * whole->dimensions + d] =
        whole->coordinates[from * whole->dimensions + d];
}

int rankmap_graph_among(struct rankmap_graph* part, const struct rankmap_graph* whole,
                        const int* vertices, int count) {
  int* const number = malloc(((size_t)whole->count + 1) * sizeof *number);
  int used = 0;
  if (!number) return 0;
  if (!allocate(part, count, ends_among(whole, vertices, count), whole->dimensions)) {
    free(number);
    return 0;
  }
  for (int v = 0; v < whole->count; ++v) number[v] = -1;
  for (int i = 0; i < count; ++i) number[vertices[i]] = i;
  for (int i = 0; i < count; ++i) copy_vertex(part, whole, number, vertices[i], i, &used);
  free(number);
  return 1;
}

int64_t rankmap_graph_cut(const struct rankmap_graph* graph, const int* part) {
  int64_t twice = 0;
  for (int v = 0; v < graph->count; ++v)
    for (int e = graph->starts[v]; e < graph->starts[v + 1]; ++e)
      if (part[v] != part[graph->ends[e]]) twice += graph->weights[e];
  return twice / 2;
}

int64_t rankmap_graph_pull(const struct rankmap_graph* graph, int vertex, const int* part, int to) {
  int64_t pull = 0;
  for (int e = graph->starts[vertex]; e < graph->starts[vertex + 1]; ++e)
    if (part[graph->ends[e]] == to) pull += graph->weights[e];
  return pull;
}
