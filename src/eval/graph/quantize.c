/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions from and to quantized types. */
#include "eval/core/quantized.h"
#include "ir/quantized.h"

/* From floats, or from one quantized type to another through the floats. */
HD_EVAL_HOOK(uniform_quantize) {
  hd_type type = hd_result_type(op, 0);
  if (!hd_quantized_element(type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a quantized result");
  if (!hd_type_is(hd_tensor_element(&in[0]), HD_TYPE_QUANT))
    return hd_eval_quantized(frame, &in[0], type->shaped.element, out);
  hd_tensor floats = {0};
  HD_TRY(hd_eval_dequantized(frame, &in[0], &floats));
  hd_status status = hd_eval_quantized(frame, &floats, type->shaped.element, out);
  hd_tensor_release(&floats);
  return status;
}

HD_EVAL_HOOK(uniform_dequantize) {
  if (!hd_type_is(hd_tensor_element(&in[0]), HD_TYPE_QUANT))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a quantized operand");
  return hd_eval_dequantized(frame, &in[0], out);
}
