/* SPDX-License-Identifier: Apache-2.0 */
/* Emitters of rows of codegen/lower.def on integers, booleans and floats, where
 * one op of arith or math is not enough. */
#include <math.h>

#include "codegen/emit/lower.h"
#include "codegen/math/integer.h"
#include "codegen/math/next_after.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

static hd_value *zero_minus(hd_emission *e, hd_value *x) {
  return hd_build(e->b, HD_OP_arith_subi, e->type, hd_build_int(e->b, e->type, 0), x);
}

/* NaN and both zeros stay themselves. */
bool hd_emit_sign(hd_emission *e, hd_element *out) {
  hd_value *x = e->x[0].re, *zero = hd_build_float(e->b, e->type, 0), *one = hd_build_float(e->b, e->type, 1);
  hd_value *unit = hd_build(e->b, HD_OP_math_copysign, e->type, one, x);
  out->re = hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_ONE, x, zero), unit, x);
  return true;
}

bool hd_emit_integer_sign(hd_emission *e, hd_element *out) {
  hd_value *x = e->x[0].re, *zero = hd_build_int(e->b, e->type, 0), *one = hd_build_int(e->b, e->type, 1);
  out->re = hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_NE, x, zero), one, zero);
  if (!hd_emit_is_unsigned(e->in))
    out->re = hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_SLT, x, zero),
                                   hd_build_int(e->b, e->type, -1), out->re);
  return true;
}

bool hd_emit_negate(hd_emission *e, hd_element *out) {
  out->re = zero_minus(e, e->x[0].re);
  return true;
}

/* The smallest integer is its own negative, and so its own absolute value. */
bool hd_emit_abs(hd_emission *e, hd_element *out) {
  out->re = hd_build(e->b, HD_OP_arith_maxsi, e->type, e->x[0].re, zero_minus(e, e->x[0].re));
  return true;
}

bool hd_emit_not(hd_emission *e, hd_element *out) {
  out->re = hd_build(e->b, HD_OP_arith_xori, e->type, e->x[0].re, hd_build_int(e->b, e->type, -1));
  return true;
}

bool hd_emit_divide(hd_emission *e, hd_element *out) {
  out->re = hd_integer_divide_emit(e->b, e->x[0].re, e->x[1].re, !hd_emit_is_unsigned(e->in));
  return true;
}

bool hd_emit_remainder(hd_emission *e, hd_element *out) {
  out->re = hd_integer_remainder_emit(e->b, e->x[0].re, e->x[1].re, !hd_emit_is_unsigned(e->in));
  return true;
}

bool hd_emit_power(hd_emission *e, hd_element *out) {
  out->re = hd_integer_power_emit(e->b, e->x[0].re, e->x[1].re, !hd_emit_is_unsigned(e->in));
  return true;
}

bool hd_emit_mulhi(hd_emission *e, hd_element *out) {
  hd_type halves[2] = {e->type, e->type};
  hd_op *product =
      hd_build_op(e->b, hd_emit_is_unsigned(e->in) ? HD_OP_arith_mului_extended : HD_OP_arith_mulsi_extended,
                  (hd_value *[]){e->x[0].re, e->x[1].re}, 2, halves, 2, NULL, 0, 0);
  out->re = hd_result(product, 1);
  return true;
}

bool hd_emit_shift_left(hd_emission *e, hd_element *out) {
  out->re = hd_integer_shift_emit(e->b, e->x[0].re, e->x[1].re, HD_SHIFT_LEFT);
  return true;
}

bool hd_emit_shift_right_arithmetic(hd_emission *e, hd_element *out) {
  out->re = hd_integer_shift_emit(e->b, e->x[0].re, e->x[1].re, HD_SHIFT_RIGHT_ARITHMETIC);
  return true;
}

bool hd_emit_shift_right_logical(hd_emission *e, hd_element *out) {
  out->re = hd_integer_shift_emit(e->b, e->x[0].re, e->x[1].re, HD_SHIFT_RIGHT_LOGICAL);
  return true;
}

hd_predicates hd_emission_predicates(const hd_emission *e) {
  static const hd_predicates table[] = {
      [HD_STABLEHLO_COMPARE_EQ] = {HD_ARITH_CMPF_OEQ, HD_ARITH_CMPI_EQ, HD_ARITH_CMPI_EQ},
      [HD_STABLEHLO_COMPARE_NE] = {HD_ARITH_CMPF_UNE, HD_ARITH_CMPI_NE, HD_ARITH_CMPI_NE},
      [HD_STABLEHLO_COMPARE_GE] = {HD_ARITH_CMPF_OGE, HD_ARITH_CMPI_SGE, HD_ARITH_CMPI_UGE},
      [HD_STABLEHLO_COMPARE_GT] = {HD_ARITH_CMPF_OGT, HD_ARITH_CMPI_SGT, HD_ARITH_CMPI_UGT},
      [HD_STABLEHLO_COMPARE_LE] = {HD_ARITH_CMPF_OLE, HD_ARITH_CMPI_SLE, HD_ARITH_CMPI_ULE},
      [HD_STABLEHLO_COMPARE_LT] = {HD_ARITH_CMPF_OLT, HD_ARITH_CMPI_SLT, HD_ARITH_CMPI_ULT},
  };
  return table[hd_stablehlo_compare_comparison_direction(e->op)];
}

/* An integer in the order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN: patterns of negative numbers
 * flipped. Patterns of the element's own type, as widening may quiet a NaN; but of those with one
 * NaN, where it is not the greatest pattern. */
static hd_value *total_order_key(hd_emission *e, hd_value *x) {
  hd_float_special special = hd_float_formats[e->in->float_kind].special;
  if (special != HD_FLOAT_FNUZ && special != HD_FLOAT_E8M0)
    x = hd_emit_narrow(e->b, e->in, (hd_element){x, NULL}, e->lanes).re;
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_type bits = hd_lanes_type(hd_type_integer(e->b->context, width, HD_SIGNLESS), e->lanes);
  hd_value *pattern = hd_build(e->b, HD_OP_arith_bitcast, bits, x);
  hd_value *flipped =
      hd_build(e->b, HD_OP_arith_xori, bits, pattern, hd_build_int(e->b, bits, (int64_t)((1ull << (width - 1)) - 1)));
  return hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_SLT, pattern, hd_build_int(e->b, bits, 0)),
                              flipped, pattern);
}

bool hd_emit_compare(hd_emission *e, hd_element *out) {
  hd_predicates p = hd_emission_predicates(e);
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  if (!hd_type_is(e->in, HD_TYPE_FLOAT)) {
    out->re = hd_arith_cmpi(e->b, hd_emit_is_unsigned(e->in) ? p.no_sign : p.with_sign, x, y);
  } else if (hd_stablehlo_compare_compare_type(e->op) == HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER) {
    x = total_order_key(e, x), y = total_order_key(e, y);
    out->re = hd_arith_cmpi(e->b, p.with_sign, x, y);
  } else {
    out->re = hd_arith_cmpf(e->b, p.of_floats, x, y);
  }
  return true;
}

/* minimum(maximum(operand, low), high), as their rows say. */
bool hd_emit_clamp(hd_emission *e, hd_element *out) {
  hd_scalar_class class = hd_scalar_class_of(e->in);
  hd_opcode most = hd_lowering_of(HD_OP_stablehlo_maximum)->forms[class].opcode,
            least = hd_lowering_of(HD_OP_stablehlo_minimum)->forms[class].opcode;
  out->re = hd_build(e->b, most, e->type, e->x[1].re, e->x[0].re);
  out->re = hd_build(e->b, least, e->type, out->re, e->x[2].re);
  return true;
}

bool hd_emit_is_finite(hd_emission *e, hd_element *out) {
  hd_value *infinity = hd_build_float(e->b, e->type, INFINITY),
           *magnitude = hd_emit_math(e, HD_OP_math_absf, e->x[0].re);
  out->re = hd_arith_cmpf(e->b, HD_ARITH_CMPF_OLT, magnitude, infinity);
  return true;
}

/* Of a real number. */
bool hd_emit_imag(hd_emission *e, hd_element *out) {
  out->re = hd_build_float(e->b, e->type, 0);
  return true;
}

/* The neighbour of a number depends on its format, so it is found in the element's own. */
bool hd_emit_next_after(hd_emission *e, hd_element *out) {
  hd_value *x = hd_emit_narrow(e->b, e->in, e->x[0], e->lanes).re,
           *y = hd_emit_narrow(e->b, e->in, e->x[1], e->lanes).re, *next = hd_next_after_emit(e->b, x, y);
  if (next) *out = hd_emit_widen(e->b, e->in, (hd_element){next, NULL}, e->lanes);
  return next != NULL;
}
