/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "eval/core/quantized.h"
#include "eval/core/run.h"
#include "eval/core/storage.h"

hd_status hd_evaluator_create(hd_module *module, const hd_eval_options *options, hd_evaluator **out_evaluator) {
  *out_evaluator = NULL;
  hd_evaluator *e = calloc(1, sizeof *e);
  if (!e || !(e->memory = calloc(1, sizeof *e->memory))) {
    free(e);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  e->module = module;
  e->context = module->context;
  if (options) e->options = *options;
  e->heap = &e->own_heap;
  hd_heap_init(e->heap, e->options.memory_limit);
  hd_arena_init(&e->arena, &e->context->budget);
  e->plans.arena = &e->arena;
  e->plans.widens = e->options.excess_precision;
  *out_evaluator = e;
  return HD_STATUS_OK;
}

void hd_evaluator_free(hd_evaluator *e) {
  if (!e) return;
  if (e->heap == &e->own_heap) hd_heap_clear(e->heap);
  hd_arena_free(&e->arena);
  free(e->temps);
  free(e->memory);
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
