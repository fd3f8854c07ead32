/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/compare.h"

#include <math.h>

#include "base/tolerance.h"
#include "eval/core/elements.h"

static hd_type real_part(hd_type element) {
  if (element->kind == HD_TYPE_QUANT) return element->quant.storage;
  return element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element;
}

double hd_tolerance_of(hd_type type, double single) {
  hd_type element = real_part(type);
  if (element->kind != HD_TYPE_FLOAT) return 0;
  return hd_tolerance_of_float(hd_float_formats[element->float_kind].mantissa_bits, single);
}

static bool is_unsigned(hd_type part) {
  return part->kind == HD_TYPE_INTEGER && part->integer.signedness == HD_UNSIGNED;
}

/* Number |i| of |tensor|, of twice as many for complex elements. */
static double number_at(hd_type element, const char *data, size_t i) {
  hd_type part = real_part(element);
  const char *at = data + i * hd_type_element_bytes(part);
  double value;
  if (part->kind == HD_TYPE_FLOAT)
    hd_load_doubles(part, at, 1, &value);
  else
    value = is_unsigned(part) ? (double)(uint64_t)hd_int_at(part, at, 0) : (double)hd_int_at(part, at, 0);
  return value;
}

/* |got - want| of integers, which a double may round away. */
static double integer_distance(hd_type part, const char *got, const char *want, size_t i) {
  int64_t g = hd_int_at(part, got + i * hd_type_element_bytes(part), 0),
          w = hd_int_at(part, want + i * hd_type_element_bytes(part), 0);
  bool above = is_unsigned(part) ? (uint64_t)g > (uint64_t)w : g > w;
  return (double)(above ? (uint64_t)g - (uint64_t)w : (uint64_t)w - (uint64_t)g);
}

bool hd_compare(const hd_tensor *got, const hd_tensor *want, hd_difference *out) {
  *out = (hd_difference){0};
  if (!hd_tensor_is_tensor(got) || !hd_tensor_is_tensor(want) || hd_tensor_rank(got) != hd_tensor_rank(want) ||
      !hd_dims_equal(hd_tensor_rank(got), hd_tensor_dims(got), hd_tensor_dims(want)) ||
      hd_tensor_element_bytes(got) != hd_tensor_element_bytes(want))
    return false;
  hd_type element = hd_tensor_element(want);
  size_t parts = element->kind == HD_TYPE_COMPLEX ? 2 : 1, count = hd_tensor_count(want) * parts;
  double largest = 0, worst = -1;
  for (size_t i = 0; i < count; ++i) {
    double w = number_at(element, hd_tensor_data(want), i), g = number_at(element, hd_tensor_data(got), i);
    double d = g == w || (isnan(g) && isnan(w)) ? 0 : fabs(g - w);
    if (real_part(element)->kind != HD_TYPE_FLOAT)
      d = integer_distance(real_part(element), hd_tensor_data(got), hd_tensor_data(want), i);
    if (isnan(d)) d = INFINITY;
    if (isfinite(w) && fabs(w) > largest) largest = fabs(w);
    if (d <= worst) continue;
    worst = d;
    out->element = i / parts;
    out->got = g;
    out->want = w;
  }
  out->relative = worst <= 0 ? 0 : largest > 0 && isfinite(worst) ? worst / largest : worst;
  return true;
}
