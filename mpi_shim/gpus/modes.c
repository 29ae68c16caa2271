#include "mpi_shim/gpus/modes.h"

#include <stdio.h>
#include <string.h>

#include "mpi_shim/text.h"

/* In the order of the enumeration. */
static const char* const words[] = {"own", "aligned", "own-first", "keep"};

enum rankmap_gpu_mode rankmap_gpu_mode_of(struct rankmap_placement* placement) {
  const char* const wanted = placement->settings.gpus;
  enum rankmap_gpu_mode mode = RANKMAP_GPUS_OWN;
  int known = 0;
  if (!wanted && placement->identity.by_local_rank) mode = RANKMAP_GPUS_ALIGNED;
  for (size_t i = 0; wanted && i < sizeof words / sizeof *words; ++i) {
    if (strcmp(wanted, words[i]) != 0) continue;
    mode = (enum rankmap_gpu_mode)i;
    known = 1;
  }
  if (wanted && !known)
    rankmap_append(placement->doubt, sizeof placement->doubt,
                   "RANKMAP_GPUS=%.32s is not known, expected own, aligned, own-first or keep; own "
                   "is used. ",
                   wanted);
  snprintf(placement->gpu_mode, sizeof placement->gpu_mode, "%s", words[mode]);
  return mode;
}

/* The GPU indices of the node's ranks, by local rank. A line of 512 bytes has fewer than the limit, and
 * its reader has checked that they are numbers up to 65535. */
struct indices {
  int count;
  int index[RANKMAP_MAX_LIST];
};

static void read_indices(const char* text, struct indices* indices) {
  indices->count = 0;
  while (*text && indices->count < RANKMAP_MAX_LIST) {
    int index = 0;
    for (; *text >= '0' && *text <= '9'; ++text) index = index * 10 + (*text - '0');
    indices->index[indices->count++] = index;
    if (*text) ++text;
  }
}

static int refuse(struct rankmap_placement* placement, const char* reason) {
  rankmap_append(placement->doubt, sizeof placement->doubt,
                 "no list of GPUs can serve all ranks of this node (%s); they are left as they "
                 "are. ",
                 reason);
  return 0;
}

/* Every index once, in the order of the local ranks. */
static struct indices without_repeats(const struct indices* all) {
  struct indices once = {0, {0}};
  for (int i = 0; i < all->count; ++i) {
    int known = 0;
    for (int j = 0; j < once.count; ++j) known |= once.index[j] == all->index[i];
    if (!known) once.index[once.count++] = all->index[i];
  }
  return once;
}

/* Reads the column of the node's GPUs for a rank whose program takes local rank modulo count. The same
 * test at every rank of the node, so that all of them pass it or none. */
static int read_aligned(struct rankmap_placement* placement, struct indices* once) {
  struct indices all;
  const long local_rank = placement->identity.local_rank;
  read_indices(placement->row.node_gpus, &all);
  *once = without_repeats(&all);
  if (!all.count) return refuse(placement, "the map does not tell the GPUs of its ranks");
  if (local_rank < 0) return refuse(placement, "the launcher does not tell the local rank");
  if (local_rank >= all.count || all.index[local_rank] != placement->row.gpu)
    return refuse(placement, "the launcher counts the ranks of this node otherwise than the map");
  for (int i = 0; i < all.count; ++i)
    if (once->index[i % once->count] != all.index[i])
      return refuse(placement, "its ranks share GPUs in another way than local rank modulo count");
  return 1;
}

/* The list under one way to count GPUs. 0: one of them is not visible. */
static int list_of(const struct indices* indices, const struct rankmap_devices* devices,
                   const struct rankmap_gpu_list* visible, int usable_only,
                   struct rankmap_gpu_list* list) {
  memset(list, 0, sizeof *list);
  for (int i = 0; i < indices->count; ++i) {
    const struct rankmap_gpu gpu = {
        .device = rankmap_device_of_index(devices, indices->index[i], usable_only)};
    const struct rankmap_gpu* const shown =
        gpu.device < 0 ? NULL : rankmap_find_in_list(visible, &gpu);
    if (!shown) return 0;
    list->gpu[list->count++] = *shown;
  }
  return 1;
}

static int same_devices(const struct rankmap_gpu_list* a, const struct rankmap_gpu_list* b) {
  int same = a->count == b->count;
  for (int i = 0; same && i < a->count; ++i) same = a->gpu[i].device == b->gpu[i].device;
  return same;
}

/* The map counts the GPUs of the node or, planned inside a job that was given some of them, those. Only
 * the way under which this rank's own GPU sits at its index can be the right one. */
static int choose_aligned(struct rankmap_placement* placement,
                          const struct rankmap_devices* devices,
                          const struct rankmap_gpu_list* visible, const struct rankmap_gpu* own,
                          struct rankmap_gpu_list* chosen) {
  struct indices indices;
  struct rankmap_gpu_list other;
  const int index = placement->row.gpu;
  if (!read_aligned(placement, &indices)) return 0;
  if (own->device < 0 || *own->part)
    return refuse(placement, "they have parts of GPUs, which their indices do not name");
  const int fits_all = *placement->row.gpu_id && devices->count &&
                       rankmap_device_of_index(devices, index, 0) == own->device;
  const int fits_usable = rankmap_device_of_index(devices, index, 1) == own->device;
  if (!fits_all && !fits_usable)
    return refuse(placement, "the map counts GPUs otherwise than this node");
  const int all = fits_all && list_of(&indices, devices, visible, 0, chosen);
  const int usable = fits_usable && list_of(&indices, devices, visible, 1, &other);
  if (all && usable && !same_devices(chosen, &other))
    return refuse(placement, "it is not certain how the map counts them");
  if (!all && usable) *chosen = other;
  if (!all && !usable) return refuse(placement, "this one may not use all that they have");
  return 1;
}

static void add_once(struct rankmap_gpu_list* list, const struct rankmap_gpu* gpu) {
  for (int i = 0; i < list->count; ++i)
    if (gpu->device >= 0 ? list->gpu[i].device == gpu->device
                         : list->gpu[i].text && list->gpu[i].length == gpu->length &&
                               strncmp(list->gpu[i].text, gpu->text, gpu->length) == 0)
      return;
  if (list->count < RANKMAP_MAX_LIST) list->gpu[list->count++] = *gpu;
}

/* What else is visible; where nothing tells, the GPUs that the map gives to ranks of this node. Beside a
 * MIG device CUDA shows nothing else. */
static void add_others(const struct rankmap_placement* placement,
                       const struct rankmap_gpu_list* visible, struct rankmap_gpu_list* chosen) {
  struct indices indices;
  const struct rankmap_gpu* const own = &chosen->gpu[0];
  if (own->device < 0 && strncmp(own->text, "MIG-", 4) == 0) return;
  for (int i = 0; i < visible->count; ++i) add_once(chosen, &visible->gpu[i]);
  if (!visible->anything) return;
  read_indices(placement->row.node_gpus, &indices);
  for (int i = 0; i < indices.count; ++i)
    add_once(chosen, &(struct rankmap_gpu){.device = indices.index[i]});
}

int rankmap_choose_gpus(struct rankmap_placement* placement, enum rankmap_gpu_mode mode,
                        const struct rankmap_devices* devices,
                        const struct rankmap_gpu_list* visible, const struct rankmap_gpu* own,
                        struct rankmap_gpu_list* chosen) {
  if (mode == RANKMAP_GPUS_ALIGNED) return choose_aligned(placement, devices, visible, own, chosen);
  memset(chosen, 0, sizeof *chosen);
  chosen->gpu[chosen->count++] = *own;
  if (mode == RANKMAP_GPUS_OWN_FIRST) add_others(placement, visible, chosen);
  return 1;
}
