/* A growing hash map from 64-bit keys to pointers: handles of MPI to what is known of them. Key
 * 0 is none. Not locked. */
#ifndef RANKMAP_MPI_SHIM_RECORD_KEY_MAP_H
#define RANKMAP_MPI_SHIM_RECORD_KEY_MAP_H

#include <stddef.h>
#include <stdint.h>

struct rankmap_key_slot {
  uint64_t key;
  void* value;
};

struct rankmap_key_map {
  struct rankmap_key_slot* slots;
  size_t capacity; /* 0 or a power of two */
  size_t count;
};

void* rankmap_key_find(const struct rankmap_key_map* map, uint64_t key);     /* NULL: not there */
int rankmap_key_put(struct rankmap_key_map* map, uint64_t key, void* value); /* -1: no memory */
void* rankmap_key_take(struct rankmap_key_map* map, uint64_t key); /* removes; NULL: not there */

/* Spreads the bits of a key (the finalizer of splitmix64). */
static inline uint64_t rankmap_mix(uint64_t key) {
  key = (key ^ (key >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  key = (key ^ (key >> 27)) * UINT64_C(0x94d049bb133111eb);
  return key ^ (key >> 31);
}

#endif
