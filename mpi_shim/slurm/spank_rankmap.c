/* rankmap_spank.so: `srun --rank-map=FILE ./app` places each task as the map plans, by the core that
 * the wrapper and the shim use. Built for one version of Slurm, whose slurmstepd loads it; a line in
 * plugstack.conf: optional /PATH/rankmap_spank.so */
#define _GNU_SOURCE
#include <limits.h>
#include <slurm/spank.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/slurm/environment.h"

/* What Slurm looks for by name. */
#pragma GCC visibility push(default)
SPANK_PLUGIN(rankmap, 1)
int slurm_spank_init(spank_t spank, int argc, char** argv);
int slurm_spank_task_init(spank_t spank, int argc, char** argv);
#pragma GCC visibility pop

static char map[PATH_MAX]; /* "" : not asked for */

/* In srun: a file that is no map ends it before any task starts. */
static int check(const char* file) {
  struct rankmap_wire_header header;
  if (strcmp(file, "near") == 0) {
    slurm_error(
        "--rank-map=near: the plugin has no plan without a file; start the job with "
        "`rankmap run -- srun ...`");
    return -1;
  }
  const enum rankmap_wire_status status = rankmap_wire_read_header(file, &header);
  if (status == RANKMAP_WIRE_OK) return 0;
  slurm_error("--rank-map: %s: %s", file, rankmap_wire_message(status));
  return -1;
}

static int take_option(int value, const char* file, int remote) {
  (void)value;
  if (!file || !*file || strlen(file) >= sizeof map) {
    slurm_error("--rank-map: expected a map file");
    return -1;
  }
  strcpy(map, file);
  return remote ? 0 : check(file);
}

static struct spank_option option = {
    "rank-map", "FILE", "place each task as rankmap's map FILE plans for it", 1, 0, take_option};

int slurm_spank_init(spank_t spank, int argc, char** argv) {
  (void)argc, (void)argv;
  if (spank_context() == S_CTX_ALLOCATOR) return 0;
  return spank_option_register(spank, &option) == ESPANK_SUCCESS ? 0 : -1;
}

static void set_in_task(void* spank, const char* name, const char* value) {
  spank_setenv(spank, name, value, 1);
}

static void unset_in_task(void* spank, const char* name) {
  spank_unsetenv(spank, name);
}

/* Who writes the map into the command line means it to hold over the binding that Slurm chose. */
static int place(void) {
  struct rankmap_settings settings = rankmap_settings_from_environment();
  struct rankmap_placement placement;
  settings.map = map;
  if (!settings.cpus) settings.cpus = "force";
  rankmap_place(&placement, &settings);
  return rankmap_finish(&placement, "rankmap");
}

/* In the task's own process, as its user, behind Slurm's binding and before the program. */
int slurm_spank_task_init(spank_t spank, int argc, char** argv) {
  struct rankmap_lent_environment lent;
  char** task = NULL;
  (void)argc, (void)argv;
  if (!*map) return 0;
  if (spank_get_item(spank, S_JOB_ENV, &task) != ESPANK_SUCCESS ||
      !rankmap_lend_environment(&lent, task)) {
    slurm_error("--rank-map: the task's environment cannot be read; it is not placed");
    return 0;
  }
  const int refused = place();
  rankmap_return_environment(&lent, spank, set_in_task, unset_in_task);
  /* Slurm ignores the failures of an `optional` plugin. */
  if (refused) _exit(refused);
  return 0;
}
