/* Lists of visible devices: what an inherited variable shows, and how a list is written. */
#ifndef RANKMAP_MPI_SHIM_GPUS_LIST_H
#define RANKMAP_MPI_SHIM_GPUS_LIST_H

#include <stddef.h>

#include "mpi_shim/gpus/devices.h"

enum { RANKMAP_MAX_LIST = 256, RANKMAP_PART = 8 };

struct rankmap_gpu {
  int device;              /* -1: its text stands for it (MIG, uuids of GPUs we have no files of) */
  char part[RANKMAP_PART]; /* of a card: ".1"; "" : all of it */
  const char* text;        /* a uuid, full or cut as its list has it; NULL: none */
  size_t length;           /* of the text */
};

struct rankmap_gpu_list {
  int count;
  int anything;  /* 1: no list, and no driver here: whatever the plan says is visible */
  int has_uuids; /* 1: an item of the inherited list is a uuid */
  struct rankmap_gpu gpu[RANKMAP_MAX_LIST];
};

/* What a driver does with a device that its list names twice. */
enum rankmap_twice {
  RANKMAP_TWICE_HIDES_ALL, /* CUDA */
  RANKMAP_TWICE_ENDS,      /* ROCr: the list ends before it */
  RANKMAP_TWICE_IS_ONCE    /* Level Zero: a mask is a set */
};

struct rankmap_list_rules {
  enum rankmap_twice twice;
  int uuids; /* 1: items may be uuids, cut as long as they name one device */
  int parts; /* 1: items may be card.part */
};

/* All usable devices. */
void rankmap_list_usable(const struct rankmap_devices* devices, struct rankmap_gpu_list* list);

/* Reads a list as the driver does, which stops at the first item that names no device it can use.
 * base: the list that the ordinals are places in; NULL: places among the usable devices. The result
 * points into text. NULL, or why the list shows nothing that we could name: words that follow the
 * list. */
const char* rankmap_read_list(const char* text, const struct rankmap_list_rules* rules,
                              const struct rankmap_devices* devices,
                              const struct rankmap_gpu_list* base, struct rankmap_gpu_list* list);

/* The item of a list that shows a GPU; NULL: it does not show it. */
const struct rankmap_gpu* rankmap_find_in_list(const struct rankmap_gpu_list* list,
                                               const struct rankmap_gpu* gpu);

/* Writes a list as ordinals, or as uuids where the GPUs have them. 0: it does not fit, or a GPU has no
 * such name; the buffer is not to be used then. */
int rankmap_write_ordinals(const struct rankmap_gpu_list* list,
                           const struct rankmap_devices* devices, char* buffer, size_t capacity);
int rankmap_write_uuids(const struct rankmap_gpu_list* list, const struct rankmap_devices* devices,
                        char* buffer, size_t capacity);

#endif
