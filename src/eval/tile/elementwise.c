/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise ops of tt beside those of arith and math. */
#include <math.h>
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "ir/ops/tt.h"
#include "ir/ops/ttg.h"

HD_FLOAT2(quotient, x / y)
HD_FLOAT1(square_root, sqrt(x))

HD_EVAL_HOOK(tt_precise_divf) {
  static const hd_elementwise kernel = {2, quotient, NULL, NULL};
  return hd_eval_lanes(frame, op, &kernel, in, out);
}

HD_EVAL_HOOK(tt_precise_sqrt) {
  static const hd_elementwise kernel = {1, square_root, NULL, NULL};
  return hd_eval_lanes(frame, op, &kernel, in, out);
}

static uint64_t bits_of(int64_t x, uint32_t width) {
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((1ull << width) - 1);
}

static void upper_half(size_t count, const int64_t *const *in, int64_t *out, hd_type element) {
  uint32_t width = hd_type_bits(element);
  for (size_t i = 0; i < count; ++i)
    out[i] = (int64_t)((unsigned __int128)bits_of(in[0][i], width) * bits_of(in[1][i], width) >> width);
}

HD_EVAL_HOOK(tt_mulhiui) {
  static const hd_elementwise kernel = {2, NULL, upper_half, NULL};
  return hd_eval_lanes(frame, op, &kernel, in, out);
}

static void clamp(size_t count, const double *const *in, double *out) {
  for (size_t i = 0; i < count; ++i) out[i] = fmin(fmax(in[0][i], in[1][i]), in[2][i]);
}
static void clamp_with_nan(size_t count, const double *const *in, double *out) {
  for (size_t i = 0; i < count; ++i)
    out[i] = isnan(in[0][i]) ? in[0][i] : hd_float_minimum(hd_float_maximum(in[0][i], in[1][i]), in[2][i]);
}

HD_EVAL_HOOK(tt_clampf) {
  static const hd_elementwise numbers = {3, clamp, NULL, NULL}, with_nan = {3, clamp_with_nan, NULL, NULL};
  bool all = hd_tt_clampf_propagateNan(op) == HD_TT_PROPAGATE_NAN_ALL;
  return hd_eval_lanes(frame, op, all ? &with_nan : &numbers, in, out);
}

/* ---- conversions ---- */

static double greatest(hd_type element) {
  /* patterns of positive numbers are in their order; those above all numbers are infinities and NaN */
  uint64_t bits = (1ull << (hd_type_bits(element) - 1)) - 1;
  double value;
  do value = hd_float_decode(element->float_kind, bits--);
  while (!isfinite(value));
  return value;
}

/* |value| as the device converts: 8-bit types saturate; towards zero where |to_zero|. */
static double converted(hd_type element, double value, bool to_zero) {
  uint64_t bits;
  bool narrow = hd_type_bits(element) <= 8;
  if (isnan(value)) return value;
  if (narrow || (to_zero && !isinf(value))) {
    double limit = greatest(element);
    if (fabs(value) > limit) return copysign(limit, value);
  }
  bits = hd_float_encode(element->float_kind, value);
  double near = hd_float_decode(element->float_kind, bits);
  return to_zero && fabs(near) > fabs(value) ? hd_float_decode(element->float_kind, bits - 1) : near;
}

HD_EVAL_HOOK(tt_fp_to_fp) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  hd_type from = hd_type_element(in[0].type), to = hd_type_element(out->type);
  size_t step = hd_type_element_bytes(from), bytes = hd_type_element_bytes(to);
  bool to_zero = hd_tt_fp_to_fp_rounding_attr(op) && hd_tt_fp_to_fp_rounding(op) == HD_TT_ROUNDING_MODE_RTZ;
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    double value;
    hd_load_doubles(from, (const char *)hd_tensor_data(&in[0]) + i * step, 1, &value);
    value = converted(to, value, to_zero);
    hd_store_doubles(to, (char *)hd_tensor_data(out) + i * bytes, 1, &value);
  }
  return HD_STATUS_OK;
}

/* Each byte along `axis` is two numbers, the first in its low half. */
HD_EVAL_HOOK(ttg_fp4_to_fp) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  uint32_t rank = hd_tensor_rank(out);
  int64_t axis = hd_ttg_fp4_to_fp_axis(op), index[HD_MAX_RANK] = {0}, strides[HD_MAX_RANK];
  if (axis < 0 || axis >= (int64_t)rank || hd_tensor_rank(&in[0]) != rank || hd_tensor_element_bytes(&in[0]) != 1 ||
      hd_class_of(hd_tensor_element(out)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected bytes, and an axis of theirs, got axis %lld", (long long)axis);
  for (uint32_t i = 0; i < rank; ++i)
    if (hd_tensor_dims(out)[i] != hd_tensor_dims(&in[0])[i] * (i == axis ? 2 : 1))
      return hd_make_status(HD_INVALID_ARGUMENT, "expected twice as many numbers as bytes along the axis");
  hd_strides_of(rank, hd_tensor_dims(&in[0]), strides);
  size_t bytes = hd_tensor_element_bytes(out), at = 0;
  if (!hd_tensor_count(out)) return HD_STATUS_OK;
  do {
    int64_t from = 0;
    for (uint32_t i = 0; i < rank; ++i) from += (i == axis ? index[i] / 2 : index[i]) * strides[i];
    uint8_t pair = ((const uint8_t *)hd_tensor_data(&in[0]))[from];
    double value = hd_float_decode(HD_F4E2M1FN, pair >> (index[axis] % 2 ? 4 : 0) & 15);
    hd_store_doubles(hd_tensor_element(out), (char *)hd_tensor_data(out) + at++ * bytes, 1, &value);
  } while (hd_index_next(rank, hd_tensor_dims(out), index));
  return HD_STATUS_OK;
}

/* ---- functions of the device's library ---- */

/* "atan" of "__nv_atan" and "__nv_atanf", the names of the device's library; empty: another name. */
static hd_str plain_name(hd_str symbol, bool single) {
  static const char prefix[] = "__nv_";
  size_t n = sizeof prefix - 1;
  if (!hd_str_starts(symbol, prefix)) return HD_STR("");
  hd_str name = {symbol.data + n, symbol.len - n};
  if (!single) return name;
  if (!name.len || name.data[name.len - 1] != 'f') return HD_STR("");
  --name.len;
  return name;
}

HD_EVAL_HOOK(tt_extern_elementwise) {
  static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
  } functions[] = {{"acos", acos, NULL},         {"acosh", acosh, NULL},
                   {"asin", asin, NULL},         {"asinh", asinh, NULL},
                   {"atan", atan, NULL},         {"atanh", atanh, NULL},
                   {"cbrt", cbrt, NULL},         {"ceil", ceil, NULL},
                   {"cos", cos, NULL},           {"cosh", cosh, NULL},
                   {"erf", erf, NULL},           {"erfc", erfc, NULL},
                   {"exp", exp, NULL},           {"exp2", exp2, NULL},
                   {"expm1", expm1, NULL},       {"fabs", fabs, NULL},
                   {"floor", floor, NULL},       {"lgamma", lgamma, NULL},
                   {"log", log, NULL},           {"log10", log10, NULL},
                   {"log1p", log1p, NULL},       {"log2", log2, NULL},
                   {"rint", nearbyint, NULL},    {"round", round, NULL},
                   {"sin", sin, NULL},           {"sinh", sinh, NULL},
                   {"sqrt", sqrt, NULL},         {"tan", tan, NULL},
                   {"tanh", tanh, NULL},         {"tgamma", tgamma, NULL},
                   {"trunc", trunc, NULL},       {"atan2", NULL, atan2},
                   {"copysign", NULL, copysign}, {"fdim", NULL, fdim},
                   {"fmax", NULL, fmax},         {"fmin", NULL, fmin},
                   {"fmod", NULL, fmod},         {"hypot", NULL, hypot},
                   {"pow", NULL, pow},           {"remainder", NULL, remainder}};
  hd_str symbol = hd_tt_extern_elementwise_symbol(op);
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  hd_type element = hd_type_element(out->type);
  hd_str name = plain_name(symbol, hd_type_is_float(element, HD_F32));
  size_t bytes = hd_type_element_bytes(element), count = hd_lanes_of(out->type), k = 0;
  while (k < sizeof functions / sizeof *functions && !hd_str_is(name, functions[k].name)) ++k;
  if (k == sizeof functions / sizeof *functions || (functions[k].one ? 1u : 2u) != op->operand_count ||
      hd_class_of(element) != HD_CLASS_FLOAT)
    return hd_make_status(HD_UNIMPLEMENTED, "calls '%.*s', which the evaluator does not know", (int)symbol.len,
                          symbol.data);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_element(in[i].type) != element || hd_lanes_of(in[i].type) != count)
      return hd_make_status(HD_INVALID_ARGUMENT, "operand %u is of another kind than the result", i);
  for (size_t i = 0; i < count; ++i) {
    double x[2], result;
    for (uint32_t j = 0; j < op->operand_count; ++j)
      hd_load_doubles(element, (const char *)hd_tensor_data(&in[j]) + i * bytes, 1, &x[j]);
    result = functions[k].one ? functions[k].one(x[0]) : functions[k].two(x[0], x[1]);
    hd_store_doubles(element, (char *)hd_tensor_data(out) + i * bytes, 1, &result);
  }
  return HD_STATUS_OK;
}
