/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of constants files. The index is written and read by one description (runtime/fields.h). */
#include "runtime/constants.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/fields.h"

static const uint8_t magic[8] = {0x89, 'H', 'D', 'C', '\r', '\n', 0x1a, '\n'};
enum { HEADER_SIZE = 64, HASH_AT = 48, ALIGNMENT = 64, PART = 4096, LEAST_ROW = 40 };

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

static const char *type_of(const hd_artifact_constant *c) { return c->type ? c->type : ""; }

int hd_constant_order(const hd_artifact_constant *a, const hd_artifact_constant *b) {
  if (a->memory != b->memory) return a->memory < b->memory ? -1 : 1;
  int hash = memcmp(a->hash.bytes, b->hash.bytes, sizeof a->hash.bytes);
  return hash ? hash : strcmp(type_of(a), type_of(b));
}

const hd_artifact_constant *hd_constants_search(const hd_constants *in, const hd_artifact_constant *wanted) {
  for (uint32_t low = 0, high = in->count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    int order = hd_constant_order(&in->items[middle], wanted);
    if (!order) return &in->items[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const char *hd_constant_name(hd_arena *arena, const hd_artifact_constant *constant) {
  char hex[33];
  hd_hash128_hex(&constant->hash, hex);
  return hd_arena_printf(arena, "%s_%s", hex, type_of(constant));
}

/* A row of the index: a constant and where it lies in the file. */
typedef struct row {
  hd_artifact_constant constant;
  uint64_t place;
} row;

static void field_row(hd_fields *s, void *item) {
  row *r = item;
  hd_field_hash128(s, &r->constant.hash);
  hd_field_string(s, &r->constant.type);
  hd_field_u32(s, &r->constant.memory);
  hd_field_word(s, &r->place, 8);
  hd_field_word(s, &r->constant.size, 8);
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

typedef struct write_call {
  const hd_artifact_constant *constants;
  size_t count;
  hd_arena *arena;
  void **out_data;
  size_t *out_size;
} write_call;

static int by_order(const void *a, const void *b) {
  return hd_constant_order(&((const row *)a)->constant, &((const row *)b)->constant);
}

static void write_index(hd_arena *arena, row *rows, uint32_t count, hd_fields *out) {
  *out = (hd_fields){.arena = arena};
  hd_strbuf_init(&out->out, arena);
  HD_FIELDS_ARRAY(out, count, rows, LEAST_ROW, field_row);
}

/* Rows with the same bytes share them. */
static bool shares(const row *rows, uint32_t i) {
  return i && rows[i].constant.memory == rows[i - 1].constant.memory &&
         rows[i].constant.size == rows[i - 1].constant.size &&
         hd_hash128_equal(&rows[i].constant.hash, &rows[i - 1].constant.hash);
}

/* False where the file would be too large. */
static bool place_rows(row *rows, uint32_t count, uint64_t at, uint64_t *out_total) {
  at = round_up(at, ALIGNMENT);
  for (uint32_t i = 0; i < count; ++i) {
    if (shares(rows, i)) {
      rows[i].place = rows[i - 1].place;
      continue;
    }
    bool is_first_of_device = rows[i].constant.memory && (!i || !rows[i - 1].constant.memory);
    rows[i].place = at = round_up(at, is_first_of_device ? PART : ALIGNMENT);
    if (__builtin_add_overflow(at, rows[i].constant.size, &at) || at > SIZE_MAX / 2) return false;
  }
  *out_total = at;
  return true;
}

static hd_status write_guarded(void *argument) {
  write_call *call = argument;
  row *rows = hd_new_array(call->arena, row, call->count + 1);
  uint32_t count = 0;
  if (call->count > UINT32_MAX) return hd_make_status(HD_RESOURCE_EXHAUSTED, "a constants file too large to write");
  for (size_t i = 0; i < call->count; ++i) rows[i].constant = call->constants[i];
  qsort(rows, call->count, sizeof *rows, by_order);
  for (size_t i = 0; i < call->count; ++i)
    if (!count || by_order(&rows[count - 1], &rows[i])) rows[count++] = rows[i];
  hd_fields index;
  write_index(call->arena, rows, count, &index); /* for its size */
  uint64_t total;
  if (!place_rows(rows, count, HEADER_SIZE + index.out.len, &total))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "a constants file too large to write");
  write_index(call->arena, rows, count, &index);
  if (total < HEADER_SIZE + index.out.len) total = HEADER_SIZE + index.out.len;
  uint8_t *bytes = calloc(1, total);
  if (!bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for constants of %llu bytes",
                          (unsigned long long)total);
  memcpy(bytes, magic, 8);
  hd_bytes_set(bytes + 8, 4, HD_CONSTANTS_VERSION);
  hd_bytes_set(bytes + 16, 8, total);
  hd_bytes_set(bytes + 24, 8, index.out.len);
  memcpy(bytes + HEADER_SIZE, index.out.data, index.out.len);
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, HASH_AT);
  hd_hash128_add(&state, index.out.data, index.out.len);
  hd_hash128 hash = hd_hash128_finish(&state);
  memcpy(bytes + HASH_AT, hash.bytes, 16);
  for (uint32_t i = 0; i < count; ++i)
    if (rows[i].constant.size && !shares(rows, i))
      memcpy(bytes + rows[i].place, rows[i].constant.data, rows[i].constant.size);
  *call->out_data = bytes;
  *call->out_size = total;
  return HD_STATUS_OK;
}

hd_status hd_constants_write(const hd_artifact_constant *constants, size_t count, void **out_data, size_t *out_size) {
  *out_data = NULL;
  *out_size = 0;
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  write_call call = {constants, count, &arena, out_data, out_size};
  hd_status status = hd_guarded_call(write_guarded, &call);
  hd_arena_free(&arena);
  return status;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

typedef struct read_call {
  const uint8_t *data;
  size_t size;
  hd_arena *arena;
  hd_constants *out;
} read_call;

static hd_status read_rows(read_call *call, uint64_t start, const row *rows, uint32_t count) {
  hd_artifact_constant *items = hd_new_array(call->arena, hd_artifact_constant, count + 1);
  uint64_t host_end = start;
  for (uint32_t i = 0; i < count; ++i) {
    const hd_artifact_constant *c = &rows[i].constant;
    uint64_t least = c->memory ? host_end : start;
    if (c->memory > HD_CONSTANT_DEVICE || (i && hd_constant_order(&items[i - 1], c) >= 0) || rows[i].place < least ||
        rows[i].place % ALIGNMENT || rows[i].place > call->size || c->size > call->size - rows[i].place)
      return hd_make_status(HD_DATA_LOSS, "damaged constants file: constant %u lies outside of its part", i);
    if (!c->memory && rows[i].place + c->size > host_end) host_end = rows[i].place + c->size;
    items[i] = *c;
    items[i].data = call->data + rows[i].place;
  }
  *call->out = (hd_constants){count, items};
  return HD_STATUS_OK;
}

static hd_status read_guarded(void *argument) {
  read_call *call = argument;
  const uint8_t *bytes = call->data;
  if (call->size < 8 || memcmp(bytes, magic, 8))
    return hd_make_status(HD_DATA_LOSS, "not a constants file: no .hdc magic");
  if (call->size < HEADER_SIZE)
    return hd_make_status(HD_DATA_LOSS, "damaged constants file: %zu bytes, shorter than its header", call->size);
  uint32_t version = (uint32_t)hd_bytes_get(bytes + 8, 4);
  if (version != HD_CONSTANTS_VERSION)
    return hd_make_status(HD_FAILED_PRECONDITION, "constants file of format %u: this runtime reads format %u", version,
                          HD_CONSTANTS_VERSION);
  uint64_t total = hd_bytes_get(bytes + 16, 8), length = hd_bytes_get(bytes + 24, 8);
  if (total != call->size)
    return hd_make_status(HD_DATA_LOSS, "damaged constants file: %zu bytes, expected %llu", call->size,
                          (unsigned long long)total);
  if (length > total - HEADER_SIZE) return hd_make_status(HD_DATA_LOSS, "damaged constants file: index out of range");
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, HASH_AT);
  hd_hash128_add(&state, bytes + HEADER_SIZE, length);
  hd_hash128 hash = hd_hash128_finish(&state);
  if (memcmp(hash.bytes, bytes + HASH_AT, 16))
    return hd_make_status(HD_DATA_LOSS, "damaged constants file: hash of its index differs");
  hd_fields s = {.reading = true, .arena = call->arena, .at = bytes + HEADER_SIZE, .end = bytes + HEADER_SIZE + length};
  uint32_t count = 0;
  row *rows = NULL;
  HD_FIELDS_ARRAY(&s, count, rows, LEAST_ROW, field_row);
  if (s.damaged || s.at != s.end)
    return hd_make_status(HD_DATA_LOSS, "damaged constants file: index ends too early or late");
  return read_rows(call, HEADER_SIZE + length, rows, count);
}

hd_status hd_constants_read(const void *data, size_t size, hd_arena *arena, hd_constants *out_constants) {
  *out_constants = (hd_constants){0};
  read_call call = {data, size, arena, out_constants};
  return hd_guarded_call(read_guarded, &call);
}
