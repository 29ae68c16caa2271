/* The core of the wrapper and of the shim: one rank's line of the map, applied to this process. */
#ifndef RANKMAP_MPI_SHIM_PLACEMENT_H
#define RANKMAP_MPI_SHIM_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "libmap/wire/wire.h"
#include "mpi_shim/identity.h"
#include "mpi_shim/settings.h"

enum { RANKMAP_CPU_WORDS = 128, RANKMAP_TEXT = 512 };

/* A set of CPUs 0..8191, more than any Linux kernel has. */
struct rankmap_cpus {
  uint64_t words[RANKMAP_CPU_WORDS];
};

enum rankmap_state {
  RANKMAP_NO_RANK, /* no launcher's variable: not a rank */
  RANKMAP_ALREADY, /* this rank was placed before, by this process or by one it descends from */
  RANKMAP_PASSED,  /* in doubt: left as the launcher made it */
  RANKMAP_PLACED
};

struct rankmap_placement {
  enum rankmap_state state;
  struct rankmap_settings settings;
  struct rankmap_identity identity;
  struct rankmap_wire_header header;
  struct rankmap_wire_row row; /* points into line; zero where the map was not read */
  char line[RANKMAP_WIRE_MAX_WIDTH];
  char host[RANKMAP_WIRE_MAX_HOST + 1]; /* of this node */
  struct rankmap_cpus planned, absent,
      barred;                /* absent: not in this machine; barred: not allowed */
  struct rankmap_cpus given; /* what this rank was bound to; empty: not bound */
  int threads_moved;         /* threads that ran before, bound as well */
  char gpu_variable[32];     /* "" : the plan has no GPU */
  char gpu_planned[1024];    /* what the variable should be */
  char gpu_mode[16];         /* own, aligned, own-first, keep */
  char gpu_device[64];       /* bus id of the rank's GPU on this node; "" : not known */
  char nic_variable[32];     /* "" : the plan has no NIC that is here */
  char memory[64];           /* what became of the memory policy */
  char openmp[128];          /* what became of OpenMP's variables; "" : not asked for */
  int openmp_threads;        /* OMP_NUM_THREADS as we set it; 0: we did not */
  int openmp_bound_by_user;  /* 1: OMP_PROC_BIND or OMP_PLACES was set */
  int mpi_peers;             /* ranks that MPI sees as sharing memory with this one; 0: unknown */
  char doubt[RANKMAP_TEXT];  /* "" : none */
  int doubt_of_all;          /* 1: every rank has the same doubt */
  int doubt_of_line;         /* 1: this rank's line of the map is damaged */
  char note[RANKMAP_TEXT];
};

/* Applies the line of this rank in settings->map (not NULL) to this process: affinity, memory policy,
 * and variables. Prints nothing, never fails: what was not possible stands in doubt and note. */
void rankmap_place(struct rankmap_placement* placement, const struct rankmap_settings* settings);

/* Reports, says what must be said, and marks a rank in doubt, so that its children do not say it
 * again. Returns what rankmap_tell returns. */
int rankmap_finish(const struct rankmap_placement* placement, const char* who);

/* One line on stderr where there is a doubt, or CPUs that do not exist here: a doubt of all ranks by
 * rank 0, one of this rank's line by itself, any other by the first rank of a node; with `strict` and
 * `verbose` by every rank. With `verbose` also where the rank is now. Returns 0, or 125 where there is
 * a doubt and `strict`. who: the name before the message. */
int rankmap_tell(const struct rankmap_placement* placement, const char* who);
void rankmap_say(const struct rankmap_placement* placement, const char* who, const char* text);

/* Writes planned and actual to rank.R in the folder settings.report, if any. Quiet when it cannot. */
void rankmap_report(const struct rankmap_placement* placement);

/* Brings the report of this rank up to date: where it runs now, and what MPI sees of it. Also where a
 * process before this one wrote it. */
void rankmap_report_again(const struct rankmap_placement* placement);

/* The parts, each on one placement whose row is read. */
void rankmap_place_cpus(struct rankmap_placement* placement);
void rankmap_place_gpu(struct rankmap_placement* placement);
void rankmap_place_nic(struct rankmap_placement* placement);
void rankmap_place_memory(struct rankmap_placement* placement);
void rankmap_place_openmp(struct rankmap_placement* placement);

/* Sets the policy again where it was set: it belongs to a thread, and MPI_Init may change it. */
void rankmap_keep_memory(const struct rankmap_placement* placement);

/* Moves what this process touched before to the nodes of its policy. */
void rankmap_move_memory(struct rankmap_placement* placement);

/* Sets of CPUs. */
int rankmap_cpus_empty(const struct rankmap_cpus* cpus);
int rankmap_current_cpus(struct rankmap_cpus* cpus); /* of this thread; 0: unknown */

#endif
