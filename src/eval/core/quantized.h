/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized tensors hold the integers of their storage type. Ops that compute on them mean: dequantize, compute on the
 * expressed type, quantize. */
#ifndef HD_EVAL_CORE_QUANTIZED_H_
#define HD_EVAL_CORE_QUANTIZED_H_

#include "eval/core/frame.h"

/* |tensor| on its expressed type: (stored - zero point) * scale. */
hd_status hd_eval_dequantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_tensor *out) HD_MUST_USE;
/* |*tensor|, whose integers are as a quantized constant is written, without saying how they extend, as one of the
 * quantized |element|; as it is where that is null or the tensor's, or has another width. */
hd_status hd_eval_as_stored(hd_eval_frame *frame, hd_tensor *tensor, hd_type element) HD_MUST_USE;
/* |tensor| of floats on the quantized |element|: x / scale rounded to nearest even, plus the zero point, clamped to the
 * storage range. */
hd_status hd_eval_quantized(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, hd_tensor *out) HD_MUST_USE;

#endif
