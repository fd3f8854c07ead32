/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/fields.h"

#include <string.h>

uint64_t hd_bytes_get(const uint8_t *bytes, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

void hd_bytes_set(uint8_t *bytes, int size, uint64_t value) {
  for (int i = 0; i < size; ++i) bytes[i] = (uint8_t)(value >> (8 * i));
}

void hd_field_word(hd_fields *s, uint64_t *value, int size) {
  uint8_t bytes[8];
  if (!s->reading) {
    hd_bytes_set(bytes, size, *value);
    hd_strbuf_put(&s->out, bytes, (size_t)size);
    return;
  }
  *value = 0;
  if (s->end - s->at < size) {
    s->damaged = true;
    s->at = s->end;
    return;
  }
  *value = hd_bytes_get(s->at, size);
  s->at += size;
}

void hd_field_u32(hd_fields *s, uint32_t *value) {
  uint64_t wide = *value;
  hd_field_word(s, &wide, 4);
  if (s->reading) *value = (uint32_t)wide;
}

void hd_field_i32(hd_fields *s, int32_t *value) {
  uint32_t bits = (uint32_t)*value;
  hd_field_u32(s, &bits);
  if (s->reading) *value = (int32_t)bits;
}

void hd_field_string(hd_fields *s, const char **text) {
  const char *source = !s->reading && *text ? *text : "";
  uint32_t size = (uint32_t)strlen(source);
  hd_field_u32(s, &size);
  if (!s->reading) {
    hd_strbuf_put(&s->out, source, size);
    return;
  }
  *text = "";
  if ((uint64_t)(s->end - s->at) < size || memchr(s->at, 0, size)) {
    s->damaged = true;
    s->at = s->end;
    return;
  }
  *text = hd_arena_copy(s->arena, s->at, size);
  s->at += size;
}

void hd_field_hash128(hd_fields *s, hd_hash128 *hash) {
  for (int i = 0; i < 16; ++i) {
    uint64_t byte = hash->bytes[i];
    hd_field_word(s, &byte, 1);
    if (s->reading) hash->bytes[i] = (uint8_t)byte;
  }
}

void hd_field_array(hd_fields *s, uint32_t *count, const void **items, size_t size, size_t least,
                    void (*element)(hd_fields *, void *)) {
  hd_field_u32(s, count);
  char *data = (char *)*items;
  if (s->reading) {
    *items = NULL;
    if (*count > (uint64_t)(s->end - s->at) / least) {
      s->damaged = true;
      s->at = s->end;
      *count = 0;
    }
    if (!*count) return;
    *items = data = hd_arena_calloc(s->arena, *count, size);
  }
  for (uint32_t i = 0; i < *count && !s->damaged; ++i) element(s, data + (size_t)i * size);
}
