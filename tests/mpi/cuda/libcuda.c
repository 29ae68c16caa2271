/* A stand-in for libcuda.so.1 on a node made of files under $RANKMAP_SYSROOT. It shows devices by the
 * rules of CUDA's documents, written down anew here and sharing no code with the shim:
 *   - a device is a GPU of /proc/driver/nvidia whose /dev/nvidia<minor> can be opened;
 *   - CUDA_DEVICE_ORDER=PCI_BUS_ID numbers them by bus id, anything else the fastest first (the number
 *     in the model's name stands for its speed) and by bus id among equals;
 *   - CUDA_VISIBLE_DEVICES, where set, shows those it names in its order; a name is a number, or a uuid
 *     or the start of one that no other device has; the first name that is no device ends the list,
 *     and a device named twice leaves nothing visible. Set to nothing it shows nothing;
 *   - cuInit reads the variables once and opens /dev/nvidiactl; a context opens the device's node. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tests/mpi/cuda/driver_api.h"

enum { LIMIT = 32 };

struct gpu {
  char bus_id[32], uuid[64];
  int minor, speed;
};

static struct gpu all[LIMIT], visible[LIMIT];
static int all_count, visible_count, is_initialised;

static const char* at_root(const char* path) {
  static char full[1024];
  const char* const root = getenv("RANKMAP_SYSROOT");
  snprintf(full, sizeof full, "%s%s", root ? root : "", path);
  return full;
}

static void read_gpu(const char* bus_id) {
  char path[512], line[256], node[64];
  struct gpu* const gpu = &all[all_count];
  snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", bus_id);
  FILE* const file = fopen(at_root(path), "r");
  if (!file || all_count == LIMIT) return;
  snprintf(gpu->bus_id, sizeof gpu->bus_id, "%.31s", bus_id);
  while (fgets(line, sizeof line, file)) {
    sscanf(line, "GPU UUID: %63s", gpu->uuid);
    sscanf(line, "Device Minor: %d", &gpu->minor);
    if (strncmp(line, "Model:", 6) == 0) gpu->speed = atoi(line + strcspn(line, "0123456789"));
  }
  fclose(file);
  snprintf(node, sizeof node, "/dev/nvidia%d", gpu->minor);
  if (access(at_root(node), R_OK | W_OK) == 0) ++all_count;
}

static int by_bus_id(const void* a, const void* b) {
  return strcasecmp(((const struct gpu*)a)->bus_id, ((const struct gpu*)b)->bus_id);
}

static int by_speed(const void* a, const void* b) {
  const int difference = ((const struct gpu*)b)->speed - ((const struct gpu*)a)->speed;
  return difference ? difference : by_bus_id(a, b);
}

static void find_gpus(void) {
  const char* const order = getenv("CUDA_DEVICE_ORDER");
  DIR* const folder = opendir(at_root("/proc/driver/nvidia/gpus"));
  for (struct dirent* entry; folder && (entry = readdir(folder));)
    if (*entry->d_name != '.') read_gpu(entry->d_name);
  if (folder) closedir(folder);
  qsort(all, (size_t)all_count, sizeof *all,
        order && strcmp(order, "PCI_BUS_ID") == 0 ? by_bus_id : by_speed);
}

/* The device that an item names; -1: none. */
static int named(const char* item) {
  int found = -1, matches = 0;
  char* end;
  if (strncmp(item, "GPU-", 4) != 0) {
    const long number = strtol(item, &end, 10);
    return end == item || *end || number < 0 || number >= all_count ? -1 : (int)number;
  }
  for (int i = 0; i < all_count; ++i)
    if (strncasecmp(all[i].uuid, item, strlen(item)) == 0) {
      found = i;
      ++matches;
    }
  return matches == 1 ? found : -1;
}

static void show(void) {
  const char* const list = getenv("CUDA_VISIBLE_DEVICES");
  char copy[4096], *rest = copy;
  int used[LIMIT] = {0};
  snprintf(copy, sizeof copy, "%s", list ? list : "");
  visible_count = list ? 0 : all_count;
  memcpy(visible, all, sizeof visible);
  while (list && rest) {
    const int device = named(strsep(&rest, ","));
    if (device < 0) return;
    if (used[device]++) {
      visible_count = 0;
      return;
    }
    visible[visible_count++] = all[device];
  }
}

int cuInit(unsigned flags) {
  (void)flags;
  if (is_initialised) return CUDA_SUCCESS;
  if (open(at_root("/dev/nvidiactl"), O_RDWR | O_CLOEXEC) < 0) return CUDA_NO_DEVICE;
  find_gpus();
  show();
  is_initialised = 1;
  return visible_count ? CUDA_SUCCESS : CUDA_NO_DEVICE;
}

static int check(int device) {
  if (!is_initialised) return CUDA_NOT_INITIALIZED;
  return device < 0 || device >= visible_count ? CUDA_INVALID_DEVICE : CUDA_SUCCESS;
}

int cuDeviceGetCount(int* count) {
  *count = visible_count;
  return is_initialised ? CUDA_SUCCESS : CUDA_NOT_INITIALIZED;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return check(ordinal);
}

int cuDeviceGetPCIBusId(char* text, int capacity, int device) {
  const int wrong = check(device);
  if (!wrong) snprintf(text, (size_t)capacity, "%s", visible[device].bus_id);
  return wrong;
}

int cuDeviceGetUuid(CUuuid* uuid, int device) {
  const int wrong = check(device);
  if (!wrong) memcpy(uuid->bytes, visible[device].uuid + 4, sizeof uuid->bytes);
  return wrong;
}

int cuCtxCreate_v2(CUcontext* context, unsigned flags, int device) {
  char node[64];
  const int wrong = check(device);
  (void)flags;
  *context = NULL;
  if (wrong) return wrong;
  snprintf(node, sizeof node, "/dev/nvidia%d", visible[device].minor);
  return open(at_root(node), O_RDWR | O_CLOEXEC) < 0 ? CUDA_NO_DEVICE : CUDA_SUCCESS;
}
