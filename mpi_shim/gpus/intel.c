/* Intel: /sys/class/drm/renderD* of vendor 0x8086, in PCI order as ZE_ENABLE_PCI_ID_DEVICE_ORDER=1 asks.
 *
 * Level Zero counts cards where ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE, else (FLAT, its default, and
 * COMBINED) the tiles of each card. The number of tiles is that of device/tileN (xe), or of the gts of
 * i915; on GPUs that drive displays a second gt of i915 is the media engine, not a tile. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_shim/folder.h"
#include "mpi_shim/gpus/devices.h"
#include "mpi_shim/text.h"

static const char drm[] = "/sys/class/drm";

struct card {
  struct rankmap_device device;
  int tiles;
  char model[16]; /* PCI device id */
};

struct cards {
  int count;
  struct card card[RANKMAP_MAX_DEVICES];
};

static void read_word(const char* folder, const char* name, char* word, size_t capacity) {
  char relative[256], path[512];
  snprintf(relative, sizeof relative, "%s/%s", folder, name);
  rankmap_system_path(path, sizeof path, relative);
  if (rankmap_read_start(path, word, capacity) < 0) *word = '\0';
  word[strcspn(word, " \n")] = '\0';
}

/* Counts the folders name0, name1 ... in a folder. */
static int count_numbered(const char* folder, const char* name) {
  for (int i = 0; i < RANKMAP_MAX_DEVICES; ++i) {
    char relative[320], path[512];
    snprintf(relative, sizeof relative, "%.250s/%.32s%d", folder, name, i);
    rankmap_system_path(path, sizeof path, relative);
    if (access(path, F_OK) != 0) return i;
  }
  return RANKMAP_MAX_DEVICES;
}

static void take_card_name(const char* name, void* context) {
  if (strncmp(name, "card", 4) == 0 && strlen(name) < 16) strcpy(context, name);
}

static int count_tiles(const char* device) {
  char class[16], path[512], name[16] = "", gts[320];
  const int tiles = count_numbered(device, "tile");
  if (tiles) return tiles;
  read_word(device, "class", class, sizeof class);
  if (strncmp(class, "0x0380", 6) != 0) return 1;
  snprintf(gts, sizeof gts, "%s/drm", device);
  rankmap_system_path(path, sizeof path, gts);
  rankmap_each_name(path, take_card_name, name);
  if (!*name) return 1;
  rankmap_append(gts, sizeof gts, "/%s/gt", name);
  const int found = count_numbered(gts, "gt");
  return found ? found : 1;
}

/* The bus id is the name that the link `device` ends in. */
static int read_bus_id(const char* device, char* bus_id) {
  char path[512], target[512];
  rankmap_system_path(path, sizeof path, device);
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length <= 0) return 0;
  target[length] = '\0';
  const char* const slash = strrchr(target, '/');
  const char* const name = slash ? slash + 1 : target;
  if (strlen(name) >= RANKMAP_BUS_ID) return 0;
  strcpy(bus_id, name);
  return 1;
}

static void take_card(const char* name, void* context) {
  struct cards* const cards = context;
  struct card card = {{"", "", 0}, 1, ""};
  char device[128], vendor[16], node[64];
  if (strncmp(name, "renderD", 7) != 0 || rankmap_number(name + 7) < 0) return;
  snprintf(device, sizeof device, "%s/%.24s/device", drm, name);
  read_word(device, "vendor", vendor, sizeof vendor);
  if (strcmp(vendor, "0x8086") != 0 || !read_bus_id(device, card.device.bus_id)) return;
  snprintf(node, sizeof node, "/dev/dri/%.24s", name);
  card.device.usable = rankmap_node_is_usable(node);
  card.tiles = count_tiles(device);
  read_word(device, "device", card.model, sizeof card.model);
  int at = cards->count;
  while (at > 0 &&
         rankmap_compare_bus_ids(cards->card[at - 1].device.bus_id, card.device.bus_id) > 0)
    --at;
  if (at == RANKMAP_MAX_DEVICES) return;
  if (cards->count < RANKMAP_MAX_DEVICES) ++cards->count;
  memmove(cards->card + at + 1, cards->card + at,
          (size_t)(cards->count - 1 - at) * sizeof *cards->card);
  cards->card[at] = card;
}

/* The driver's own order is PCI order where all cards are alike. */
static int is_pci_order(const struct cards* cards) {
  const char* const order = getenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER");
  if (order && strcmp(order, "1") == 0) return 1;
  for (int i = 1; i < cards->count; ++i)
    if (!*cards->card[i].model || strcmp(cards->card[i].model, cards->card[0].model) != 0) return 0;
  return 1;
}

static int counts_cards(void) {
  const char* const hierarchy = getenv("ZE_FLAT_DEVICE_HIERARCHY");
  return hierarchy && strcmp(hierarchy, "COMPOSITE") == 0;
}

void rankmap_intel_devices(struct rankmap_devices* devices) {
  struct cards cards;
  char path[512];
  const int whole = counts_cards();
  memset(devices, 0, sizeof *devices);
  cards.count = 0;
  rankmap_system_path(path, sizeof path, drm);
  rankmap_each_name(path, take_card, &cards);
  for (int i = 0; i < cards.count; ++i)
    for (int tile = 0; tile < (whole ? 1 : cards.card[i].tiles); ++tile)
      rankmap_add_device(devices, &cards.card[i].device);
  devices->index_decides = !whole;
  devices->names_parts = whole;
  devices->ordinals_known = is_pci_order(&cards);
}
