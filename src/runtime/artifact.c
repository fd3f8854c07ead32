/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading share one description of the metadata (the functions named after the structs below): each field
 * function writes the field or reads it, as the stream says, so the two directions cannot drift apart. While writing,
 * nothing is stored: the caller's structs may be read-only. */
#include "runtime/artifact.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/status.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "heddle/runtime.h"
#include "runtime/abi.h"
#include "runtime/container.h"

const hd_container_format hd_artifact_format = {.a_name = "an artifact",
                                                .name = "artifact",
                                                .suffix = ".hdl",
                                                .fields = "metadata",
                                                .magic = {0x89, 'H', 'D', 'L', '\r', '\n', 0x1a, '\n'},
                                                .version = HD_ARTIFACT_VERSION,
                                                .abi = HD_ABI_VERSION,
                                                .start_at = 24,
                                                .length_at = 32,
                                                .hash_at = 40};

/* Bytes outside the metadata: their place (from the end of the metadata, rounded up) and size. */
static void payload(hd_fields *s, const void **data, uint64_t *size) {
  uint64_t offset = s->place;
  hd_field_word(s, &offset, 8);
  hd_field_word(s, size, 8);
  if (!s->reading) {
    s->place = offset + hd_container_align(*size);
    return;
  }
  *data = NULL;
  uint64_t base = hd_container_align((uint64_t)(s->end - s->file));
  if (offset % HD_CONTAINER_ALIGNMENT || base > s->file_size || offset > s->file_size - base ||
      *size > s->file_size - base - offset) {
    s->damaged = true;
    *size = 0;
    return;
  }
  *data = s->file + base + offset;
}

/* ---- the structs ----------------------------------------------------------------------------------------------- */

static void text_item(hd_fields *s, void *item) { hd_field_string(s, item); }
static void program_word(hd_fields *s, void *item) { hd_field_word(s, item, 8); }
static void program(hd_fields *s, void *item) {
  hd_dim_program *p = item;
  HD_FIELDS_ARRAY(s, p->len, p->words, 8, program_word);
}

static void dim(hd_fields *s, void *item) {
  hd_artifact_dim *d = item;
  hd_field_string(s, &d->text);
  program(s, &d->program);
}

static void tensor(hd_fields *s, void *item) {
  hd_artifact_tensor *t = item;
  hd_field_string(s, &t->name);
  uint32_t type = (uint32_t)t->type;
  hd_field_u32(s, &type);
  if (s->reading) t->type = (hd_element_type)type;
  HD_FIELDS_ARRAY(s, t->rank, t->dims, 8, dim);
  hd_field_i32(s, &t->alias);
}

static void symbol(hd_fields *s, void *item) {
  hd_artifact_symbol *y = item;
  hd_field_string(s, &y->name);
  hd_field_i32(s, &y->argument);
  hd_field_i32(s, &y->dim);
  program(s, &y->definition);
}

static void constraint(hd_fields *s, void *item) {
  hd_artifact_constraint *c = item;
  program(s, &c->condition);
  hd_field_string(s, &c->message);
  HD_FIELDS_ARRAY(s, c->value_count, c->values, 4, program);
}

static void entry(hd_fields *s, void *item) {
  hd_artifact_entry *e = item;
  hd_field_string(s, &e->name);
  hd_field_string(s, &e->symbol);
  HD_FIELDS_ARRAY(s, e->input_count, e->inputs, 16, tensor);
  HD_FIELDS_ARRAY(s, e->output_count, e->outputs, 16, tensor);
  HD_FIELDS_ARRAY(s, e->symbol_count, e->symbols, 16, symbol);
  HD_FIELDS_ARRAY(s, e->constraint_count, e->constraints, 12, constraint);
}

static void kernel(hd_fields *s, void *item) {
  hd_artifact_kernel *k = item;
  hd_field_string(s, &k->symbol);
  hd_field_string(s, &k->name);
  hd_field_string(s, &k->source);
}

static void object(hd_fields *s, void *item) {
  hd_artifact_object *o = item;
  hd_field_string(s, &o->name);
  payload(s, &o->data, &o->size);
}

static void variant(hd_fields *s, void *item) {
  hd_artifact_variant *v = item;
  hd_field_string(s, &v->target);
  hd_field_word(s, &v->features, 8);
  HD_FIELDS_ARRAY(s, v->object_count, v->objects, 20, object);
}

static void image(hd_fields *s, void *item) {
  hd_artifact_image *i = item;
  hd_field_string(s, &i->driver);
  hd_field_u32(s, &i->architecture);
  hd_field_string(s, &i->format);
  payload(s, &i->data, &i->size);
}

static void launch_word(hd_fields *s, void *item) {
  hd_artifact_word *w = item;
  hd_field_u32(s, &w->kind);
  hd_field_u32(s, &w->bits);
  hd_field_u32(s, &w->alignment);
  hd_field_word(s, (uint64_t *)&w->least, 8);
  hd_field_word(s, (uint64_t *)&w->most, 8);
}

static void device_kernel(hd_fields *s, void *item) {
  hd_artifact_device_kernel *k = item;
  hd_field_string(s, &k->name);
  hd_field_string(s, &k->symbol);
  hd_field_string(s, &k->source);
  hd_field_u32(s, &k->image);
  for (int d = 0; d < 3; ++d) hd_field_u32(s, &k->block[d]);
  HD_FIELDS_ARRAY(s, k->word_count, k->words, 28, launch_word);
  hd_field_u32(s, &k->shared_static);
  hd_field_u32(s, &k->shared_dynamic);
  hd_field_u32(s, &k->registers);
  hd_field_u32(s, &k->spill_bytes);
}

/* The bytes of constants that are equal, which exist once. */
typedef struct constant_bytes {
  hd_hash128 hash;
  const void *data;
  uint64_t size;
  bool is_external;
} constant_bytes;

/* A constant of a program. */
typedef struct constant_row {
  uint32_t bytes; /* position */
  const char *type;
  uint32_t memory;
} constant_row;

/* An artifact as its metadata says it: |programs| without constants, which are rows. */
typedef struct program_rows {
  hd_artifact_program program;
  uint32_t constant_count;
  const constant_row *constants;
} program_rows;

typedef struct file_rows {
  hd_artifact head; /* without programs */
  uint32_t program_count, bytes_count;
  const program_rows *programs;
  const constant_bytes *bytes;
} file_rows;

static void constant_data(hd_fields *s, void *item) {
  constant_bytes *c = item;
  uint32_t external = c->is_external;
  hd_field_hash128(s, &c->hash);
  hd_field_u32(s, &external);
  if (s->reading) c->is_external = external != 0;
  if (external)
    hd_field_word(s, &c->size, 8);
  else
    payload(s, &c->data, &c->size);
}

static void constant(hd_fields *s, void *item) {
  constant_row *c = item;
  hd_field_u32(s, &c->bytes);
  hd_field_string(s, &c->type);
  hd_field_u32(s, &c->memory);
}

static void target(hd_fields *s, void *item) {
  hd_artifact_target *t = item;
  hd_field_string(s, &t->name);
  hd_field_string(s, &t->driver);
  hd_field_u32(s, &t->program);
}

static void code(hd_fields *s, void *item) {
  program_rows *p = item;
  hd_artifact_program *a = &p->program;
  HD_FIELDS_ARRAY(s, a->entry_count, a->entries, 24, entry);
  HD_FIELDS_ARRAY(s, a->kernel_count, a->kernels, 12, kernel);
  HD_FIELDS_ARRAY(s, a->ral_name_count, a->ral_names, 4, text_item);
  HD_FIELDS_ARRAY(s, a->message_count, a->messages, 4, text_item);
  HD_FIELDS_ARRAY(s, a->variant_count, a->variants, 16, variant);
  HD_FIELDS_ARRAY(s, a->image_count, a->images, 28, image);
  HD_FIELDS_ARRAY(s, a->device_kernel_count, a->device_kernels, 48, device_kernel);
  HD_FIELDS_ARRAY(s, p->constant_count, p->constants, 12, constant);
}

static void metadata(hd_fields *s, file_rows *f) {
  hd_field_string(s, &f->head.producer);
  hd_field_string(s, &f->head.module);
  hd_field_string(s, &f->head.metadata);
  hd_field_string(s, &f->head.constants_file);
  HD_FIELDS_ARRAY(s, f->head.target_count, f->head.targets, 12, target);
  HD_FIELDS_ARRAY(s, f->program_count, f->programs, 32, code);
  HD_FIELDS_ARRAY(s, f->bytes_count, f->bytes, 28, constant_data);
}

/* Calls |visit| for the objects and images of every program, then for the bytes of constants, in
 * the order in which they are in the file. */
static void each_payload(const file_rows *f, void (*visit)(void *user, const void *data, uint64_t size, bool is_code),
                         void *user) {
  for (uint32_t i = 0; i < f->program_count; ++i) {
    const hd_artifact_program *p = &f->programs[i].program;
    for (uint32_t v = 0; v < p->variant_count; ++v)
      for (uint32_t o = 0; o < p->variants[v].object_count; ++o)
        visit(user, p->variants[v].objects[o].data, p->variants[v].objects[o].size, true);
    for (uint32_t k = 0; k < p->image_count; ++k) visit(user, p->images[k].data, p->images[k].size, true);
  }
  for (uint32_t c = 0; c < f->bytes_count; ++c)
    if (!f->bytes[c].is_external) visit(user, f->bytes[c].data, f->bytes[c].size, false);
}

/* ---- constants ------------------------------------------------------------------------------------------------- */

typedef struct bytes_list {
  hd_map by_content;
  hd_vec(constant_bytes) all;
} bytes_list;

static uint32_t add_bytes(hd_arena *arena, bytes_list *list, const hd_artifact_constant *c) {
  struct {
    hd_hash128 hash;
    uint64_t size, is_external;
  } key = {c->hash, c->size, c->is_external};
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(arena, &list->by_content, &key, sizeof key, &is_new);
  if (is_new) {
    entry->value.i64 = (int64_t)list->all.len;
    hd_vec_push(arena, &list->all, (constant_bytes){c->hash, c->data, c->size, c->is_external});
  }
  return (uint32_t)entry->value.i64;
}

static file_rows to_rows(const hd_artifact *a, hd_arena *arena) {
  bytes_list list = {0};
  program_rows *programs = hd_new_array(arena, program_rows, a->program_count);
  for (uint32_t i = 0; i < a->program_count; ++i) {
    const hd_artifact_program *p = &a->programs[i];
    constant_row *rows = hd_new_array(arena, constant_row, p->constant_count);
    for (uint32_t c = 0; c < p->constant_count; ++c)
      rows[c] = (constant_row){add_bytes(arena, &list, &p->constants[c]), p->constants[c].type, p->constants[c].memory};
    programs[i] = (program_rows){*p, p->constant_count, rows};
  }
  return (file_rows){*a, a->program_count, (uint32_t)list.all.len, programs, list.all.data};
}

static hd_status of_rows(const file_rows *f, hd_arena *arena, hd_artifact *out) {
  hd_artifact_program *programs = hd_new_array(arena, hd_artifact_program, f->program_count);
  for (uint32_t i = 0; i < f->program_count; ++i) {
    const program_rows *p = &f->programs[i];
    hd_artifact_constant *constants = hd_new_array(arena, hd_artifact_constant, p->constant_count);
    for (uint32_t c = 0; c < p->constant_count; ++c) {
      const constant_row *row = &p->constants[c];
      if (row->bytes >= f->bytes_count)
        return hd_make_status(HD_DATA_LOSS, "program %u: constant %u: bytes %u, expected below %u", i, c, row->bytes,
                              f->bytes_count);
      const constant_bytes *bytes = &f->bytes[row->bytes];
      constants[c] =
          (hd_artifact_constant){bytes->hash, bytes->data, bytes->size, row->type, row->memory, bytes->is_external};
    }
    programs[i] = p->program;
    programs[i].constants = constants;
    programs[i].constant_count = p->constant_count;
  }
  *out = f->head;
  out->programs = programs;
  out->program_count = f->program_count;
  return HD_STATUS_OK;
}

static hd_status check_hashes(const file_rows *f) {
  for (uint32_t i = 0; i < f->bytes_count; ++i) {
    if (f->bytes[i].is_external) continue;
    hd_hash128 hash = hd_hash128_of(f->bytes[i].data, f->bytes[i].size);
    if (!hd_hash128_equal(&hash, &f->bytes[i].hash))
      return hd_make_status(HD_DATA_LOSS, "damaged artifact: hash of constant %u differs", i);
  }
  return HD_STATUS_OK;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

typedef struct placing {
  uint8_t *at;
  hd_hash128_state *hash;
} placing;

static void place(void *user, const void *data, uint64_t size, bool is_code) {
  placing *p = user;
  if (size) memcpy(p->at, data, size);
  if (is_code) hd_hash128_add(p->hash, data, size);
  p->at += hd_container_align(size);
}

typedef struct write_call {
  const hd_artifact *artifact;
  hd_arena *arena;
  void **out_data;
  size_t *out_size;
} write_call;

static hd_status write_guarded(void *argument) {
  write_call *call = argument;
  file_rows rows = to_rows(call->artifact, call->arena);
  hd_fields s = {.arena = call->arena};
  hd_strbuf_init(&s.out, call->arena);
  metadata(&s, &rows);
  uint64_t base = hd_container_align(HD_CONTAINER_HEADER + s.out.len), total;
  if (__builtin_add_overflow(base, s.place, &total) || total > SIZE_MAX / 2)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "an artifact too large to write");
  uint8_t *bytes;
  hd_hash128_state state;
  HD_TRY(hd_container_begin(&hd_artifact_format, s.out.data, s.out.len, total, &bytes, &state));
  placing p = {bytes + base, &state};
  each_payload(&rows, place, &p);
  hd_container_end(&hd_artifact_format, bytes, &state);
  *call->out_data = bytes;
  *call->out_size = total;
  return HD_STATUS_OK;
}

hd_status hd_artifact_write(const hd_artifact *artifact, void **out_data, size_t *out_size) {
  *out_data = NULL;
  *out_size = 0;
  hd_status status = hd_artifact_check(artifact);
  if (!hd_is_ok(status)) {
    hd_status bug = hd_make_status(HD_INTERNAL, "writing an artifact: %s", hd_status_message(status));
    hd_status_free(status);
    return bug;
  }
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  write_call call = {artifact, &arena, out_data, out_size};
  status = hd_guarded_call(write_guarded, &call);
  hd_arena_free(&arena);
  return status;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

bool hd_artifact_is(const void *data, size_t size) { return hd_container_is(&hd_artifact_format, data, size); }

static void add_to_hash(void *user, const void *data, uint64_t size, bool is_code) {
  if (is_code) hd_hash128_add(user, data, size);
}

typedef struct read_call {
  const uint8_t *data;
  size_t size;
  bool check_constants;
  hd_arena *arena;
  hd_artifact *out;
} read_call;

static hd_status read_guarded(void *argument) {
  read_call *call = argument;
  hd_fields s;
  hd_hash128_state state;
  HD_TRY(hd_container_open(&hd_artifact_format, call->data, call->size, call->arena, &s, &state));
  hd_artifact *a = call->out;
  file_rows rows = {0};
  hd_hash128 hash;
  metadata(&s, &rows);
  HD_TRY(hd_container_check_fields(&hd_artifact_format, &s));
  each_payload(&rows, add_to_hash, &state);
  if (!hd_container_check_hash(&hd_artifact_format, call->data, &state, &hash))
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: content hash differs");
  HD_TRY_MSG(of_rows(&rows, call->arena, a), "damaged artifact");
  a->hash = hash;
  HD_TRY_MSG(hd_artifact_check(a), "damaged artifact");
  return call->check_constants ? check_hashes(&rows) : HD_STATUS_OK;
}

hd_status hd_artifact_read(const void *data, size_t size, bool check_constants, hd_arena *arena,
                           hd_artifact *out_artifact) {
  memset(out_artifact, 0, sizeof *out_artifact);
  read_call call = {data, size, check_constants, arena, out_artifact};
  hd_status status = hd_guarded_call(read_guarded, &call);
  if (!hd_is_ok(status)) memset(out_artifact, 0, sizeof *out_artifact);
  return status;
}
