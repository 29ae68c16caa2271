/* The NVIDIA GPUs of this node in PCI order, as the driver's /proc files tell, without NVML. */
#ifndef RANKMAP_MPI_SHIM_NVIDIA_DEVICES_H
#define RANKMAP_MPI_SHIM_NVIDIA_DEVICES_H

#include <stddef.h>

enum { RANKMAP_MAX_DEVICES = 64 };

struct rankmap_nvidia_devices {
  int count;
  char bus_id[RANKMAP_MAX_DEVICES][20]; /* "0000:06:00.0", ascending */
};

/* count 0: no such driver here. */
void rankmap_nvidia_devices(struct rankmap_nvidia_devices* devices);

/* The index of a GPU by bus id (any case, a domain of 4 or 8 digits) or uuid; -1: not here. */
int rankmap_nvidia_find(const struct rankmap_nvidia_devices* devices, const char* id);

/* The uuid of a GPU, "" where the driver does not tell. */
void rankmap_nvidia_uuid(const struct rankmap_nvidia_devices* devices, int index, char* uuid,
                         size_t capacity);

#endif
