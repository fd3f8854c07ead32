/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/passes.h"

#include <string.h>

#include "driver/targets.h"
#include "passes/passes.h"

size_t hd_pipeline_find(const hd_pipeline *pipeline, const char *pass) {
  size_t at = 0;
  while (at < pipeline->steps.len && strcmp(pipeline->steps.data[at].info->name, pass) != 0) ++at;
  return at;
}

hd_pipeline hd_pipeline_part(const hd_pipeline *whole, size_t from, size_t to) {
  hd_pipeline part = {.fixer = whole->fixer};
  part.steps.data = whole->steps.data + from;
  part.steps.len = to - from;
  return part;
}

void hd_pass_step_set(hd_pass_step *step, hd_arena *arena, const char *name, const char *value) {
  hd_pass_option *options = hd_new_array(arena, hd_pass_option, step->option_count + 1);
  if (step->option_count) memcpy(options, step->options, step->option_count * sizeof *options);
  options[step->option_count++] = (hd_pass_option){hd_str_of(name), hd_str_of(value)};
  step->options = options;
}

/* What the pipeline's text says goes first. */
static void give_option(hd_pipeline *pipeline, hd_arena *arena, const char *name, const char *value) {
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (hd_pass_has_option(pipeline->steps.data[i].info, name))
      hd_pass_step_set(&pipeline->steps.data[i], arena, name, value);
}

static bool any_has_option(const hd_pipeline *pipeline, const char *name) {
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (hd_pass_has_option(pipeline->steps.data[i].info, name)) return true;
  return false;
}

static bool only_makes_faster(const char *name) {
  static const char *const names[] = {
#define GRAPH_PASS(name) name,
#include "driver/graph_passes.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  return false;
}

void hd_pipeline_drop_graph_passes(hd_pipeline *pipeline) {
  size_t buffers = hd_pipeline_find(pipeline, HD_PASS_TO_BUFFERS), kept = 0;
  for (size_t i = 0; i < pipeline->steps.len; ++i)
    if (i >= buffers || !only_makes_faster(pipeline->steps.data[i].info->name))
      pipeline->steps.data[kept++] = pipeline->steps.data[i];
  pipeline->steps.len = kept;
}

size_t hd_pipeline_buffers(const hd_pipeline *pipeline) {
  size_t graph = hd_pipeline_find(pipeline, HD_PASS_TO_BUFFERS);
  return graph < pipeline->steps.len ? graph : hd_pipeline_find(pipeline, "disc-gpu-launch-to-ral");
}

static bool launches(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch_func) || hd_op_is(op, HD_OP_gpu_launch); }

/* The passes of |target| for |program|. */
static hd_status text_for(const hd_target *target, hd_module *program, hd_arena *arena, hd_str *out) {
  hd_op_list found = program ? hd_ops_where(program->op, launches, arena) : (hd_op_list){0};
  *out = hd_str_of(target->pipeline);
  if (!found.len) return HD_STATUS_OK;
  *out = hd_str_of(hd_launches_pipeline());
  if (target->images) return HD_STATUS_OK;
  hd_op_error(found.data[0], "launches a kernel, which target '%s' does not run: expected one of: %s", target->name,
              hd_device_targets());
  return hd_failed(program->context);
}

hd_status hd_pipeline_for(const hd_compile_options *o, hd_module *program, hd_arena *arena, hd_pipeline *out) {
  *out = (hd_pipeline){0};
  const hd_target *target = hd_target_find(o->target);
  if (!target) return hd_target_unknown(o->target, hd_target_names());
  hd_str text;
  if (o->pass_pipeline)
    text = hd_str_of(o->pass_pipeline);
  else
    HD_TRY(text_for(target, program, arena, &text));
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
    if (!any_has_option(out, "tf32"))
      return hd_make_status(HD_INVALID_ARGUMENT, "tf32: target '%s' computes products of f32 in f32 alone",
                            target->name);
    give_option(out, arena, "tf32", "true");
  }
  return HD_STATUS_OK;
}
