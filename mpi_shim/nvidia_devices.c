#define _GNU_SOURCE
#include "mpi_shim/nvidia_devices.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mpi_shim/text.h"

static const char directory_path[] = "/proc/driver/nvidia/gpus";

/* What getdents64 fills in (its manual page); opendir would allocate. */
struct entry {
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t kind;
  char name[];
};

/* Keeps them ascending; qsort might allocate. */
static void insert(struct rankmap_nvidia_devices* devices, const char* bus_id) {
  int at = devices->count++;
  for (; at > 0 && strcasecmp(devices->bus_id[at - 1], bus_id) > 0; --at)
    strcpy(devices->bus_id[at], devices->bus_id[at - 1]);
  strcpy(devices->bus_id[at], bus_id);
}

static void take_names(const char* buffer, long filled, struct rankmap_nvidia_devices* devices) {
  for (long at = 0; at < filled;) {
    const struct entry* const entry = (const struct entry*)(const void*)(buffer + at);
    if (strchr(entry->name, ':') && devices->count < RANKMAP_MAX_DEVICES &&
        strlen(entry->name) < sizeof devices->bus_id[0])
      insert(devices, entry->name);
    at += entry->size;
  }
}

void rankmap_nvidia_devices(struct rankmap_nvidia_devices* devices) {
  _Alignas(struct entry) char buffer[4096];
  char path[512];
  devices->count = 0;
  rankmap_system_path(path, sizeof path, directory_path);
  const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  long filled;
  while ((filled = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0)
    take_names(buffer, filled, devices);
  close(directory);
}

/* Bus ids are compared without the domain's leading zeros: NVML writes 8 digits, others 4. */
static const char* without_zeros(const char* bus_id) {
  return bus_id + strspn(bus_id, "0");
}

void rankmap_nvidia_uuid(const struct rankmap_nvidia_devices* devices, int index, char* uuid,
                         size_t capacity) {
  static const char key[] = "GPU UUID:";
  char relative[128], path[512], text[4096];
  *uuid = '\0';
  snprintf(relative, sizeof relative, "%s/%s/information", directory_path, devices->bus_id[index]);
  rankmap_system_path(path, sizeof path, relative);
  if (rankmap_read_start(path, text, sizeof text) <= 0) return;
  const char* at = strstr(text, key);
  if (!at) return;
  at += sizeof key - 1;
  at += strspn(at, " \t");
  const size_t length = strcspn(at, " \t\n");
  if (length < capacity && strncmp(at, "GPU-", 4) == 0)
    snprintf(uuid, capacity, "%.*s", (int)length, at);
}

int rankmap_nvidia_find(const struct rankmap_nvidia_devices* devices, const char* id) {
  char uuid[96];
  const int by_uuid = strncmp(id, "GPU-", 4) == 0;
  for (int i = 0; i < devices->count; ++i) {
    if (!by_uuid && strcasecmp(without_zeros(id), without_zeros(devices->bus_id[i])) == 0) return i;
    if (!by_uuid) continue;
    rankmap_nvidia_uuid(devices, i, uuid, sizeof uuid);
    if (strcasecmp(uuid, id) == 0) return i;
  }
  return -1;
}
