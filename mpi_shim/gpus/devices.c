#define _GNU_SOURCE
#include "mpi_shim/gpus/devices.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "mpi_shim/text.h"

void rankmap_add_device(struct rankmap_devices* devices, const struct rankmap_device* device) {
  if (devices->count < RANKMAP_MAX_DEVICES) devices->device[devices->count++] = *device;
}

int rankmap_node_is_usable(const char* path) {
  char full[512];
  rankmap_system_path(full, sizeof full, path);
  return access(full, R_OK | W_OK) == 0;
}

int rankmap_is_usable(const struct rankmap_devices* devices, int device) {
  return devices->count == 0 || devices->device[device].usable;
}

int rankmap_ordinal_of(const struct rankmap_devices* devices, int device) {
  int ordinal = 0;
  if (devices->count == 0) return device;
  for (int i = 0; i < device; ++i) ordinal += devices->device[i].usable;
  return ordinal;
}

int rankmap_device_of_ordinal(const struct rankmap_devices* devices, int ordinal) {
  if (devices->count == 0) return ordinal;
  for (int i = 0; i < devices->count; ++i)
    if (devices->device[i].usable && ordinal-- == 0) return i;
  return -1;
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* All hex digits as one number: those behind the domain are always as many. UINT64_MAX: no bus id. */
static uint64_t bus_number(const char* bus_id) {
  uint64_t number = 0;
  if (!strchr(bus_id, ':') || strlen(bus_id) >= RANKMAP_BUS_ID) return UINT64_MAX;
  for (; *bus_id; ++bus_id) {
    const int digit = hex_value(*bus_id);
    if (digit >= 0)
      number = number * 16 + (uint64_t)digit;
    else if (*bus_id != ':' && *bus_id != '.')
      return UINT64_MAX;
  }
  return number;
}

int rankmap_compare_bus_ids(const char* a, const char* b) {
  const uint64_t left = bus_number(a), right = bus_number(b);
  return left < right ? -1 : left > right;
}

/* How many of the devices that count stand before this one in PCI order. */
static int place_of(const struct rankmap_devices* devices, int device, int usable_only) {
  int before = 0;
  for (int i = 0; i < devices->count; ++i) {
    if (usable_only && !devices->device[i].usable) continue;
    const int order =
        rankmap_compare_bus_ids(devices->device[i].bus_id, devices->device[device].bus_id);
    before += order < 0 || (order == 0 && i < device);
  }
  return before;
}

int rankmap_device_of_index(const struct rankmap_devices* devices, int index, int usable_only) {
  if (devices->count == 0) return index;
  for (int i = 0; i < devices->count; ++i)
    if ((!usable_only || devices->device[i].usable) && place_of(devices, i, usable_only) == index)
      return i;
  return -1;
}

int rankmap_is_uuid(const char* text, size_t length) {
  return length > 4 && (strncmp(text, "GPU-", 4) == 0 || strncmp(text, "MIG-", 4) == 0);
}

int rankmap_has_id(const struct rankmap_devices* devices, int device, const char* id) {
  const struct rankmap_device* const found = &devices->device[device];
  if (rankmap_is_uuid(id, strlen(id))) return strcasecmp(found->uuid, id) == 0;
  return bus_number(id) != UINT64_MAX && rankmap_compare_bus_ids(found->bus_id, id) == 0;
}
