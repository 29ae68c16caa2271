/* The variables that make communication libraries take the NIC of the plan. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

static int system_has(const char* folder, const char* name) {
  char relative[RANKMAP_TEXT], path[RANKMAP_TEXT * 2];
  snprintf(relative, sizeof relative, "%s/%s", folder, name);
  rankmap_system_path(path, sizeof path, relative);
  return access(path, F_OK) == 0;
}

static void choose_nic(struct rankmap_placement* placement, const char* variable,
                       const char* value) {
  snprintf(placement->nic_variable, sizeof placement->nic_variable, "%s", variable);
  setenv(variable, value, 0);
}

/* NCCL reads a list of prefixes; `=` makes it exact, or mlx5_1 would be mlx5_10 as well. */
static void choose_nic_of_nccl(const char* nic) {
  char device[RANKMAP_TEXT];
  snprintf(device, sizeof device, "=%s", nic);
  setenv("NCCL_IB_HCA", device, 0);
}

/* The variables of the user win. UCX takes device:port. Cray's MPICH is told to take the NIC nearest
 * to the GPU, and only where it knows of GPUs: that is the plan's NIC, as one GPU is visible. */
void rankmap_place_nic(struct rankmap_placement* placement) {
  const char *const nic = placement->row.nic, *const policy = placement->settings.nics;
  const int nccl = policy && strcmp(policy, "nccl") == 0;
  char device[RANKMAP_TEXT];
  if (policy && strcmp(policy, "keep") == 0) return;
  if (policy && !nccl)
    rankmap_append(placement->doubt, sizeof placement->doubt,
                   "RANKMAP_NICS=%.32s is not known, expected keep or nccl. ", policy);
  if (!*nic || strchr(nic, '/')) return;
  if (system_has("/sys/class/infiniband", nic)) {
    snprintf(device, sizeof device, "%s:1", nic);
    choose_nic(placement, "UCX_NET_DEVICES", device);
    if (nccl) choose_nic_of_nccl(nic);
  } else if (system_has("/sys/class/cxi", nic) || system_has("/sys/class/net", nic)) {
    const char* const gpus = rankmap_variable("MPICH_GPU_SUPPORT_ENABLED");
    if (gpus && strcmp(gpus, "1") == 0) choose_nic(placement, "MPICH_OFI_NIC_POLICY", "GPU");
  } else {
    rankmap_append(placement->note, sizeof placement->note, "NIC %s is not here. ", nic);
  }
}
