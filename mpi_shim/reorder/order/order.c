#define _GNU_SOURCE
#include "mpi_shim/reorder/order/order.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_shim/reorder/order/split.h"

/* Per process (which keeps its number) or vertex (which is the rank it may get). */
struct ordering {
  const struct rankmap_graph* graph;
  const struct rankmap_site* sites;
  int* host_of;   /* the number of each process' host, from 0 */
  int* domain_of; /* of each process: NUMA node number, from 0, within its host */
  int* part;      /* host of each vertex */
  int* inner;     /* domain of each vertex */
  int* sorted;    /* scratch */
  int* some;      /* scratch: the vertices of one host */
  int* taken;     /* the process that takes each vertex */
};

static int compare_sites(const void* left, const void* right, void* context) {
  const struct rankmap_site* const sites = context;
  const int l = *(const int*)left, r = *(const int*)right;
  const struct rankmap_site *const a = &sites[l], *const b = &sites[r];
  if (a->host != b->host) return a->host < b->host ? -1 : 1;
  if (a->domain != b->domain) return a->domain < b->domain ? -1 : 1;
  return l - r;
}

/* Returns the number of hosts. */
static int number_sites(struct ordering* o) {
  const int count = o->graph->count;
  int hosts = 0, domains = 0;
  for (int p = 0; p < count; ++p) o->sorted[p] = p;
  qsort_r(o->sorted, (size_t)count, sizeof *o->sorted, compare_sites, (void*)(uintptr_t)o->sites);
  for (int i = 0; i < count; ++i) {
    const struct rankmap_site* const site = &o->sites[o->sorted[i]];
    const struct rankmap_site* const last = i ? &o->sites[o->sorted[i - 1]] : NULL;
    if (!last || last->host != site->host) {
      ++hosts;
      domains = 1;
    } else if (last->domain != site->domain) {
      ++domains;
    }
    o->host_of[o->sorted[i]] = hosts - 1;
    o->domain_of[o->sorted[i]] = domains - 1;
  }
  return hosts;
}

/* Vertices stay with their process where they may; the others take what is free, by number. Two
 * places are the same where host and, with `inner`, domain are. */
static int is_place(const struct ordering* o, int process, int vertex, int with_domain) {
  return o->host_of[process] == o->part[vertex] &&
         (!with_domain || o->domain_of[process] == o->inner[vertex]);
}

static void assign(struct ordering* o, int with_domain) {
  const int count = o->graph->count;
  int* const busy = o->sorted;
  for (int v = 0; v < count; ++v) {
    busy[v] = is_place(o, v, v, with_domain);
    o->taken[v] = busy[v] ? v : -1;
  }
  for (int v = 0; v < count; ++v) {
    for (int p = 0; o->taken[v] < 0 && p < count; ++p) {
      if (busy[p] || !is_place(o, p, v, with_domain)) continue;
      o->taken[v] = p;
      busy[p] = 1;
    }
  }
}

/* The same once more inside one host. */
static int order_host(struct ordering* o, int host) {
  struct rankmap_graph graph;
  int count = 0, domains = 0;
  int* const domain = o->sorted;
  for (int v = 0; v < o->graph->count; ++v)
    if (o->part[v] == host) o->some[count++] = v;
  for (int i = 0; i < count; ++i) {
    domain[i] = o->domain_of[o->taken[o->some[i]]];
    if (domain[i] >= domains) domains = domain[i] + 1;
  }
  if (domains > 1) {
    if (!rankmap_graph_among(&graph, o->graph, o->some, count)) return 0;
    const int done = rankmap_split(&graph, domains, domain);
    rankmap_graph_free(&graph);
    if (!done) return 0;
  }
  for (int i = 0; i < count; ++i) o->inner[o->some[i]] = domain[i];
  return 1;
}

static int order_all(struct ordering* o, struct rankmap_order* order) {
  const int count = o->graph->count;
  order->hosts = number_sites(o);
  memcpy(o->part, o->host_of, (size_t)count * sizeof *o->part);
  order->before = rankmap_graph_cut(o->graph, o->part);
  if (!rankmap_split(o->graph, order->hosts, o->part)) return 0;
  order->after = rankmap_graph_cut(o->graph, o->part);
  assign(o, 0);
  for (int host = 0; host < order->hosts; ++host)
    if (!order_host(o, host)) return 0;
  assign(o, 1);
  for (int v = 0; v < count; ++v) order->rank_of[o->taken[v]] = v;
  return 1;
}

int rankmap_order(const struct rankmap_graph* graph, const struct rankmap_site* sites,
                  struct rankmap_order* order) {
  struct ordering o = {.graph = graph, .sites = sites};
  int** const arrays[] = {&o.host_of, &o.domain_of, &o.part, &o.inner,
                          &o.sorted,  &o.some,      &o.taken};
  const size_t several = sizeof arrays / sizeof *arrays, count = (size_t)graph->count + 1;
  int* const memory = calloc(several * count, sizeof *memory);
  if (!memory) return 0;
  for (size_t i = 0; i < several; ++i) *arrays[i] = memory + i * count;
  const int done = order_all(&o, order);
  free(memory);
  return done;
}
