/* SPDX-License-Identifier: Apache-2.0 */
/* Folds of arith and math on floats, where one rounding of a double gives the right result, and conversions of them. */
#include <math.h>

#include "ir/fold_elements.h"
#include "ir/number.h"
#include "ir/ops/arith.h"

typedef double (*float_function)(double a, double b);

static bool fold_floats(hd_op *op, const hd_attr *operands, float_function function, hd_fold_result *out) {
  uint32_t count = op->operand_count < 2 ? op->operand_count : 2;
  size_t span = hd_fold_span(operands, count);
  hd_type element = hd_type_element(hd_result_type(op, 0));
  if (!span || element->kind != HD_TYPE_FLOAT || hd_type_element(hd_operand_type(op, 0)) != element) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double value = function(hd_fold_float(operands[0], i), count > 1 ? hd_fold_float(operands[1], i) : 0);
    raw[i] = (int64_t)hd_float_encode(element->float_kind, value);
  }
  return hd_fold_to_attr(out, hd_fold_make(op, hd_result_type(op, 0), raw, span));
}

static double f_add(double a, double b) { return a + b; }
static double f_sub(double a, double b) { return a - b; }
static double f_mul(double a, double b) { return a * b; }
static double f_div(double a, double b) { return a / b; }
static double f_neg(double a, double b) { return (void)b, -a; }
static double f_maxnum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : hd_float_maximum(a, b); }
static double f_minnum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : hd_float_minimum(a, b); }
static double f_abs(double a, double b) { return (void)b, fabs(a); }
static double f_ceil(double a, double b) { return (void)b, ceil(a); }
static double f_floor(double a, double b) { return (void)b, floor(a); }
static double f_trunc(double a, double b) { return (void)b, trunc(a); }
static double f_round(double a, double b) { return (void)b, round(a); }
static double f_roundeven(double a, double b) { return (void)b, nearbyint(a); }
static double f_sqrt(double a, double b) { return (void)b, sqrt(a); }
static double f_copysign(double a, double b) { return copysign(a, b); }

/* True when operand |i| is the float |value|, sign of zero included. */
static bool is_float(const hd_attr *operands, uint32_t i, double value) {
  double constant;
  return hd_attr_splat_float(operands[i], &constant) && constant == value && signbit(constant) == signbit(value);
}

bool hd_fold_arith_addf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_float(operands, 1, -0.0)) return hd_fold_to_operand(op, 0, out);
  if (is_float(operands, 0, -0.0)) return hd_fold_to_operand(op, 1, out);
  return fold_floats(op, operands, f_add, out);
}
bool hd_fold_arith_subf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_float(operands, 1, 0.0) ? hd_fold_to_operand(op, 0, out) : fold_floats(op, operands, f_sub, out);
}
bool hd_fold_arith_mulf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_float(operands, 1, 1.0)) return hd_fold_to_operand(op, 0, out);
  if (is_float(operands, 0, 1.0)) return hd_fold_to_operand(op, 1, out);
  return fold_floats(op, operands, f_mul, out);
}
bool hd_fold_arith_divf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_float(operands, 1, 1.0) ? hd_fold_to_operand(op, 0, out) : fold_floats(op, operands, f_div, out);
}
bool hd_fold_arith_negf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = hd_fold_cast_back(op, HD_OP_arith_negf);
  return back ? hd_fold_to_value(out, back) : fold_floats(op, operands, f_neg, out);
}
#define FLOATS(name, function)                                                   \
  bool hd_fold_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) { \
    return fold_floats(op, operands, function, out);                             \
  }
FLOATS(arith_maximumf, hd_float_maximum)
FLOATS(arith_minimumf, hd_float_minimum)
FLOATS(arith_maxnumf, f_maxnum)
FLOATS(arith_minnumf, f_minnum)
FLOATS(math_absf, f_abs)
FLOATS(math_ceil, f_ceil)
FLOATS(math_floor, f_floor)
FLOATS(math_trunc, f_trunc)
FLOATS(math_round, f_round)
FLOATS(math_roundeven, f_roundeven)
FLOATS(math_sqrt, f_sqrt)
FLOATS(math_copysign, f_copysign)

bool hd_fold_arith_cmpf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  int64_t predicate = hd_arith_cmpf_predicate(op);
  if (predicate < 0 || predicate > 15) return false;
  if ((predicate == 0 || predicate == 15) && hd_fold_to_int(op, predicate == 15, out)) return true;
  size_t span = hd_fold_span(operands, 2);
  if (!span || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double a = hd_fold_float(operands[0], i), b = hd_fold_float(operands[1], i);
    bool unordered = isnan(a) || isnan(b);
    /* 1 to 7: ordered eq gt ge lt le ne ord; 8 to 14: unordered eq gt ge lt le ne uno. */
    const bool answers[] = {a == b, a > b, a >= b, a < b, a <= b, a != b, true};
    raw[i] = predicate < 8     ? !unordered && answers[predicate - 1]
             : predicate == 14 ? unordered
                               : unordered || answers[predicate - 8];
  }
  return hd_fold_to_attr(out, hd_fold_make(op, hd_result_type(op, 0), raw, span));
}

/* Between formats: extf is exact; truncf rounds to nearest even, and with another mode does not fold. */
bool hd_fold_arith_extf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  size_t span = hd_fold_span(operands, 1);
  hd_type to = hd_type_element(hd_result_type(op, 0));
  if (!span || to->kind != HD_TYPE_FLOAT || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT)
    return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) raw[i] = (int64_t)hd_float_encode(to->float_kind, hd_fold_float(operands[0], i));
  return hd_fold_to_attr(out, hd_fold_make(op, hd_result_type(op, 0), raw, span));
}
bool hd_fold_arith_truncf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (hd_arith_truncf_roundingmode_attr(op)) return false;
  hd_value *back = hd_fold_cast_back(op, HD_OP_arith_extf);
  return back ? hd_fold_to_value(out, back) : hd_fold_arith_extf(op, operands, out);
}

/* Integer to float: up to 53 bits are exact in a double; wider ones that are not do not fold. */
static bool from_int(hd_op *op, const hd_attr *operands, bool is_signed, hd_fold_result *out) {
  size_t span = hd_fold_span(operands, 1);
  hd_type type = hd_operand_type(op, 0), from = hd_type_element(type), to = hd_type_element(hd_result_type(op, 0));
  if (!span || !hd_fold_fits_word(type) || to->kind != HD_TYPE_FLOAT) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    int64_t x = hd_fold_raw(operands[0], i);
    double value = is_signed ? (double)hd_fold_signed(from, x) : (double)hd_fold_unsigned(from, x);
    if (fabs(value) > 9007199254740992.0) return false;
    raw[i] = (int64_t)hd_float_encode(to->float_kind, value);
  }
  return hd_fold_to_attr(out, hd_fold_make(op, hd_result_type(op, 0), raw, span));
}
bool hd_fold_arith_sitofp(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return from_int(op, operands, true, out);
}
bool hd_fold_arith_uitofp(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return from_int(op, operands, false, out);
}

/* Float to integer, towards zero; what is out of range is undefined and does not fold. */
static bool to_integer(hd_op *op, const hd_attr *operands, bool is_signed, hd_fold_result *out) {
  size_t span = hd_fold_span(operands, 1);
  hd_type result = hd_result_type(op, 0), to = hd_type_element(result);
  if (!span || !hd_fold_fits_word(result) || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT)
    return false;
  unsigned width = hd_fold_width(to);
  double top = ldexp(1, (int)width - (is_signed ? 1 : 0)), bottom = is_signed ? -top : 0;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double value = trunc(hd_fold_float(operands[0], i));
    if (!(value >= bottom && value < top)) return false;
    raw[i] = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
    raw[i] = hd_integer_wrap(to, raw[i]);
  }
  return hd_fold_to_attr(out, hd_fold_make(op, result, raw, span));
}
bool hd_fold_arith_fptosi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return to_integer(op, operands, true, out);
}
bool hd_fold_arith_fptoui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return to_integer(op, operands, false, out);
}
