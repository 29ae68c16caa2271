/* NVIDIA: the driver's files /proc/driver/nvidia/gpus/BUS-ID/information, and /dev/nvidia<minor>.
 *
 * A GPU is usable where its node passes access(2). Drivers that do not tell the minor number leave the
 * question open: their GPUs count as usable. Where /dev has neither nvidiactl nor any of the nodes, the
 * driver's helper has not made them yet, which it does when CUDA first starts: all count as usable, with
 * a note. Where one of them is there, a missing one is a GPU that this container or job was not given.
 * A GPU that the administrator excluded is never usable. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libmap/wire/wire.h"
#include "mpi_shim/folder.h"
#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/text.h"

static const char folder_path[] = "/proc/driver/nvidia/gpus";

/* Keeps them ascending; at the limit the last one drops out. */
static void insert(const char* bus_id, void* context) {
  struct rankmap_devices* const devices = context;
  if (!strchr(bus_id, ':') || strlen(bus_id) >= RANKMAP_BUS_ID) return;
  int at = devices->count;
  while (at > 0 && rankmap_compare_bus_ids(devices->device[at - 1].bus_id, bus_id) > 0) --at;
  if (at == RANKMAP_MAX_DEVICES) return;
  if (devices->count < RANKMAP_MAX_DEVICES) ++devices->count;
  for (int i = devices->count - 1; i > at; --i)
    strcpy(devices->device[i].bus_id, devices->device[i - 1].bus_id);
  strcpy(devices->device[at].bus_id, bus_id);
}

/* The value behind `key` at the start of a line; "" where there is none, or one that does not fit. */
static void take_value(const char* text, const char* key, char* value, size_t capacity) {
  *value = '\0';
  for (const char* line = text; line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, key, strlen(key)) != 0) continue;
    const char* const start = line + strlen(key) + strspn(line + strlen(key), " \t");
    size_t length = strcspn(start, "\n");
    while (length && strchr(" \t\r", start[length - 1])) --length;
    if (length < capacity) snprintf(value, capacity, "%.*s", (int)length, start);
    return;
  }
}

/* What the driver tells of one GPU, besides its uuid. */
struct information {
  uint64_t model; /* the sum of its name; 0: not told */
  long minor;     /* -1: not told */
  int excluded;
};

/* A GPU that was not started yet shows question marks. */
static int is_whole_uuid(const char* uuid) {
  return rankmap_is_uuid(uuid, strlen(uuid)) && !strpbrk(uuid, "?, ");
}

static struct information read_information(struct rankmap_device* device) {
  struct information information;
  char relative[128], path[512], text[4096], value[128];
  snprintf(relative, sizeof relative, "%s/%s/information", folder_path, device->bus_id);
  rankmap_system_path(path, sizeof path, relative);
  if (rankmap_read_start(path, text, sizeof text) < 0) *text = '\0';
  take_value(text, "GPU UUID:", device->uuid, sizeof device->uuid);
  if (!is_whole_uuid(device->uuid)) *device->uuid = '\0';
  take_value(text, "Model:", value, sizeof value);
  information.model = *value ? rankmap_wire_checksum(value, strlen(value)) : 0;
  take_value(text, "Device Minor:", value, sizeof value);
  information.minor = rankmap_number(value);
  take_value(text, "GPU Excluded:", value, sizeof value);
  information.excluded = strcmp(value, "Yes") == 0;
  return information;
}

static int exists(const char* path) {
  char full[512];
  rankmap_system_path(full, sizeof full, path);
  return access(full, F_OK) == 0;
}

/* Has the driver's helper made any node? Also where no driver tells the minor numbers. */
static int has_nodes(const struct information* all, int count) {
  int told = 0;
  if (exists("/dev/nvidiactl")) return 1;
  for (int i = 0; i < count; ++i) {
    char node[64];
    if (all[i].minor < 0) continue;
    snprintf(node, sizeof node, "/dev/nvidia%ld", all[i].minor);
    if (exists(node)) return 1;
    ++told;
  }
  return told == 0;
}

static int is_usable(const struct information* information, int any_nodes) {
  char node[64];
  snprintf(node, sizeof node, "/dev/nvidia%ld", information->minor);
  if (information->excluded) return 0;
  return information->minor < 0 || !any_nodes || rankmap_node_is_usable(node);
}

/* CUDA's own order, FASTEST_FIRST, is PCI order where all usable GPUs are of one model. */
static int knows_ordinals(const struct rankmap_devices* devices, const struct information* all) {
  const char* const order = getenv("CUDA_DEVICE_ORDER");
  int first = -1, alike = 1;
  if (order && strcmp(order, "PCI_BUS_ID") == 0) return 1;
  for (int i = 0; i < devices->count; ++i) {
    if (!devices->device[i].usable) continue;
    if (first >= 0) alike &= all[first].model != 0 && all[i].model == all[first].model;
    if (first < 0) first = i;
  }
  return alike;
}

void rankmap_nvidia_devices(struct rankmap_devices* devices) {
  struct information all[RANKMAP_MAX_DEVICES];
  char path[512];
  memset(devices, 0, sizeof *devices);
  rankmap_system_path(path, sizeof path, folder_path);
  rankmap_each_name(path, insert, devices);
  for (int i = 0; i < devices->count; ++i) all[i] = read_information(&devices->device[i]);
  const int any_nodes = has_nodes(all, devices->count);
  for (int i = 0; i < devices->count; ++i)
    devices->device[i].usable = is_usable(&all[i], any_nodes);
  if (!any_nodes) devices->note = "/dev has no NVIDIA nodes yet, so all GPUs are taken as usable. ";
  devices->ordinals_known = knows_ordinals(devices, all);
}
