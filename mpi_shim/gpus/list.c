#define _GNU_SOURCE
#include "mpi_shim/gpus/list.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mpi_shim/text.h"

/* Ordinals beyond any machine's; that of a map's index is 65535. */
enum { MAX_ORDINAL = 65535 };

void rankmap_list_usable(const struct rankmap_devices* devices, struct rankmap_gpu_list* list) {
  memset(list, 0, sizeof *list);
  list->anything = devices->count == 0;
  for (int i = 0; i < devices->count; ++i)
    if (devices->device[i].usable) list->gpu[list->count++] = (struct rankmap_gpu){.device = i};
}

/* Digits at the start of an item; -1: none, or too many. */
static int take_ordinal(const char* item, size_t length, size_t* used) {
  int value = 0;
  for (*used = 0; *used < length && item[*used] >= '0' && item[*used] <= '9'; ++*used) {
    value = value * 10 + (item[*used] - '0');
    if (value > MAX_ORDINAL) return -1;
  }
  return *used ? value : -1;
}

/* Does the item, which may be cut, begin the uuid? */
static int begins(const char* item, size_t length, const char* uuid, size_t uuid_length) {
  return length <= uuid_length && strncasecmp(item, uuid, length) == 0;
}

/* A GPU by the start of its uuid. MIG devices stand for themselves, as do the GPUs of a driver that
 * shows us no files. 0: it names none, or several. */
static int take_uuid(const char* item, size_t length, const struct rankmap_devices* devices,
                     struct rankmap_gpu* gpu) {
  int matches = 0;
  *gpu = (struct rankmap_gpu){.device = -1, .text = item, .length = length};
  if (devices->count == 0 || *item == 'M') return 1;
  for (int i = 0; i < devices->count; ++i) {
    const char* const uuid = devices->device[i].uuid;
    if (!begins(item, length, uuid, strlen(uuid))) continue;
    gpu->device = i;
    ++matches;
  }
  return matches == 1 && devices->device[gpu->device].usable;
}

/* An ordinal, with a part where the rules allow one. 0: no such device. */
static int take_number(const char* item, size_t length, const struct rankmap_list_rules* rules,
                       const struct rankmap_devices* devices, const struct rankmap_gpu_list* base,
                       struct rankmap_gpu* gpu) {
  size_t used;
  const int ordinal = take_ordinal(item, length, &used);
  const size_t rest = length - used;
  *gpu = (struct rankmap_gpu){.device = -1};
  if (ordinal < 0) return 0;
  if (rest && (!rules->parts || item[used] != '.' || rest < 2 || rest >= sizeof gpu->part ||
               strspn(item + used + 1, "0123456789") < rest - 1))
    return 0;
  if (base && !base->anything) {
    if (ordinal >= base->count) return 0;
    *gpu = base->gpu[ordinal];
  } else {
    gpu->device = rankmap_device_of_ordinal(devices, ordinal);
  }
  snprintf(gpu->part, sizeof gpu->part, "%.*s", (int)rest, item + used);
  return gpu->device >= 0 || gpu->text != NULL;
}

/* The same device, or a part of it: is `gpu` inside `item`? */
static int shows(const struct rankmap_gpu* item, const struct rankmap_gpu* gpu) {
  if (item->device >= 0 && gpu->device >= 0)
    return item->device == gpu->device && (!*item->part || strcmp(item->part, gpu->part) == 0);
  return item->text && gpu->text && begins(item->text, item->length, gpu->text, gpu->length);
}

const struct rankmap_gpu* rankmap_find_in_list(const struct rankmap_gpu_list* list,
                                               const struct rankmap_gpu* gpu) {
  if (list->anything) return gpu;
  for (int i = 0; i < list->count; ++i)
    if (shows(&list->gpu[i], gpu)) return &list->gpu[i];
  return NULL;
}

/* Takes one item into the list. 0: the driver stops here. */
static int take_item(const char* item, size_t length, const struct rankmap_list_rules* rules,
                     const struct rankmap_devices* devices, const struct rankmap_gpu_list* base,
                     struct rankmap_gpu_list* list, const char** problem) {
  struct rankmap_gpu gpu;
  const int is_uuid = rules->uuids && rankmap_is_uuid(item, length);
  const int known = is_uuid ? take_uuid(item, length, devices, &gpu)
                            : take_number(item, length, rules, devices, base, &gpu);
  if (!known || list->count == RANKMAP_MAX_LIST) return 0;
  if (!is_uuid && !base && !devices->ordinals_known && devices->count)
    *problem =
        "counts unlike GPUs in an order that is not known (set its order to PCI, or use uuids)";
  const int twice = rankmap_find_in_list(list, &gpu) != NULL;
  if (twice && rules->twice == RANKMAP_TWICE_HIDES_ALL)
    *problem = "names a GPU twice, so that its driver shows none";
  if (twice && rules->twice == RANKMAP_TWICE_ENDS) return 0;
  list->has_uuids |= is_uuid;
  if (!twice) list->gpu[list->count++] = gpu;
  return *problem == NULL;
}

const char* rankmap_read_list(const char* text, const struct rankmap_list_rules* rules,
                              const struct rankmap_devices* devices,
                              const struct rankmap_gpu_list* base, struct rankmap_gpu_list* list) {
  const char* problem = NULL;
  memset(list, 0, sizeof *list);
  if (base) list->has_uuids = base->has_uuids;
  for (;; ++text) {
    text += strspn(text, " ");
    if (!take_item(text, strcspn(text, ", "), rules, devices, base, list, &problem)) return problem;
    text += strcspn(text, ",");
    if (!*text) return NULL;
  }
}

int rankmap_write_ordinals(const struct rankmap_gpu_list* list,
                           const struct rankmap_devices* devices, char* buffer, size_t capacity) {
  *buffer = '\0';
  for (int i = 0; i < list->count; ++i) {
    const struct rankmap_gpu* const gpu = &list->gpu[i];
    if (gpu->device < 0) return 0;
    rankmap_append(buffer, capacity, "%s%d%s", i ? "," : "",
                   rankmap_ordinal_of(devices, gpu->device), gpu->part);
  }
  return strlen(buffer) + 1 < capacity;
}

int rankmap_write_uuids(const struct rankmap_gpu_list* list, const struct rankmap_devices* devices,
                        char* buffer, size_t capacity) {
  *buffer = '\0';
  for (int i = 0; i < list->count; ++i) {
    const struct rankmap_gpu* const gpu = &list->gpu[i];
    const char* const known =
        gpu->device >= 0 && gpu->device < devices->count ? devices->device[gpu->device].uuid : "";
    const char* const text = gpu->text ? gpu->text : known;
    const size_t length = gpu->text ? gpu->length : strlen(known);
    if (!length) return 0;
    rankmap_append(buffer, capacity, "%s%.*s", i ? "," : "", (int)length, text);
  }
  return strlen(buffer) + 1 < capacity;
}
