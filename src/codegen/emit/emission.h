/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of hd_emit_elementwise share: one op that is being emitted, and short names for the arithmetic
 * that all of them write. elementwise.c chooses; conversions and complex numbers have files of their own. */
#ifndef HD_CODEGEN_EMIT_EMISSION_H_
#define HD_CODEGEN_EMIT_EMISSION_H_

#include "codegen/emit/elementwise.h"
#include "ir/ops/enums.h"

typedef struct hd_emission {
  hd_builder *b;
  hd_op *op;
  hd_type in, out;  /* element types of operand 0 (of the last operand for select) and the result */
  hd_type type;     /* compute type of |in| in lanes */
  hd_type out_type; /* of |out| */
  uint32_t lanes;
  const hd_element *x;
} hd_emission;

/* i1 counts as unsigned. */
static inline bool hd_emit_is_unsigned(hd_type t) {
  return t->kind == HD_TYPE_INTEGER && (t->integer.signedness == HD_UNSIGNED || t->integer.width == 1);
}

static inline hd_value *hd_emit_select_value(hd_builder *b, hd_value *c, hd_value *yes, hd_value *no) {
  return hd_build(b, HD_OP_arith_select, yes->type, c, yes, no);
}

static inline hd_value *hd_emit_math(hd_emission *e, hd_opcode opcode, hd_value *x) {
  return hd_build(e->b, opcode, x->type, x);
}

/* A float op, contracted where the numerics policy allows it; nothing else is assumed. */
hd_value *hd_emit_float_op(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y);
#define HD_ADDF(x, y) hd_emit_float_op(e->b, HD_OP_arith_addf, x, y)
#define HD_SUBF(x, y) hd_emit_float_op(e->b, HD_OP_arith_subf, x, y)
#define HD_MULF(x, y) hd_emit_float_op(e->b, HD_OP_arith_mulf, x, y)
#define HD_DIVF(x, y) hd_emit_float_op(e->b, HD_OP_arith_divf, x, y)

/* The emitters that rows of codegen/lower.def name: the op's element into |out|; false: it has no such code. */
typedef bool hd_emit_function(hd_emission *e, hd_element *out);
/* elementwise_real.c: integers, booleans and floats */
hd_emit_function hd_emit_sign, hd_emit_integer_sign, hd_emit_negate, hd_emit_abs, hd_emit_not, hd_emit_divide,
    hd_emit_remainder, hd_emit_power, hd_emit_mulhi, hd_emit_shift_left, hd_emit_shift_right_arithmetic,
    hd_emit_shift_right_logical, hd_emit_compare, hd_emit_clamp, hd_emit_is_finite, hd_emit_imag, hd_emit_next_after;
/* elementwise_convert.c: between element types */
hd_emit_function hd_emit_convert, hd_emit_bitcast, hd_emit_reduce_precision;
bool hd_can_emit_bitcast(hd_type in, hd_type out); /* of types of one width */
/* elementwise_complex.c: complex numbers as two parts */
hd_emit_function hd_emit_complex, hd_emit_complex_real, hd_emit_complex_imag, hd_emit_complex_add,
    hd_emit_complex_subtract, hd_emit_complex_multiply, hd_emit_complex_divide, hd_emit_complex_negate,
    hd_emit_complex_abs, hd_emit_complex_maximum, hd_emit_complex_minimum, hd_emit_complex_clamp,
    hd_emit_complex_compare;
/* elementwise.c */
hd_emit_function hd_emit_selected;

/* stablehlo.compare's direction in arith's predicates. */
typedef struct hd_predicates {
  hd_enum_arith_cmpf_predicate of_floats;
  hd_enum_arith_cmpi_predicate with_sign, no_sign;
} hd_predicates;
hd_predicates hd_emission_predicates(const hd_emission *e);

#endif
