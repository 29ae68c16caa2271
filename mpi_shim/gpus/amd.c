/* AMD: the kernel's topology /sys/class/kfd/kfd/topology/nodes/N. Nodes with compute units are the
 * devices of ROCr in the order of N; those whose files this process may not read, or whose
 * /dev/dri/renderD<minor> is closed to it, ROCr leaves out. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/text.h"

enum { MAX_NODES = 1024 };

/* The decimal number behind `key ` at the start of a line of properties; 0 where there is none. The
 * limit is 64 bits: unique_id needs them all. */
static uint64_t property(const char* text, const char* key) {
  const size_t length = strlen(key);
  for (const char* line = text; line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, key, length) != 0 || line[length] != ' ') continue;
    uint64_t value = 0;
    for (const char* at = line + length + 1; *at >= '0' && *at <= '9'; ++at)
      value = value * 10 + (uint64_t)(*at - '0');
    return value;
  }
  return 0;
}

/* location_id: bus, device and function in its lower 16 bits, the part of a divided card above. */
static void add_gpu(struct rankmap_devices* devices, const char* text) {
  struct rankmap_device device = {"", "", 1};
  const unsigned location = (unsigned)(property(text, "location_id") & 0xffff);
  const unsigned domain = (unsigned)(property(text, "domain") & 0xffffffff);
  const uint64_t unique = property(text, "unique_id");
  const uint64_t minor = property(text, "drm_render_minor");
  char node[64];
  snprintf(device.bus_id, sizeof device.bus_id, "%04x:%02x:%02x.%x", domain, location >> 8,
           location >> 3 & 31, location & 7);
  if (unique) snprintf(device.uuid, sizeof device.uuid, "GPU-%016llx", (unsigned long long)unique);
  snprintf(node, sizeof node, "/dev/dri/renderD%llu", (unsigned long long)minor);
  if (minor) device.usable = rankmap_node_is_usable(node);
  rankmap_add_device(devices, &device);
}

void rankmap_amd_devices(struct rankmap_devices* devices) {
  memset(devices, 0, sizeof *devices);
  devices->ordinals_known = 1;
  for (int i = 0; i < MAX_NODES; ++i) {
    char relative[96], path[512], text[4096];
    snprintf(relative, sizeof relative, "/sys/class/kfd/kfd/topology/nodes/%d", i);
    rankmap_system_path(path, sizeof path, relative);
    if (access(path, F_OK) != 0) return;
    rankmap_append(path, sizeof path, "/properties");
    if (rankmap_read_start(path, text, sizeof text) < 0)
      ++devices->hidden;
    else if (property(text, "simd_count") > 0)
      add_gpu(devices, text);
  }
}
