/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized tensors hold the integers of their storage type. Ops that compute on them mean: dequantize, compute on the
 * expressed type, quantize. */
#ifndef HD_EVAL_QUANTIZED_H_
#define HD_EVAL_QUANTIZED_H_

#include "eval/frame.h"

/* True when the evaluator brings |op|'s values to their expressed types and back: some value is quantized, and the op
 * is not one that passes, casts or converts stored integers itself. */
bool hd_eval_computes_expressed(const hd_op *op);

/* |tensor| on its expressed type: (stored - zero point) * scale. */
hd_status hd_eval_dequantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_tensor *out) HD_MUST_USE;
/* |tensor| of floats on the quantized |element|: x / scale rounded to nearest even, plus the zero point, clamped to the
 * storage range. */
hd_status hd_eval_quantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, hd_tensor *out) HD_MUST_USE;

#endif
