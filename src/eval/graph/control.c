/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow, calls, tuples, tokens, custom calls. */
#include <string.h>

#include "base/strbuf.h"
#include "eval/core/frame.h"
#include "ir/custom_calls.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static bool truth(const hd_tensor *tensor) {
  return hd_tensor_is_tensor(tensor) && hd_tensor_count(tensor) == 1 && *(const char *)hd_tensor_data(tensor) != 0;
}

HD_EVAL_HOOK(while) {
  uint32_t n = op->operand_count;
  if (op->result_count != n) return hd_make_status(HD_INVALID_ARGUMENT, "expected as many results as operands");
  hd_tensor *state, *next;
  HD_TRY(hd_eval_temp(frame, n, sizeof *state, &state));
  HD_TRY(hd_eval_temp(frame, n, sizeof *next, &next));
  for (uint32_t i = 0; i < n; ++i) state[i] = hd_tensor_retain(in[i]);
  hd_status status;
  for (;;) {
    hd_tensor condition = {0};
    status = hd_eval_region(frame, op, 0, state, n, &condition, 1);
    bool go_on = hd_is_ok(status) && truth(&condition);
    hd_tensor_release(&condition);
    if (!go_on) break;
    status = hd_eval_region(frame, op, 1, state, n, next, n);
    if (!hd_is_ok(status)) break;
    for (uint32_t i = 0; i < n; ++i) {
      hd_tensor_release(&state[i]);
      state[i] = next[i];
    }
    status = hd_eval_poll(frame);
    if (!hd_is_ok(status)) break;
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (hd_is_ok(status))
      out[i] = state[i];
    else
      hd_tensor_release(&state[i]);
  }
  return status;
}

HD_EVAL_HOOK(if) { return hd_eval_region(frame, op, truth(&in[0]) ? 0 : 1, NULL, 0, out, op->result_count); }

/* An index outside runs the last branch. */
HD_EVAL_HOOK(case) {
  if (!op->region_count) return hd_make_status(HD_INVALID_ARGUMENT, "expected at least one branch");
  if (hd_tensor_count(&in[0]) != 1 || hd_class_of(hd_tensor_element(&in[0])) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an integer scalar");
  int64_t index = hd_int_at(hd_tensor_element(&in[0]), hd_tensor_data(&in[0]), 0);
  if (index < 0 || index >= (int64_t)op->region_count) index = (int64_t)op->region_count - 1;
  return hd_eval_region(frame, op, (uint32_t)index, NULL, 0, out, op->result_count);
}

static hd_status call_symbol(hd_eval_frame *frame, hd_op *op, hd_attr symbol, const hd_tensor *in, hd_tensor *out) {
  if (!hd_attr_is(symbol, HD_ATTR_SYMBOL)) return hd_make_status(HD_INVALID_ARGUMENT, "lacks the name of a function");
  hd_op *callee = hd_symbol_resolve(op, symbol);
  if (!callee || !hd_op_has_trait(callee, HD_TRAIT(FUNCTION_LIKE)))
    return hd_make_status(HD_NOT_FOUND, "there is no function '%s'", symbol->symbol.root->text);
  if (hd_function_result_count(callee) != op->result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "function '%s' gives %zu results, expected %u",
                          symbol->symbol.root->text, hd_function_result_count(callee), op->result_count);
  return hd_eval_call(frame, callee, in, op->operand_count, out);
}

HD_EVAL_HOOK(func_call) { return call_symbol(frame, op, hd_call_like_callee(op), in, out); }
HD_EVAL_HOOK(composite) { return call_symbol(frame, op, hd_stablehlo_composite_decomposition(op), in, out); }

/* Values pass through; only their order relative to others matters. */
HD_EVAL_HOOK(optimization_barrier) {
  (void)frame;
  for (uint32_t i = 0; i < op->result_count && i < op->operand_count; ++i) out[i] = hd_tensor_retain(in[i]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tuple) {
  hd_type *types;
  hd_tensor *elements;
  uint32_t n = op->operand_count;
  HD_TRY(hd_eval_temp(frame, n, sizeof *types, &types));
  HD_TRY(hd_eval_temp(frame, n, sizeof *elements, &elements));
  for (uint32_t i = 0; i < n; ++i) types[i] = in[i].type;
  hd_type type = hd_type_tuple(hd_frame_context(frame), types, n);
  for (uint32_t i = 0; i < n; ++i) elements[i] = hd_tensor_retain(in[i]);
  hd_status status = hd_tensor_create_tuple(hd_frame_heap(frame), type, elements, n, out);
  for (uint32_t i = 0; i < n && !hd_is_ok(status); ++i) hd_tensor_release(&elements[i]);
  return status;
}

HD_EVAL_HOOK(get_tuple_element) {
  (void)frame;
  int64_t index = hd_stablehlo_get_tuple_element_index(op);
  if (!hd_type_is(in[0].type, HD_TYPE_TUPLE) || index < 0 || index >= (int64_t)in[0].type->function.in_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "tuple has no element %lld", (long long)index);
  out[0] = hd_tensor_retain(*hd_tuple_get(&in[0], (size_t)index));
  return HD_STATUS_OK;
}

/* Tokens carry nothing. */
HD_EVAL_HOOK(token) {
  (void)frame, (void)in;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (!hd_type_is(type, HD_TYPE_DIALECT)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a token as result");
    out[i] = (hd_tensor){.type = type};
  }
  return HD_STATUS_OK;
}

/* Ops of mhlo that only arrange others. */
HD_EVAL_HOOK(mhlo_fusion) { return hd_eval_region(frame, op, 0, in, op->operand_count, out, op->result_count); }
HD_EVAL_HOOK(mhlo_add_dependency) {
  out[0] = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(mhlo_trace) { return HD_STATUS_OK; }

/* The message of an assertion: {k} is operand k + 1. */
static hd_status assertion_message(hd_op *op, const hd_tensor *in, hd_str message) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  for (size_t i = 0; i < message.len; ++i) {
    size_t k = 0, at = i + 1;
    while (at < message.len && message.data[at] >= '0' && message.data[at] <= '9' && k < 1000)
      k = k * 10 + (size_t)(message.data[at++] - '0');
    if (message.data[i] == '{' && at > i + 1 && at < message.len && message.data[at] == '}' &&
        k + 1 < op->operand_count && hd_tensor_is_tensor(&in[k + 1]) && hd_tensor_count(&in[k + 1]) == 1 &&
        hd_class_of(hd_tensor_element(&in[k + 1])) == HD_CLASS_INT) {
      hd_strbuf_printf(&text, "%lld",
                       (long long)hd_int_at(hd_tensor_element(&in[k + 1]), hd_tensor_data(&in[k + 1]), 0));
      i = at;
    } else {
      hd_strbuf_putc(&text, message.data[i]);
    }
  }
  hd_status status = hd_make_status(HD_INVALID_ARGUMENT, "assertion failed: %s", hd_strbuf_text(&text));
  hd_arena_free(&scratch);
  return status;
}

HD_EVAL_HOOK(custom_call) {
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  if (hd_str_is(target, "shape_assertion")) {
    if (!op->operand_count) return hd_make_status(HD_INVALID_ARGUMENT, "expected the asserted condition as operand");
    if (truth(&in[0])) return HD_STATUS_OK;
    return assertion_message(op, in, hd_attr_text(hd_discardable_error_message(op)));
  }
  if (hd_custom_call_is_annotation(target)) {
    if (op->operand_count < op->result_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "custom call '%.*s' expects a value", (int)target.len, target.data);
    for (uint32_t k = 0; k < op->result_count; ++k) out[k] = hd_tensor_retain(in[k]);
    return HD_STATUS_OK;
  }
  (void)frame;
  return hd_eval_known_custom_call(frame, op, target, in, out);
}
