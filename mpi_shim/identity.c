#include "mpi_shim/identity.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "mpi_shim/text.h"

struct row {
  const char* launcher;
  const char* rank;
  const char* local_rank;
  const char* size[2];
  const char* local_size; /* NULL: that of the Slurm step where of_step, else unknown */
  const char* job[2];
  const char* needs[2]; /* variables that must be set as well */
  const char* equal[2]; /* variables that must say the same */
  int of_step;          /* only inside a step that srun started */
  int by_local_rank;
  enum rankmap_certainty certainty;
};

static const struct row rows[] = {
    {.launcher = "torchrun",
     .rank = "RANK",
     .local_rank = "LOCAL_RANK",
     .size = {"WORLD_SIZE"},
     .local_size = "LOCAL_WORLD_SIZE",
     .job = {"TORCHELASTIC_RUN_ID"},
     .needs = {"TORCHELASTIC_RUN_ID"},
     .by_local_rank = 1,
     .certainty = RANKMAP_SURE},
    {.launcher = "Open MPI",
     .rank = "OMPI_COMM_WORLD_RANK",
     .local_rank = "OMPI_COMM_WORLD_LOCAL_RANK",
     .size = {"OMPI_COMM_WORLD_SIZE"},
     .local_size = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .job = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
     .certainty = RANKMAP_SURE},
    {.launcher = "MVAPICH2",
     .rank = "MV2_COMM_WORLD_RANK",
     .local_rank = "MV2_COMM_WORLD_LOCAL_RANK",
     .size = {"MV2_COMM_WORLD_SIZE"},
     .local_size = "MV2_COMM_WORLD_LOCAL_SIZE",
     .job = {"PMI_JOBID", "SLURM_JOB_ID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "MVAPICH",
     .rank = "MVP_COMM_WORLD_RANK",
     .local_rank = "MVP_COMM_WORLD_LOCAL_RANK",
     .size = {"MVP_COMM_WORLD_SIZE"},
     .local_size = "MVP_COMM_WORLD_LOCAL_SIZE",
     .job = {"PMI_JOBID", "SLURM_JOB_ID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "Intel MPI",
     .rank = "PMI_RANK",
     .local_rank = "MPI_LOCALRANKID",
     .size = {"PMI_SIZE"},
     .local_size = "MPI_LOCALNRANKS",
     .job = {"PMI_JOBID", "SLURM_JOB_ID"},
     .needs = {"MPI_LOCALRANKID", "I_MPI_ROOT"},
     .certainty = RANKMAP_SURE},
    {.launcher = "hydra",
     .rank = "PMI_RANK",
     .local_rank = "MPI_LOCALRANKID",
     .size = {"PMI_SIZE"},
     .local_size = "MPI_LOCALNRANKS",
     .job = {"PMI_JOBID", "SLURM_JOB_ID"},
     .needs = {"MPI_LOCALRANKID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "PALS",
     .rank = "PALS_RANKID",
     .local_rank = "PALS_LOCAL_RANKID",
     .size = {"PALS_SIZE", "PMI_SIZE"},
     .local_size = "PALS_LOCAL_SIZE",
     .job = {"PALS_APID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "Flux",
     .rank = "FLUX_TASK_RANK",
     .local_rank = "FLUX_TASK_LOCAL_ID",
     .size = {"FLUX_JOB_SIZE"},
     .job = {"FLUX_JOB_ID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "jsrun",
     .rank = "JSM_NAMESPACE_RANK",
     .local_rank = "JSM_NAMESPACE_LOCAL_RANK",
     .size = {"JSM_NAMESPACE_SIZE"},
     .local_size = "JSM_NAMESPACE_LOCAL_SIZE",
     .job = {"LSB_JOBID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "Slurm (PMI-2)",
     .rank = "PMI_RANK",
     .local_rank = "SLURM_LOCALID",
     .size = {"PMI_SIZE"},
     .job = {"SLURM_JOB_ID"},
     .equal = {"PMI_SIZE", "SLURM_STEP_NUM_TASKS"},
     .of_step = 1,
     .certainty = RANKMAP_STEP_TASK},
    {.launcher = "PMI",
     .rank = "PMI_RANK",
     .size = {"PMI_SIZE"},
     .job = {"PMI_JOBID", "SLURM_JOB_ID"},
     .certainty = RANKMAP_SURE},
    {.launcher = "Slurm (PMIx)",
     .rank = "PMIX_RANK",
     .local_rank = "SLURM_LOCALID",
     .size = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     .job = {"PMIX_NAMESPACE", "SLURM_JOB_ID"},
     .equal = {"PMIX_RANK", "SLURM_PROCID"},
     .of_step = 1,
     .certainty = RANKMAP_STEP_TASK},
    {.launcher = "PMIx", .rank = "PMIX_RANK", .job = {"PMIX_NAMESPACE"}, .certainty = RANKMAP_SURE},
    {.launcher = "Slurm",
     .rank = "SLURM_PROCID",
     .local_rank = "SLURM_LOCALID",
     .size = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     .job = {"SLURM_JOB_ID"},
     .of_step = 1,
     .certainty = RANKMAP_BY_MPI_ONLY},
    {.launcher = "RANK and WORLD_SIZE",
     .rank = "RANK",
     .local_rank = "LOCAL_RANK",
     .size = {"WORLD_SIZE"},
     .local_size = "LOCAL_WORLD_SIZE",
     .job = {"MASTER_PORT"},
     .needs = {"WORLD_SIZE"},
     .by_local_rank = 1,
     .certainty = RANKMAP_BY_MPI_ONLY},
};

static const char* first_of(const char* const names[2]) {
  const char* const value = rankmap_variable(names[0]);
  return value ? value : rankmap_variable(names[1]);
}

/* Batch scripts and interactive steps have step numbers from 4294967280 up, or none. */
static int in_step(void) {
  return rankmap_number(rankmap_variable("SLURM_STEP_ID")) >= 0;
}

static int fits(const struct row* row) {
  if (!rankmap_variable(row->rank) || (row->of_step && !in_step())) return 0;
  for (int i = 0; i < 2; ++i)
    if (row->needs[i] && !rankmap_variable(row->needs[i])) return 0;
  if (!row->equal[0]) return 1;
  const char *const a = rankmap_variable(row->equal[0]), *const b = rankmap_variable(row->equal[1]);
  return a && b && strcmp(a, b) == 0;
}

/* The number at *text, moved behind it; -1: none there. */
static long take_number(const char** text) {
  char digits[12];
  const size_t length = strspn(*text, "0123456789");
  if (length >= sizeof digits) return -1;
  memcpy(digits, *text, length);
  digits[length] = '\0';
  *text += length;
  return rankmap_number(digits);
}

/* The entry of this node in `4(x2),3`: tasks of nodes 0, 1 and 2. */
static long tasks_of_node(const char* list, long node) {
  while (list && *list && node >= 0) {
    const long tasks = take_number(&list);
    long nodes = 1;
    if (tasks < 0) return -1;
    if (strncmp(list, "(x", 2) == 0) {
      list += 2;
      nodes = take_number(&list);
      if (nodes < 1 || *list++ != ')') return -1;
    }
    if (node < nodes) return tasks;
    node -= nodes;
    if (*list && *list++ != ',') return -1;
  }
  return -1;
}

static long local_size(const struct row* row) {
  if (!row->of_step) return rankmap_number(rankmap_variable(row->local_size));
  return tasks_of_node(rankmap_variable("SLURM_STEP_TASKS_PER_NODE"),
                       rankmap_number(rankmap_variable("SLURM_NODEID")));
}

/* The names of a job go into RANKMAP_PLACED, where dots and blanks would be taken for its own. */
static void name_job(const struct row* row, char* job, size_t capacity) {
  const char* const name = first_of(row->job);
  const char* const step = row->of_step ? rankmap_variable("SLURM_STEP_ID") : NULL;
  snprintf(job, capacity, "%s%s%s", name ? name : "-", step ? "_" : "", step ? step : "");
  for (; *job; ++job)
    if (*job == '.' || *job == ' ' || *job == '\n') *job = '_';
}

static struct rankmap_identity read_row(const struct row* row) {
  struct rankmap_identity identity = {
      .rank = rankmap_number(rankmap_variable(row->rank)),
      .local_rank = rankmap_number(rankmap_variable(row->local_rank)),
      .size = rankmap_number(first_of(row->size)),
      .local_size = local_size(row),
      .by_local_rank = row->by_local_rank,
      .launcher = row->launcher,
      .certainty = row->certainty,
  };
  if (identity.rank < 0) identity.unreadable = row->rank;
  name_job(row, identity.job, sizeof identity.job);
  return identity;
}

struct rankmap_identity rankmap_identify(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!fits(&rows[i])) continue;
    const struct rankmap_identity identity = read_row(&rows[i]);
    /* A bare RANK may be anything: one that is no number is not a launcher's. */
    const int bare = rows[i].by_local_rank && rows[i].certainty == RANKMAP_BY_MPI_ONLY;
    if (!identity.unreadable || !bare) return identity;
  }
  return (struct rankmap_identity){.rank = -1,
                                   .local_rank = -1,
                                   .size = -1,
                                   .local_size = -1,
                                   .launcher = "",
                                   .certainty = RANKMAP_BY_MPI_ONLY,
                                   .job = "-"};
}
