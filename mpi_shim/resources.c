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

/* The variables of the user win. UCX takes device:port. Cray's MPICH is told to take the NIC nearest
 * to the GPU, and only where it knows of GPUs: that is the plan's NIC, as one GPU is visible. */
void rankmap_place_nic(struct rankmap_placement* placement) {
  const char* const nic = placement->row.nic;
  char device[RANKMAP_TEXT];
  if (!*nic || strchr(nic, '/')) return;
  if (system_has("/sys/class/infiniband", nic)) {
    snprintf(device, sizeof device, "%s:1", nic);
    setenv("UCX_NET_DEVICES", device, 0);
  } else if (system_has("/sys/class/cxi", nic) || system_has("/sys/class/net", nic)) {
    const char* const gpus = rankmap_variable("MPICH_GPU_SUPPORT_ENABLED");
    if (gpus && strcmp(gpus, "1") == 0) setenv("MPICH_OFI_NIC_POLICY", "GPU", 0);
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

void rankmap_place_memory(struct rankmap_placement* placement) {
  struct rankmap_cpus nodes;
  const char* const colon = strchr(placement->row.memory, ':');
  snprintf(placement->memory, sizeof placement->memory, "none");
  if (!colon) return;
  if (*placement->doubt || !rankmap_cpus_empty(&placement->absent)) {
    snprintf(placement->memory, sizeof placement->memory, "skipped");
    return;
  }
  if (!rankmap_wire_parse_list(colon + 1, nodes.words, RANKMAP_CPU_WORDS)) return;
  const int bind = strncmp(placement->row.memory, "bind:", 5) == 0;
  const int many = count_bits(nodes.words) > 1 ? POLICY_PREFERRED_MANY : POLICY_PREFERRED;
  /* the kernel reads one bit less than it is told; 1024 nodes are its largest configuration */
  const long failed = syscall(SYS_set_mempolicy, bind ? POLICY_BIND : many, nodes.words, 1025UL);
  snprintf(placement->memory, sizeof placement->memory, "%s", failed ? "refused" : "set");
  if (failed)
    rankmap_append(placement->note, sizeof placement->note,
                   "the memory policy %.40s was refused (%s). ", placement->row.memory,
                   errno == EINVAL ? "no such NUMA node" : "not permitted here");
}
