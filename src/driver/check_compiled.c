/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/check_compiled.h"

#include <string.h>

#include "base/vec.h"
#include "heddle/runtime.h"
#include "text/text.h"

static bool is_check(const hd_op *op) {
  if (hd_str_starts(hd_ident_str(op->name), "check.")) return true;
  return hd_op_is(op, HD_OP_stablehlo_custom_call) &&
         hd_str_starts(hd_op_string_attr(op, "call_target_name"), "check.");
}

/* |copy| of the function without its check ops, giving their operands (all in order) and nothing else. */
static hd_status give_checked(hd_module *module, hd_op *copy, uint32_t *out_count) {
  hd_block *block = hd_op_region(copy, 0)->first;
  hd_op *end = hd_block_terminator(block);
  hd_vec(hd_value *) values = {0};
  hd_vec(hd_type) types = {0};
  hd_for_each_op(op, block) if (is_check(op)) for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_vec_push(&module->arena, &values, hd_operand(op, i));
    hd_vec_push(&module->arena, &types, hd_operand_type(op, i));
  }
  if (!end || !values.len) return hd_make_status(HD_UNIMPLEMENTED, "the function has no expectations of its own");
  hd_op_set_operands(end, values.data, values.len);
  hd_for_each_op_safe(op, block) if (is_check(op)) hd_op_erase(op);
  hd_op_attr_set(copy, "function_type",
                 hd_attr_type(hd_type_function(module->context, NULL, 0, types.data, types.len)));
  hd_op_attr_set(copy, "res_attrs", NULL);
  *out_count = (uint32_t)values.len;
  return HD_STATUS_OK;
}

static hd_status run_artifact(const hd_blob *artifact, uint32_t count, hd_buffer **outputs) {
  hd_runtime *runtime;
  hd_executable *executable = NULL;
  HD_TRY(hd_runtime_create(NULL, &runtime));
  hd_status status = hd_executable_load(runtime, artifact->data, artifact->size, NULL, &executable);
  if (hd_is_ok(status) && hd_executable_output_count(executable) != (int32_t)count)
    status = hd_make_status(HD_INTERNAL, "the compiled function gives %d values, expected %u",
                            hd_executable_output_count(executable), count);
  if (hd_is_ok(status)) status = hd_executable_execute(executable, NULL, NULL, 0, outputs, (int32_t)count);
  if (executable) hd_executable_release(executable);
  hd_runtime_release(runtime);
  return status;
}

/* A dense buffer of the runtime as a tensor of the evaluator, of the element type that the program declares. */
static hd_status take_output(hd_evaluator *evaluator, hd_type declared, const hd_buffer *buffer, hd_tensor *out) {
  if (!hd_type_is_tensor(declared)) return hd_make_status(HD_UNIMPLEMENTED, "a checked value is no tensor");
  hd_type type = hd_type_tensor(declared->shaped.element, hd_buffer_dims(buffer), (size_t)hd_buffer_rank(buffer), NULL);
  HD_TRY(hd_tensor_create(hd_evaluator_heap(evaluator), type, out));
  if (out->buffer->size != hd_buffer_bytes(buffer))
    return hd_make_status(HD_INTERNAL, "a result has another size than its type");
  if (out->buffer->size)
    hd_tensor_copy_strided(hd_tensor_rank(out), hd_tensor_dims(out), hd_tensor_element_bytes(out), hd_tensor_data(out),
                           hd_buffer_strides(buffer), hd_buffer_data(buffer), hd_buffer_strides(buffer));
  return HD_STATUS_OK;
}

/* Gives the outputs to the check ops of the original function. */
static hd_status judge(hd_evaluator *evaluator, hd_op *function, hd_buffer **outputs) {
  uint32_t at = 0;
  hd_for_each_op(op, hd_op_region(function, 0)->first) {
    if (!is_check(op)) continue;
    hd_tensor in[8] = {0};
    if (op->operand_count > 8) return hd_make_status(HD_UNIMPLEMENTED, "an expectation has more than 8 operands");
    for (uint32_t i = 0; i < op->operand_count; ++i)
      HD_TRY(take_output(evaluator, hd_operand_type(op, i), outputs[at++], &in[i]));
    HD_TRY(hd_evaluator_run_op(evaluator, op, in));
    for (uint32_t i = 0; i < op->operand_count; ++i) hd_tensor_release(&in[i]);
  }
  return HD_STATUS_OK;
}

hd_status hd_check_compiled(hd_session *session, hd_module *module, hd_op *function, const char *name,
                            const char *target, const hd_compile_options *options, hd_evaluator *evaluator) {
  hd_module *copy = hd_module_clone(module);
  hd_str symbol = hd_symbol_name(function);
  uint32_t count = 0;
  hd_status status = give_checked(copy, hd_symbol_lookup(copy->op, symbol), &count);
  hd_arena scratch;
  hd_arena_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_blob artifact = {0};
  if (hd_is_ok(status)) {
    hd_text_print(copy->op, &(hd_text_print_options){.locations = true}, &text);
    hd_compile_options compile = HD_COMPILE_OPTIONS_INIT;
    if (options) compile = *options;
    compile.target = target;
    compile.entry = hd_arena_copy(&scratch, symbol.data, symbol.len);
    status = hd_compile(hd_strbuf_text(&text), text.len, name, &compile, session->sink, &artifact);
  }
  hd_module_free(copy);
  hd_buffer **outputs = hd_new_array(&scratch, hd_buffer *, count + 1);
  if (hd_is_ok(status)) status = run_artifact(&artifact, count, outputs);
  if (hd_is_ok(status)) status = judge(evaluator, function, outputs);
  for (uint32_t i = 0; i < count; ++i)
    if (outputs[i]) hd_buffer_release(outputs[i]);
  hd_blob_free(&artifact);
  hd_arena_free(&scratch);
  return status;
}
