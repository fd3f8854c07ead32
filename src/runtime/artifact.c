/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading share one description of the metadata (the functions named after the structs below): each field
 * function writes the field or reads it, as the stream says, so the two directions cannot drift apart. While writing,
 * nothing is stored: the caller's structs may be read-only. */
#include "runtime/artifact.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "heddle/cpu.h"
#include "heddle/runtime.h"
#include "runtime/abi.h"
#include "runtime/ral_names.h"

static const uint8_t magic[8] = {0x89, 'H', 'D', 'L', '\r', '\n', 0x1a, '\n'};
enum { HEADER_SIZE = 64, HASHED_HEADER = 40, HASH_AT = 40, ALIGNMENT = 64 };

static uint64_t get(const uint8_t *bytes, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

static void set(uint8_t *bytes, int size, uint64_t value) {
  for (int i = 0; i < size; ++i) bytes[i] = (uint8_t)(value >> (8 * i));
}

/* ---- the stream ------------------------------------------------------------------------------------------------ */

typedef struct stream {
  bool reading;
  hd_arena *arena;
  hd_strbuf out;           /* writing */
  const uint8_t *at, *end; /* reading */
  bool damaged;            /* reading: the bytes ended or made no sense; what was read since is zero */
  const uint8_t *file;     /* reading: the whole artifact */
  uint64_t file_size;
  uint64_t place; /* writing: where the next object or constant will lie, from the end of the metadata */
} stream;

static void word(stream *s, uint64_t *value, int size) {
  uint8_t bytes[8];
  if (!s->reading) {
    set(bytes, size, *value);
    hd_strbuf_put(&s->out, bytes, (size_t)size);
    return;
  }
  *value = 0;
  if (s->end - s->at < size) {
    s->damaged = true;
    s->at = s->end;
    return;
  }
  *value = get(s->at, size);
  s->at += size;
}

static void u32(stream *s, uint32_t *value) {
  uint64_t wide = *value;
  word(s, &wide, 4);
  if (s->reading) *value = (uint32_t)wide;
}

static void i32(stream *s, int32_t *value) {
  uint32_t bits = (uint32_t)*value;
  u32(s, &bits);
  if (s->reading) *value = (int32_t)bits;
}

static void string(stream *s, const char **text) {
  const char *source = !s->reading && *text ? *text : "";
  uint32_t size = (uint32_t)strlen(source);
  u32(s, &size);
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

static void hash128(stream *s, hd_hash128 *hash) {
  for (int i = 0; i < 16; ++i) {
    uint64_t byte = hash->bytes[i];
    word(s, &byte, 1);
    if (s->reading) hash->bytes[i] = (uint8_t)byte;
  }
}

/* An array of |*count| elements of |size| bytes, each at least |least| bytes in the stream. */
static void array(stream *s, uint32_t *count, const void **items, size_t size, size_t least,
                  void (*element)(stream *, void *)) {
  u32(s, count);
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
#define ARRAY(s, count, items, least, element) \
  array((s), &(count), (const void **)&(items), sizeof *(items), (least), (element))

/* Bytes outside the metadata: their place (from the end of the metadata, rounded up) and size. */
static void payload(stream *s, const void **data, uint64_t *size) {
  uint64_t offset = s->place;
  word(s, &offset, 8);
  word(s, size, 8);
  if (!s->reading) {
    s->place = offset + ((*size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1));
    return;
  }
  *data = NULL;
  uint64_t base = ((uint64_t)(s->end - s->file) + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
  if (offset % ALIGNMENT || base > s->file_size || offset > s->file_size - base ||
      *size > s->file_size - base - offset) {
    s->damaged = true;
    *size = 0;
    return;
  }
  *data = s->file + base + offset;
}

/* ---- the structs ----------------------------------------------------------------------------------------------- */

static void text_item(stream *s, void *item) { string(s, item); }
static void program_word(stream *s, void *item) { word(s, item, 8); }
static void program(stream *s, void *item) {
  hd_dim_program *p = item;
  ARRAY(s, p->len, p->words, 8, program_word);
}

static void dim(stream *s, void *item) {
  hd_artifact_dim *d = item;
  string(s, &d->text);
  program(s, &d->program);
}

static void tensor(stream *s, void *item) {
  hd_artifact_tensor *t = item;
  string(s, &t->name);
  uint32_t type = (uint32_t)t->type;
  u32(s, &type);
  if (s->reading) t->type = (hd_element_type)type;
  ARRAY(s, t->rank, t->dims, 8, dim);
  i32(s, &t->alias);
}

static void symbol(stream *s, void *item) {
  hd_artifact_symbol *y = item;
  string(s, &y->name);
  i32(s, &y->argument);
  i32(s, &y->dim);
  program(s, &y->definition);
}

static void constraint(stream *s, void *item) {
  hd_artifact_constraint *c = item;
  program(s, &c->condition);
  string(s, &c->message);
  ARRAY(s, c->value_count, c->values, 4, program);
}

static void entry(stream *s, void *item) {
  hd_artifact_entry *e = item;
  string(s, &e->name);
  string(s, &e->symbol);
  ARRAY(s, e->input_count, e->inputs, 16, tensor);
  ARRAY(s, e->output_count, e->outputs, 16, tensor);
  ARRAY(s, e->symbol_count, e->symbols, 16, symbol);
  ARRAY(s, e->constraint_count, e->constraints, 12, constraint);
}

static void kernel(stream *s, void *item) {
  hd_artifact_kernel *k = item;
  string(s, &k->symbol);
  string(s, &k->name);
  string(s, &k->source);
}

static void object(stream *s, void *item) {
  hd_artifact_object *o = item;
  string(s, &o->name);
  payload(s, &o->data, &o->size);
}

static void variant(stream *s, void *item) {
  hd_artifact_variant *v = item;
  string(s, &v->target);
  word(s, &v->features, 8);
  ARRAY(s, v->object_count, v->objects, 20, object);
}

static void constant(stream *s, void *item) {
  hd_artifact_constant *c = item;
  hash128(s, &c->hash);
  payload(s, &c->data, &c->size);
}

static void metadata(stream *s, hd_artifact *a) {
  string(s, &a->producer);
  string(s, &a->module);
  string(s, &a->options);
  ARRAY(s, a->entry_count, a->entries, 24, entry);
  ARRAY(s, a->kernel_count, a->kernels, 12, kernel);
  ARRAY(s, a->ral_name_count, a->ral_names, 4, text_item);
  ARRAY(s, a->message_count, a->messages, 4, text_item);
  ARRAY(s, a->variant_count, a->variants, 16, variant);
  ARRAY(s, a->constant_count, a->constants, 32, constant);
}

/* Calls |visit| for every object, then every constant, in the order in which they lie in the file. */
static void each_payload(const hd_artifact *a,
                         void (*visit)(void *user, const void *data, uint64_t size, bool is_object), void *user) {
  for (uint32_t v = 0; v < a->variant_count; ++v)
    for (uint32_t o = 0; o < a->variants[v].object_count; ++o)
      visit(user, a->variants[v].objects[o].data, a->variants[v].objects[o].size, true);
  for (uint32_t c = 0; c < a->constant_count; ++c) visit(user, a->constants[c].data, a->constants[c].size, false);
}

/* ---- checking -------------------------------------------------------------------------------------------------- */

static hd_status check_tensors(const hd_artifact_entry *e, const hd_artifact_tensor *tensors, uint32_t count,
                               const char *what) {
  for (uint32_t i = 0; i < count; ++i) {
    const hd_artifact_tensor *t = &tensors[i];
    if (!strcmp(hd_element_text(t->type), "?"))
      return hd_make_status(HD_DATA_LOSS, "%s %u: unknown element type %d", what, i, (int)t->type);
    if (t->rank > HD_RAL_MAX_RANK)
      return hd_make_status(HD_DATA_LOSS, "%s %u: rank %u, expected at most %d", what, i, t->rank,
                            (int)HD_RAL_MAX_RANK);
    if (t->alias < HD_NO_INPUT || t->alias >= (int64_t)e->input_count)
      return hd_make_status(HD_DATA_LOSS, "%s %u: alias of input %d, expected below %u", what, i, t->alias,
                            e->input_count);
    for (uint32_t d = 0; d < t->rank; ++d)
      HD_TRY_MSG(hd_dim_check(&t->dims[d].program, e->symbol_count, NULL, 0), "%s %u: dim %u", what, i, d);
  }
  return HD_STATUS_OK;
}

static hd_status check_entry(const hd_artifact_entry *e) {
  if (!*e->name || !*e->symbol) return hd_make_status(HD_DATA_LOSS, "no name");
  HD_TRY(check_tensors(e, e->inputs, e->input_count, "input"));
  HD_TRY(check_tensors(e, e->outputs, e->output_count, "output"));
  for (uint32_t i = 0; i < e->input_count; ++i)
    for (uint32_t d = 0; d < e->inputs[i].rank; ++d)
      if (!e->inputs[i].dims[d].program.len)
        return hd_make_status(HD_DATA_LOSS, "input %u: dim %u has no program", i, d);
  for (uint32_t i = 0; i < e->symbol_count; ++i) {
    const hd_artifact_symbol *y = &e->symbols[i];
    if (y->argument < 0 || (uint32_t)y->argument >= e->input_count || y->dim < 0 ||
        (uint32_t)y->dim >= e->inputs[y->argument].rank || !y->definition.len)
      return hd_make_status(HD_DATA_LOSS, "symbol %u: read from no input", i);
    HD_TRY_MSG(hd_dim_check(&y->definition, i, e->inputs, e->input_count), "symbol %u", i);
  }
  for (uint32_t i = 0; i < e->constraint_count; ++i) {
    const hd_artifact_constraint *c = &e->constraints[i];
    if (!c->condition.len) return hd_make_status(HD_DATA_LOSS, "constraint %u: no condition", i);
    HD_TRY_MSG(hd_dim_check(&c->condition, e->symbol_count, e->inputs, e->input_count), "constraint %u", i);
    for (uint32_t v = 0; v < c->value_count; ++v) {
      if (!c->values[v].len) return hd_make_status(HD_DATA_LOSS, "constraint %u: value %u has no program", i, v);
      HD_TRY_MSG(hd_dim_check(&c->values[v], e->symbol_count, e->inputs, e->input_count), "constraint %u: value %u", i,
                 v);
    }
  }
  return HD_STATUS_OK;
}

hd_status hd_artifact_check(const hd_artifact *a) {
  if (!a->entry_count) return hd_make_status(HD_DATA_LOSS, "no entry");
  for (uint32_t i = 0; i < a->entry_count; ++i) HD_TRY_MSG(check_entry(&a->entries[i]), "entry %u", i);
  for (uint32_t i = 0; i < a->kernel_count; ++i)
    if (!*a->kernels[i].symbol) return hd_make_status(HD_DATA_LOSS, "kernel %u: no symbol", i);
  hd_ral_signature signature;
  for (uint32_t i = 0; i < a->ral_name_count; ++i) {
    hd_status status = hd_ral_decode(a->ral_names[i], &signature);
    if (hd_is_ok(status)) continue;
    hd_status damaged = hd_make_status(HD_DATA_LOSS, "%s", hd_status_message(status));
    hd_status_free(status);
    return damaged;
  }
  return HD_STATUS_OK;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

typedef struct placing {
  uint8_t *at;
  hd_hash128_state *hash;
} placing;

static void place(void *user, const void *data, uint64_t size, bool is_object) {
  placing *p = user;
  if (size) memcpy(p->at, data, size);
  if (is_object) hd_hash128_add(p->hash, data, size);
  p->at += (size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

typedef struct write_call {
  const hd_artifact *artifact;
  hd_arena *arena;
  void **out_data;
  size_t *out_size;
} write_call;

static hd_status write_guarded(void *argument) {
  write_call *call = argument;
  hd_artifact copy = *call->artifact;
  stream s = {.arena = call->arena};
  hd_strbuf_init(&s.out, call->arena);
  metadata(&s, &copy);
  uint64_t base = (HEADER_SIZE + s.out.len + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1), total;
  if (__builtin_add_overflow(base, s.place, &total) || total > SIZE_MAX / 2)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "an artifact too large to write");
  uint8_t *bytes = calloc(1, total);
  if (!bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for an artifact of %llu bytes",
                          (unsigned long long)total);
  memcpy(bytes, magic, 8);
  set(bytes + 8, 4, HD_ARTIFACT_VERSION);
  set(bytes + 12, 4, HD_ABI_VERSION);
  set(bytes + 16, 8, total);
  set(bytes + 24, 8, HEADER_SIZE);
  set(bytes + 32, 8, s.out.len);
  memcpy(bytes + HEADER_SIZE, s.out.data, s.out.len);
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, HASHED_HEADER);
  hd_hash128_add(&state, s.out.data, s.out.len);
  placing p = {bytes + base, &state};
  each_payload(call->artifact, place, &p);
  hd_hash128 hash = hd_hash128_finish(&state);
  memcpy(bytes + HASH_AT, hash.bytes, 16);
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

bool hd_artifact_is(const void *data, size_t size) { return data && size >= 8 && !memcmp(data, magic, 8); }

static void add_to_hash(void *user, const void *data, uint64_t size, bool is_object) {
  if (is_object) hd_hash128_add(user, data, size);
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
  const uint8_t *bytes = call->data;
  if (!hd_artifact_is(bytes, call->size)) return hd_make_status(HD_DATA_LOSS, "not an artifact: no .hdl magic");
  if (call->size < HEADER_SIZE)
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: %zu bytes, shorter than its header", call->size);
  uint32_t version = (uint32_t)get(bytes + 8, 4), abi = (uint32_t)get(bytes + 12, 4);
  if (version != HD_ARTIFACT_VERSION || abi != HD_ABI_VERSION)
    return hd_make_status(HD_FAILED_PRECONDITION, "artifact of format %u, ABI %u: this runtime reads format %u, ABI %u",
                          version, abi, HD_ARTIFACT_VERSION, HD_ABI_VERSION);
  uint64_t total = get(bytes + 16, 8), at = get(bytes + 24, 8), length = get(bytes + 32, 8);
  if (total != call->size)
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: %zu bytes, expected %llu", call->size,
                          (unsigned long long)total);
  if (at != HEADER_SIZE || length > total - at)
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: metadata out of range");
  stream s = {.reading = true,
              .arena = call->arena,
              .at = bytes + at,
              .end = bytes + at + length,
              .file = bytes,
              .file_size = total};
  hd_artifact *a = call->out;
  metadata(&s, a);
  if (s.damaged || s.at != s.end)
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: metadata ends too early or late");
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, HASHED_HEADER);
  hd_hash128_add(&state, bytes + at, length);
  each_payload(a, add_to_hash, &state);
  a->hash = hd_hash128_finish(&state);
  if (memcmp(a->hash.bytes, bytes + HASH_AT, 16))
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: content hash differs");
  HD_TRY_MSG(hd_artifact_check(a), "damaged artifact");
  for (uint32_t i = 0; call->check_constants && i < a->constant_count; ++i) {
    hd_hash128 hash = hd_hash128_of(a->constants[i].data, a->constants[i].size);
    if (!hd_hash128_equal(&hash, &a->constants[i].hash))
      return hd_make_status(HD_DATA_LOSS, "damaged artifact: hash of constant %u differs", i);
  }
  return HD_STATUS_OK;
}

hd_status hd_artifact_read(const void *data, size_t size, bool check_constants, hd_arena *arena,
                           hd_artifact *out_artifact) {
  memset(out_artifact, 0, sizeof *out_artifact);
  read_call call = {data, size, check_constants, arena, out_artifact};
  hd_status status = hd_guarded_call(read_guarded, &call);
  if (!hd_is_ok(status)) memset(out_artifact, 0, sizeof *out_artifact);
  return status;
}
