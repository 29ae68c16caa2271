/* The GPU that the map gives this rank, found on this node. */
#ifndef RANKMAP_MPI_SHIM_GPUS_OWN_H
#define RANKMAP_MPI_SHIM_GPUS_OWN_H

#include "libmap/wire/wire.h"
#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/gpus/list.h"

/* Finds it by bus id or uuid where the map has one, else by its index among the usable GPUs in PCI
 * order. 0: it is not here, or closed to this process; the doubt tells which, and own->device is the
 * closed one, else -1. The result may point into the row. */
int rankmap_find_own_gpu(const struct rankmap_wire_row* row, const struct rankmap_devices* devices,
                         struct rankmap_gpu* own, char* doubt, size_t capacity);

#endif
