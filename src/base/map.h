/* SPDX-License-Identifier: Apache-2.0 */
/* Hash maps on an arena: pointer keys and byte-string keys. Open addressing, insertion order kept in |entries|, so
 * that walking a map is deterministic. A zeroed map is empty. */
#ifndef HD_BASE_MAP_H_
#define HD_BASE_MAP_H_

#include <stdint.h>

#include "base/arena.h"

typedef struct hd_map_entry {
  const void *key; /* the pointer, or the bytes (copied into the arena) */
  size_t key_size; /* 0 for pointer keys */
  uint64_t hash;
  union {
    void *ptr;
    int64_t i64;
  } value;
  bool dead; /* removed */
} hd_map_entry;

typedef struct hd_map {
  hd_map_entry *entries; /* in the order of insertion, dead ones included */
  size_t len, cap;
  size_t live;
  uint32_t *slots; /* index + 1 into entries, 0 when free */
  size_t slot_count;
} hd_map;

/* The entry of pointer |key|, or null. */
hd_map_entry *hd_map_find(const hd_map *map, const void *key);
/* The entry of pointer |key|, made with a zero value when missing; |*out_new| (may be null) tells. */
hd_map_entry *hd_map_insert(hd_arena *arena, hd_map *map, const void *key, bool *out_new);
void hd_map_remove(hd_map *map, const void *key);

/* The same for byte strings. */
hd_map_entry *hd_map_find_bytes(const hd_map *map, const void *key, size_t size);
hd_map_entry *hd_map_insert_bytes(hd_arena *arena, hd_map *map, const void *key, size_t size, bool *out_new);

static inline void *hd_map_get(const hd_map *map, const void *key) {
  hd_map_entry *entry = hd_map_find(map, key);
  return entry ? entry->value.ptr : NULL;
}
static inline void hd_map_set(hd_arena *arena, hd_map *map, const void *key, void *value) {
  hd_map_insert(arena, map, key, NULL)->value.ptr = value;
}

/* 64-bit hash of bytes, the same on every machine. */
uint64_t hd_hash_bytes(const void *data, size_t size, uint64_t seed);
static inline uint64_t hd_hash_mix(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2);
  a *= 0xff51afd7ed558ccdull;
  return a ^ (a >> 33);
}

#endif
