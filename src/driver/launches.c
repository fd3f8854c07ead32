/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/launches.h"

#include <string.h>

#include "eval/core/tensor.h"

typedef struct search_state {
  const hd_launch_search *search;
  hd_arena *arena;
  hd_heap heap;
  hd_tensor_buffer **before; /* per area of the launch that is being run */
  hd_suspect *out;
} search_state;

static hd_status keep(search_state *s, const hd_tensor_buffer *memory, hd_tensor_buffer **out) {
  HD_TRY(hd_tensor_buffer_create(&s->heap, memory->size, out));
  memcpy((*out)->data, memory->data, memory->size);
  return HD_STATUS_OK;
}

static bool is_first(const hd_eval_launch *launch, uint32_t i) {
  for (uint32_t k = 0; k < i; ++k)
    if (launch->areas[k].memory == launch->areas[i].memory) return false;
  return launch->areas[i].memory != NULL;
}

/* Who wrote the buffers of the launch, each once; what it made itself, and tables of words, are left out. */
static void tell_operands(search_state *s, const hd_eval_launch *launch) {
  hd_writer *all = hd_new_array(s->arena, hd_writer, launch->area_count + 1);
  s->out->operands = all;
  for (uint32_t i = 0; i < launch->area_count; ++i) {
    const hd_eval_area *area = &launch->areas[i];
    if (!is_first(launch, i)) continue;
    hd_writer writer = area->writer   ? hd_writer_of_op(area->writer, s->arena)
                       : area->origin ? hd_writer_of_origin(area->origin, s->arena)
                                      : (hd_writer){NULL, ""};
    if (writer.name) all[s->out->operand_count++] = writer;
  }
}

/* What the machine code has left in |area| against what the evaluator had. */
static void judge(search_state *s, const hd_eval_launch *launch, const hd_eval_area *area, hd_tensor_buffer *want) {
  hd_difference d = {0};
  if (s->out->writer.name || !area->shape || !memcmp(area->memory->data, want->data, want->size)) return;
  hd_tensor a = {area->shape, area->memory}, b = {area->shape, want};
  if (hd_compare(&a, &b, &d) && d.relative <= hd_tolerance_of(hd_tensor_element(&b), s->search->tolerance)) return;
  s->out->writer = hd_writer_of_op(launch->op, s->arena);
  tell_operands(s, launch);
  s->out->difference = d;
  s->out->rank = hd_tensor_rank(&b);
  s->out->dims = (const int64_t *)(void *)hd_arena_copy(s->arena, hd_tensor_dims(&b), s->out->rank * sizeof(int64_t));
}

/* The evaluator has run the launch: the machine code runs on the memory as it was before. */
static hd_status run_code(search_state *s, const hd_eval_launch *launch, hd_kernel_fn code) {
  hd_tensor_buffer **want = hd_new_array(s->arena, hd_tensor_buffer *, launch->area_count + 1);
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < launch->area_count && hd_is_ok(status); ++i) {
    if (!is_first(launch, i)) continue;
    status = keep(s, launch->areas[i].memory, &want[i]);
    if (hd_is_ok(status)) memcpy(launch->areas[i].memory->data, s->before[i]->data, want[i]->size);
  }
  if (hd_is_ok(status) && launch->kernel) code(launch->words, 0, launch->extent);
  if (hd_is_ok(status) && !launch->kernel) status = s->search->call(s->search->user, launch);
  for (uint32_t i = 0; i < launch->area_count; ++i) {
    if (!want[i]) continue;
    if (hd_is_ok(status)) judge(s, launch, &launch->areas[i], want[i]);
    memcpy(launch->areas[i].memory->data, want[i]->data, want[i]->size);
    hd_tensor_buffer_release(want[i]);
  }
  return status;
}

static hd_status observe(void *user, const hd_eval_launch *launch, bool after) {
  search_state *s = user;
  const hd_launch_search *search = s->search;
  hd_kernel_fn code = launch->kernel ? search->code(search->user, launch->kernel) : NULL;
  bool runs = launch->kernel ? code && launch->extent : search->call && search->can_call(search->user, launch);
  /* What was begun is ended, also when a launch inside of it has been found. */
  if (!runs || (s->out->writer.name && !s->before)) return HD_STATUS_OK;
  hd_status status = HD_STATUS_OK;
  if (after) {
    status = run_code(s, launch, code);
    for (uint32_t i = 0; i < launch->area_count; ++i) hd_tensor_buffer_release(s->before[i]);
    s->before = NULL;
    return status;
  }
  s->before = hd_new_array(s->arena, hd_tensor_buffer *, launch->area_count + 1);
  for (uint32_t i = 0; i < launch->area_count && hd_is_ok(status); ++i)
    if (is_first(launch, i)) status = keep(s, launch->areas[i].memory, &s->before[i]);
  return status;
}

hd_status hd_find_wrong_launch(const hd_launch_search *search, hd_arena *arena, hd_suspect *out) {
  *out = (hd_suspect){0};
  search_state s = {.search = search, .arena = arena, .out = out};
  hd_heap_init(&s.heap, search->limits.memory_limit);
  hd_eval_options options = search->limits;
  options.launch = observe;
  options.launch_user = &s;
  hd_module *copy = hd_module_clone(search->module); /* the evaluator's own ops stay out of it */
  hd_op *entry = hd_symbol_lookup(copy->op, search->entry);
  hd_evaluator *evaluator = NULL;
  hd_status status =
      entry ? hd_evaluator_create(copy, &options, &evaluator) : hd_make_status(HD_INTERNAL, "the entry is gone");
  hd_tensor *results = hd_new_array(arena, hd_tensor, search->result_count + 1);
  if (hd_is_ok(status))
    status = hd_evaluator_run(evaluator, entry, search->args, search->arg_count, results, search->result_count);
  hd_evaluator_free(evaluator);
  hd_heap_clear(&s.heap);
  hd_module_free(copy);
  return status;
}
