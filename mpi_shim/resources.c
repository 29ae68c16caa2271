/* NIC variables and the memory policy of a rank. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

/* Numbers of linux/mempolicy.h, which may be older than the kernel. */
enum { POLICY_PREFERRED = 1, POLICY_BIND = 2, POLICY_PREFERRED_MANY = 5 };

static int count_bits(const uint64_t* mask) {
  int count = 0;
  for (size_t i = 0; i < RANKMAP_CPU_WORDS; ++i) count += __builtin_popcountll(mask[i]);
  return count;
}

static void keep_lowest(uint64_t* mask) {
  size_t at = 0;
  while (at < RANKMAP_CPU_WORDS && !mask[at]) ++at;
  if (at == RANKMAP_CPU_WORDS) return;
  mask[at] &= ~mask[at] + 1;
  for (++at; at < RANKMAP_CPU_WORDS; ++at) mask[at] = 0;
}

/* The kernel reads one bit less than it is told; 1024 nodes are its largest configuration. */
static int set_policy(int policy, const uint64_t* nodes) {
  return syscall(SYS_set_mempolicy, policy, nodes, 1025UL) == 0;
}

/* 0: refused, errno says why. Kernels before 5.15 prefer one node only. */
static int apply_memory(const char* memory) {
  struct rankmap_cpus nodes;
  const char* const colon = strchr(memory, ':');
  errno = EINVAL;
  if (!colon || !rankmap_wire_parse_list(colon + 1, nodes.words, RANKMAP_CPU_WORDS)) return 0;
  if (strncmp(memory, "bind:", 5) == 0) return set_policy(POLICY_BIND, nodes.words);
  if (count_bits(nodes.words) > 1 && set_policy(POLICY_PREFERRED_MANY, nodes.words)) return 1;
  keep_lowest(nodes.words);
  return set_policy(POLICY_PREFERRED, nodes.words);
}

void rankmap_place_memory(struct rankmap_placement* placement) {
  snprintf(placement->memory, sizeof placement->memory, "none");
  if (!*placement->row.memory) return;
  if (*placement->doubt || !rankmap_cpus_empty(&placement->absent)) {
    snprintf(placement->memory, sizeof placement->memory, "skipped");
    return;
  }
  const int set = apply_memory(placement->row.memory);
  snprintf(placement->memory, sizeof placement->memory, "%s", set ? "set" : "refused");
  if (!set)
    rankmap_append(
        placement->note, sizeof placement->note, "the memory policy %.40s was refused (%s). ",
        placement->row.memory,
        errno == EINVAL ? "no such NUMA node, or not one of this job's" : "not permitted here");
}

void rankmap_keep_memory(const struct rankmap_placement* placement) {
  if (strcmp(placement->memory, "set") == 0) apply_memory(placement->row.memory);
}
