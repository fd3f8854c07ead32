/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of the arith dialect on scalars, vectors and tensors. A float out of the range of an integer type, which
 * arith leaves undefined, has a fixed result here. */
#include <math.h>
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/memory.h"
#include "ir/number.h"

typedef enum conversion { SIGNED, UNSIGNED, BY_VALUE } conversion;

static hd_status convert(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, conversion from,
                         conversion to) {
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type source = hd_type_element(in[0].type), element = hd_type_element(out->type);
  size_t count = hd_lanes_of(out->type), step = hd_type_element_bytes(source), bytes = hd_type_element_bytes(element);
  HD_TRY(hd_eval_check_lanes(in, 1, count));
  const char *at = hd_tensor_data(&in[0]);
  char *result = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i, at += step, result += bytes) {
    if (from == BY_VALUE) {
      double value;
      hd_load_doubles(source, at, 1, &value);
      if (to == BY_VALUE) {
        hd_store_doubles(element, result, 1, &value);
      } else if (to == SIGNED) {
        hd_element_store(element, result, hd_double_to_int(element, value));
      } else {
        uint32_t width = hd_int_width(element);
        double limit = ldexp(1, (int)width);
        uint64_t whole = isnan(value) || value <= 0 ? 0 : value >= limit ? UINT64_MAX : (uint64_t)value;
        hd_element_store(element, result, (int64_t)whole);
      }
      continue;
    }
    int64_t value = hd_element_load(source, at);
    value = from == SIGNED ? hd_int_signed(value, source) : (int64_t)hd_int_bits(value, source);
    if (to == BY_VALUE) {
      double number = hd_int_to_double_odd(value, from == UNSIGNED);
      hd_store_doubles(element, result, 1, &number);
    } else {
      hd_element_store(element, result, value);
    }
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(arith_index_cast) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_index_castui) { return convert(frame, op, in, out, UNSIGNED, UNSIGNED); }
HD_EVAL_HOOK(arith_extsi) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_extui) { return convert(frame, op, in, out, UNSIGNED, UNSIGNED); }
HD_EVAL_HOOK(arith_trunci) { return convert(frame, op, in, out, SIGNED, SIGNED); }
HD_EVAL_HOOK(arith_sitofp) { return convert(frame, op, in, out, SIGNED, BY_VALUE); }
HD_EVAL_HOOK(arith_uitofp) { return convert(frame, op, in, out, UNSIGNED, BY_VALUE); }
HD_EVAL_HOOK(arith_fptosi) { return convert(frame, op, in, out, BY_VALUE, SIGNED); }
HD_EVAL_HOOK(arith_fptoui) { return convert(frame, op, in, out, BY_VALUE, UNSIGNED); }
HD_EVAL_HOOK(arith_extf) { return convert(frame, op, in, out, BY_VALUE, BY_VALUE); }
HD_EVAL_HOOK(arith_truncf) { return convert(frame, op, in, out, BY_VALUE, BY_VALUE); }

/* The same bytes as another type of as many. */
HD_EVAL_HOOK(arith_bitcast) {
  if (!hd_type_is(hd_result_type(op, 0), HD_TYPE_MEMREF)) {
    HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
    if (out->buffer->size != in[0].buffer->size)
      return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in size");
    memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
    return HD_STATUS_OK;
  }
  return hd_memref_cast_to(&in[0], hd_result_type(op, 0), out);
}
