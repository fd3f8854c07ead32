/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/passes.h"

#include <string.h>

#include "driver/targets.h"
#include "ir/program_entry.h"
#include "passes/passes.h"

size_t hd_pipeline_find(const hd_pipeline *pipeline, const char *pass) {
  size_t at = 0;
  while (at < pipeline->steps.len && strcmp(pipeline->steps.data[at].info->name, pass) != 0) ++at;
  return at;
}

hd_pipeline hd_pipeline_part(const hd_pipeline *whole, size_t from, size_t to) {
  hd_pipeline part = {0};
  part.steps.data = whole->steps.data + from;
  part.steps.len = to - from;
  return part;
}

/* Of two options of one name the first holds. */
void hd_pass_step_set(hd_pass_step *step, hd_arena *arena, const hd_pass_option *options, size_t count, bool override) {
  hd_pass_option *all = hd_new_array(arena, hd_pass_option, step->option_count + count + 1);
  hd_pass_option *added = all + (override ? 0 : step->option_count), *had = all + (override ? count : 0);
  for (size_t i = 0; i < count; ++i) added[i] = options[i];
  for (size_t i = 0; i < step->option_count; ++i) had[i] = step->options[i];
  step->options = all;
  step->option_count += count;
}

/* What the pipeline's text says goes first. */
static void give_option(hd_pipeline *pipeline, hd_arena *arena, const char *name, const char *value) {
  hd_pass_option option = {hd_str_of(name), hd_str_of(value)};
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (hd_pass_has_option(pipeline->steps.data[i].info, name))
      hd_pass_step_set(&pipeline->steps.data[i], arena, &option, 1, false);
}

static bool any_has_option(const hd_pipeline *pipeline, const char *name) {
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (hd_pass_has_option(pipeline->steps.data[i].info, name)) return true;
  return false;
}

void hd_pipeline_drop_graph_passes(hd_pipeline *pipeline) {
  size_t buffers = hd_pipeline_find(pipeline, HD_PASS_TO_BUFFERS), kept = 0;
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (i >= buffers || !pipeline->steps.data[i].info->only_faster)
      pipeline->steps.data[kept++] = pipeline->steps.data[i];
  pipeline->steps.len = kept;
}

size_t hd_pipeline_buffers(const hd_pipeline *pipeline) {
  size_t graph = hd_pipeline_find(pipeline, HD_PASS_TO_BUFFERS);
  return graph < pipeline->steps.len ? graph : hd_pipeline_find(pipeline, "disc-gpu-launch-to-ral");
}

typedef struct launch_search {
  hd_arena *arena;
  hd_map seen;
  hd_vec(hd_op *) queue; /* functions that were not looked into yet */
  hd_op *launch;         /* the first one; null: none yet */
} launch_search;

static void look_later(hd_op *from, hd_attr symbol, void *user) {
  launch_search *s = user;
  hd_op *function = hd_symbol_resolve(from, symbol);
  if (!hd_op_is(function, HD_OP_func_func) || hd_map_get(&s->seen, function)) return;
  hd_map_set(s->arena, &s->seen, function, function);
  hd_vec_push(s->arena, &s->queue, function);
}

static bool look_into(hd_op *op, void *user) {
  launch_search *s = user;
  if (hd_op_is(op, HD_OP_gpu_launch_func) || hd_op_is(op, HD_OP_gpu_launch)) s->launch = op;
  hd_op_each_symbol(op, look_later, user);
  return !s->launch;
}

/* A launch of a kernel in what the entry |name| of |program| reaches; null: there is none. */
static hd_op *reached_launch(hd_module *program, const char *name, hd_arena *arena) {
  launch_search s = {.arena = arena};
  hd_op *entry = program ? hd_program_entry(program, name ? hd_str_of(name) : HD_STR(""), NULL) : NULL;
  if (entry) hd_vec_push(arena, &s.queue, entry);
  while (s.queue.len && !s.launch) hd_walk_pre(hd_vec_pop(&s.queue), look_into, &s);
  return s.launch;
}

/* The passes of |target| for the entry |name| of |program|. */
static hd_status text_for(const hd_target *target, hd_module *program, const char *name, hd_arena *arena, hd_str *out) {
  hd_op *launch = reached_launch(program, name, arena);
  *out = hd_str_of(launch ? hd_launches_pipeline() : target->pipeline);
  if (!launch || target->images) return HD_STATUS_OK;
  hd_op_error(launch, "launches a kernel, which target '%s' does not run: expected one of: %s", target->name,
              hd_device_targets());
  return hd_failed(program->context);
}

/* What |text|, in the syntax of a pipeline, says of passes goes before what |pipeline| says of them: the first holds.
 */
static hd_status give_pass_options(hd_pipeline *pipeline, const char *text, const char *target, hd_arena *arena) {
  hd_pipeline given = {0};
  HD_TRY_MSG(hd_pipeline_parse(hd_passes(), hd_str_of(text), arena, &given), "pass_options");
  for (size_t i = 0; i < given.steps.len; ++i) {
    const hd_pass_step *from = &given.steps.data[i];
    size_t found = 0;
    for (size_t k = 0; k < pipeline->steps.len; ++k) {
      hd_pass_step *step = &pipeline->steps.data[k];
      if (step->info != from->info) continue;
      ++found;
      hd_pass_step_set(step, arena, from->options, from->option_count, true);
    }
    if (!found)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "pass_options: expected passes of the pipeline of target '%s', got '%s'", target,
                            from->info->name);
  }
  return HD_STATUS_OK;
}

hd_status hd_pipeline_for(const hd_compile_options *o, hd_module *program, hd_arena *arena, hd_pipeline *out) {
  *out = (hd_pipeline){0};
  HD_TRY(hd_target_check(o->target));
  const hd_target *target = hd_target_find(o->target);
  hd_str text;
  if (o->pass_pipeline)
    text = hd_str_of(o->pass_pipeline);
  else
    HD_TRY(text_for(target, program, o->entry, arena, &text));
  HD_TRY_MSG(hd_pipeline_parse(hd_passes(), text, arena, out), "pass_pipeline");
  hd_pipeline_set_target(out, arena, hd_str_of(target->name));
  if (o->no_graph_passes) hd_pipeline_drop_graph_passes(out);
  if (o->entry) give_option(out, arena, "entry", o->entry);
  if (o->numerics.no_excess_precision) give_option(out, arena, "excess-precision", "false");
  if (o->numerics.deterministic) give_option(out, arena, "deterministic", "true");
  if (o->library_products) give_option(out, arena, "library-products", "true");
  if (o->math) give_option(out, arena, "math", o->math);
  if (o->numerics.no_contract) give_option(out, arena, "contract", "false");
  if (o->numerics.tf32) {
    bool may = any_has_option(out, "tf32");
    if (!may || !o->library_products)
      return hd_make_status(HD_INVALID_ARGUMENT, "tf32: target '%s' computes products of f32 in f32 alone%s",
                            target->name, may ? ", but for those of libraries (library_products)" : "");
    give_option(out, arena, "tf32", "true");
  }
  return o->pass_options ? give_pass_options(out, o->pass_options, target->name, arena) : HD_STATUS_OK;
}
