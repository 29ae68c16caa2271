/* Which GPUs a rank sees, and in which order: own, aligned, own-first. */
#ifndef RANKMAP_MPI_SHIM_GPUS_MODES_H
#define RANKMAP_MPI_SHIM_GPUS_MODES_H

#include "mpi_shim/gpus/list.h"
#include "mpi_shim/placement.h"

enum rankmap_gpu_mode {
  RANKMAP_GPUS_OWN,
  RANKMAP_GPUS_ALIGNED,
  RANKMAP_GPUS_OWN_FIRST,
  RANKMAP_GPUS_KEEP
};

/* As the settings say, else aligned where the launcher's programs count by local rank, else own. An
 * unknown word is a doubt, and own. Writes the word into placement->gpu_mode. */
enum rankmap_gpu_mode rankmap_gpu_mode_of(struct rankmap_placement* placement);

/* Chooses out of what is visible, own included. 0: not possible, the placement's doubt tells why. */
int rankmap_choose_gpus(struct rankmap_placement* placement, enum rankmap_gpu_mode mode,
                        const struct rankmap_devices* devices,
                        const struct rankmap_gpu_list* visible, const struct rankmap_gpu* own,
                        struct rankmap_gpu_list* chosen);

#endif
