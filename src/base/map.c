/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <string.h>

uint64_t hd_hash_bytes(const void *data, size_t size, uint64_t seed) {
  const unsigned char *bytes = data;
  uint64_t hash = seed ^ (size * 0x9e3779b97f4a7c15ull);
  while (size >= 8) {
    uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word |= (uint64_t)bytes[i] << (8 * i);
    hash = hd_hash_mix(hash, word);
    bytes += 8;
    size -= 8;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < size; ++i) tail |= (uint64_t)bytes[i] << (8 * i);
  return hd_hash_mix(hd_hash_mix(hash, tail), seed);
}

static uint64_t hash_pointer(const void *key) { return hd_hash_mix(0, (uint64_t)(uintptr_t)key); }

/* The slot that holds the key, or the free slot where it belongs. */
static uint32_t *probe(const hd_map *map, const void *key, size_t size, uint64_t hash) {
  size_t mask = map->slot_count - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    uint32_t *slot = &map->slots[i];
    if (!*slot) return slot;
    const hd_map_entry *entry = &map->entries[*slot - 1];
    if (entry->dead || entry->hash != hash || entry->key_size != size) continue;
    if (size == 0 ? entry->key == key : memcmp(entry->key, key, size) == 0) return slot;
  }
}

static void rehash(hd_arena *arena, hd_map *map) {
  size_t kept = 0;
  for (size_t i = 0; i < map->len; ++i)
    if (!map->entries[i].dead) map->entries[kept++] = map->entries[i];
  map->len = kept;
  map->slot_count = 16;
  while (map->slot_count < kept * 4) map->slot_count *= 2;
  map->slots = hd_new_array(arena, uint32_t, map->slot_count);
  for (size_t i = 0; i < map->len; ++i) {
    size_t mask = map->slot_count - 1, at = map->entries[i].hash & mask;
    while (map->slots[at]) at = (at + 1) & mask;
    map->slots[at] = (uint32_t)i + 1;
  }
}

static hd_map_entry *find(const hd_map *map, const void *key, size_t size, uint64_t hash) {
  if (!map->live) return NULL;
  uint32_t slot = *probe(map, key, size, hash);
  return slot ? &map->entries[slot - 1] : NULL;
}

static hd_map_entry *insert(hd_arena *arena, hd_map *map, const void *key, size_t size, uint64_t hash, bool *out_new) {
  hd_map_entry *found = find(map, key, size, hash);
  if (out_new) *out_new = !found;
  if (found) return found;
  if ((map->len + 1) * 2 > map->slot_count) rehash(arena, map);
  if (map->len == map->cap) {
    size_t cap = map->cap ? map->cap * 2 : 8;
    hd_map_entry *entries = hd_new_array(arena, hd_map_entry, cap);
    if (map->len) memcpy(entries, map->entries, map->len * sizeof *entries);
    map->entries = entries;
    map->cap = cap;
  }
  uint32_t *slot = probe(map, key, size, hash);
  hd_map_entry *entry = &map->entries[map->len++];
  *entry = (hd_map_entry){.key = size ? hd_arena_copy(arena, key, size) : key, .key_size = size, .hash = hash};
  *slot = (uint32_t)map->len;
  ++map->live;
  return entry;
}

hd_map_entry *hd_map_find(const hd_map *map, const void *key) { return find(map, key, 0, hash_pointer(key)); }

hd_map_entry *hd_map_insert(hd_arena *arena, hd_map *map, const void *key, bool *out_new) {
  return insert(arena, map, key, 0, hash_pointer(key), out_new);
}

void hd_map_remove(hd_map *map, const void *key) {
  hd_map_entry *entry = hd_map_find(map, key);
  if (!entry) return;
  entry->dead = true;
  --map->live;
}

hd_map_entry *hd_map_find_bytes(const hd_map *map, const void *key, size_t size) {
  return find(map, size ? key : "", size ? size : 1, hd_hash_bytes(key, size, 1));
}

hd_map_entry *hd_map_insert_bytes(hd_arena *arena, hd_map *map, const void *key, size_t size, bool *out_new) {
  /* An empty string is stored as one NUL byte under its own hash, apart from the string "\0". */
  return insert(arena, map, size ? key : "", size ? size : 1, hd_hash_bytes(key, size, 1), out_new);
}
