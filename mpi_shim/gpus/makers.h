/* The makers of GPUs: their variables, the rules of their lists, the nodes of their drivers. */
#ifndef RANKMAP_MPI_SHIM_GPUS_MAKERS_H
#define RANKMAP_MPI_SHIM_GPUS_MAKERS_H

#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/gpus/list.h"

struct rankmap_gpu_maker {
  const char* name;     /* as the flag vendor= has it */
  const char* driver;   /* for people */
  const char* variable; /* the list of visible devices */
  const char* inner[2]; /* lists of places in it, read by a layer above; the first set one counts */
  const char* order;    /* the variable that makes ordinals count in PCI order; NULL: none */
  const char* pci_order; /* its value for that */
  int overrides_order;   /* 1: whatever the user set */
  int is_mask;           /* 1: the driver keeps its own order, whatever the list's */
  int has_mps;           /* 1: another process may count the devices anew */
  struct rankmap_list_rules rules;
  const char* control_node; /* open once the driver was started; NULL: no node tells */
  const char* numbered_node;
  void (*devices)(struct rankmap_devices* devices);
};

/* By the flags column of a map; NVIDIA where it names no other. Never NULL. */
const struct rankmap_gpu_maker* rankmap_gpu_maker_of(const char* flags);

#endif
