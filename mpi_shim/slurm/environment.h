/* The environment of a task that is not running yet, lent to this process for a while. */
#ifndef RANKMAP_MPI_SHIM_SLURM_ENVIRONMENT_H
#define RANKMAP_MPI_SHIM_SLURM_ENVIRONMENT_H

struct rankmap_lent_environment {
  char** own;  /* this process', a copy */
  char** task; /* the task's, as it was; not ours */
};

/* From here on getenv and setenv see a copy of the task's environment. 0: no memory, nothing changed. */
int rankmap_lend_environment(struct rankmap_lent_environment* lent, char** task);

/* Gives this process its own environment back. Before that calls set(context, name, value) for each
 * variable that is new or has changed, and unset(context, name) for each that is gone. */
void rankmap_return_environment(struct rankmap_lent_environment* lent, void* context,
                                void (*set)(void* context, const char* name, const char* value),
                                void (*unset)(void* context, const char* name));

#endif
