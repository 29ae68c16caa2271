/* Orders of any graph's vertices: each part grows from one vertex by the one that it pulls most. */
#include "mpi_shim/reorder/order/candidates.h"

enum { MOST_STARTS = 32, MOST_STEPS = 1 << 25 };

struct growing {
  const struct rankmap_graph* graph;
  int64_t* pull;    /* of the growing part on each vertex; -1: taken */
  int64_t* outside; /* weight from each vertex to those not taken */
  int count;
};

static void begin(struct growing* growing) {
  const struct rankmap_graph* const graph = growing->graph;
  for (int v = 0; v < growing->count; ++v) {
    growing->pull[v] = growing->outside[v] = 0;
    for (int e = graph->starts[v]; e < graph->starts[v + 1]; ++e)
      growing->outside[v] += graph->weights[e];
  }
}

/* Among equals the one with the least weight left outside, then the lowest number. */
static int next_vertex(const struct growing* growing) {
  int best = -1;
  for (int v = 0; v < growing->count; ++v) {
    if (growing->pull[v] < 0) continue;
    const int64_t more = best < 0 ? 1 : growing->pull[v] - growing->pull[best];
    if (more > 0 || (more == 0 && growing->outside[v] < growing->outside[best])) best = v;
  }
  return best;
}

static void take(struct growing* growing, int vertex) {
  const struct rankmap_graph* const graph = growing->graph;
  growing->pull[vertex] = -1;
  for (int e = graph->starts[vertex]; e < graph->starts[vertex + 1]; ++e) {
    const int end = graph->ends[e];
    growing->outside[end] -= graph->weights[e];
    if (growing->pull[end] >= 0) growing->pull[end] += graph->weights[e];
  }
}

static void forget_pull(struct growing* growing) {
  for (int v = 0; v < growing->count; ++v)
    if (growing->pull[v] > 0) growing->pull[v] = 0;
}

enum rankmap_candidate rankmap_growth(const struct rankmap_filling* filling, int number,
                                      int* order) {
  const int count = filling->graph->count;
  const int64_t affordable = MOST_STEPS / ((int64_t)count * count + 1) + 1;
  const int64_t starts = affordable < MOST_STARTS ? affordable : MOST_STARTS;
  if (number >= count || number >= starts) return RANKMAP_CANDIDATE_LAST;
  struct growing growing = {filling->graph, filling->pulls, filling->pulls + count, count};
  int at = 0;
  begin(&growing);
  for (int p = 0; p < filling->parts; ++p) {
    for (int i = 0; i < filling->sizes[p]; ++i) {
      const int64_t spread = (int64_t)number * count / (starts < count ? starts : count);
      order[at] = at == 0 ? (int)spread : next_vertex(&growing);
      take(&growing, order[at++]);
    }
    forget_pull(&growing);
  }
  return RANKMAP_CANDIDATE_MADE;
}
