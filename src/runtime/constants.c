/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of constants files. The index is written and read by one description (runtime/fields.h). */
#include "runtime/constants.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/container.h"

const hd_container_format hd_constants_format = {.a_name = "a constants file",
                                                 .name = "constants file",
                                                 .suffix = ".hdc",
                                                 .fields = "index",
                                                 .magic = {0x89, 'H', 'D', 'C', '\r', '\n', 0x1a, '\n'},
                                                 .version = HD_CONSTANTS_VERSION,
                                                 .length_at = 24,
                                                 .hash_at = 48};
enum { PART = 4096, LEAST_ROW = 40 };

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

/* A row of the index: a constant and where it is in the file. */
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
  at = hd_container_align(at);
  for (uint32_t i = 0; i < count; ++i) {
    if (shares(rows, i)) {
      rows[i].place = rows[i - 1].place;
      continue;
    }
    bool is_first_of_device = rows[i].constant.memory && (!i || !rows[i - 1].constant.memory);
    rows[i].place = at = round_up(at, is_first_of_device ? PART : HD_CONTAINER_ALIGNMENT);
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
  if (!place_rows(rows, count, HD_CONTAINER_HEADER + index.out.len, &total))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "a constants file too large to write");
  write_index(call->arena, rows, count, &index);
  if (total < HD_CONTAINER_HEADER + index.out.len) total = HD_CONTAINER_HEADER + index.out.len;
  uint8_t *bytes;
  hd_hash128_state state;
  HD_TRY(hd_container_begin(&hd_constants_format, index.out.data, index.out.len, total, &bytes, &state));
  hd_container_end(&hd_constants_format, bytes, &state);
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
        rows[i].place % HD_CONTAINER_ALIGNMENT || rows[i].place > call->size || c->size > call->size - rows[i].place)
      return hd_make_status(HD_DATA_LOSS, "damaged constants file: constant %u is outside of its part", i);
    if (!c->memory && rows[i].place + c->size > host_end) host_end = rows[i].place + c->size;
    items[i] = *c;
    items[i].data = call->data + rows[i].place;
  }
  *call->out = (hd_constants){count, items};
  return HD_STATUS_OK;
}

static hd_status read_guarded(void *argument) {
  read_call *call = argument;
  hd_fields s;
  hd_hash128_state state;
  hd_hash128 hash;
  HD_TRY(hd_container_open(&hd_constants_format, call->data, call->size, call->arena, &s, &state));
  if (!hd_container_check_hash(&hd_constants_format, call->data, &state, &hash))
    return hd_make_status(HD_DATA_LOSS, "damaged constants file: hash of its index differs");
  uint32_t count = 0;
  row *rows = NULL;
  HD_FIELDS_ARRAY(&s, count, rows, LEAST_ROW, field_row);
  HD_TRY(hd_container_check_fields(&hd_constants_format, &s));
  return read_rows(call, (uint64_t)(s.end - s.file), rows, count);
}

hd_status hd_constants_read(const void *data, size_t size, hd_arena *arena, hd_constants *out_constants) {
  *out_constants = (hd_constants){0};
  read_call call = {data, size, arena, out_constants};
  return hd_guarded_call(read_guarded, &call);
}
