/* SPDX-License-Identifier: Apache-2.0 */
/* The llvm dialect's ops on values. Most are arith's and math's under another name: their rows in ir/ops/llvm.def name
 * the same hooks. */
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/call_memory.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"

HD_EVAL_HOOK(llvm_mlir_constant) {
  hd_attr value = hd_constant_like_value(op);
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  if (value->type != type || hd_class_of(element) == HD_CLASS_NONE ||
      (!hd_type_is(type, HD_TYPE_VECTOR) && hd_type_is_shaped(type)))
    return hd_make_status(HD_UNIMPLEMENTED, "expected a number, or a vector of them, of the type of the result");
  return hd_eval_arith_constant(frame, op, in, out);
}

HD_EVAL_HOOK(llvm_unreachable) { return hd_make_status(HD_INVALID_ARGUMENT, "is reached"); }

/* Any value: zero here. */
HD_EVAL_HOOK(llvm_mlir_poison) { return hd_eval_llvm_mlir_zero(frame, op, in, out); }

HD_EVAL_HOOK(llvm_freeze) {
  *out = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}

/* The same bits as another type of as many. */
HD_EVAL_HOOK(llvm_bitcast) {
  hd_type type = hd_result_type(op, 0);
  if (hd_is_pointer(type) && hd_is_pointer(in[0].type))
    return hd_eval_pointer(frame, type, hd_call_address(&in[0]), out);
  if (hd_class_of(hd_type_element(type)) == HD_CLASS_NONE ||
      hd_class_of(hd_type_element(in[0].type)) == HD_CLASS_NONE ||
      hd_type_bits(hd_type_element(type)) * hd_lanes_of(type) !=
          hd_type_bits(hd_type_element(in[0].type)) * hd_lanes_of(in[0].type))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected numbers, or vectors of them, of one width");
  HD_TRY(hd_eval_value(frame, type, out));
  if (out->buffer->size != in[0].buffer->size)
    return hd_make_status(HD_UNIMPLEMENTED, "casts elements that do not fill their bytes");
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
  return HD_STATUS_OK;
}

/* ---- elements of vectors ---- */

static hd_status position_of(const hd_tensor *vector, const hd_tensor *position, int64_t *out) {
  int64_t count = (int64_t)hd_lanes_of(vector->type);
  *out = hd_eval_int(position);
  if (*out >= 0 && *out < count) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "takes element %lld of %lld", (long long)*out, (long long)count);
}

HD_EVAL_HOOK(llvm_extractelement) {
  int64_t at;
  HD_TRY(position_of(&in[0], &in[1], &at));
  hd_type element = hd_type_element(in[0].type);
  HD_TRY(hd_eval_value(frame, element, out));
  size_t bytes = hd_type_element_bytes(element);
  memcpy(hd_tensor_data(out), (const char *)hd_tensor_data(&in[0]) + (size_t)at * bytes, bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(llvm_insertelement) {
  int64_t at;
  HD_TRY(position_of(&in[0], &in[2], &at));
  HD_TRY(hd_eval_value(frame, in[0].type, out));
  size_t bytes = hd_type_element_bytes(hd_type_element(in[0].type));
  if (in[1].buffer->size < bytes) return hd_make_status(HD_INVALID_ARGUMENT, "inserts a value of another type");
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
  memcpy((char *)hd_tensor_data(out) + (size_t)at * bytes, hd_tensor_data(&in[1]), bytes);
  return HD_STATUS_OK;
}

/* Members of a struct of numbers and pointers, which is its bytes as they are in memory. */
HD_EVAL_HOOK(llvm_extractvalue) {
  hd_attr position = hd_llvm_extractvalue_position(op);
  hd_type type = in[0].type;
  bool is_struct = hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == HD_TYPE_ROW_llvm_struct;
  hd_attr body = is_struct ? type->dialect.params[2] : NULL;
  int64_t wanted = hd_attr_count(position) == 1 ? hd_attr_int_at(position, 0) : -1;
  size_t at = 0, align, bytes = 0;
  if (!hd_attr_is(body, HD_ATTR_ARRAY) || wanted < 0 || wanted >= (int64_t)body->array.count)
    return hd_make_status(HD_UNIMPLEMENTED, "takes no member of a struct");
  for (int64_t i = 0; i <= wanted; ++i) {
    at += bytes;
    bytes = hd_size_in_memory(body->array.items[i]->type_value, &align);
    at = (at + align - 1) / align * align;
  }
  if (!bytes || at + bytes > in[0].buffer->size || body->array.items[wanted]->type_value != hd_result_type(op, 0))
    return hd_make_status(HD_INVALID_ARGUMENT, "takes a member of another type than its result's");
  return hd_value_of_bytes(frame, hd_result_type(op, 0), (const char *)hd_tensor_data(&in[0]) + at, bytes, out);
}
