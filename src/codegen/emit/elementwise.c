/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "codegen/emit/emission.h"
#include "codegen/math/complex.h"
#include "codegen/math/expand.h"
#include "codegen/math/integer.h"
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

hd_value *hd_emit_float_op(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_attr_arg contract = {HD_NAME_fastmath, hd_attr_enum(b->context, HD_ENUM_arith_fastmath, 32)};
  return hd_build_one_(b, opcode, x->type, (hd_value *[]){x, y}, 2, &contract, 1);
}

hd_element hd_emit_select(hd_builder *b, hd_value *condition, hd_element yes, hd_element no) {
  return (hd_element){hd_emit_select_value(b, condition, yes.re, no.re),
                      yes.im ? hd_emit_select_value(b, condition, yes.im, no.im) : NULL};
}

static hd_value *part_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  hd_type type = hd_lanes_type(hd_compute_type(element), lanes);
  int64_t bits = hd_element_load(element, data);
  if (!hd_type_is(element, HD_TYPE_FLOAT)) return hd_build_int(b, type, bits);
  if (hd_compute_type(element) != element)
    return hd_build_float(b, type, hd_float_decode(element->float_kind, (uint64_t)bits));
  if (!lanes) return hd_build_constant(b, hd_attr_float_bits(type, (uint64_t)bits));
  return hd_build_constant(b, hd_attr_dense(type, data, hd_type_element_bytes(element), true));
}

hd_element hd_emit_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  if (!hd_type_is(element, HD_TYPE_COMPLEX)) return (hd_element){part_constant(b, element, data, lanes), NULL};
  hd_type part = element->shaped.element;
  return (hd_element){part_constant(b, part, data, lanes),
                      part_constant(b, part, (const char *)data + hd_type_element_bytes(part), lanes)};
}

static hd_value *sign(hd_emission *e) {
  hd_value *x = e->x[0].re;
  if (hd_type_is(e->in, HD_TYPE_FLOAT)) {
    hd_value *zero = hd_build_float(e->b, e->type, 0), *one = hd_build_float(e->b, e->type, 1);
    hd_value *unit = hd_build(e->b, HD_OP_math_copysign, e->type, one, x);
    /* NaN and both zeros stay themselves. */
    return hd_emit_select_value(e->b, hd_arith_cmpf(e->b, HD_ARITH_CMPF_ONE, x, zero), unit, x);
  }
  hd_value *zero = hd_build_int(e->b, e->type, 0), *one = hd_build_int(e->b, e->type, 1);
  hd_value *positive = hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_NE, x, zero), one, zero);
  return hd_emit_is_unsigned(e->in) ? positive
                                    : hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_SLT, x, zero),
                                                           hd_build_int(e->b, e->type, -1), positive);
}

static bool binary_int(hd_emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  bool boolean = hd_type_is_integer(e->in, 1), no_sign = hd_emit_is_unsigned(e->in);
  hd_opcode op;
  switch (opcode) {
    case HD_OP_stablehlo_add:
      op = boolean ? HD_OP_arith_ori : HD_OP_arith_addi;
      break;
    case HD_OP_stablehlo_subtract:
      op = HD_OP_arith_subi;
      break;
    case HD_OP_stablehlo_multiply:
      op = boolean ? HD_OP_arith_andi : HD_OP_arith_muli;
      break;
    case HD_OP_stablehlo_maximum:
      op = boolean ? HD_OP_arith_ori : no_sign ? HD_OP_arith_maxui : HD_OP_arith_maxsi;
      break;
    case HD_OP_stablehlo_minimum:
      op = boolean ? HD_OP_arith_andi : no_sign ? HD_OP_arith_minui : HD_OP_arith_minsi;
      break;
    case HD_OP_stablehlo_and:
      op = HD_OP_arith_andi;
      break;
    case HD_OP_stablehlo_or:
      op = HD_OP_arith_ori;
      break;
    case HD_OP_stablehlo_xor:
      op = HD_OP_arith_xori;
      break;
    case HD_OP_stablehlo_divide:
      *out = hd_integer_divide_emit(e->b, x, y, !no_sign);
      return true;
    case HD_OP_stablehlo_remainder:
      *out = hd_integer_remainder_emit(e->b, x, y, !no_sign);
      return true;
    case HD_OP_stablehlo_power:
      *out = hd_integer_power_emit(e->b, x, y, !no_sign);
      return true;
    case HD_OP_mhlo_mulhi: {
      hd_type halves[2] = {e->type, e->type};
      hd_op *product = hd_build_op(e->b, no_sign ? HD_OP_arith_mului_extended : HD_OP_arith_mulsi_extended,
                                   (hd_value *[]){x, y}, 2, halves, 2, NULL, 0, 0);
      *out = hd_result(product, 1);
      return true;
    }
    case HD_OP_stablehlo_shift_left:
      *out = hd_integer_shift_emit(e->b, x, y, HD_SHIFT_LEFT);
      return true;
    case HD_OP_stablehlo_shift_right_arithmetic:
      *out = hd_integer_shift_emit(e->b, x, y, HD_SHIFT_RIGHT_ARITHMETIC);
      return true;
    case HD_OP_stablehlo_shift_right_logical:
      *out = hd_integer_shift_emit(e->b, x, y, HD_SHIFT_RIGHT_LOGICAL);
      return true;
    default:
      return false;
  }
  *out = hd_build(e->b, op, e->type, x, y);
  return true;
}

static bool binary_float(hd_emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  switch (opcode) {
    case HD_OP_stablehlo_add:
      *out = HD_ADDF(x, y);
      return true;
    case HD_OP_stablehlo_subtract:
      *out = HD_SUBF(x, y);
      return true;
    case HD_OP_stablehlo_multiply:
      *out = HD_MULF(x, y);
      return true;
    case HD_OP_stablehlo_divide:
      *out = HD_DIVF(x, y);
      return true;
    case HD_OP_stablehlo_remainder:
      *out = hd_build(e->b, HD_OP_arith_remf, e->type, x, y);
      return true;
    case HD_OP_stablehlo_maximum:
      *out = hd_build(e->b, HD_OP_arith_maximumf, e->type, x, y);
      return true;
    case HD_OP_stablehlo_minimum:
      *out = hd_build(e->b, HD_OP_arith_minimumf, e->type, x, y);
      return true;
    case HD_OP_stablehlo_power:
      *out = hd_build(e->b, HD_OP_math_powf, e->type, x, y);
      return true;
    case HD_OP_stablehlo_atan2:
      *out = hd_build(e->b, HD_OP_math_atan2, e->type, x, y);
      return true;
    default:
      return false;
  }
}

static hd_opcode float_function(hd_opcode opcode) {
  switch (opcode) {
    case HD_OP_stablehlo_exponential:
      return HD_OP_math_exp;
    case HD_OP_stablehlo_exponential_minus_one:
      return HD_OP_math_expm1;
    case HD_OP_stablehlo_log:
      return HD_OP_math_log;
    case HD_OP_stablehlo_log_plus_one:
      return HD_OP_math_log1p;
    case HD_OP_stablehlo_tanh:
      return HD_OP_math_tanh;
    case HD_OP_stablehlo_sine:
      return HD_OP_math_sin;
    case HD_OP_stablehlo_cosine:
      return HD_OP_math_cos;
    case HD_OP_stablehlo_tan:
      return HD_OP_math_tan;
    case HD_OP_stablehlo_sqrt:
      return HD_OP_math_sqrt;
    case HD_OP_stablehlo_rsqrt:
      return HD_OP_math_rsqrt;
    case HD_OP_stablehlo_cbrt:
      return HD_OP_math_cbrt;
    case HD_OP_stablehlo_floor:
      return HD_OP_math_floor;
    case HD_OP_stablehlo_ceil:
      return HD_OP_math_ceil;
    case HD_OP_stablehlo_round_nearest_afz:
      return HD_OP_math_round;
    case HD_OP_stablehlo_round_nearest_even:
      return HD_OP_math_roundeven;
    case HD_OP_stablehlo_abs:
      return HD_OP_math_absf;
    case HD_OP_stablehlo_negate:
      return HD_OP_arith_negf;
    case HD_OP_chlo_erf:
      return HD_OP_math_erf;
    case HD_OP_chlo_erfc:
      return HD_OP_math_erfc;
    case HD_OP_chlo_asin:
      return HD_OP_math_asin;
    case HD_OP_chlo_acos:
      return HD_OP_math_acos;
    case HD_OP_chlo_atan:
      return HD_OP_math_atan;
    case HD_OP_chlo_sinh:
      return HD_OP_math_sinh;
    case HD_OP_chlo_cosh:
      return HD_OP_math_cosh;
    case HD_OP_chlo_asinh:
      return HD_OP_math_asinh;
    case HD_OP_chlo_acosh:
      return HD_OP_math_acosh;
    case HD_OP_chlo_atanh:
      return HD_OP_math_atanh;
    default:
      return HD_OP_UNREGISTERED;
  }
}

static bool unary_int(hd_emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re;
  switch (opcode) {
    case HD_OP_stablehlo_negate:
      *out = hd_build(e->b, HD_OP_arith_subi, e->type, hd_build_int(e->b, e->type, 0), x);
      return true;
    case HD_OP_stablehlo_abs:
      *out = hd_emit_is_unsigned(e->in)
                 ? x
                 : hd_build(e->b, HD_OP_arith_maxsi, e->type, x,
                            hd_build(e->b, HD_OP_arith_subi, e->type, hd_build_int(e->b, e->type, 0), x));
      /* The smallest integer is its own negative, and so its own absolute value. */
      return true;
    case HD_OP_stablehlo_not:
      *out = hd_build(e->b, HD_OP_arith_xori, e->type, x, hd_build_int(e->b, e->type, -1));
      return true;
    case HD_OP_stablehlo_popcnt:
      *out = hd_emit_math(e, HD_OP_math_ctpop, x);
      return true;
    case HD_OP_stablehlo_count_leading_zeros:
      *out = hd_emit_math(e, HD_OP_math_ctlz, x);
      return true;
    case HD_OP_stablehlo_sign:
      *out = sign(e);
      return true;
    default:
      return false;
  }
}

static hd_element compare(hd_emission *e) {
  static const struct {
    hd_enum_arith_cmpf_predicate ordered;
    hd_enum_arith_cmpi_predicate with_sign, no_sign;
  } table[] = {
      [HD_STABLEHLO_COMPARISON_DIRECTION_EQ] = {HD_ARITH_CMPF_OEQ, HD_ARITH_CMPI_EQ, HD_ARITH_CMPI_EQ},
      [HD_STABLEHLO_COMPARISON_DIRECTION_NE] = {HD_ARITH_CMPF_UNE, HD_ARITH_CMPI_NE, HD_ARITH_CMPI_NE},
      [HD_STABLEHLO_COMPARISON_DIRECTION_GE] = {HD_ARITH_CMPF_OGE, HD_ARITH_CMPI_SGE, HD_ARITH_CMPI_UGE},
      [HD_STABLEHLO_COMPARISON_DIRECTION_GT] = {HD_ARITH_CMPF_OGT, HD_ARITH_CMPI_SGT, HD_ARITH_CMPI_UGT},
      [HD_STABLEHLO_COMPARISON_DIRECTION_LE] = {HD_ARITH_CMPF_OLE, HD_ARITH_CMPI_SLE, HD_ARITH_CMPI_ULE},
      [HD_STABLEHLO_COMPARISON_DIRECTION_LT] = {HD_ARITH_CMPF_OLT, HD_ARITH_CMPI_SLT, HD_ARITH_CMPI_ULT},
  };
  hd_enum_stablehlo_comparison_direction i = hd_stablehlo_compare_comparison_direction(e->op);
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  if (hd_type_is(e->in, HD_TYPE_COMPLEX)) return (hd_element){hd_emit_complex_compare(e, table[i].ordered), NULL};
  if (!hd_type_is(e->in, HD_TYPE_FLOAT))
    return (hd_element){hd_arith_cmpi(e->b, hd_emit_is_unsigned(e->in) ? table[i].no_sign : table[i].with_sign, x, y),
                        NULL};
  bool total = hd_stablehlo_compare_compare_type(e->op) == HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER;
  if (!total) return (hd_element){hd_arith_cmpf(e->b, table[i].ordered, x, y), NULL};
  /* -NaN < -inf < ... < -0 < +0 < ... < inf < NaN: patterns of negative numbers flipped. */
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_type bits = hd_lanes_type(hd_type_integer(e->b->context, width, HD_SIGNLESS), e->lanes);
  hd_value *keys[2];
  for (int k = 0; k < 2; ++k) {
    hd_value *pattern = hd_build(e->b, HD_OP_arith_bitcast, bits, e->x[k].re);
    hd_value *flipped =
        hd_build(e->b, HD_OP_arith_xori, bits, pattern, hd_build_int(e->b, bits, (int64_t)((1ull << (width - 1)) - 1)));
    keys[k] = hd_emit_select_value(e->b, hd_arith_cmpi(e->b, HD_ARITH_CMPI_SLT, pattern, hd_build_int(e->b, bits, 0)),
                                   flipped, pattern);
  }
  return (hd_element){hd_arith_cmpi(e->b, table[i].with_sign, keys[0], keys[1]), NULL};
}

static hd_value *least_or_most(hd_emission *e, bool most, hd_value *x, hd_value *y) {
  if (hd_type_is(e->in, HD_TYPE_FLOAT))
    return hd_build(e->b, most ? HD_OP_arith_maximumf : HD_OP_arith_minimumf, x->type, x, y);
  bool no_sign = hd_emit_is_unsigned(e->in);
  return hd_build(
      e->b,
      most ? (no_sign ? HD_OP_arith_maxui : HD_OP_arith_maxsi) : (no_sign ? HD_OP_arith_minui : HD_OP_arith_minsi),
      x->type, x, y);
}

/* Functions of the math library that no op of the math dialect names. The neighbour of a number depends on its format.
 */
static bool library_function(hd_emission *e, hd_opcode opcode, hd_value **out) {
  if (!hd_math_can_expand(opcode)) return false;
  hd_value *operands[2] = {e->x[0].re, hd_math_operand_count(opcode) > 1 ? e->x[1].re : NULL};
  bool narrow = opcode == HD_OP_mhlo_next_after || opcode == HD_OP_chlo_next_after;
  for (int i = 0; i < 2 && narrow; ++i) operands[i] = hd_emit_narrow(e->b, e->in, e->x[i], e->lanes).re;
  *out = hd_math_expand(e->b, opcode, operands);
  if (*out && narrow) *out = hd_emit_widen(e->b, e->in, (hd_element){*out, NULL}, e->lanes).re;
  return *out != NULL;
}

static bool emit_float(hd_emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re;
  hd_opcode function = float_function(opcode);
  if (function) {
    *out = hd_emit_math(e, function, x);
    return true;
  }
  switch (opcode) {
    case HD_OP_stablehlo_sign:
      *out = sign(e);
      return true;
    case HD_OP_stablehlo_is_finite:
      *out = hd_arith_cmpf(e->b, HD_ARITH_CMPF_OLT, hd_emit_math(e, HD_OP_math_absf, x),
                           hd_build_float(e->b, x->type, INFINITY));
      return true;
    case HD_OP_chlo_square:
      *out = HD_MULF(x, x);
      return true;
    case HD_OP_stablehlo_reduce_precision:
      return hd_emit_reduce_precision(e, out);
    case HD_OP_stablehlo_real:
      *out = x;
      return true;
    case HD_OP_stablehlo_imag:
      *out = hd_build_float(e->b, x->type, 0);
      return true;
    default:
      return binary_float(e, opcode, out) || library_function(e, opcode, out);
  }
}

static bool emit(hd_emission *e, hd_opcode opcode, hd_element *out) {
  *out = (hd_element){0};
  switch (opcode) {
    case HD_OP_stablehlo_compare:
      *out = compare(e);
      return true;
    case HD_OP_stablehlo_select:
      *out = hd_emit_select(e->b, e->x[0].re, e->x[1], e->x[2]);
      return true;
    case HD_OP_stablehlo_clamp:
      if (hd_type_is(e->in, HD_TYPE_COMPLEX)) {
        *out = hd_emit_complex_extreme(e, false, hd_emit_complex_extreme(e, true, e->x[1], e->x[0]), e->x[2]);
        return true;
      }
      out->re = least_or_most(e, false, least_or_most(e, true, e->x[1].re, e->x[0].re), e->x[2].re);
      return true;
    case HD_OP_stablehlo_convert:
      *out = hd_emit_convert(e);
      return true;
    case HD_OP_stablehlo_bitcast_convert:
      *out = e->x[0];
      return e->in == e->out || hd_emit_bitcast(e, &out->re);
    case HD_OP_stablehlo_complex:
      *out = (hd_element){e->x[0].re, e->x[1].re};
      return true;
    case HD_OP_mhlo_copy:
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_optimization_barrier:
      *out = e->x[0];
      return true;
    default:
      break;
  }
  if (hd_type_is(e->in, HD_TYPE_COMPLEX)) return hd_emit_complex(e, opcode, out);
  if (hd_type_is(e->in, HD_TYPE_FLOAT)) return emit_float(e, opcode, &out->re);
  return unary_int(e, opcode, &out->re) || binary_int(e, opcode, &out->re);
}

bool hd_emit_elementwise(hd_builder *b, hd_op *op, hd_opcode opcode, const hd_type *elements,
                         const hd_element *operands, hd_type result_element, uint32_t lanes, hd_element *out) {
  hd_type in = opcode == HD_OP_stablehlo_select || opcode == HD_OP_stablehlo_clamp ? elements[1] : elements[0];
  hd_emission e = {b,
                   op,
                   in,
                   result_element,
                   hd_lanes_type(hd_compute_type(in), lanes),
                   hd_lanes_type(hd_compute_type(result_element), lanes),
                   lanes,
                   operands};
  hd_element made; /* |out| may be one of the operands */
  if (!emit(&e, opcode, &made)) return hd_op_error(op, "has no compiled path for its element type");
  *out = made;
  return true;
}

bool hd_can_emit_elementwise(hd_opcode opcode, hd_type in, hd_type out) {
  if (hd_type_is(in, HD_TYPE_COMPLEX) && hd_math_can_expand_complex(opcode)) return true;
  switch (opcode) {
    case HD_OP_stablehlo_compare:
    case HD_OP_stablehlo_select:
    case HD_OP_stablehlo_convert:
    case HD_OP_stablehlo_complex:
    case HD_OP_mhlo_copy:
    case HD_OP_stablehlo_optimization_barrier:
      return true;
    case HD_OP_stablehlo_clamp:
    case HD_OP_stablehlo_maximum:
    case HD_OP_stablehlo_minimum:
      return true;
    case HD_OP_stablehlo_bitcast_convert:
      return in == out || (hd_type_bits(in) == hd_type_bits(out) && !hd_type_is(in, HD_TYPE_COMPLEX) &&
                           !hd_type_is(out, HD_TYPE_COMPLEX));
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract:
    case HD_OP_stablehlo_multiply:
    case HD_OP_stablehlo_divide:
    case HD_OP_stablehlo_negate:
    case HD_OP_stablehlo_abs:
      return true;
    case HD_OP_stablehlo_real:
    case HD_OP_stablehlo_imag:
      return hd_type_is(in, HD_TYPE_COMPLEX) || hd_type_is(in, HD_TYPE_FLOAT);
    case HD_OP_stablehlo_remainder:
    case HD_OP_stablehlo_power:
    case HD_OP_stablehlo_sign:
      return !hd_type_is(in, HD_TYPE_COMPLEX);
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
    case HD_OP_stablehlo_xor:
    case HD_OP_mhlo_mulhi:
    case HD_OP_stablehlo_not:
    case HD_OP_stablehlo_popcnt:
    case HD_OP_stablehlo_count_leading_zeros:
    case HD_OP_stablehlo_shift_left:
    case HD_OP_stablehlo_shift_right_arithmetic:
    case HD_OP_stablehlo_shift_right_logical:
      return !hd_type_is(in, HD_TYPE_FLOAT) && !hd_type_is(in, HD_TYPE_COMPLEX);
    case HD_OP_stablehlo_atan2:
    case HD_OP_stablehlo_is_finite:
    case HD_OP_stablehlo_logistic:
    case HD_OP_stablehlo_reduce_precision:
    case HD_OP_chlo_square:
      return hd_type_is(in, HD_TYPE_FLOAT);
    default:
      return (float_function(opcode) || hd_math_can_expand(opcode)) && hd_type_is(in, HD_TYPE_FLOAT);
  }
}
