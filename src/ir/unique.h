/* SPDX-License-Identifier: Apache-2.0 */
/* Content keys for uniquing types and attributes: the kind, then every field that tells two apart. Build a key, ask
 * hd_key_find, and only when nothing is found copy what the storage needs and hd_key_add it. */
#ifndef HD_IR_UNIQUE_H_
#define HD_IR_UNIQUE_H_

#include "ir/context.h"

typedef struct hd_key {
  hd_context *context;
  int kind;
  size_t size, cap;
  char *grown;     /* in the context's arena, null while |local| is enough */
  char local[192]; /* most keys fit */
} hd_key;

static inline char *hd_key_bytes(hd_key *key) { return key->grown ? key->grown : key->local; }

static inline void hd_key_put(hd_key *key, const void *data, size_t size) {
  if (!size) return;
  if (key->size + size > key->cap) {
    size_t cap = (key->size + size) * 2;
    char *grown = hd_arena_alloc(&key->context->arena, cap);
    memcpy(grown, hd_key_bytes(key), key->size);
    key->grown = grown;
    key->cap = cap;
  }
  memcpy(hd_key_bytes(key) + key->size, data, size);
  key->size += size;
}

static inline void hd_key_u64(hd_key *key, uint64_t value) { hd_key_put(key, &value, sizeof value); }
static inline void hd_key_ptr(hd_key *key, const void *pointer) { hd_key_put(key, &pointer, sizeof pointer); }

static inline void hd_key_init(hd_key *key, hd_context *context, int kind) {
  key->context = context;
  key->kind = kind;
  key->size = 0;
  key->cap = sizeof key->local;
  key->grown = NULL;
  hd_key_u64(key, (uint64_t)kind);
}

static inline void *hd_key_find(hd_key *key, const hd_map *map) {
  hd_map_entry *entry = hd_map_find_bytes(map, hd_key_bytes(key), key->size);
  return entry ? entry->value.ptr : NULL;
}

static inline void hd_key_add(hd_key *key, hd_map *map, void *storage) {
  hd_map_insert_bytes(&key->context->arena, map, hd_key_bytes(key), key->size, NULL)->value.ptr = storage;
}

/* |size| bytes in the context's arena. Never null: lists without entries (the dims of a scalar) are copied and compared
 * as others are. */
static inline const void *hd_key_copy(hd_key *key, const void *data, size_t size) {
  static const uint64_t no_entries[1];
  return size ? (const void *)hd_arena_copy(&key->context->arena, data, size) : no_entries;
}

#endif
