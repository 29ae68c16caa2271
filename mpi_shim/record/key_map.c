/* Open addressing with linear probing; a removal moves back what probed past it. */
#include "mpi_shim/record/key_map.h"

#include <stdlib.h>

static size_t home_of(const struct rankmap_key_map* map, uint64_t key) {
  return (size_t)rankmap_mix(key) & (map->capacity - 1);
}

static size_t position_of(const struct rankmap_key_map* map, uint64_t key) {
  size_t at = home_of(map, key);
  while (map->slots[at].key != 0 && map->slots[at].key != key) at = (at + 1) & (map->capacity - 1);
  return at;
}

void* rankmap_key_find(const struct rankmap_key_map* map, uint64_t key) {
  return map->capacity == 0 ? NULL : map->slots[position_of(map, key)].value;
}

static int grow(struct rankmap_key_map* map) {
  struct rankmap_key_map larger = {NULL, map->capacity == 0 ? 64 : 2 * map->capacity, map->count};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots) return -1;
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->slots[i].key != 0)
      larger.slots[position_of(&larger, map->slots[i].key)] = map->slots[i];
  free(map->slots);
  *map = larger;
  return 0;
}

int rankmap_key_put(struct rankmap_key_map* map, uint64_t key, void* value) {
  if (2 * (map->count + 1) > map->capacity && grow(map) != 0) return -1;
  struct rankmap_key_slot* const slot = &map->slots[position_of(map, key)];
  if (slot->key == 0) ++map->count;
  *slot = (struct rankmap_key_slot){key, value};
  return 0;
}

void* rankmap_key_take(struct rankmap_key_map* map, uint64_t key) {
  if (map->capacity == 0) return NULL;
  const size_t mask = map->capacity - 1;
  size_t hole = position_of(map, key);
  if (map->slots[hole].key == 0) return NULL;
  void* const value = map->slots[hole].value;
  for (size_t at = (hole + 1) & mask; map->slots[at].key != 0; at = (at + 1) & mask) {
    const size_t home = home_of(map, map->slots[at].key);
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    map->slots[hole] = map->slots[at];
    hole = at;
  }
  map->slots[hole] = (struct rankmap_key_slot){0, NULL};
  --map->count;
  return value;
}
