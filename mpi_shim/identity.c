#include "mpi_shim/identity.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "mpi_shim/text.h"

struct row {
  const char* launcher;
  const char* rank;
  const char* local_rank[2];
  const char* size[2];
  const char* job[2];
  const char* requires; /* NULL: nothing more */
  int by_local_rank;
};

static const struct row rows[] = {
    {"Open MPI",
     "OMPI_COMM_WORLD_RANK",
     {"OMPI_COMM_WORLD_LOCAL_RANK"},
     {"OMPI_COMM_WORLD_SIZE"},
     {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
     NULL,
     0},
    {"MVAPICH2",
     "MV2_COMM_WORLD_RANK",
     {"MV2_COMM_WORLD_LOCAL_RANK"},
     {"MV2_COMM_WORLD_SIZE"},
     {"PMI_JOBID", "SLURM_JOB_ID"},
     NULL,
     0},
    {"PALS",
     "PALS_RANKID",
     {"PALS_LOCAL_RANKID"},
     {"PALS_SIZE", "PMI_SIZE"},
     {"PALS_APID"},
     NULL,
     0},
    {"Flux", "FLUX_TASK_RANK", {"FLUX_TASK_LOCAL_ID"}, {"FLUX_JOB_SIZE"}, {"FLUX_JOB_ID"}, NULL, 0},
    {"jsrun",
     "JSM_NAMESPACE_RANK",
     {"JSM_NAMESPACE_LOCAL_RANK"},
     {"JSM_NAMESPACE_SIZE"},
     {"LSB_JOBID"},
     NULL,
     0},
    {"hydra",
     "PMI_RANK",
     {"MPI_LOCALRANKID", "SLURM_LOCALID"},
     {"PMI_SIZE"},
     {"PMI_JOBID", "SLURM_JOB_ID"},
     NULL,
     0},
    {"PMIx",
     "PMIX_RANK",
     {"SLURM_LOCALID"},
     {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     {"PMIX_NAMESPACE"},
     NULL,
     0},
    {"torchrun",
     "RANK",
     {"LOCAL_RANK"},
     {"WORLD_SIZE"},
     {"TORCHELASTIC_RUN_ID"},
     "TORCHELASTIC_RUN_ID",
     1},
    {"Slurm",
     "SLURM_PROCID",
     {"SLURM_LOCALID"},
     {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     {"SLURM_JOB_ID"},
     NULL,
     0},
    {"RANK and WORLD_SIZE",
     "RANK",
     {"LOCAL_RANK"},
     {"WORLD_SIZE"},
     {"MASTER_PORT"},
     "WORLD_SIZE",
     1},
};

static const char* first_of(const char* const names[2]) {
  const char* value = rankmap_variable(names[0]);
  return value ? value : rankmap_variable(names[1]);
}

/* The names of a job go into RANKMAP_PLACED, where dots and blanks would be taken for its own. */
static void name_job(const struct row* row, char* job, size_t capacity) {
  const char* name = first_of(row->job);
  const char* step =
      strncmp(row->rank, "SLURM_", 6) == 0 ? rankmap_variable("SLURM_STEP_ID") : NULL;
  snprintf(job, capacity, "%s%s%s", name ? name : "-", step ? "_" : "", step ? step : "");
  for (; *job; ++job)
    if (*job == '.' || *job == ' ' || *job == '\n') *job = '_';
}

struct rankmap_identity rankmap_identify(void) {
  struct rankmap_identity identity = {-1, -1, -1, 0, "", "-"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const long rank = rankmap_number(rankmap_variable(rows[i].rank));
    if (rank < 0 || (rows[i].requires && !rankmap_variable(rows[i].requires))) continue;
    identity.rank = rank;
    identity.local_rank = rankmap_number(first_of(rows[i].local_rank));
    identity.size = rankmap_number(first_of(rows[i].size));
    identity.by_local_rank = rows[i].by_local_rank;
    identity.launcher = rows[i].launcher;
    name_job(&rows[i], identity.job, sizeof identity.job);
    break;
  }
  return identity;
}
