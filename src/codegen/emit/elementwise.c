/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/elementwise.h"

#include <math.h>
#include <string.h>

#include "codegen/math/complex.h"
#include "codegen/math/expand.h"
#include "codegen/math/integer.h"
#include "ir/number.h"

typedef struct emission {
  hd_builder *b;
  hd_op *op;
  hd_type in, out;  /* element types of operand 0 (of the last operand for select) and the result */
  hd_type type;     /* compute type of |in| in lanes */
  hd_type out_type; /* of |out| */
  uint32_t lanes;
  const hd_element *x;
} emission;

static bool is_float(hd_type t) { return t->kind == HD_TYPE_FLOAT; }
static bool is_complex(hd_type t) { return t->kind == HD_TYPE_COMPLEX; }
static bool is_bool(hd_type t) { return t->kind == HD_TYPE_INTEGER && t->integer.width == 1; }
static bool is_unsigned(hd_type t) {
  return t->kind == HD_TYPE_INTEGER && (t->integer.signedness == HD_UNSIGNED || t->integer.width == 1);
}

static hd_value *splat_int(hd_builder *b, hd_type type, int64_t value) { return hd_build_int(b, type, value); }

static hd_value *float_op(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  /* Contraction is what the numerics policy allows; nothing else. */
  hd_attr_arg contract = {"fastmath", hd_attr_enum(b->context, HD_ENUM_arith_fastmath, 32)};
  return hd_build_one_(b, opcode, x->type, (hd_value *[]){x, y}, 2, &contract, 1);
}

static hd_value *compare_op(hd_builder *b, hd_opcode opcode, const char *predicate, hd_value *x, hd_value *y) {
  int row = opcode == HD_OP_arith_cmpf ? HD_ENUM_arith_cmpf_predicate : HD_ENUM_arith_cmpi_predicate;
  int64_t value = 0;
  hd_enum_case_value(row, hd_str_of(predicate), &value);
  hd_type type = hd_type_is_shaped(x->type) ? hd_type_with_element(x->type, hd_i1(b->context)) : hd_i1(b->context);
  return hd_build_one_(b, opcode, type, (hd_value *[]){x, y}, 2,
                       &(hd_attr_arg){"predicate", hd_attr_i64(b->context, value)}, 1);
}
#define CMPI(predicate, x, y) compare_op(e->b, HD_OP_arith_cmpi, predicate, x, y)
#define CMPF(predicate, x, y) compare_op(e->b, HD_OP_arith_cmpf, predicate, x, y)

static hd_value *select(hd_builder *b, hd_value *c, hd_value *yes, hd_value *no) {
  return hd_build(b, HD_OP_arith_select, yes->type, c, yes, no);
}

hd_element hd_emit_select(hd_builder *b, hd_value *condition, hd_element yes, hd_element no) {
  return (hd_element){select(b, condition, yes.re, no.re), yes.im ? select(b, condition, yes.im, no.im) : NULL};
}

static hd_value *part_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  hd_type type = hd_lanes_type(hd_compute_type(element), lanes);
  int64_t bits = hd_element_load(element, data);
  if (!is_float(element)) return hd_build_int(b, type, bits);
  if (hd_compute_type(element) != element)
    return hd_build_float(b, type, hd_float_decode(element->float_kind, (uint64_t)bits));
  if (!lanes) return hd_build_constant(b, hd_attr_float_bits(type, (uint64_t)bits));
  return hd_build_constant(b, hd_attr_dense(type, data, hd_type_element_bytes(element), true));
}

hd_element hd_emit_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  if (!is_complex(element)) return (hd_element){part_constant(b, element, data, lanes), NULL};
  hd_type part = element->shaped.element;
  return (hd_element){part_constant(b, part, data, lanes),
                      part_constant(b, part, (const char *)data + hd_type_element_bytes(part), lanes)};
}

static hd_value *math1(emission *e, hd_opcode opcode, hd_value *x) { return hd_build(e->b, opcode, x->type, x); }
#define F(opcode, x, y) float_op(e->b, opcode, x, y)
#define ADDF(x, y) F(HD_OP_arith_addf, x, y)
#define SUBF(x, y) F(HD_OP_arith_subf, x, y)
#define MULF(x, y) F(HD_OP_arith_mulf, x, y)
#define DIVF(x, y) F(HD_OP_arith_divf, x, y)

static hd_value *sign(emission *e) {
  hd_value *x = e->x[0].re;
  if (is_float(e->in)) {
    hd_value *zero = hd_build_float(e->b, e->type, 0), *one = hd_build_float(e->b, e->type, 1);
    hd_value *unit = hd_build(e->b, HD_OP_math_copysign, e->type, one, x);
    /* NaN and both zeros stay themselves. */
    return select(e->b, CMPF("one", x, zero), unit, x);
  }
  hd_value *zero = splat_int(e->b, e->type, 0), *one = splat_int(e->b, e->type, 1);
  hd_value *positive = select(e->b, CMPI("ne", x, zero), one, zero);
  return is_unsigned(e->in) ? positive : select(e->b, CMPI("slt", x, zero), splat_int(e->b, e->type, -1), positive);
}

static bool binary_int(emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  bool boolean = is_bool(e->in), no_sign = is_unsigned(e->in);
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

static bool binary_float(emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  switch (opcode) {
    case HD_OP_stablehlo_add:
      *out = ADDF(x, y);
      return true;
    case HD_OP_stablehlo_subtract:
      *out = SUBF(x, y);
      return true;
    case HD_OP_stablehlo_multiply:
      *out = MULF(x, y);
      return true;
    case HD_OP_stablehlo_divide:
      *out = DIVF(x, y);
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

static bool unary_int(emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re;
  switch (opcode) {
    case HD_OP_stablehlo_negate:
      *out = hd_build(e->b, HD_OP_arith_subi, e->type, splat_int(e->b, e->type, 0), x);
      return true;
    case HD_OP_stablehlo_abs:
      *out = is_unsigned(e->in) ? x
                                : hd_build(e->b, HD_OP_arith_maxsi, e->type, x,
                                           hd_build(e->b, HD_OP_arith_subi, e->type, splat_int(e->b, e->type, 0), x));
      /* The smallest integer is its own negative, and so its own absolute value. */
      return true;
    case HD_OP_stablehlo_not:
      *out = hd_build(e->b, HD_OP_arith_xori, e->type, x, splat_int(e->b, e->type, -1));
      return true;
    case HD_OP_stablehlo_popcnt:
      *out = math1(e, HD_OP_math_ctpop, x);
      return true;
    case HD_OP_stablehlo_count_leading_zeros:
      *out = math1(e, HD_OP_math_ctlz, x);
      return true;
    case HD_OP_stablehlo_sign:
      *out = sign(e);
      return true;
    default:
      return false;
  }
}

/* Toward zero; out of range goes to the nearest end, NaN to 0. */
static hd_value *float_to_int(emission *e, hd_value *x, hd_type from) {
  uint32_t width = hd_type_bits(e->out);
  bool no_sign = is_unsigned(e->out);
  double low = no_sign ? 0 : -ldexp(1, (int)width - 1),
         high = ldexp(1, (int)width - (no_sign ? 0 : 1)); /* [low, high) */
  hd_value *lower = hd_build_float(e->b, from, low), *upper = hd_build_float(e->b, from, high),
           *zero = hd_build_float(e->b, from, 0);
  hd_value *above_low = CMPF("oge", x, lower), *below_high = CMPF("olt", x, upper);
  hd_value *inside = hd_build(e->b, HD_OP_arith_andi, above_low->type, above_low, below_high);
  hd_value *whole =
      hd_build(e->b, no_sign ? HD_OP_arith_fptoui : HD_OP_arith_fptosi, e->out_type, select(e->b, inside, x, zero));
  int64_t most = width >= 64 ? (no_sign ? -1 : INT64_MAX) : (int64_t)((1ull << (width - (no_sign ? 0 : 1))) - 1);
  int64_t least = no_sign ? 0 : width >= 64 ? INT64_MIN : -(1ll << (width - 1));
  whole = select(e->b, CMPF("oge", x, upper), splat_int(e->b, e->out_type, most), whole);
  return select(e->b, CMPF("olt", x, lower), splat_int(e->b, e->out_type, least), whole);
}

static hd_value *resize_int(emission *e, hd_value *x) {
  uint32_t from = hd_type_bits(e->in), to = hd_type_bits(e->out);
  if (e->in->kind == HD_TYPE_INDEX || e->out->kind == HD_TYPE_INDEX)
    return hd_build(e->b, HD_OP_arith_index_cast, e->out_type, x);
  if (to == from) return x;
  hd_opcode opcode = to < from ? HD_OP_arith_trunci : is_unsigned(e->in) ? HD_OP_arith_extui : HD_OP_arith_extsi;
  return hd_build(e->b, opcode, e->out_type, x);
}

static hd_value *convert_part(emission *e, hd_value *x) {
  bool from_float = is_float(e->in), to_float = is_float(e->out);
  if (is_bool(e->out) && !is_bool(e->in))
    return from_float ? CMPF("une", x, hd_build_float(e->b, x->type, 0)) : CMPI("ne", x, splat_int(e->b, x->type, 0));
  if (!from_float && !to_float) return resize_int(e, x);
  if (!from_float) { /* rounds once, to the element type and not to the type of computation */
    bool narrow = e->out != hd_compute_type(e->out);
    hd_type type = narrow ? hd_lanes_type(e->out, e->lanes) : e->out_type;
    x = hd_build(e->b, is_unsigned(e->in) ? HD_OP_arith_uitofp : HD_OP_arith_sitofp, type, x);
    return narrow ? hd_build(e->b, HD_OP_arith_extf, e->out_type, x) : x;
  }
  if (!to_float) return float_to_int(e, x, x->type);
  uint32_t from = hd_type_bits(hd_type_element(x->type)), to = hd_type_bits(hd_type_element(e->out_type));
  if (from < to) x = hd_build(e->b, HD_OP_arith_extf, e->out_type, x);
  if (e->out != hd_compute_type(e->out)) { /* an explicit conversion rounds, once */
    x = hd_build(e->b, HD_OP_arith_truncf, hd_lanes_type(e->out, e->lanes), x);
    return hd_build(e->b, HD_OP_arith_extf, e->out_type, x);
  }
  if (from > to) x = hd_build(e->b, HD_OP_arith_truncf, e->out_type, x);
  return x;
}

static hd_element convert(emission *e) {
  if (!is_complex(e->in) && !is_complex(e->out)) return (hd_element){convert_part(e, e->x[0].re), NULL};
  emission parts = *e;
  parts.in = is_complex(e->in) ? e->in->shaped.element : e->in;
  parts.out = is_complex(e->out) ? e->out->shaped.element : e->out;
  hd_value *re = convert_part(&parts, e->x[0].re);
  if (!is_complex(e->out)) return (hd_element){re, NULL};
  return (hd_element){re, e->x[0].im ? convert_part(&parts, e->x[0].im) : hd_build_float(e->b, e->out_type, 0)};
}

static hd_element compare(emission *e) {
  hd_str direction =
      hd_enum_case_name(HD_ENUM_stablehlo_comparison_direction, hd_op_int_attr(e->op, "comparison_direction", 0));
  static const struct {
    const char *name, *ordered, *with_sign, *no_sign;
  } table[] = {{"EQ", "oeq", "eq", "eq"},   {"NE", "une", "ne", "ne"},   {"GE", "oge", "sge", "uge"},
               {"GT", "ogt", "sgt", "ugt"}, {"LE", "ole", "sle", "ule"}, {"LT", "olt", "slt", "ult"}};
  size_t i = 0;
  while (i < 5 && !hd_str_is(direction, table[i].name)) ++i;
  hd_value *x = e->x[0].re, *y = e->x[1].re;
  if (is_complex(e->in)) {
    hd_value *re = CMPF(table[i].ordered, x, y), *im = CMPF(table[i].ordered, e->x[0].im, e->x[1].im);
    return (hd_element){hd_build(e->b, i == 0 ? HD_OP_arith_andi : HD_OP_arith_ori, re->type, re, im), NULL};
  }
  if (!is_float(e->in))
    return (hd_element){CMPI(is_unsigned(e->in) ? table[i].no_sign : table[i].with_sign, x, y), NULL};
  hd_attr kind = hd_op_attr_get(e->op, "compare_type");
  bool total = hd_attr_is(kind, HD_ATTR_ENUM) &&
               hd_str_is(hd_enum_case_name(kind->enumerant.row, kind->enumerant.value), "TOTALORDER");
  if (!total) return (hd_element){CMPF(table[i].ordered, x, y), NULL};
  /* -NaN < -inf < ... < -0 < +0 < ... < inf < NaN: patterns of negative numbers flipped. */
  uint32_t width = hd_type_bits(hd_type_element(x->type));
  hd_type bits = hd_lanes_type(hd_type_integer(e->b->context, width, HD_SIGNLESS), e->lanes);
  hd_value *keys[2];
  for (int k = 0; k < 2; ++k) {
    hd_value *pattern = hd_build(e->b, HD_OP_arith_bitcast, bits, e->x[k].re);
    hd_value *flipped =
        hd_build(e->b, HD_OP_arith_xori, bits, pattern, splat_int(e->b, bits, (int64_t)((1ull << (width - 1)) - 1)));
    keys[k] = select(e->b, CMPI("slt", pattern, splat_int(e->b, bits, 0)), flipped, pattern);
  }
  return (hd_element){CMPI(table[i].with_sign, keys[0], keys[1]), NULL};
}

static hd_value *least_or_most(emission *e, bool most, hd_value *x, hd_value *y) {
  if (is_float(e->in)) return hd_build(e->b, most ? HD_OP_arith_maximumf : HD_OP_arith_minimumf, x->type, x, y);
  bool no_sign = is_unsigned(e->in);
  return hd_build(
      e->b,
      most ? (no_sign ? HD_OP_arith_maxui : HD_OP_arith_maxsi) : (no_sign ? HD_OP_arith_minui : HD_OP_arith_minsi),
      x->type, x, y);
}

/* Rounds to fewer exponent and mantissa bits, staying in the type: integer arithmetic on the pattern. */
static bool reduce_precision(emission *e, hd_value **out) {
  const hd_float_format *f = &hd_float_formats[e->in->float_kind];
  int64_t exponent_bits = hd_op_int_attr(e->op, "exponent_bits", 0),
          mantissa_bits = hd_op_int_attr(e->op, "mantissa_bits", 0);
  if (exponent_bits < 1 || mantissa_bits < 0) return false;
  hd_builder *b = e->b;
  hd_type bits = hd_lanes_type(hd_type_integer(b->context, (uint32_t)f->bits, HD_SIGNLESS), e->lanes);
  /* On the element's own pattern: its subnormals are no subnormals of the type of computation. */
  bool narrow = e->in != hd_compute_type(e->in);
  hd_value *x = e->x[0].re;
  if (narrow) x = hd_build(b, HD_OP_arith_truncf, hd_lanes_type(e->in, e->lanes), x);
  hd_value *pattern = hd_build(b, HD_OP_arith_bitcast, bits, x);
#define I(op, a, c) hd_build(b, HD_OP_arith_##op, bits, a, c)
#define K(v) splat_int(b, bits, (int64_t)(v))
  if (mantissa_bits < f->mantissa_bits) {
    int drop = f->mantissa_bits - (int)mantissa_bits;
    hd_value *odd = I(andi, I(shrui, pattern, K(drop)), K(1));
    hd_value *bias = I(addi, odd, K((1ull << (drop - 1)) - 1));
    pattern = I(andi, I(addi, pattern, bias), K(~((1ull << drop) - 1)));
  }
  if (exponent_bits < f->exponent_bits) {
    uint64_t bias = f->bias, reduced_bias = (1ull << (exponent_bits - 1)) - 1;
    uint64_t exponent_mask = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits, sign_mask = 1ull << (f->bits - 1);
    hd_value *exponent = I(andi, pattern, K(exponent_mask)), *sign_bit = I(andi, pattern, K(sign_mask));
    hd_value *too_big = CMPI("ugt", exponent, K((bias + reduced_bias) << f->mantissa_bits));
    hd_value *too_small = CMPI("ule", exponent, K((bias - reduced_bias) << f->mantissa_bits));
    pattern = select(b, too_big, I(ori, sign_bit, K(exponent_mask)), pattern);
    pattern = select(b, too_small, sign_bit, pattern);
  }
#undef I
#undef K
  hd_value *rounded = hd_build(b, HD_OP_arith_bitcast, x->type, pattern);
  if (narrow) rounded = hd_build(b, HD_OP_arith_extf, e->x[0].re->type, rounded);
  *out = select(b, CMPF("uno", e->x[0].re, e->x[0].re), e->x[0].re, rounded); /* NaN stays */
  return true;
}

/* The larger (smaller) by real, then imaginary part; the first NaN. */
static hd_element complex_extreme(emission *e, bool most, hd_element x, hd_element y) {
  const char *order = most ? "olt" : "ogt";
  hd_value *re = CMPF(order, x.re, y.re), *same = CMPF("oeq", x.re, y.re), *im = CMPF(order, x.im, y.im);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, re->type, p, q)
  hd_value *takes = LOGIC(ori, re, LOGIC(andi, same, im)), *nan_x = CMPF("uno", x.re, x.im),
           *nan_y = CMPF("uno", y.re, y.im);
  takes = LOGIC(ori, takes, nan_y);
  return hd_emit_select(e->b, nan_x, x, hd_emit_select(e->b, takes, y, x));
#undef LOGIC
}

/* |quotient| of |x| by |y|, but where both parts are NaN what C's Annex G says: by zero and of infinities an infinity,
 * by infinities zero. */
static hd_element recovered_quotient(emission *e, hd_element x, hd_element y, hd_element quotient) {
  hd_type type = quotient.re->type;
  hd_value *zero = hd_build_float(e->b, type, 0), *one = hd_build_float(e->b, type, 1),
           *infinity = hd_build_float(e->b, type, INFINITY);
#define LOGIC(op, p, q) hd_build(e->b, HD_OP_arith_##op, (p)->type, p, q)
#define ABS(v) math1(e, HD_OP_math_absf, v)
#define SIGNED(magnitude, v) hd_build(e->b, HD_OP_math_copysign, type, magnitude, v)
#define EITHER(order, v) LOGIC(ori, CMPF(order, ABS((v).re), infinity), CMPF(order, ABS((v).im), infinity))
#define BOTH(order, v, bound) LOGIC(andi, CMPF(order, ABS((v).re), bound), CMPF(order, ABS((v).im), bound))
#define UNIT(infinite, v) select(e->b, infinite, SIGNED(select(e->b, CMPF("oeq", ABS(v), infinity), one, zero), v), v)
  hd_value *by_zero = BOTH("oeq", y, zero);
  hd_value *of_infinity = LOGIC(andi, EITHER("oeq", x), BOTH("olt", y, infinity));
  hd_value *by_infinity = LOGIC(andi, EITHER("oeq", y), BOTH("olt", x, infinity));
  hd_element p = {UNIT(of_infinity, x.re), UNIT(of_infinity, x.im)};
  hd_element q = {UNIT(by_infinity, y.re), UNIT(by_infinity, y.im)};
  hd_value *factor = select(e->b, of_infinity, infinity, zero), *sign = SIGNED(infinity, y.re);
  hd_element other = {MULF(factor, ADDF(MULF(p.re, q.re), MULF(p.im, q.im))),
                      MULF(factor, SUBF(MULF(p.im, q.re), MULF(p.re, q.im)))};
  other = hd_emit_select(e->b, LOGIC(ori, of_infinity, by_infinity), other, quotient);
  other = hd_emit_select(e->b, by_zero, (hd_element){MULF(sign, x.re), MULF(sign, x.im)}, other);
  hd_value *lost = LOGIC(andi, CMPF("uno", quotient.re, quotient.re), CMPF("uno", quotient.im, quotient.im));
  return hd_emit_select(e->b, lost, other, quotient);
#undef LOGIC
#undef ABS
#undef SIGNED
#undef EITHER
#undef BOTH
#undef UNIT
}

static bool complex_op(emission *e, hd_opcode opcode, hd_element *out) {
  hd_value *a = e->x[0].re, *b = e->x[0].im;
  hd_value *c = NULL, *d = NULL;
  switch (opcode) {
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract:
    case HD_OP_stablehlo_multiply:
    case HD_OP_stablehlo_divide:
      c = e->x[1].re, d = e->x[1].im;
      break;
    default:
      break;
  }
  switch (opcode) {
    case HD_OP_stablehlo_add:
      *out = (hd_element){ADDF(a, c), ADDF(b, d)};
      return true;
    case HD_OP_stablehlo_subtract:
      *out = (hd_element){SUBF(a, c), SUBF(b, d)};
      return true;
    case HD_OP_stablehlo_multiply:
      *out = (hd_element){SUBF(MULF(a, c), MULF(b, d)), ADDF(MULF(a, d), MULF(b, c))};
      return true;
    case HD_OP_stablehlo_divide: {
      /* Scaled by the larger part of the divisor (Smith). */
      hd_value *real_larger = CMPF("oge", math1(e, HD_OP_math_absf, c), math1(e, HD_OP_math_absf, d));
      hd_value *large = select(e->b, real_larger, c, d), *small = select(e->b, real_larger, d, c);
      hd_value *p = select(e->b, real_larger, a, b), *q = select(e->b, real_larger, b, a);
      hd_value *r = DIVF(small, large), *scale = ADDF(large, MULF(small, r));
      hd_value *re = DIVF(ADDF(p, MULF(q, r)), scale), *im = DIVF(SUBF(q, MULF(p, r)), scale);
      im = select(e->b, real_larger, im, hd_build(e->b, HD_OP_arith_negf, im->type, im));
      *out = recovered_quotient(e, e->x[0], e->x[1], (hd_element){re, im});
      return true;
    }
    case HD_OP_stablehlo_maximum:
    case HD_OP_stablehlo_minimum:
      *out = complex_extreme(e, opcode == HD_OP_stablehlo_maximum, e->x[0], e->x[1]);
      return true;
    case HD_OP_stablehlo_negate:
      *out = (hd_element){math1(e, HD_OP_arith_negf, a), math1(e, HD_OP_arith_negf, b)};
      return true;
    case HD_OP_stablehlo_real:
      *out = (hd_element){a, NULL};
      return true;
    case HD_OP_stablehlo_imag:
      *out = (hd_element){b, NULL};
      return true;
    case HD_OP_stablehlo_abs: {
      /* hypot: the larger part times sqrt(1 + ratio^2); infinities win over NaN. */
      hd_value *x = math1(e, HD_OP_math_absf, a), *y = math1(e, HD_OP_math_absf, b),
               *zero = hd_build_float(e->b, x->type, 0);
      hd_value *infinity = hd_build_float(e->b, x->type, INFINITY), *one = hd_build_float(e->b, x->type, 1);
      hd_value *most = hd_build(e->b, HD_OP_arith_maximumf, x->type, x, y),
               *least = hd_build(e->b, HD_OP_arith_minimumf, x->type, x, y);
      hd_value *r = DIVF(least, most), *value = MULF(most, math1(e, HD_OP_math_sqrt, ADDF(one, MULF(r, r))));
      value = select(e->b, CMPF("oeq", most, zero), zero, value);
      hd_value *any = hd_build(e->b, HD_OP_arith_ori, CMPF("oeq", x, infinity)->type, CMPF("oeq", x, infinity),
                               CMPF("oeq", y, infinity));
      *out = (hd_element){select(e->b, any, infinity, value), NULL};
      return true;
    }
    default: {
      hd_complex_parts operands[2] = {{a, b}}, parts;
      if (opcode == HD_OP_stablehlo_power) operands[1] = (hd_complex_parts){e->x[1].re, e->x[1].im};
      if (!hd_math_expand_complex(e->b, opcode, operands, &parts)) return false;
      *out = (hd_element){parts.re, parts.im};
      return true;
    }
  }
}

/* Functions of the math library that no op of the math dialect names. The neighbour of a number depends on its format.
 */
static bool library_function(emission *e, hd_opcode opcode, hd_value **out) {
  if (!hd_math_can_expand(opcode)) return false;
  hd_value *operands[2] = {e->x[0].re, hd_math_operand_count(opcode) > 1 ? e->x[1].re : NULL};
  bool narrow = opcode == HD_OP_mhlo_next_after || opcode == HD_OP_chlo_next_after;
  for (int i = 0; i < 2 && narrow; ++i) operands[i] = hd_emit_narrow(e->b, e->in, e->x[i], e->lanes).re;
  *out = hd_math_expand(e->b, opcode, operands);
  if (*out && narrow) *out = hd_emit_widen(e->b, e->in, (hd_element){*out, NULL}, e->lanes).re;
  return *out != NULL;
}

static bool emit_float(emission *e, hd_opcode opcode, hd_value **out) {
  hd_value *x = e->x[0].re;
  hd_opcode function = float_function(opcode);
  if (function) {
    *out = math1(e, function, x);
    return true;
  }
  switch (opcode) {
    case HD_OP_stablehlo_sign:
      *out = sign(e);
      return true;
    case HD_OP_stablehlo_is_finite:
      *out = CMPF("olt", math1(e, HD_OP_math_absf, x), hd_build_float(e->b, x->type, INFINITY));
      return true;
    case HD_OP_chlo_square:
      *out = MULF(x, x);
      return true;
    case HD_OP_stablehlo_reduce_precision:
      return reduce_precision(e, out);
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

static bool bitcast(emission *e, hd_value **out) {
  if (hd_type_bits(e->in) != hd_type_bits(e->out) || is_complex(e->in) || is_complex(e->out)) return false;
  hd_value *raw = hd_emit_narrow(e->b, e->in, e->x[0], e->lanes).re;
  hd_type to = hd_lanes_type(hd_memory_type(e->out), e->lanes);
  raw = raw->type == to ? raw : hd_build(e->b, HD_OP_arith_bitcast, to, raw);
  *out = hd_emit_widen(e->b, e->out, (hd_element){raw, NULL}, e->lanes).re;
  return true;
}

static bool emit(emission *e, hd_opcode opcode, hd_element *out) {
  *out = (hd_element){0};
  switch (opcode) {
    case HD_OP_stablehlo_compare:
      *out = compare(e);
      return true;
    case HD_OP_stablehlo_select:
      *out = hd_emit_select(e->b, e->x[0].re, e->x[1], e->x[2]);
      return true;
    case HD_OP_stablehlo_clamp:
      if (is_complex(e->in)) {
        *out = complex_extreme(e, false, complex_extreme(e, true, e->x[1], e->x[0]), e->x[2]);
        return true;
      }
      out->re = least_or_most(e, false, least_or_most(e, true, e->x[1].re, e->x[0].re), e->x[2].re);
      return true;
    case HD_OP_stablehlo_convert:
      *out = convert(e);
      return true;
    case HD_OP_stablehlo_bitcast_convert:
      *out = e->x[0];
      return e->in == e->out || bitcast(e, &out->re);
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
  if (is_complex(e->in)) return complex_op(e, opcode, out);
  if (is_float(e->in)) return emit_float(e, opcode, &out->re);
  return unary_int(e, opcode, &out->re) || binary_int(e, opcode, &out->re);
}

bool hd_emit_elementwise(hd_builder *b, hd_op *op, hd_opcode opcode, const hd_type *elements,
                         const hd_element *operands, hd_type result_element, uint32_t lanes, hd_element *out) {
  hd_type in = opcode == HD_OP_stablehlo_select || opcode == HD_OP_stablehlo_clamp ? elements[1] : elements[0];
  emission e = {b,
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
  if (is_complex(in) && hd_math_can_expand_complex(opcode)) return true;
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
      return in == out || (hd_type_bits(in) == hd_type_bits(out) && !is_complex(in) && !is_complex(out));
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract:
    case HD_OP_stablehlo_multiply:
    case HD_OP_stablehlo_divide:
    case HD_OP_stablehlo_negate:
    case HD_OP_stablehlo_abs:
      return true;
    case HD_OP_stablehlo_real:
    case HD_OP_stablehlo_imag:
      return is_complex(in) || is_float(in);
    case HD_OP_stablehlo_remainder:
    case HD_OP_stablehlo_power:
    case HD_OP_stablehlo_sign:
      return !is_complex(in);
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
      return !is_float(in) && !is_complex(in);
    case HD_OP_stablehlo_atan2:
    case HD_OP_stablehlo_is_finite:
    case HD_OP_stablehlo_logistic:
    case HD_OP_stablehlo_reduce_precision:
    case HD_OP_chlo_square:
      return is_float(in);
    default:
      return (float_function(opcode) || hd_math_can_expand(opcode)) && is_float(in);
  }
}
