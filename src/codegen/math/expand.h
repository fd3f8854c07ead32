/* SPDX-License-Identifier: Apache-2.0 */
/* The vector math library: transcendental functions as arith, math and vector ops, the same for every target.
 *
 * The functions, their domains, errors and methods are the rows of math.def. They hold for scalars and vectors of any
 * width: a lane gets the same bits as a scalar. They are right at NaN, infinities, both zeros, denormals and huge
 * arguments. Needed of the target: IEEE f32 (or f64) with denormals, correctly rounded division and square root,
 * math.fma with one rounding, and i64 arithmetic in the rare paths. No fast-math flag is set on what is emitted;
 * setting one (contract too) voids the error bounds.
 * Thread-compatible, as the builder is. */
#ifndef HD_CODEGEN_MATH_EXPAND_H_
#define HD_CODEGEN_MATH_EXPAND_H_

#include "ir/builder.h"

/* Whether |opcode| has a row: a math op, arith.remf, or the graph-level op of a function that math has no op for. Ops
 * without one (sqrt, floor, fma, ...) are left to the target. */
bool hd_math_can_expand(hd_opcode opcode);

/* Has the expansion branches or loops? On a vector they are taken when any lane needs them. */
bool hd_math_branches(hd_opcode opcode);

/* Emits |opcode| of |operands| (a scalar or vector of a float type, all the same; narrower floats are computed in f32
 * and rounded once) and gives the result, of the operands' type. Null when there is no row or the type is not one of
 * those. */
hd_value *hd_math_expand(hd_builder *b, hd_opcode opcode, hd_value *const *operands);

/* The same of one operand, f32 or narrower, by a form of fast.def: |rounds| is bf16 or f16, in which the
 * program has the result, and |instructions| says whether the device has those for approximate functions. Null
 * where there is none: hd_math_expand has one. */
hd_value *hd_math_expand_fast(hd_builder *b, hd_opcode opcode, hd_value *const *operands, hd_float_kind rounds,
                              bool instructions);

/* A row, for documentation and tests; null past the end. */
typedef struct hd_math_row {
  const char *name, *domain, *method;
  hd_opcode opcode;
  int operands;
  double ulp32, ulp64;
} hd_math_row;
const hd_math_row *hd_math_row_at(size_t index);

typedef struct hd_math_fast_row {
  const char *name, *method;
  hd_opcode opcode;
  hd_float_kind format;
  bool instructions;
  double bound; /* eighths of a unit */
} hd_math_fast_row;
const hd_math_fast_row *hd_math_fast_row_at(size_t index);
/* The form of that row, for tests. */
hd_value *hd_math_expand_fast_row(hd_builder *b, size_t index, hd_value *const *operands);

#endif
