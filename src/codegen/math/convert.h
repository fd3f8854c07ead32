/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between float formats as integer arithmetic, for targets that lack a format.
 *
 * Results are those of hd_float_encode (ir/number.h): to nearest, ties to even, rounded once also from f64; overflow
 * gives infinity where the format has one, else NaN, else the largest finite value. Denormals of both formats are
 * exact. NaN stays NaN (payloads of bf16 and f16 keep their top bits); formats without NaN give what hd_float_encode
 * gives. Needed of the target: i32 (i64 when f64 takes part), f32 addition and multiplication with denormals.
 * Thread-compatible, as the builder is. */
#ifndef HD_CODEGEN_MATH_CONVERT_H_
#define HD_CODEGEN_MATH_CONVERT_H_

#include "ir/builder.h"

/* |value|, a scalar or vector of floats, as |to|, the same shape of another float type. Between f32 and f64 that is
 * arith.extf or arith.truncf; every other pair becomes integer ops around one arith.bitcast. Null when the shapes
 * differ or a type is no float. */
hd_value *hd_convert_emit(hd_builder *b, hd_value *value, hd_type to);

/* The same on patterns, for modules in which a format has been replaced by integers: formats up to 8 bits are in the
 * low bits of i8 (the upper bits of what is read may be anything, of what is made they are 0), 16-bit ones are i16; f32
 * and f64 stay floats. |value| is a scalar or vector of the one that stands for |from|. */
hd_value *hd_convert_emit_pattern(hd_builder *b, hd_value *value, hd_float_kind from, hd_float_kind to);

#endif
