/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a file, written or read by one description: each function writes the field or reads it, as the stream says,
 * so the two directions cannot drift apart. While writing, nothing is stored: the caller's structs may be read-only.
 * Integers are little-endian. Reading trusts nothing: past the end, or where a count or a string makes no sense, the
 * stream is |damaged| and all further fields are zero. Memory of what is read is the arena's; short memory ends in the
 * caller's hd_guarded_call. */
#ifndef HD_RUNTIME_FIELDS_H_
#define HD_RUNTIME_FIELDS_H_

#include "base/arena.h"
#include "base/hash128.h"
#include "base/strbuf.h"

typedef struct hd_fields {
  bool reading;
  hd_arena *arena;
  hd_strbuf out;           /* writing */
  const uint8_t *at, *end; /* reading */
  bool damaged;            /* reading: the bytes ended or made no sense */
  const uint8_t *file;     /* reading: the whole file, for what is outside of the fields */
  uint64_t file_size;
  uint64_t place; /* writing: where the next bytes outside of the fields will be, from the end of the fields */
} hd_fields;

/* |value| as |size| bytes, at most 8. */
void hd_field_word(hd_fields *s, uint64_t *value, int size);
void hd_field_u32(hd_fields *s, uint32_t *value);
void hd_field_i32(hd_fields *s, int32_t *value);
void hd_field_string(hd_fields *s, const char **text); /* null is written as "" */
void hd_field_hash128(hd_fields *s, hd_hash128 *hash);

/* An array of |*count| elements of |size| bytes, each at least |least| bytes in the stream. */
void hd_field_array(hd_fields *s, uint32_t *count, const void **items, size_t size, size_t least,
                    void (*element)(hd_fields *, void *));
#define HD_FIELDS_ARRAY(s, count, items, least, element) \
  hd_field_array((s), &(count), (const void **)&(items), sizeof *(items), (least), (element))

/* Little-endian integers of |size| bytes. */
uint64_t hd_bytes_get(const uint8_t *bytes, int size);
void hd_bytes_set(uint8_t *bytes, int size, uint64_t value);

#endif
