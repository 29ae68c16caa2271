/* Orders of the vertices of a grid, or of some of them: strips, bricks and repeated halves. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "mpi_shim/reorder/order/candidates.h"

enum { MOST_BRICK_SHAPES = 4096 };

/* Which dimension counts first, second, ...; and the size of the bricks, compared before all else. */
struct sorting {
  const struct rankmap_graph* graph;
  int significance[RANKMAP_MOST_DIMENSIONS];
  int brick[RANKMAP_MOST_DIMENSIONS]; /* 0: no bricks */
};

static int compare(const void* left, const void* right, void* context) {
  const struct sorting* const sorting = context;
  const int dimensions = sorting->graph->dimensions, a = *(const int*)left, b = *(const int*)right;
  const int* const at = sorting->graph->coordinates + a * dimensions;
  const int* const other = sorting->graph->coordinates + b * dimensions;
  for (int i = 0; i < dimensions && sorting->brick[0]; ++i) {
    const int by = at[i] / sorting->brick[i] - other[i] / sorting->brick[i];
    if (by) return by;
  }
  for (int i = 0; i < dimensions; ++i) {
    const int d = sorting->significance[i];
    if (at[d] != other[d]) return at[d] - other[d];
  }
  return a - b;
}

static struct sorting sorting_by(const struct rankmap_graph* graph, int first) {
  struct sorting sorting = {graph, {first}, {0}};
  for (int d = 0, i = 1; d < graph->dimensions; ++d)
    if (d != first) sorting.significance[i++] = d;
  return sorting;
}

static void list_all(const struct rankmap_graph* graph, int* order) {
  for (int v = 0; v < graph->count; ++v) order[v] = v;
}

static void sort(struct sorting* sorting, int* order, int count) {
  qsort_r(order, (size_t)count, sizeof *order, compare, sorting);
}

/* Number 0 is the vertices as they are counted, which every graph has; then cut across dimension 0, 1... */
enum rankmap_candidate rankmap_strips(const struct rankmap_filling* filling, int number,
                                      int* order) {
  if (number > filling->graph->dimensions) return RANKMAP_CANDIDATE_LAST;
  list_all(filling->graph, order);
  if (number == 0) return RANKMAP_CANDIDATE_MADE;
  struct sorting sorting = sorting_by(filling->graph, number - 1);
  sort(&sorting, order, filling->graph->count);
  return RANKMAP_CANDIDATE_MADE;
}

/* The divisor of an extent that the number asks for; the number loses that digit. */
static int divisor(int extent, int* number) {
  int divisors = 0, wanted, found = 0;
  for (int d = 1; d <= extent; ++d) divisors += extent % d == 0;
  wanted = *number % divisors;
  *number /= divisors;
  while (extent % ++found != 0 || wanted-- > 0) continue;
  return found;
}

static int are_equal(const struct rankmap_filling* filling) {
  for (int p = 1; p < filling->parts; ++p)
    if (filling->sizes[p] != filling->sizes[0]) return 0;
  return 1;
}

/* Boxes of one shape that fill the grid, as many vertices as every part has. */
enum rankmap_candidate rankmap_bricks(const struct rankmap_filling* filling, int number,
                                      int* order) {
  const struct rankmap_grid* const grid = &filling->graph->grid;
  if (!grid->dimensions || number == MOST_BRICK_SHAPES || !are_equal(filling))
    return RANKMAP_CANDIDATE_LAST;
  struct sorting sorting = sorting_by(filling->graph, 0);
  int volume = 1;
  for (int d = 0; d < grid->dimensions; ++d) {
    sorting.brick[d] = divisor(grid->extents[d], &number);
    volume *= sorting.brick[d];
  }
  if (number > 0) return RANKMAP_CANDIDATE_LAST;
  if (volume != filling->sizes[0]) return RANKMAP_CANDIDATE_UNFIT;
  list_all(filling->graph, order);
  sort(&sorting, order, filling->graph->count);
  return RANKMAP_CANDIDATE_MADE;
}

/* The weight between the first `left` of the listed vertices and the others. */
static int64_t weight_between(const struct rankmap_filling* filling, const int* order, int count,
                              int left) {
  int* const side = filling->scratch;
  int64_t weight = 0;
  for (int i = 0; i < count; ++i) side[order[i]] = i < left ? 1 : 2;
  for (int i = 0; i < left; ++i) weight += rankmap_graph_pull(filling->graph, order[i], side, 2);
  for (int i = 0; i < count; ++i) side[order[i]] = 0;
  return weight;
}

static void halve(const struct rankmap_filling* filling, int* order, int count, int first_part,
                  int parts) {
  if (parts < 2) return;
  const int half = parts / 2;
  int left = 0, best = 0;
  int64_t least = INT64_MAX;
  for (int p = first_part; p < first_part + half; ++p) left += filling->sizes[p];
  for (int d = 0; d < filling->graph->dimensions; ++d) {
    struct sorting sorting = sorting_by(filling->graph, d);
    sort(&sorting, order, count);
    const int64_t weight = weight_between(filling, order, count, left);
    if (weight < least) best = d;
    if (weight < least) least = weight;
  }
  struct sorting sorting = sorting_by(filling->graph, best);
  sort(&sorting, order, count);
  halve(filling, order, left, first_part, half);
  halve(filling, order + left, count - left, first_part + half, parts - half);
}

/* Cut in two across the dimension where the cut is lightest, and each half again. */
enum rankmap_candidate rankmap_halves(const struct rankmap_filling* filling, int number,
                                      int* order) {
  if (number > 0 || !filling->graph->dimensions) return RANKMAP_CANDIDATE_LAST;
  list_all(filling->graph, order);
  memset(filling->scratch, 0, (size_t)filling->graph->count * sizeof *filling->scratch);
  halve(filling, order, filling->graph->count, 0, filling->parts);
  return RANKMAP_CANDIDATE_MADE;
}
