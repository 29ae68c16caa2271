/* The memory policy of a rank. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

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

/* The nodes of the plan; 0: not such a list. */
static int read_nodes(const char* memory, struct rankmap_cpus* nodes) {
  const char* const colon = strchr(memory, ':');
  return colon && rankmap_wire_parse_list(colon + 1, nodes->words, RANKMAP_CPU_WORDS);
}

/* 0: refused, errno says why. Kernels before 5.15 prefer one node only. */
static int apply_memory(const char* memory) {
  struct rankmap_cpus nodes;
  errno = EINVAL;
  if (!read_nodes(memory, &nodes)) return 0;
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

/* The nodes that this machine has, without those of the plan. 0: none, or it does not say. */
static int read_other_nodes(const struct rankmap_cpus* planned, struct rankmap_cpus* others) {
  char path[RANKMAP_TEXT], list[1024];
  rankmap_system_path(path, sizeof path, "/sys/devices/system/node/online");
  if (rankmap_read_start(path, list, sizeof list) <= 0) return 0;
  list[strcspn(list, " \n")] = '\0';
  if (!rankmap_wire_parse_list(list, others->words, RANKMAP_CPU_WORDS)) return 0;
  for (size_t i = 0; i < RANKMAP_CPU_WORDS; ++i) others->words[i] &= ~planned->words[i];
  return !rankmap_cpus_empty(others);
}

void rankmap_move_memory(struct rankmap_placement* placement) {
  struct rankmap_cpus planned, others;
  if (strcmp(placement->memory, "set") != 0 || !read_nodes(placement->row.memory, &planned) ||
      !read_other_nodes(&planned, &others))
    return;
  const long left = syscall(SYS_migrate_pages, 0, 1025UL, others.words, planned.words);
  if (left > 0)
    rankmap_append(placement->note, sizeof placement->note,
                   "%ld pages could not be moved to the planned memory. ", left);
}
