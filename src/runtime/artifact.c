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
#include "runtime/container.h"
#include "runtime/ral_names.h"

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

static void constant(hd_fields *s, void *item) {
  hd_artifact_constant *c = item;
  uint32_t external = c->is_external;
  hd_field_hash128(s, &c->hash);
  hd_field_string(s, &c->type);
  hd_field_u32(s, &c->memory);
  hd_field_u32(s, &external);
  if (s->reading) c->is_external = external != 0;
  if (external)
    hd_field_word(s, &c->size, 8);
  else
    payload(s, &c->data, &c->size);
}

static void metadata(hd_fields *s, hd_artifact *a) {
  hd_field_string(s, &a->producer);
  hd_field_string(s, &a->module);
  hd_field_string(s, &a->metadata);
  HD_FIELDS_ARRAY(s, a->entry_count, a->entries, 24, entry);
  HD_FIELDS_ARRAY(s, a->kernel_count, a->kernels, 12, kernel);
  HD_FIELDS_ARRAY(s, a->ral_name_count, a->ral_names, 4, text_item);
  HD_FIELDS_ARRAY(s, a->message_count, a->messages, 4, text_item);
  HD_FIELDS_ARRAY(s, a->variant_count, a->variants, 16, variant);
  HD_FIELDS_ARRAY(s, a->image_count, a->images, 28, image);
  HD_FIELDS_ARRAY(s, a->device_kernel_count, a->device_kernels, 48, device_kernel);
  hd_field_string(s, &a->constants_file);
  HD_FIELDS_ARRAY(s, a->constant_count, a->constants, 36, constant);
}

/* Calls |visit| for every object, every image, then every constant, in the order in which they lie in the file. */
static void each_payload(const hd_artifact *a, void (*visit)(void *user, const void *data, uint64_t size, bool is_code),
                         void *user) {
  for (uint32_t v = 0; v < a->variant_count; ++v)
    for (uint32_t o = 0; o < a->variants[v].object_count; ++o)
      visit(user, a->variants[v].objects[o].data, a->variants[v].objects[o].size, true);
  for (uint32_t i = 0; i < a->image_count; ++i) visit(user, a->images[i].data, a->images[i].size, true);
  for (uint32_t c = 0; c < a->constant_count; ++c)
    if (!a->constants[c].is_external) visit(user, a->constants[c].data, a->constants[c].size, false);
}

/* ---- checking -------------------------------------------------------------------------------------------------- */

static hd_status check_tensors(const hd_artifact_entry *e, const hd_artifact_tensor *tensors, uint32_t count,
                               const char *what) {
  for (uint32_t i = 0; i < count; ++i) {
    const hd_artifact_tensor *t = &tensors[i];
    if (!strcmp(hd_element_text(t->type), "?"))
      return hd_make_status(HD_DATA_LOSS, "%s %u: unknown element type %d", what, i, (int)t->type);
    if (t->rank > HD_MAX_RANK)
      return hd_make_status(HD_DATA_LOSS, "%s %u: rank %u, expected at most %d", what, i, t->rank, (int)HD_MAX_RANK);
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

static hd_status check_word(const hd_artifact_word *w) {
  if (w->kind > HD_WORD_FLOAT) return hd_make_status(HD_DATA_LOSS, "unknown kind %u", w->kind);
  if (w->bits < 1 || w->bits > 64 || (w->kind == HD_WORD_POINTER && w->bits != 64))
    return hd_make_status(HD_DATA_LOSS, "%u bits, expected %s", w->bits,
                          w->kind == HD_WORD_POINTER ? "64 of a pointer" : "1 to 64");
  if (!w->alignment || w->alignment & (w->alignment - 1))
    return hd_make_status(HD_DATA_LOSS, "alignment %u, expected a power of two", w->alignment);
  bool any = w->least == INT64_MIN && w->most == INT64_MAX;
  if (w->least > w->most || (w->kind != HD_WORD_INTEGER && !any))
    return hd_make_status(HD_DATA_LOSS, "guard from %lld to %lld, expected %s", (long long)w->least, (long long)w->most,
                          w->kind == HD_WORD_INTEGER ? "some number" : "none but of integers");
  if (w->kind == HD_WORD_FLOAT && w->alignment != 1)
    return hd_make_status(HD_DATA_LOSS, "alignment %u, expected 1 of a float", w->alignment);
  return HD_STATUS_OK;
}

hd_status hd_artifact_word_check(const hd_artifact_word *word, uint64_t value) {
  if (word->kind == HD_WORD_POINTER && value & (word->alignment - 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "address %#llx, expected a multiple of %u", (unsigned long long)value,
                          word->alignment);
  if (word->kind != HD_WORD_INTEGER) return HD_STATUS_OK;
  int64_t number = (int64_t)(value << (64 - word->bits)) >> (64 - word->bits);
  if (number & (word->alignment - 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "%lld, expected a multiple of %u", (long long)number, word->alignment);
  if (number < word->least || number > word->most)
    return hd_make_status(HD_INVALID_ARGUMENT, "%lld, expected %lld to %lld", (long long)number, (long long)word->least,
                          (long long)word->most);
  return HD_STATUS_OK;
}

static hd_status check_device_kernel(const hd_artifact *a, const hd_artifact_device_kernel *k) {
  if (!*k->name || !*k->symbol) return hd_make_status(HD_DATA_LOSS, "no name");
  if (k->image >= a->image_count)
    return hd_make_status(HD_DATA_LOSS, "image %u, expected below %u", k->image, a->image_count);
  uint64_t threads = 1;
  bool any = false, all = true;
  for (int d = 0; d < 3; ++d) {
    any |= k->block[d] != 0;
    all &= k->block[d] != 0;
    if (k->block[d] <= HD_BLOCK_LIMIT) threads *= k->block[d];
    if (k->block[d] > HD_BLOCK_LIMIT) all = false;
  }
  if (any && (!all || threads > HD_BLOCK_LIMIT))
    return hd_make_status(HD_DATA_LOSS, "blocks of %ux%ux%u threads, expected at most %d", k->block[0], k->block[1],
                          k->block[2], (int)HD_BLOCK_LIMIT);
  for (uint32_t w = 0; w < k->word_count; ++w) HD_TRY_MSG(check_word(&k->words[w]), "word %u", w);
  return HD_STATUS_OK;
}

static hd_status check_devices(const hd_artifact *a) {
  for (uint32_t i = 0; i < a->image_count; ++i)
    if (!*a->images[i].driver || !*a->images[i].format || !a->images[i].size)
      return hd_make_status(HD_DATA_LOSS, "image %u: no driver, format or bytes", i);
  for (uint32_t i = 0; i < a->device_kernel_count; ++i)
    HD_TRY_MSG(check_device_kernel(a, &a->device_kernels[i]), "device kernel %u", i);
  return HD_STATUS_OK;
}

/* Are all references inside |a| in range and all programs, names and types well-formed? DATA_LOSS otherwise. */
static hd_status check_references(const hd_artifact *a) {
  if (!a->entry_count) return hd_make_status(HD_DATA_LOSS, "no entry");
  for (uint32_t i = 0; i < a->entry_count; ++i) HD_TRY_MSG(check_entry(&a->entries[i]), "entry %u", i);
  for (uint32_t i = 0; i < a->kernel_count; ++i)
    if (!*a->kernels[i].symbol) return hd_make_status(HD_DATA_LOSS, "kernel %u: no symbol", i);
  HD_TRY(check_devices(a));
  for (uint32_t i = 0; i < a->constant_count; ++i) {
    if (a->constants[i].memory > HD_CONSTANT_DEVICE)
      return hd_make_status(HD_DATA_LOSS, "constant %u: unknown memory %u", i, a->constants[i].memory);
    if (a->constants[i].is_external && !(a->constants_file && *a->constants_file))
      return hd_make_status(HD_DATA_LOSS, "constant %u: lies in a file that has no name", i);
  }
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
  hd_artifact copy = *call->artifact;
  hd_fields s = {.arena = call->arena};
  hd_strbuf_init(&s.out, call->arena);
  metadata(&s, &copy);
  uint64_t base = hd_container_align(HD_CONTAINER_HEADER + s.out.len), total;
  if (__builtin_add_overflow(base, s.place, &total) || total > SIZE_MAX / 2)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "an artifact too large to write");
  uint8_t *bytes;
  hd_hash128_state state;
  HD_TRY(hd_container_begin(&hd_artifact_format, s.out.data, s.out.len, total, &bytes, &state));
  placing p = {bytes + base, &state};
  each_payload(call->artifact, place, &p);
  hd_container_end(&hd_artifact_format, bytes, &state);
  *call->out_data = bytes;
  *call->out_size = total;
  return HD_STATUS_OK;
}

hd_status hd_artifact_write(const hd_artifact *artifact, void **out_data, size_t *out_size) {
  *out_data = NULL;
  *out_size = 0;
  hd_status status = check_references(artifact);
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
  metadata(&s, a);
  HD_TRY(hd_container_check_fields(&hd_artifact_format, &s));
  each_payload(a, add_to_hash, &state);
  if (!hd_container_check_hash(&hd_artifact_format, call->data, &state, &a->hash))
    return hd_make_status(HD_DATA_LOSS, "damaged artifact: content hash differs");
  HD_TRY_MSG(check_references(a), "damaged artifact");
  for (uint32_t i = 0; call->check_constants && i < a->constant_count; ++i) {
    if (a->constants[i].is_external) continue;
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
