#include "mpi_shim/reorder/order/split.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_shim/reorder/order/candidates.h"

const rankmap_candidates rankmap_candidate_kinds[RANKMAP_CANDIDATE_KINDS] = {
    rankmap_strips, rankmap_bricks, rankmap_halves, rankmap_growth};

/* Neighbours looked at; about a second of a slow processor. */
enum { MOST_STEPS = 1 << 28, MOST_SWEEPS = 64, MOST_BRANCHES = 1 << 18, MOST_EXACT = 64 };

struct splitting {
  struct rankmap_filling filling;
  int64_t steps; /* left */
  int* sizes;
  int* firsts; /* where the members of each part begin in `members` */
  int* members;
  int* seats; /* where in `members` each vertex is */
  int* order;
  int* trial;
  int* kept; /* the best candidate of a kind */
  int* best;
  int64_t least; /* weight of the best */
};

static int degree(const struct rankmap_graph* graph, int vertex) {
  return graph->starts[vertex + 1] - graph->starts[vertex];
}

static void seat_all(struct splitting* s, const int* part) {
  int* const next = s->order;
  s->firsts[0] = 0;
  for (int p = 0; p < s->filling.parts; ++p) s->firsts[p + 1] = s->firsts[p] + s->sizes[p];
  memcpy(next, s->firsts, (size_t)s->filling.parts * sizeof *next);
  for (int v = 0; v < s->filling.graph->count; ++v) {
    s->seats[v] = next[part[v]]++;
    s->members[s->seats[v]] = v;
  }
}

static void swap(struct splitting* s, int* part, int u, int v) {
  const int seat = s->seats[u], home = part[u];
  part[u] = part[v];
  part[v] = home;
  s->seats[u] = s->seats[v];
  s->seats[v] = seat;
  s->members[s->seats[u]] = u;
  s->members[s->seats[v]] = v;
}

static int64_t weight_of_pair(const struct rankmap_graph* graph, int u, int v) {
  int64_t weight = 0;
  for (int e = graph->starts[u]; e < graph->starts[u + 1]; ++e)
    if (graph->ends[e] == v) weight += graph->weights[e];
  return weight;
}

/* What a vertex saves by moving, with nobody moving back. */
static int64_t saving(const struct rankmap_graph* graph, int vertex, const int* part, int to) {
  return rankmap_graph_pull(graph, vertex, part, to) -
         rankmap_graph_pull(graph, vertex, part, part[vertex]);
}

/* Swaps u with the member of another part where that saves most. 0: nowhere. */
static int64_t swap_into(struct splitting* s, int* part, int u, int to) {
  const struct rankmap_graph* const graph = s->filling.graph;
  const int64_t own = saving(graph, u, part, to);
  int64_t most = 0;
  int best = -1;
  s->steps -= degree(graph, u);
  /* One of the two gains by itself in every swap that saves; the other's turn comes too. */
  if (own <= 0) return 0;
  for (int i = s->firsts[to]; i < s->firsts[to + 1] && s->steps > 0; ++i) {
    const int v = s->members[i];
    const int64_t both = own + saving(graph, v, part, part[u]) - 2 * weight_of_pair(graph, u, v);
    s->steps -= degree(graph, u) + degree(graph, v) + 1;
    if (both > most) best = v;
    if (both > most) most = both;
  }
  if (best >= 0) swap(s, part, u, best);
  return most;
}

static int64_t sweep(struct splitting* s, int* part) {
  const struct rankmap_graph* const graph = s->filling.graph;
  int64_t saved = 0;
  for (int u = 0; u < graph->count; ++u)
    for (int e = graph->starts[u]; e < graph->starts[u + 1] && s->steps > 0; ++e)
      if (part[graph->ends[e]] != part[u]) saved += swap_into(s, part, u, part[graph->ends[e]]);
  return saved;
}

/* Pairs of vertices change places as long as the true weight falls. */
static int64_t refine(struct splitting* s, int* part) {
  int64_t weight = rankmap_graph_cut(s->filling.graph, part);
  seat_all(s, part);
  for (int i = 0; i < MOST_SWEEPS && weight > 0 && s->steps > 0; ++i) {
    const int64_t saved = sweep(s, part);
    weight -= saved;
    if (saved == 0) break;
  }
  return weight;
}

static void copy(const struct splitting* s, int* to, const int* from) {
  memcpy(to, from, (size_t)s->filling.graph->count * sizeof *to);
}

static void offer(struct splitting* s, const int* part, int64_t weight) {
  if (weight >= s->least) return;
  s->least = weight;
  copy(s, s->best, part);
}

static void fill_along(const struct splitting* s, const int* order, int* part) {
  for (int p = 0, at = 0; p < s->filling.parts; ++p)
    for (int i = 0; i < s->sizes[p]; ++i) part[order[at++]] = p;
}

/* The best order of one kind, refined. */
static void try_kind(struct splitting* s, rankmap_candidates make) {
  int64_t least = INT64_MAX;
  enum rankmap_candidate made;
  for (int number = 0; (made = make(&s->filling, number, s->order)) != RANKMAP_CANDIDATE_LAST;
       ++number) {
    if (made == RANKMAP_CANDIDATE_UNFIT) continue;
    fill_along(s, s->order, s->trial);
    const int64_t weight = rankmap_graph_cut(s->filling.graph, s->trial);
    if (weight >= least) continue;
    least = weight;
    copy(s, s->kept, s->trial);
  }
  if (least == INT64_MAX) return;
  offer(s, s->kept, refine(s, s->kept));
}

/* Branch and bound over the vertices by number. Empty parts of one size are alike. */
struct branching {
  struct splitting* splitting;
  int* room;
  int branches; /* left */
};

static void branch(struct branching* b, int vertex, int64_t weight) {
  struct splitting* const s = b->splitting;
  const struct rankmap_graph* const graph = s->filling.graph;
  if (weight >= s->least || --b->branches <= 0) return;
  if (vertex == graph->count) {
    offer(s, s->trial, weight);
    return;
  }
  for (int p = 0; p < s->filling.parts; ++p) {
    int alike = 0;
    for (int q = 0; q < p; ++q)
      alike |= b->room[q] == s->sizes[q] && b->room[p] == s->sizes[p] && s->sizes[p] == s->sizes[q];
    if (b->room[p] == 0 || alike) continue;
    int64_t more = 0;
    for (int e = graph->starts[vertex]; e < graph->starts[vertex + 1]; ++e)
      if (graph->ends[e] < vertex && s->trial[graph->ends[e]] != p) more += graph->weights[e];
    s->trial[vertex] = p;
    --b->room[p];
    branch(b, vertex + 1, weight + more);
    ++b->room[p];
  }
}

static void search_all(struct splitting* s) {
  struct branching branching = {s, s->order, MOST_BRANCHES};
  if (s->filling.graph->count > MOST_EXACT || s->least == 0) return;
  memcpy(branching.room, s->sizes, (size_t)s->filling.parts * sizeof *branching.room);
  branch(&branching, 0, 0);
}

/* All arrays out of one piece of memory, which is returned. */
static void* lay_out(struct splitting* s, const struct rankmap_graph* graph, int parts) {
  const size_t count = (size_t)graph->count + 1, sizes = (size_t)parts + 1;
  int** const arrays[] = {
      &s->filling.scratch, &s->members, &s->seats, &s->trial, &s->kept, &s->best, &s->order};
  const size_t several = sizeof arrays / sizeof *arrays;
  char* const memory =
      calloc(1, 2 * count * sizeof(int64_t) +
                    (several * (count > sizes ? count : sizes) + 2 * sizes) * sizeof(int));
  if (!memory) return NULL;
  s->filling.pulls = (int64_t*)(void*)memory;
  int* next = (int*)(void*)(memory + 2 * count * sizeof(int64_t));
  for (size_t i = 0; i<several; ++i, next += count> sizes ? count : sizes) *arrays[i] = next;
  s->sizes = next;
  s->firsts = next + sizes;
  s->filling.graph = graph;
  s->filling.parts = parts;
  s->filling.sizes = s->sizes;
  s->steps = MOST_STEPS;
  return memory;
}

int rankmap_split(const struct rankmap_graph* graph, int parts, int* part) {
  struct splitting s;
  void* const memory = lay_out(&s, graph, parts);
  if (!memory) return 0;
  for (int v = 0; v < graph->count; ++v) ++s.sizes[part[v]];
  copy(&s, s.best, part);
  s.least = rankmap_graph_cut(graph, part);
  if (parts > 1 && s.least > 0) {
    copy(&s, s.kept, part);
    offer(&s, s.kept, refine(&s, s.kept));
    for (int kind = 0; kind < RANKMAP_CANDIDATE_KINDS; ++kind)
      try_kind(&s, rankmap_candidate_kinds[kind]);
    search_all(&s);
  }
  copy(&s, part, s.best);
  free(memory);
  return 1;
}
