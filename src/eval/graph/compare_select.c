/* SPDX-License-Identifier: Apache-2.0 */
/* compare, select, clamp, is_finite, and the parts of complex numbers: results of another class than the operands. */
#include <math.h>
#include <string.h>

#include "eval/graph/elementwise.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static bool holds(hd_enum_stablehlo_comparison_direction direction, bool less, bool equal, bool unordered) {
  switch (direction) {
    case HD_STABLEHLO_COMPARE_EQ:
      return equal;
    case HD_STABLEHLO_COMPARE_NE:
      return !equal;
    case HD_STABLEHLO_COMPARE_GE:
      return !unordered && !less;
    case HD_STABLEHLO_COMPARE_GT:
      return !unordered && !less && !equal;
    case HD_STABLEHLO_COMPARE_LE:
      return less || equal;
    case HD_STABLEHLO_COMPARE_LT:
      return less;
  }
  return false;
}

int64_t hd_eval_total_order_key(hd_type element, const void *data) {
  const hd_float_format *f = &hd_float_formats[element->float_kind];
  uint64_t bits = (uint64_t)hd_element_load(element, data), sign = 1ull << (f->bits - 1);
  if (f->special == HD_FLOAT_FNUZ && bits == sign) return INT64_MAX; /* NaN */
  if (f->special == HD_FLOAT_E8M0 || !(bits & sign)) return (int64_t)bits;
  return -(int64_t)(bits ^ sign) - 1;
}

HD_EVAL_HOOK(compare) {
  HD_TRY(hd_eval_same_dims(&in[0], &in[1]));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  /* stablehlo.compare and chlo.broadcast_compare, whose cases have the same numbers */
  hd_enum_stablehlo_comparison_direction direction =
      (hd_enum_stablehlo_comparison_direction)hd_attr_int_or(hd_compare_like_comparison_direction(op), 0);
  bool total = hd_attr_int_or(hd_compare_like_compare_type(op), 0) == HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER;
  hd_type element = hd_tensor_element(&in[0]);
  if (hd_tensor_element(&in[1]) != element || !hd_is_bool(hd_tensor_element(out)))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected operands of one element type and an i1 result");
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(out);
  const char *a = hd_tensor_data(&in[0]), *b = hd_tensor_data(&in[1]);
  char *to = hd_tensor_data(out);
  hd_number_class class = hd_class_of(element);
  for (size_t i = 0; i < count; ++i) {
    if (class == HD_CLASS_INT) {
      int64_t x, y;
      hd_load_ints(element, a + i * bytes, 1, &x);
      hd_load_ints(element, b + i * bytes, 1, &y);
      bool less = hd_is_unsigned(element) ? (uint64_t)x < (uint64_t)y : x < y;
      to[i] = holds(direction, less, x == y, false);
    } else if (class == HD_CLASS_FLOAT) {
      double x, y;
      hd_load_doubles(element, a + i * bytes, 1, &x);
      hd_load_doubles(element, b + i * bytes, 1, &y);
      if (total) {
        int64_t p = hd_eval_total_order_key(element, a + i * bytes),
                q = hd_eval_total_order_key(element, b + i * bytes);
        to[i] = holds(direction, p < q, p == q, false);
      } else {
        to[i] = holds(direction, x < y, x == y, isnan(x) || isnan(y));
      }
    } else {
      double complex x, y;
      hd_load_complex(element, a + i * bytes, 1, &x);
      hd_load_complex(element, b + i * bytes, 1, &y);
      bool nan = isnan(creal(x)) || isnan(cimag(x)) || isnan(creal(y)) || isnan(cimag(y));
      bool less = creal(x) < creal(y) || (creal(x) == creal(y) && cimag(x) < cimag(y));
      to[i] = holds(direction, less && !nan, x == y, nan);
    }
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(select) {
  HD_TRY(hd_eval_same_dims(&in[1], &in[2]));
  if (hd_tensor_rank(&in[0])) HD_TRY(hd_eval_same_dims(&in[0], &in[1]));
  if (!hd_is_bool(hd_tensor_element(&in[0])) || hd_tensor_element(&in[1]) != hd_tensor_element(&in[2]))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an i1 predicate and branches of one element type");
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[1]), hd_tensor_dims(&in[1]), out));
  size_t bytes = hd_tensor_element_bytes(&in[1]), count = hd_tensor_count(&in[1]);
  if (hd_tensor_element_bytes(out) != bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "result has another element type");
  const char *predicate = hd_tensor_data(&in[0]), *yes = hd_tensor_data(&in[1]), *no = hd_tensor_data(&in[2]);
  size_t step = hd_tensor_rank(&in[0]) ? 1 : 0;
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) memcpy(to + i * bytes, (predicate[i * step] ? yes : no) + i * bytes, bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(clamp) {
  const hd_tensor *min = &in[0], *x = &in[1], *max = &in[2];
  if (hd_tensor_rank(min)) HD_TRY(hd_eval_same_dims(min, x));
  if (hd_tensor_rank(max)) HD_TRY(hd_eval_same_dims(max, x));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(x), hd_tensor_dims(x), out));
  hd_type element = hd_tensor_element(x);
  hd_number_class class = hd_class_of(element);
  if (hd_tensor_element(min) != element || hd_tensor_element(max) != element || hd_tensor_element(out) != element ||
      class == HD_CLASS_NONE)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected numbers of one element type");
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(x);
  size_t min_step = hd_tensor_rank(min) ? bytes : 0, max_step = hd_tensor_rank(max) ? bytes : 0;
  const char *lows = hd_tensor_data(min), *highs = hd_tensor_data(max), *from = hd_tensor_data(x);
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) {
    if (class == HD_CLASS_INT) {
      int64_t low, high, value;
      hd_load_ints(element, lows + i * min_step, 1, &low);
      hd_load_ints(element, highs + i * max_step, 1, &high);
      hd_load_ints(element, from + i * bytes, 1, &value);
      bool is_unsigned = hd_is_unsigned(element);
      if (is_unsigned ? (uint64_t)value < (uint64_t)low : value < low) value = low;
      if (is_unsigned ? (uint64_t)value > (uint64_t)high : value > high) value = high;
      hd_store_ints(element, to + i * bytes, 1, &value);
    } else if (class == HD_CLASS_COMPLEX) {
      double complex low, high, value;
      hd_load_complex(element, lows + i * min_step, 1, &low);
      hd_load_complex(element, highs + i * max_step, 1, &high);
      hd_load_complex(element, from + i * bytes, 1, &value);
      value = hd_complex_minimum(hd_complex_maximum(value, low), high);
      hd_store_complex(element, to + i * bytes, 1, &value);
    } else {
      double low, high, value;
      hd_load_doubles(element, lows + i * min_step, 1, &low);
      hd_load_doubles(element, highs + i * max_step, 1, &high);
      hd_load_doubles(element, from + i * bytes, 1, &value);
      value = hd_float_minimum(hd_float_maximum(low, value), high);
      hd_store_doubles(element, to + i * bytes, 1, &value);
    }
  }
  return HD_STATUS_OK;
}

/* One element of a float operand at a time to an i1. */
static hd_status float_test(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out,
                            bool (*test)(double)) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(&in[0]);
  if (hd_class_of(element) != HD_CLASS_FLOAT || !hd_is_bool(hd_tensor_element(out)))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats and an i1 result");
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0, count = hd_tensor_count(out); i < count; ++i) {
    double x;
    hd_load_doubles(element, (const char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
    ((char *)hd_tensor_data(out))[i] = test(x);
  }
  return HD_STATUS_OK;
}

static bool is_finite(double x) { return isfinite(x); }
static bool infinite(double x) { return isinf(x); }
static bool plus_infinite(double x) { return isinf(x) && x > 0; }
static bool minus_infinite(double x) { return isinf(x) && x < 0; }

HD_EVAL_HOOK(is_finite) { return float_test(frame, op, in, out, is_finite); }
HD_EVAL_HOOK(chlo_is_inf) { return float_test(frame, op, in, out, infinite); }
HD_EVAL_HOOK(chlo_is_pos_inf) { return float_test(frame, op, in, out, plus_infinite); }
HD_EVAL_HOOK(chlo_is_neg_inf) { return float_test(frame, op, in, out, minus_infinite); }

/* Copies the real (0) or imaginary (1) part; of floats the real part is the number, the imaginary part 0. */
static hd_status part(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, int which) {
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(&in[0]);
  bool is_complex = element->kind == HD_TYPE_COMPLEX;
  hd_type scalar = is_complex ? element->shaped.element : element;
  if (hd_tensor_element(out) != scalar || hd_class_of(scalar) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected complex numbers or floats, and their parts as the result");
  size_t bytes = hd_type_element_bytes(scalar), count = hd_tensor_count(out);
  const char *from = hd_tensor_data(&in[0]);
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) {
    if (is_complex)
      memcpy(to + i * bytes, from + (2 * i + (size_t)which) * bytes, bytes);
    else if (which == 0)
      memcpy(to + i * bytes, from + i * bytes, bytes);
    else
      memset(to + i * bytes, 0, bytes);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(real) { return part(frame, op, in, out, 0); }
HD_EVAL_HOOK(imag) { return part(frame, op, in, out, 1); }

HD_EVAL_HOOK(complex) {
  HD_TRY(hd_eval_same_dims(&in[0], &in[1]));
  HD_TRY(hd_eval_result(frame, op, 0, hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  hd_type element = hd_tensor_element(out), scalar = hd_tensor_element(&in[0]);
  if (element->kind != HD_TYPE_COMPLEX || element->shaped.element != scalar || hd_tensor_element(&in[1]) != scalar)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected two float operands and their complex type as the result");
  size_t bytes = hd_type_element_bytes(scalar), count = hd_tensor_count(out);
  char *to = hd_tensor_data(out);
  for (size_t i = 0; i < count; ++i) {
    memcpy(to + 2 * i * bytes, (const char *)hd_tensor_data(&in[0]) + i * bytes, bytes);
    memcpy(to + (2 * i + 1) * bytes, (const char *)hd_tensor_data(&in[1]) + i * bytes, bytes);
  }
  return HD_STATUS_OK;
}
