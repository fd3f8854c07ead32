/* SPDX-License-Identifier: Apache-2.0 */
/* The doors of the evaluator and what hooks use of its frame. run.c runs. */
#include "eval/eval.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "eval/check.h"
#include "eval/quantized.h"
#include "eval/run.h"
#include "ir/program_entry.h"

/* ---- the door ---- */

hd_status hd_evaluator_create(hd_module *module, const hd_eval_options *options, hd_evaluator **out_evaluator) {
  *out_evaluator = NULL;
  hd_evaluator *e = calloc(1, sizeof *e);
  if (!e) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  e->module = module;
  e->context = module->context;
  if (options) e->options = *options;
  e->heap = &e->own_heap;
  hd_heap_init(e->heap, e->options.memory_limit);
  hd_arena_init(&e->arena, &e->context->budget);
  e->plans.arena = &e->arena;
  *out_evaluator = e;
  return HD_STATUS_OK;
}

void hd_evaluator_free(hd_evaluator *e) {
  if (!e) return;
  if (e->heap == &e->own_heap) hd_heap_clear(e->heap);
  hd_arena_free(&e->arena);
  free(e->temps);
  free(e);
}

hd_heap *hd_evaluator_heap(hd_evaluator *evaluator) { return evaluator->heap; }
uint64_t hd_evaluator_checks_failed(const hd_evaluator *evaluator) { return evaluator->checks_failed; }

typedef struct call_args {
  hd_evaluator *evaluator;
  hd_op *function;
  const hd_tensor *args;
  size_t arg_count;
  hd_tensor *results;
} call_args;

static hd_status guarded(void *user) {
  call_args *a = user;
  hd_eval_frame frame = {.evaluator = a->evaluator};
  return hd_eval_call(&frame, a->function, a->args, a->arg_count, a->results);
}

hd_status hd_evaluator_call(hd_evaluator *e, hd_op *function, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results) {
  e->reported = false;
  e->depth = 0;
  e->deadline = e->options.timeout_s > 0 ? hd_clock_seconds() + e->options.timeout_s : 0;
  call_args a = {e, function, args, arg_count, results};
  hd_status status = hd_guarded_call(guarded, &a);
  hd_eval_drop_temps(e, 0);
  if (!hd_is_ok(status) && !e->reported) return hd_eval_report(e, function, status);
  return status;
}

typedef struct program_args {
  call_args call;
  size_t result_count;
} program_args;

static hd_status guarded_program(void *user) {
  program_args *a = user;
  hd_eval_frame frame = {.evaluator = a->call.evaluator};
  return hd_eval_program(&frame, a->call.function, a->call.args, a->call.arg_count, a->call.results, a->result_count);
}

hd_status hd_evaluator_run(hd_evaluator *e, hd_op *entry, const hd_tensor *args, size_t arg_count, hd_tensor *results,
                           size_t result_count) {
  e->reported = false;
  e->depth = 0;
  e->deadline = e->options.timeout_s > 0 ? hd_clock_seconds() + e->options.timeout_s : 0;
  e->memory.unit = NULL;
  if (result_count) memset(results, 0, result_count * sizeof *results);
  program_args a = {{e, entry, args, arg_count, results}, result_count};
  hd_status status = hd_guarded_call(guarded_program, &a);
  hd_eval_drop_temps(e, 0);
  e->io = (hd_program_io){.writers = e->io.writers, .output_count = e->io.output_count};
  if (!hd_is_ok(status) && !e->reported) return hd_eval_report(e, entry, status);
  return status;
}

hd_op *hd_evaluator_writer(const hd_evaluator *e, size_t i) {
  return e->io.writers && i < e->io.output_count ? e->io.writers[i] : NULL;
}

static hd_status guarded_op(void *user) {
  call_args *a = user;
  hd_eval_frame frame = {.evaluator = a->evaluator};
  hd_tensor given[1] = {0};
  hd_status status = hd_eval_run_op(&frame, a->function, hd_eval_computes_expressed(a->function), a->args, given);
  hd_tensor_release(&given[0]);
  return hd_is_ok(status) ? status : hd_eval_report(a->evaluator, a->function, status);
}

hd_status hd_evaluator_run_op(hd_evaluator *e, hd_op *op, const hd_tensor *operands) {
  if (op->result_count > 1 || op->region_count)
    return hd_make_status(HD_INTERNAL, "expected an op of at most one result and no regions");
  e->reported = false;
  call_args a = {e, op, operands, op->operand_count, NULL};
  hd_status status = hd_guarded_call(guarded_op, &a);
  hd_eval_drop_temps(e, 0);
  return status;
}

hd_op *hd_eval_entry(hd_module *module, hd_str name) {
  size_t count;
  hd_op *entry = hd_program_entry(module, name, &count);
  if (entry) return entry;
  if (name.len)
    hd_error(module->context, module->op->loc, "there is no function '%.*s'", (int)name.len, name.data);
  else
    hd_error(module->context, module->op->loc,
             "expected one entry function: main, tao_main, or a single public one; got %zu public", count);
  return NULL;
}

/* ---- what hooks use of the frame ---- */

hd_heap *hd_frame_heap(hd_eval_frame *frame) { return frame->evaluator->heap; }
hd_arena *hd_frame_arena(hd_eval_frame *frame) { return &frame->evaluator->arena; }
hd_memory *hd_frame_memory(hd_eval_frame *frame) { return &frame->evaluator->memory; }
hd_program_io *hd_frame_io(hd_eval_frame *frame) { return &frame->evaluator->io; }
hd_op *hd_frame_twin(hd_eval_frame *frame, hd_op *op) { return hd_map_get(&frame->evaluator->plans.twins, op); }

hd_tensor *hd_frame_place(hd_eval_frame *frame, const hd_value *value) {
  return hd_frame_slot(frame, (uint32_t)hd_map_find(&frame->evaluator->plans.slots, value)->value.i64);
}

hd_status hd_eval_run_twin(hd_eval_frame *frame, hd_op *twin, const hd_tensor *in, hd_tensor *out) {
  return hd_eval_run_op(frame, twin, hd_eval_computes_expressed(twin), in, out);
}
bool hd_frame_is_expressing(hd_eval_frame *frame) { return frame->evaluator->expressing; }
hd_context *hd_frame_context(hd_eval_frame *frame) { return frame->evaluator->context; }
const hd_eval_options *hd_frame_options(hd_eval_frame *frame) { return &frame->evaluator->options; }

hd_status hd_eval_temp(hd_eval_frame *frame, size_t count, size_t size, void *out_pointer_to_pointer) {
  hd_evaluator *e = frame->evaluator;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  if (e->temp_count == e->temp_capacity) {
    size_t capacity = e->temp_capacity ? 2 * e->temp_capacity : 64;
    hd_tensor_buffer **grown = realloc(e->temps, capacity * sizeof *grown);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    e->temps = grown;
    e->temp_capacity = capacity;
  }
  hd_tensor_buffer *buffer;
  HD_TRY(hd_tensor_buffer_create(e->heap, bytes, &buffer));
  memset(buffer->data, 0, bytes);
  e->temps[e->temp_count++] = buffer;
  void *data = buffer->data;
  memcpy(out_pointer_to_pointer, &data, sizeof data);
  return HD_STATUS_OK;
}

uint64_t hd_eval_next_call(hd_eval_frame *frame) { return frame->evaluator->random_calls++; }

hd_status hd_eval_probe(hd_eval_frame *frame, hd_str name, const hd_tensor *value) {
  hd_evaluator *e = frame->evaluator;
  hd_vec_push(&e->arena, &e->probes, (hd_probe){hd_ident_get(e->context, name), hd_tensor_retain(*value)});
  return HD_STATUS_OK;
}

const hd_tensor *hd_eval_probed(hd_eval_frame *frame, hd_str name, int64_t iteration) {
  hd_evaluator *e = frame->evaluator;
  const hd_tensor *found = NULL;
  int64_t seen = 0;
  for (size_t i = 0; i < e->probes.len; ++i) {
    if (!hd_str_equal(hd_ident_str(e->probes.data[i].name), name)) continue;
    ++seen;
    if (iteration == 0 || seen == iteration) found = &e->probes.data[i].value;
  }
  return found;
}

void hd_eval_check_failed(hd_eval_frame *frame, hd_op *op, const char *format, ...) {
  ++frame->evaluator->checks_failed;
  va_list args;
  va_start(args, format);
  hd_op_verror(op, format, args);
  va_end(args);
}

const hd_process *hd_frame_process(hd_eval_frame *frame) { return &frame->evaluator->process; }

hd_status hd_evaluator_call_as(hd_eval_frame *frame, const hd_process *process, hd_op *function, const hd_tensor *args,
                               size_t arg_count, hd_tensor *results) {
  hd_evaluator *parent = frame->evaluator, *e;
  HD_TRY(hd_evaluator_create(parent->module, &parent->options, &e));
  e->heap = parent->heap;
  e->process = *process;
  e->quiet = parent->quiet;
  hd_status status = hd_evaluator_call(e, function, args, arg_count, results);
  parent->reported |= e->reported;
  parent->checks_failed += e->checks_failed;
  for (size_t i = 0; i < e->probes.len; ++i) hd_vec_push(&parent->arena, &parent->probes, e->probes.data[i]);
  hd_evaluator_free(e);
  return status;
}
