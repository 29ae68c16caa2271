/* GPU visibility `own`: the rank sees exactly its GPU, and never one outside the list it inherited. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mpi_shim/nvidia_devices.h"
#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

struct vendor {
  const char* name;
  const char* variable;
};

static const struct vendor vendors[] = {
    {"nvidia", "CUDA_VISIBLE_DEVICES"},
    {"amd", "ROCR_VISIBLE_DEVICES"},
    {"intel", "ZE_AFFINITY_MASK"},
};

static const struct vendor* vendor_of(const char* flags) {
  size_t length = 0;
  const char* const name = rankmap_wire_flag(flags, "vendor", &length);
  for (size_t i = 1; name && i < sizeof vendors / sizeof *vendors; ++i)
    if (strlen(vendors[i].name) == length && strncmp(name, vendors[i].name, length) == 0)
      return &vendors[i];
  return &vendors[0];
}

/* How the planned GPU may be called in a list of visible devices. */
struct names {
  char index[16];
  char uuid[96]; /* "" : unknown */
};

/* The planned GPU on this node. 0 and a doubt: this node has GPUs, but not that one. */
static int find_planned(struct rankmap_placement* placement, const struct vendor* vendor,
                        struct names* names) {
  const char* const id = placement->row.gpu_id;
  int index = placement->row.gpu;
  *names->uuid = '\0';
  if (strncmp(id, "GPU-", 4) == 0 || strncmp(id, "MIG-", 4) == 0)
    snprintf(names->uuid, sizeof names->uuid, "%s", id);
  struct rankmap_nvidia_devices devices = {0};
  if (vendor == &vendors[0]) rankmap_nvidia_devices(&devices);
  if (devices.count > 0 && strncmp(id, "MIG-", 4) != 0) {
    index = *id ? rankmap_nvidia_find(&devices, id) : index < devices.count ? index : -1;
    if (index < 0) {
      rankmap_append(placement->doubt, sizeof placement->doubt,
                     "this node has no GPU %d %s; its GPUs are left as they are. ",
                     placement->row.gpu, id);
      return 0;
    }
    if (!*names->uuid) rankmap_nvidia_uuid(&devices, index, names->uuid, sizeof names->uuid);
  }
  snprintf(names->index, sizeof names->index, "%d", index);
  return 1;
}

/* Is an item of the inherited list the planned GPU? uuids may be cut, as CUDA allows. */
static int is_planned(const char* item, size_t length, const struct names* names) {
  const int index = strlen(names->index) == length && strncmp(item, names->index, length) == 0;
  const int uuid = length > 4 && (strncmp(item, "GPU-", 4) == 0 || strncmp(item, "MIG-", 4) == 0) &&
                   strncasecmp(item, names->uuid, length) == 0;
  return index || uuid;
}

/* An ordinal or the start of a uuid: CUDA takes nothing else, and stops at the first other item. */
static int is_device(const char* item, size_t length) {
  if (length > 4 && (strncmp(item, "GPU-", 4) == 0 || strncmp(item, "MIG-", 4) == 0)) return 1;
  return length > 0 && strspn(item, "0123456789.") >= length;
}

/* The planned GPU as the inherited list spells it. 0: it is not in the list. */
static int spell_inherited(const char* list, const struct names* names, char* spelled,
                           size_t capacity) {
  for (;;) {
    list += strspn(list, " ");
    const size_t length = strcspn(list, ", ");
    if (!is_device(list, length)) return 0;
    if (is_planned(list, length, names)) {
      snprintf(spelled, capacity, "%.*s", (int)length, list);
      return 1;
    }
    list += strcspn(list, ",");
    if (!*list) return 0;
    ++list;
  }
}

/* A MIG device has no ordinal of its own: its uuid stands for it. */
static const char* usual_spelling(const struct names* names) {
  return strncmp(names->uuid, "MIG-", 4) == 0 ? names->uuid : names->index;
}

void rankmap_place_gpu(struct rankmap_placement* placement) {
  const char* const policy = placement->settings.gpus;
  const struct vendor* const vendor = vendor_of(placement->row.flags);
  struct names names;
  if (placement->row.gpu < 0 || (policy && strcmp(policy, "keep") == 0)) return;
  if (policy && strcmp(policy, "own") != 0)
    rankmap_append(placement->doubt, sizeof placement->doubt,
                   "RANKMAP_GPUS=%.32s is not known, expected own or keep; own is used. ", policy);
  if (placement->identity.by_local_rank) {
    rankmap_append(placement->note, sizeof placement->note,
                   "GPUs left visible as they are: programs of this launcher count them by local "
                   "rank. ");
    return;
  }
  snprintf(placement->gpu_variable, sizeof placement->gpu_variable, "%s", vendor->variable);
  if (!find_planned(placement, vendor, &names)) return;
  const char* const inherited = getenv(vendor->variable);
  snprintf(placement->gpu_planned, sizeof placement->gpu_planned, "%s", usual_spelling(&names));
  if (inherited &&
      !spell_inherited(inherited, &names, placement->gpu_planned, sizeof placement->gpu_planned)) {
    rankmap_append(placement->doubt, sizeof placement->doubt,
                   "GPU %d of the plan is not in %s=%.64s, which is kept. ", placement->row.gpu,
                   vendor->variable, inherited);
    return;
  }
  setenv(vendor->variable, placement->gpu_planned, 1);
  if (vendor == &vendors[0]) setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
}
