/* The GPUs of this node in the order of one maker's driver, told by files without its library.
 *
 * A device is a number: its place in the table, or, where the table is empty because no such driver is
 * here, the index of the plan itself. An ordinal is a place among the devices this process may use; the
 * index of a map counts in PCI order. */
#ifndef RANKMAP_MPI_SHIM_GPUS_DEVICES_H
#define RANKMAP_MPI_SHIM_GPUS_DEVICES_H

#include <stddef.h>

enum { RANKMAP_MAX_DEVICES = 128, RANKMAP_BUS_ID = 20, RANKMAP_UUID = 64 };

struct rankmap_device {
  char bus_id[RANKMAP_BUS_ID]; /* "0000:06:00.0"; the parts of one card share it */
  char uuid[RANKMAP_UUID];     /* as a list of visible devices spells it; "" : unknown */
  int usable;                  /* 0: its node in /dev is missing or closed to this process */
};

struct rankmap_devices {
  int count;          /* 0: no such driver here */
  int hidden;         /* devices of which the driver tells this process nothing */
  int ordinals_known; /* 0: which device an ordinal that we did not write means is not known */
  int index_decides;  /* 1: cards are counted in parts, so a bus id alone does not name a device */
  int names_parts;    /* 1: a list may name a part of a device, as card.tile */
  const char* note;   /* a sentence for the report, or NULL */
  struct rankmap_device device[RANKMAP_MAX_DEVICES]; /* in the order of ordinals */
};

/* Beyond the limit devices are dropped. */
void rankmap_add_device(struct rankmap_devices* devices, const struct rankmap_device* device);

/* Is the node of a device in /dev, and may this process use it? access(2) asks the cgroup of devices as
 * open would, but does not wake the device. */
int rankmap_node_is_usable(const char* path);

int rankmap_is_usable(const struct rankmap_devices* devices, int device);
int rankmap_ordinal_of(const struct rankmap_devices* devices, int device);
int rankmap_device_of_ordinal(const struct rankmap_devices* devices, int ordinal); /* -1: none */

/* The device at a place in PCI order among all, or among the usable ones; -1: none. */
int rankmap_device_of_index(const struct rankmap_devices* devices, int index, int usable_only);

/* "GPU-..." or "MIG-...". */
int rankmap_is_uuid(const char* text, size_t length);

/* Does a bus id (any case, any digits of the domain) or a uuid name this device? */
int rankmap_has_id(const struct rankmap_devices* devices, int device, const char* id);

/* Compares bus ids by their numbers: < 0, 0, > 0. */
int rankmap_compare_bus_ids(const char* a, const char* b);

/* The readers, one a maker. */
void rankmap_nvidia_devices(struct rankmap_devices* devices);
void rankmap_amd_devices(struct rankmap_devices* devices);
void rankmap_intel_devices(struct rankmap_devices* devices);

#endif
