/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/check_compiled.h"

#include <string.h>

#include "base/vec.h"
#include "driver/check_parallel.h"
#include "driver/targets.h"
#include "ir/ops/interfaces.h"
#include "text/text.h"

/* Gets its values as results of the function. */
static bool is_check(const hd_op *op) { return hd_check_observes(op) && !op->result_count; }

static bool is_parallel(const hd_op *op) { return hd_op_is(op, HD_OP_interpreter_run_parallel); }

/* The op of |block| that ends stage |stage|: its run_parallel of that number; null for the last stage. */
static hd_op *end_of_stage(hd_block *block, size_t stage) {
  hd_for_each_op(op, block)
    if (is_parallel(op) && !stage--) return op;
  return NULL;
}

typedef hd_vec(hd_value *) values;

static void take_operands(hd_module *module, const hd_op *op, values *to) {
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_vec_push(&module->arena, to, hd_operand(op, i));
}

/* Makes |function| give the operands of its |stage|th run_parallel, or in the last stage the operands of its check ops
 * (all in order; its own results when it has no check op). What earlier run_parallels give are its arguments. */
static void cut(hd_module *module, hd_op *function, size_t stage, uint32_t *out_count) {
  hd_block *block = hd_op_region(function, 0)->first;
  hd_op *stop = end_of_stage(block, stage), *end = hd_block_terminator(block);
  values given = {0};
  bool checks = false;
  if (stop) take_operands(module, stop, &given);
  hd_for_each_op(op, block)
    if (!stop && is_check(op)) {
      take_operands(module, op, &given);
      checks = true;
    }
  if (!stop && !checks) take_operands(module, end, &given);
  hd_op_set_operands(end, given.data, given.len);
  for (hd_op *op = end->prev; stop && op;) {
    hd_op *before = op->prev;
    bool last = op == stop;
    hd_op_erase(op);
    op = last ? NULL : before;
  }
  hd_for_each_op_safe(op, block)
    if (is_check(op)) hd_op_erase(op);
  hd_for_each_op_safe(op, block) {
    if (!is_parallel(op)) continue;
    for (uint32_t i = 0; i < op->result_count; ++i)
      hd_value_replace_uses(hd_result(op, i), hd_block_add_arg(module, block, hd_result_type(op, i)));
    hd_op_erase(op);
  }
  hd_type *ins = hd_new_array(&module->arena, hd_type, block->arg_count + 1);
  hd_type *outs = hd_new_array(&module->arena, hd_type, given.len + 1);
  for (uint32_t i = 0; i < block->arg_count; ++i) ins[i] = block->args[i]->type;
  for (size_t i = 0; i < given.len; ++i) outs[i] = hd_operand_type(end, (uint32_t)i);
  hd_function_like_set_function_type(
      function, hd_attr_type(hd_type_function(module->context, ins, block->arg_count, outs, given.len)));
  hd_function_like_set_res_attrs(function, NULL);
  *out_count = 0;
  for (size_t i = 0; i < given.len; ++i) *out_count += hd_type_leaves(outs[i], NULL);
}

hd_status hd_check_compile(const hd_check_engine *engine, hd_module *module, hd_str entry, hd_executable **out) {
  *out = NULL;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_text_print(module->op, &(hd_text_print_options){.locations = true}, &text);
  hd_compile_options compile = *engine->options;
  compile.target = engine->target;
  compile.entry = hd_arena_copy(&scratch, entry.data, entry.len);
  hd_blob artifact = {0};
  hd_status status =
      hd_compile(hd_strbuf_text(&text), text.len, engine->name, &compile, engine->session->sink, &artifact);
  if (hd_is_ok(status)) status = hd_executable_load(engine->runtime, artifact.data, artifact.size, NULL, out);
  hd_blob_free(&artifact);
  hd_arena_free(&scratch);
  return status;
}

typedef hd_vec(hd_buffer *) buffers;

/* Runs |function| of |module| up to the end of |stage| on what earlier run_parallels gave; |outputs| gets its values,
 * owned by the caller, also after an error. */
static hd_status run_stage(const hd_check_engine *engine, hd_module *module, hd_str symbol, size_t stage,
                           const buffers *known, hd_arena *scratch, buffers *outputs) {
  hd_module *copy = hd_module_clone(module);
  uint32_t count = 0;
  hd_op *function = hd_symbol_lookup(copy->op, symbol);
  bool last = !end_of_stage(hd_op_region(function, 0)->first, stage);
  /* The last stage runs everything again that the others ran, but for run_parallels: it alone shows values. */
  hd_check_feed_out(copy, function, !last, scratch);
  cut(copy, function, stage, &count);
  hd_executable *executable = NULL;
  hd_status status = hd_check_compile(engine, copy, symbol, &executable);
  hd_module_free(copy);
  for (uint32_t i = 0; i < count; ++i) hd_vec_push(scratch, outputs, NULL);
  if (hd_is_ok(status) && hd_executable_output_count(executable) != (int32_t)count)
    status = hd_make_status(HD_INTERNAL, "the compiled function gives %d values, expected %u",
                            hd_executable_output_count(executable), count);
  hd_feeds feeds = {.user = engine->observers, .outfeed = hd_check_outfeed};
  hd_execute_options options = {.struct_size = sizeof options, .feeds = &feeds};
  if (hd_is_ok(status))
    status =
        hd_executable_execute(executable, &options, known->data, (int32_t)known->len, outputs->data, (int32_t)count);
  hd_executable_release(executable);
  return status;
}

/* Gives the outputs to the check ops of the original function. */
static hd_status judge(hd_check_observers *observers, hd_op *function, hd_arena *scratch, const buffers *outputs) {
  hd_custom_tensor *values = hd_new_array(scratch, hd_custom_tensor, outputs->len + 1);
  for (size_t i = 0; i < outputs->len; ++i) {
    hd_buffer *buffer = outputs->data[i];
    void *data = hd_arena_alloc(scratch, hd_buffer_bytes(buffer) + 1);
    HD_TRY(hd_buffer_read(buffer, data, hd_buffer_bytes(buffer)));
    values[i] = (hd_custom_tensor){hd_buffer_type(buffer), hd_buffer_rank(buffer), hd_buffer_dims(buffer), data};
  }
  hd_for_each_op(op, hd_op_region(function, 0)->first) {
    if (!is_check(op)) continue;
    HD_TRY(hd_check_judge(observers, op, values));
    values += op->operand_count;
  }
  return HD_STATUS_OK;
}

/* A stage up to each run_parallel, whose programs then run side by side, and one for the rest. */
static hd_status run_function(const hd_check_engine *engine, hd_op *function, hd_arena *scratch, buffers *known,
                              buffers *outputs) {
  hd_block *block = hd_op_region(function, 0)->first;
  for (size_t stage = 0;; ++stage) {
    hd_op *parallel = end_of_stage(block, stage);
    buffers given = {0};
    HD_TRY(run_stage(engine, function->module, hd_symbol_name(function), stage, known, scratch,
                     parallel ? &given : outputs));
    if (!parallel) return HD_STATUS_OK;
    size_t at = known->len;
    for (uint32_t i = 0; i < parallel->result_count; ++i) hd_vec_push(scratch, known, NULL);
    hd_status status = hd_check_parallel(engine, parallel, given.data, known->data + at);
    for (size_t i = 0; i < given.len; ++i) hd_buffer_release(given.data[i]);
    HD_TRY(status);
  }
}

hd_status hd_check_compiled(hd_session *session, hd_op *function, const char *name, const char *target,
                            const hd_compile_options *options, const hd_host_tensor *inputs, size_t input_count,
                            hd_evaluator *evaluator) {
  hd_check_observers observers;
  hd_check_engine engine = {
      .session = session, .name = name, .target = target, .options = options, .observers = &observers};
  hd_runtime_options runtime = HD_INIT(hd_runtime_options);
  runtime.threads = options->threads;
  runtime.driver = hd_target_driver(engine.target);
  HD_TRY(hd_runtime_create(&runtime, &engine.runtime));
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_check_observers_init(&observers, function->module, evaluator, &scratch);
  buffers known = {0}, outputs = {0};
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; i < input_count && hd_is_ok(status); ++i) {
    void *data = (void *)(uintptr_t)inputs[i].data; /* only read */
    hd_vec_push(&scratch, &known, NULL);
    status = hd_buffer_wrap(engine.runtime, inputs[i].type, (int32_t)inputs[i].rank, inputs[i].dims, NULL, data, NULL,
                            NULL, &hd_vec_last(&known));
  }
  if (hd_is_ok(status)) status = run_function(&engine, function, &scratch, &known, &outputs);
  if (hd_is_ok(status)) status = judge(&observers, function, &scratch, &outputs);
  for (size_t i = 0; i < known.len; ++i) hd_buffer_release(known.data[i]);
  for (size_t i = 0; i < outputs.len; ++i) hd_buffer_release(outputs.data[i]);
  hd_arena_free(&scratch);
  hd_runtime_release(engine.runtime);
  return status;
}
