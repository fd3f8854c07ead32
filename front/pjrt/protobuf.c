/* SPDX-License-Identifier: Apache-2.0 */
#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

bool hd_proto_number(hd_proto_reader *r, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; r->at < r->end && shift < 70; shift += 7) {
    uint8_t byte = *r->at++;
    if (shift < 64) *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

bool hd_proto_next(hd_proto_reader *r, hd_proto_field *out, bool *bad) {
  if (r->at == r->end) return false;
  uint64_t key, size = 0;
  *bad = true;
  if (!hd_proto_number(r, &key)) return false;
  *out = (hd_proto_field){.number = key >> 3, .wire = key & 7};
  if (out->wire == 0) {
    if (!hd_proto_number(r, &out->value)) return false;
  } else {
    if (out->wire == 2) {
      if (!hd_proto_number(r, &size)) return false;
    } else if (out->wire == 1) {
      size = 8;
    } else if (out->wire == 5) {
      size = 4;
    } else {
      return false;
    }
    if (size > (uint64_t)(r->end - r->at)) return false;
    out->bytes = (hd_proto_reader){r->at, r->at + size};
    r->at += size;
  }
  *bad = false;
  return true;
}

static bool reserve(hd_proto_message *m, size_t more) {
  if (m->failed) return false;
  if (m->size + more <= m->room) return true;
  size_t room = 2 * (m->size + more) + 64;
  uint8_t *grown = realloc(m->data, room);
  if (!grown) {
    m->failed = true;
    return false;
  }
  m->data = grown;
  m->room = room;
  return true;
}

static void put_plain(hd_proto_message *m, uint64_t value) {
  for (; value > 0x7f; value >>= 7) m->data[m->size++] = (uint8_t)(value | 0x80);
  m->data[m->size++] = (uint8_t)value;
}

void hd_proto_put_number(hd_proto_message *m, uint32_t field, uint64_t value) {
  if (!reserve(m, 20)) return;
  put_plain(m, (uint64_t)field << 3);
  put_plain(m, value);
}

static void put_field_bytes(hd_proto_message *m, uint32_t field, const void *data, size_t size) {
  if (!reserve(m, size + 20)) return;
  put_plain(m, (uint64_t)field << 3 | 2);
  put_plain(m, size);
  if (size) memcpy(m->data + m->size, data, size);
  m->size += size;
}

void hd_proto_put_text(hd_proto_message *m, uint32_t field, const char *text) {
  put_field_bytes(m, field, text, strlen(text));
}

void hd_proto_put_message(hd_proto_message *m, uint32_t field, hd_proto_message *inner) {
  m->failed |= inner->failed;
  put_field_bytes(m, field, inner->data, inner->size);
  hd_proto_free(inner);
}

void hd_proto_free(hd_proto_message *m) {
  free(m->data);
  *m = (hd_proto_message){0};
}
