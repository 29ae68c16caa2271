#include "mpi_shim/reorder/team.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/quiet.h"
#include "mpi_shim/reorder/here.h"
#include "mpi_shim/text.h"

enum { EDGE_NUMBERS = 3, SITE_NUMBERS = 3 };
_Static_assert(sizeof(struct rankmap_edge) == EDGE_NUMBERS * sizeof(int), "sent as ints");

void rankmap_team_say(const struct rankmap_team* team, const char* format, ...) {
  char line[512] = "";
  va_list arguments;
  if (team->rank != 0) return;
  va_start(arguments, format);
  vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  strcat(line, "\n");
  rankmap_write_quietly(STDERR_FILENO, line, strlen(line));
}

static int is_on(const char* variable) {
  const char* const value = rankmap_variable(variable);
  return value && strcmp(value, "1") == 0;
}

int rankmap_team_agrees(struct rankmap_team* team, int good) {
  int all = 0;
  if (team->mpi.Allreduce(&good, &all, 1, team->mpi.number, team->mpi.least, team->work) !=
      MPI_SUCCESS)
    return 0;
  return all;
}

/* What all processes answer alike without a word between them. */
static int is_fit(struct rankmap_team* team) {
  int inter = 0;
  if (team->mpi.Comm_test_inter(team->old, &inter) != MPI_SUCCESS || inter) return 0;
  if (team->mpi.Comm_rank(team->old, &team->rank) != MPI_SUCCESS) return 0;
  if (team->mpi.Comm_size(team->old, &team->size) != MPI_SUCCESS || team->size < 2) return 0;
  if (team->size <= RANKMAP_MOST_PROCESSES) return 1;
  rankmap_team_say(team, "rankmap: reorder: %s of %d ranks keeps its order, up to %d are reordered",
                   team->call, team->size, (int)RANKMAP_MOST_PROCESSES);
  return 0;
}

static void put_sites(struct rankmap_team* team, const int* numbers) {
  for (int p = 0; p < team->size; ++p, numbers += SITE_NUMBERS) {
    const uint64_t high = (uint32_t)numbers[0], low = (uint32_t)numbers[1];
    team->sites[p] = (struct rankmap_site){high << 32 | low, numbers[2]};
  }
}

static int gather_sites(struct rankmap_team* team) {
  int rank = 0, size = 0;
  const struct rankmap_mpi* const mpi = &team->mpi;
  const size_t count = team->rank == 0 ? (size_t)team->size : 1;
  int* const numbers = calloc(count, SITE_NUMBERS * sizeof *numbers);
  team->sites = calloc(count, sizeof *team->sites);
  team->rank_of = calloc((size_t)team->size, sizeof *team->rank_of);
  int done = rankmap_team_agrees(team, numbers && team->sites && team->rank_of);
  if (done) {
    mpi->Comm_rank(mpi->world, &rank);
    mpi->Comm_size(mpi->world, &size);
    const struct rankmap_site here = rankmap_site_here(rank, size);
    const int own[SITE_NUMBERS] = {(int)(uint32_t)(here.host >> 32), (int)(uint32_t)here.host,
                                   here.domain};
    done = mpi->Gather(own, SITE_NUMBERS, mpi->number, numbers, SITE_NUMBERS, mpi->number, 0,
                       team->work) == MPI_SUCCESS;
    if (done && team->rank == 0) put_sites(team, numbers);
  }
  free(numbers);
  return rankmap_team_agrees(team, done);
}

int rankmap_team_begin(struct rankmap_team* team, const char* call, const void* caller,
                       rankmap_word comm) {
  memset(team, 0, sizeof *team);
  const int found = rankmap_mpi_find(&team->mpi, caller);
  team->call = call;
  team->old = (MPI_Comm)(intptr_t)comm;
  team->work = team->ordered = team->mpi.null;
  if (!found) return 0;
  team->strict = is_on("RANKMAP_STRICT");
  team->verbose = is_on("RANKMAP_VERBOSE");
  if (!is_fit(team)) return 0;
  if (team->mpi.Comm_split(team->old, 0, team->rank, &team->work) != MPI_SUCCESS) return 0;
  return gather_sites(team);
}

/* Room for all edges on rank 0, where each process' edges begin there, and how many numbers. */
static int make_room(struct rankmap_team* team, int* counts, int* begins,
                     struct rankmap_edges* all) {
  int64_t total = 0;
  for (int p = 0; p < team->size; ++p) {
    begins[p] = (int)total * EDGE_NUMBERS;
    total += counts[p];
    if (counts[p] < 0 || total > RANKMAP_MOST_EDGES) {
      rankmap_team_say(team, "rankmap: reorder: %s keeps its order: more than %d edges", team->call,
                       (int)RANKMAP_MOST_EDGES);
      return 0;
    }
    counts[p] *= EDGE_NUMBERS;
  }
  all->count = (int)total;
  all->list = malloc((size_t)(total + 1) * sizeof *all->list);
  return all->list != NULL;
}

int rankmap_team_gather(struct rankmap_team* team, int good, const struct rankmap_edge* own,
                        int count, struct rankmap_edges* all) {
  const struct rankmap_mpi* const mpi = &team->mpi;
  const size_t places = team->rank == 0 ? (size_t)team->size : 1;
  int* const counts = calloc(2 * places, sizeof *counts);
  int done = rankmap_team_agrees(team, good && counts && count <= RANKMAP_MOST_EDGES);
  all->list = NULL;
  all->count = 0;
  if (done) {
    done =
        mpi->Gather(&count, 1, mpi->number, counts, 1, mpi->number, 0, team->work) == MPI_SUCCESS;
    if (team->rank == 0) done = done && make_room(team, counts, counts + places, all);
    done = rankmap_team_agrees(team, done);
  }
  if (done)
    done = mpi->Gatherv(own, count * EDGE_NUMBERS, mpi->number, all->list, counts, counts + places,
                        mpi->number, 0, team->work) == MPI_SUCCESS;
  free(counts);
  return done;
}

/* Only where a rank moves is there anything to do. */
static int is_moved(const struct rankmap_team* team) {
  for (int p = 0; p < team->size; ++p)
    if (team->rank_of[p] != p) return 1;
  return 0;
}

static int compute(struct rankmap_team* team, const struct rankmap_graph* graph) {
  struct rankmap_order order = {team->rank_of, 0, 0, 0};
  if (!graph || !rankmap_order(graph, team->sites, &order)) return 0;
  if (team->verbose)
    rankmap_team_say(
        team, "rankmap: reorder: %s of %d ranks on %d hosts: weight between hosts %lld, was %lld",
        team->call, team->size, order.hosts, (long long)order.after, (long long)order.before);
  return is_moved(team);
}

int rankmap_team_order(struct rankmap_team* team, const struct rankmap_graph* graph) {
  const struct rankmap_mpi* const mpi = &team->mpi;
  const int moved = rankmap_team_agrees(team, team->rank == 0 ? compute(team, graph) : 1);
  if (!moved) return 0;
  if (mpi->Bcast(team->rank_of, team->size, mpi->number, 0, team->work) != MPI_SUCCESS) return 0;
  return mpi->Comm_split(team->old, 0, team->rank_of[team->rank], &team->ordered) == MPI_SUCCESS;
}

int rankmap_team_hand_over(struct rankmap_team* team, int result, void* out) {
  MPI_Errhandler handler;
  const MPI_Comm made = *(MPI_Comm*)out;
  if (result != MPI_SUCCESS || made == team->mpi.null) return result;
  if (team->mpi.Comm_get_errhandler(team->old, &handler) != MPI_SUCCESS) return result;
  team->mpi.Comm_set_errhandler(made, handler);
  team->mpi.Errhandler_free(&handler);
  return result;
}

void rankmap_team_end(struct rankmap_team* team) {
  if (team->work != team->mpi.null) team->mpi.Comm_free(&team->work);
  if (team->ordered != team->mpi.null) team->mpi.Comm_free(&team->ordered);
  free(team->sites);
  free(team->rank_of);
  team->sites = NULL;
  team->rank_of = NULL;
}
