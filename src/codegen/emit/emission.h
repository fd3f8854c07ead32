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

/* stablehlo.convert of the operand. */
hd_element hd_emit_convert(hd_emission *e);
/* stablehlo.bitcast_convert to a type of the same width; false: there is no such code. */
bool hd_emit_bitcast(hd_emission *e, hd_value **out);
/* stablehlo.reduce_precision of floats; false: its attributes are out of range. */
bool hd_emit_reduce_precision(hd_emission *e, hd_value **out);
/* An op whose operands are complex; false: it has no code. */
bool hd_emit_complex(hd_emission *e, hd_opcode opcode, hd_element *out);
/* The larger (smaller) by real, then imaginary part; the first NaN. */
hd_element hd_emit_complex_extreme(hd_emission *e, bool most, hd_element x, hd_element y);
/* The first operand before, at or behind the second: |order| is one of arith.cmpf, ordered but for "une". */
hd_value *hd_emit_complex_compare(hd_emission *e, hd_enum_arith_cmpf_predicate order);

#endif
