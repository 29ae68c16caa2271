#define _GNU_SOURCE
#include "mpi_shim/gpus/own.h"

#include <stdio.h>
#include <string.h>

#include "mpi_shim/text.h"

/* The number of devices with this id; *found gets the one at the place of the map's index if it is among
 * them, counted over all or over the usable ones, else the last. */
static int find_id(const struct rankmap_devices* devices, const char* id, int index, int* found,
                   int* index_fits) {
  const int by_all = rankmap_device_of_index(devices, index, 0);
  const int by_usable = rankmap_device_of_index(devices, index, 1);
  int matches = 0;
  *index_fits = 0;
  for (int i = 0; i < devices->count; ++i) {
    if (!rankmap_has_id(devices, i, id)) continue;
    ++matches;
    if (*index_fits && i != by_all) continue;
    *found = i;
    *index_fits = i == by_all || i == by_usable;
  }
  return matches;
}

static int doubt_gpu(char* doubt, size_t capacity, const struct rankmap_wire_row* row,
                     const char* before, const char* after) {
  rankmap_append(doubt, capacity, "%s GPU %d%s%.80s%s; its GPUs are left as they are. ", before,
                 row->gpu, *row->gpu_id ? " " : "", row->gpu_id, after);
  return 0;
}

static int find_by_id(const struct rankmap_wire_row* row, const struct rankmap_devices* devices,
                      struct rankmap_gpu* own, char* doubt, size_t capacity) {
  int fits, device = -1;
  const int matches = find_id(devices, row->gpu_id, row->gpu, &device, &fits);
  if (matches == 0)
    return doubt_gpu(doubt, capacity, row, "this node has no",
                     devices->hidden ? " that this process may see" : "");
  if (!fits && (matches > 1 || devices->index_decides))
    return doubt_gpu(doubt, capacity, row, "the planned",
                     " has several parts, and none of them has that index");
  own->device = device;
  return 1;
}

/* A card.tile in the flags, where the driver counts cards: the card by bus id, else by its number. */
static int find_tile(const struct rankmap_wire_row* row, const struct rankmap_devices* devices,
                     const char* tile, size_t length, struct rankmap_gpu* own) {
  struct rankmap_wire_row card = *row;
  char unused[8] = "";
  const char* const dot = memchr(tile, '.', length);
  const size_t digits = dot ? (size_t)(dot - tile) : length;
  char number[8];
  if (digits >= sizeof number || length - digits >= sizeof own->part) return 0;
  snprintf(number, sizeof number, "%.*s", (int)digits, tile);
  card.gpu = (int32_t)rankmap_number(number);
  snprintf(own->part, sizeof own->part, "%.*s", (int)(length - digits), tile + digits);
  if (card.gpu < 0) return 0;
  if (devices->count && *card.gpu_id) return find_by_id(&card, devices, own, unused, sizeof unused);
  own->device = rankmap_device_of_index(devices, card.gpu, 1);
  return own->device >= 0;
}

int rankmap_find_own_gpu(const struct rankmap_wire_row* row, const struct rankmap_devices* devices,
                         struct rankmap_gpu* own, char* doubt, size_t capacity) {
  const char* const id = row->gpu_id;
  size_t length = 0;
  const char* const tile = rankmap_wire_flag(row->flags, "tile", &length);
  *own = (struct rankmap_gpu){.device = -1};
  if (rankmap_is_uuid(id, strlen(id))) {
    own->text = id;
    own->length = strlen(id);
  }
  if (strncmp(id, "MIG-", 4) == 0)
    return 1; /* a part of a GPU, which no file of the driver names */
  if (tile && devices->names_parts) {
    if (!find_tile(row, devices, tile, length, own))
      return doubt_gpu(doubt, capacity, row, "this node has no", " with the tile of the plan");
  } else if (devices->count && *id) {
    if (!find_by_id(row, devices, own, doubt, capacity)) return 0;
  } else {
    own->device = rankmap_device_of_index(devices, row->gpu, 1);
    if (own->device < 0) return doubt_gpu(doubt, capacity, row, "this node has no usable", "");
  }
  if (rankmap_is_usable(devices, own->device)) return 1;
  return doubt_gpu(doubt, capacity, row, "this process may not use", " of this node");
}
