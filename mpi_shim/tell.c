/* What a rank says on stderr: its doubts, and with `verbose` where it was put. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

static void say_line(const char* head, const char* text) {
  char line[RANKMAP_TEXT * 2] = "";
  size_t length = strlen(text);
  while (length && strchr(" .\n", text[length - 1])) --length;
  rankmap_append(line, sizeof line, "%s: %.*s", head, (int)length, text);
  /* names from the environment and from files end on a terminal */
  for (char* at = line; *at; ++at)
    if ((unsigned char)*at < ' ' || *at == 0x7f) *at = '?';
  rankmap_append(line, sizeof line, "\n");
  rankmap_write_quietly(STDERR_FILENO, line, strlen(line));
}

void rankmap_say(const struct rankmap_placement* placement, const char* who, const char* text) {
  char head[64] = "";
  rankmap_append(head, sizeof head, "%s", who);
  if (placement->identity.rank >= 0)
    rankmap_append(head, sizeof head, ": rank %ld", placement->identity.rank);
  say_line(head, text);
}

static void say_absent_cpus(const struct rankmap_placement* placement, const char* who) {
  char list[256], text[RANKMAP_TEXT] = "";
  if (!rankmap_wire_print_list(placement->absent.words, RANKMAP_CPU_WORDS, list, sizeof list))
    snprintf(list, sizeof list, "%.200s", placement->row.cpus);
  rankmap_append(text, sizeof text, "this machine does not have the planned CPUs %s; skipped",
                 list);
  rankmap_say(placement, who, text);
}

/* "gpu 2 (0000:8a:00.0) as CUDA_VISIBLE_DEVICES=2, " */
static void add_gpu(const struct rankmap_placement* placement, char* text) {
  const char* const variable = placement->gpu_variable;
  const char* const value = *variable ? getenv(variable) : NULL;
  if (placement->row.gpu < 0) return;
  rankmap_append(text, RANKMAP_TEXT, "gpu %d ", (int)placement->row.gpu);
  if (*placement->row.gpu_id) rankmap_append(text, RANKMAP_TEXT, "(%.64s) ", placement->row.gpu_id);
  if (value)
    rankmap_append(text, RANKMAP_TEXT, "as %s=%.100s, ", variable, value);
  else
    rankmap_append(text, RANKMAP_TEXT, "not selected, ");
}

static void say_place(const struct rankmap_placement* placement, const char* who) {
  char head[384] = "", text[RANKMAP_TEXT] = "", list[160];
  struct rankmap_cpus actual;
  rankmap_append(head, sizeof head, "%s: rank %ld on %s", who, placement->identity.rank,
                 placement->host);
  add_gpu(placement, text);
  if (!rankmap_current_cpus(&actual) ||
      !rankmap_wire_print_list(actual.words, RANKMAP_CPU_WORDS, list, sizeof list))
    snprintf(list, sizeof list, "?");
  rankmap_append(text, sizeof text, "cpus %s", list);
  if (*placement->row.memory)
    rankmap_append(text, sizeof text, ", memory %.64s %s", placement->row.memory,
                   placement->memory);
  if (*placement->row.nic) rankmap_append(text, sizeof text, ", nic %.64s", placement->row.nic);
  if (*placement->openmp) rankmap_append(text, sizeof text, ", openmp %s", placement->openmp);
  say_line(head, text);
}

/* Ranks do not talk to each other: who speaks follows from the rank's own numbers. */
static int speaks(const struct rankmap_placement* placement) {
  const struct rankmap_identity* const identity = &placement->identity;
  if (placement->settings.strict || placement->settings.verbose || placement->doubt_of_line)
    return 1;
  if (identity->rank >= 0 && (placement->doubt_of_all || identity->local_rank < 0))
    return identity->rank == 0;
  return identity->local_rank <= 0;
}

int rankmap_tell(const struct rankmap_placement* placement, const char* who) {
  const int speaker = speaks(placement);
  if (placement->state == RANKMAP_PLACED && placement->settings.verbose) say_place(placement, who);
  if (*placement->doubt) {
    if (speaker) rankmap_say(placement, who, placement->doubt);
    return placement->settings.strict ? 125 : 0;
  }
  if (rankmap_cpus_empty(&placement->absent)) return 0;
  if (speaker) say_absent_cpus(placement, who);
  return placement->settings.strict ? 125 : 0;
}
