/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/suspects.h"

#include <string.h>

#include "base/vec.h"
#include "eval/core/tensor.h"

enum { MAX_PLACES = 64, MAX_RECORDS = 20000 };

/* A value that an op gave. */
typedef struct record {
  hd_op *op;
  hd_tensor value;
  const hd_loc *places; /* leaves of the op's location */
  size_t place_count;
  const void *memory; /* told apart only from records of the same location */
  bool found;         /* its elements are among those of the other program */
  bool unfinished;    /* a later op from the same location writes the same memory */
} record;

typedef hd_vec(record) records;

typedef struct recorder {
  hd_arena *arena;
  hd_heap heap;
  hd_module *module; /* the run program, whose ops the records name */
  records list;
} recorder;

static void leaves_of(hd_loc loc, hd_loc *out, size_t *count) {
  if (!loc || *count == MAX_PLACES || loc->kind == HD_ATTR_LOC_UNKNOWN) return;
  if (loc->kind == HD_ATTR_LOC_FILE) {
    for (size_t i = 0; i < *count; ++i)
      if (out[i] == loc) return;
    out[(*count)++] = loc;
    return;
  }
  for (uint32_t i = 0; i < loc->loc.count; ++i) leaves_of(loc->loc.children[i], out, count);
}

static void take(void *user, hd_op *op, const hd_tensor *value) {
  recorder *r = user;
  hd_loc places[MAX_PLACES];
  size_t count = 0;
  if (r->list.len == MAX_RECORDS) return;
  leaves_of(op->loc, places, &count);
  if (!count) return;
  record one = {.op = op, .place_count = count, .memory = value->buffer};
  one.places = (const hd_loc *)(void *)hd_arena_copy(r->arena, places, count * sizeof *places);
  hd_status status = hd_tensor_create(&r->heap, value->type, &one.value);
  if (!hd_is_ok(status)) { /* values beyond the limit are not looked at */
    hd_status_ignore(status);
    return;
  }
  memcpy(hd_tensor_data(&one.value), hd_tensor_data(value), one.value.buffer->size);
  for (size_t i = r->list.len; i-- > 0;)
    if (r->list.data[i].memory == one.memory && r->list.data[i].op->loc == op->loc) {
      r->list.data[i].unfinished = true;
      break;
    }
  hd_vec_push(r->arena, &r->list, one);
}

static hd_status run(const hd_suspect_search *s, hd_module *module, recorder *r) {
  hd_eval_options options = s->limits;
  options.trace = take;
  options.trace_user = r;
  r->module = hd_module_clone(module); /* the evaluator's own ops stay out of it */
  hd_op *entry = hd_symbol_lookup(r->module->op, s->entry);
  hd_evaluator *evaluator = NULL;
  hd_status status =
      entry ? hd_evaluator_create(r->module, &options, &evaluator) : hd_make_status(HD_INTERNAL, "the entry is gone");
  hd_tensor *results = hd_new_array(r->arena, hd_tensor, s->result_count + 1);
  if (hd_is_ok(status)) status = hd_evaluator_run(evaluator, entry, s->args, s->arg_count, results, s->result_count);
  hd_evaluator_free(evaluator);
  return status;
}

static bool share_a_place(const record *a, const record *b) {
  for (size_t i = 0; i < a->place_count; ++i)
    for (size_t k = 0; k < b->place_count; ++k)
      if (a->places[i] == b->places[k]) return true;
  return false;
}

static bool comparable(const record *a, const record *b) {
  return hd_tensor_element(&a->value) == hd_tensor_element(&b->value) &&
         hd_tensor_count(&a->value) == hd_tensor_count(&b->value) && share_a_place(a, b);
}

/* |got| against |want|, whose shapes may differ where the numbers of elements are equal. */
static hd_difference apart(const record *got, const record *want) {
  hd_difference d = {0};
  hd_tensor flat = got->value;
  flat.type = want->value.type;
  hd_compare(&flat, &want->value, &d);
  return d;
}

/* Marks what of |want| and |got| is in the other. */
static void match(const hd_suspect_search *s, records *want, records *got) {
  for (size_t i = 0; i < want->len; ++i)
    for (size_t k = 0; k < got->len; ++k) {
      record *a = &want->data[i], *b = &got->data[k];
      if ((a->found && b->found) || !comparable(a, b)) continue;
      if (apart(b, a).relative <= hd_tolerance_of(hd_tensor_element(&a->value), s->tolerance))
        a->found = b->found = true;
    }
}

/* Ops made from |value|'s place gave its shape, and none its elements. */
static bool is_missed(const record *value, const records *got) {
  if (value->found) return false;
  for (size_t k = 0; k < got->len; ++k)
    if (comparable(value, &got->data[k])) return true;
  return false;
}

static void describe(const record *suspect, const record *value, hd_arena *arena, hd_suspect *out) {
  out->writer = hd_writer_of_op(suspect->op, arena);
  out->op = hd_writer_of_op(value->op, arena);
  out->difference = apart(suspect, value);
  out->rank = hd_tensor_rank(&value->value);
  out->dims =
      (const int64_t *)(void *)hd_arena_copy(arena, hd_tensor_dims(&value->value), out->rank * sizeof *out->dims);
}

static void choose(const records *want, const bool *missed_before, const records *got, hd_arena *arena,
                   hd_suspect *out) {
  for (size_t k = 0; k < got->len; ++k) {
    const record *suspect = &got->data[k], *best = NULL;
    for (size_t i = 0; i < want->len && !suspect->found && !suspect->unfinished; ++i) {
      const record *value = &want->data[i];
      if (missed_before[i] || !comparable(value, suspect) || !is_missed(value, got)) continue;
      if (!best || apart(suspect, value).relative < apart(suspect, best).relative) best = value;
    }
    if (!best) continue;
    describe(suspect, best, arena, out);
    return;
  }
}

hd_status hd_find_suspect(const hd_suspect_search *s, hd_arena *arena, hd_suspect *out) {
  *out = (hd_suspect){0};
  recorder programs[3];
  hd_module *const modules[3] = {s->original, s->before, s->after};
  hd_status status = HD_STATUS_OK;
  for (int i = 0; i < 3; ++i) {
    programs[i] = (recorder){.arena = arena};
    hd_heap_init(&programs[i].heap, s->limits.memory_limit);
    if (hd_is_ok(status)) status = run(s, modules[i], &programs[i]);
  }
  if (hd_is_ok(status)) {
    records *want = &programs[0].list;
    bool *missed_before = hd_new_array(arena, bool, want->len + 1);
    match(s, want, &programs[1].list);
    for (size_t i = 0; i < want->len; ++i) {
      missed_before[i] = is_missed(&want->data[i], &programs[1].list);
      want->data[i].found = false;
    }
    match(s, want, &programs[2].list);
    choose(want, missed_before, &programs[2].list, arena, out);
  }
  for (int i = 0; i < 3; ++i) {
    hd_heap_clear(&programs[i].heap);
    if (programs[i].module) hd_module_free(programs[i].module);
  }
  return status;
}
