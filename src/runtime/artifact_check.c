/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of an artifact's rows, and of the words of a launch. */
#include <string.h>

#include "base/status.h"
#include "heddle/runtime.h"
#include "runtime/abi.h"
#include "runtime/artifact.h"
#include "runtime/ral_names.h"

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

static hd_status check_device_kernel(const hd_artifact_program *a, const hd_artifact_device_kernel *k) {
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

static hd_status check_devices(const hd_artifact_program *a) {
  for (uint32_t i = 0; i < a->image_count; ++i)
    if (!*a->images[i].driver || !*a->images[i].format || !a->images[i].size)
      return hd_make_status(HD_DATA_LOSS, "image %u: no driver, format or bytes", i);
  for (uint32_t i = 0; i < a->device_kernel_count; ++i)
    HD_TRY_MSG(check_device_kernel(a, &a->device_kernels[i]), "device kernel %u", i);
  return HD_STATUS_OK;
}

static hd_status check_program(const hd_artifact_program *a, bool external) {
  if (!a->entry_count) return hd_make_status(HD_DATA_LOSS, "no entry");
  for (uint32_t i = 0; i < a->entry_count; ++i) HD_TRY_MSG(check_entry(&a->entries[i]), "entry %u", i);
  for (uint32_t i = 0; i < a->kernel_count; ++i)
    if (!*a->kernels[i].symbol) return hd_make_status(HD_DATA_LOSS, "kernel %u: no symbol", i);
  HD_TRY(check_devices(a));
  for (uint32_t i = 0; i < a->constant_count; ++i) {
    if (a->constants[i].memory > HD_CONSTANT_DEVICE)
      return hd_make_status(HD_DATA_LOSS, "constant %u: unknown memory %u", i, a->constants[i].memory);
    if (a->constants[i].is_external && !external)
      return hd_make_status(HD_DATA_LOSS, "constant %u: is in a file that has no name", i);
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

static bool same_tensors(const hd_artifact_tensor *a, const hd_artifact_tensor *b, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (a[i].type != b[i].type || a[i].rank != b[i].rank) return false;
  return true;
}

/* A caller need not know which program was taken. */
static hd_status check_same_entries(const hd_artifact_program *a, const hd_artifact_program *first) {
  if (a->entry_count != first->entry_count)
    return hd_make_status(HD_DATA_LOSS, "%u entries, expected %u as program 0 has", a->entry_count, first->entry_count);
  for (uint32_t i = 0; i < a->entry_count; ++i) {
    const hd_artifact_entry *e = &a->entries[i], *f = &first->entries[i];
    bool same = !strcmp(e->name, f->name) && e->input_count == f->input_count && e->output_count == f->output_count &&
                same_tensors(e->inputs, f->inputs, e->input_count) &&
                same_tensors(e->outputs, f->outputs, e->output_count);
    if (!same)
      return hd_make_status(HD_DATA_LOSS, "entry %u: '%s', expected the name, inputs and outputs of program 0's '%s'",
                            i, e->name, f->name);
  }
  return HD_STATUS_OK;
}

static hd_status check_targets(const hd_artifact *a) {
  if (!a->target_count || a->target_count > HD_ARTIFACT_TARGETS)
    return hd_make_status(HD_DATA_LOSS, "%u targets, expected 1 to %d", a->target_count, (int)HD_ARTIFACT_TARGETS);
  for (uint32_t i = 0; i < a->target_count; ++i) {
    const hd_artifact_target *t = &a->targets[i];
    if (!*t->name || !*t->driver) return hd_make_status(HD_DATA_LOSS, "target %u: no name or driver", i);
    if (strlen(t->name) >= HD_ARTIFACT_TARGET_NAME || strlen(t->driver) >= HD_DRIVER_NAME)
      return hd_make_status(HD_DATA_LOSS, "target %u: a name that is too long", i);
    if (t->program >= a->program_count)
      return hd_make_status(HD_DATA_LOSS, "target %u: program %u, expected below %u", i, t->program, a->program_count);
    for (uint32_t k = 0; k < i; ++k)
      if (!strcmp(a->targets[k].driver, t->driver))
        return hd_make_status(HD_DATA_LOSS, "target %u: driver '%s' is target %u's", i, t->driver, k);
  }
  return HD_STATUS_OK;
}

static bool has_target(const hd_artifact *a, uint32_t program) {
  for (uint32_t i = 0; i < a->target_count; ++i)
    if (a->targets[i].program == program) return true;
  return false;
}

hd_status hd_artifact_check(const hd_artifact *a) {
  bool external = a->constants_file && *a->constants_file;
  HD_TRY(check_targets(a));
  for (uint32_t i = 0; i < a->program_count; ++i) {
    HD_TRY_MSG(check_program(&a->programs[i], external), "program %u", i);
    HD_TRY_MSG(check_same_entries(&a->programs[i], &a->programs[0]), "program %u", i);
    if (!has_target(a, i)) return hd_make_status(HD_DATA_LOSS, "program %u: no target", i);
  }
  return HD_STATUS_OK;
}
