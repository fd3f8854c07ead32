/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/element_types.h"
#include "base/tolerance.h"

size_t hd_cli_count(const hd_cli_tensor *tensor) {
  size_t bytes = hd_element_bytes(tensor->type);
  return bytes ? tensor->bytes / bytes : 0;
}

static const char *element_at(const hd_cli_tensor *tensor, size_t i) {
  return (const char *)tensor->data + i * hd_element_bytes(tensor->type);
}

double hd_cli_element(const hd_cli_tensor *tensor, size_t i) {
  return hd_element_as_double(tensor->type, element_at(tensor, i));
}

double hd_cli_imaginary(const hd_cli_tensor *tensor, size_t i) {
  hd_element_type part = hd_element_part(tensor->type);
  return part == tensor->type ? 0 : hd_element_as_double(part, element_at(tensor, i) + hd_element_bytes(part));
}

/* Of a float or a complex type's parts; null for other types. */
static const hd_float_format *format_of(hd_element_type type) { return hd_element_format(hd_element_part(type)); }

/* Is it an integer of 64 bits, of which doubles have the first 53? */
static bool is_wide(hd_element_type type) {
  return type == HD_ELEMENT_I64 || type == HD_ELEMENT_SI64 || type == HD_ELEMENT_UI64;
}

static int64_t bits_at(const hd_cli_tensor *tensor, size_t i) {
  return hd_element_as_integer(tensor->type, element_at(tensor, i));
}

hd_cli_number hd_cli_real_text(const hd_cli_tensor *tensor, size_t i, int digits) {
  hd_cli_number out;
  if (tensor->type == HD_ELEMENT_UI64)
    snprintf(out.text, sizeof out.text, "%" PRIu64, (uint64_t)bits_at(tensor, i));
  else if (is_wide(tensor->type))
    snprintf(out.text, sizeof out.text, "%" PRId64, bits_at(tensor, i));
  else if (!format_of(tensor->type))
    snprintf(out.text, sizeof out.text, "%.0f", hd_cli_element(tensor, i));
  else
    snprintf(out.text, sizeof out.text, "%.*g", digits, hd_cli_element(tensor, i));
  return out;
}

/* Is element |i|, |x| as a double, below element |k|, which is |y|? */
static bool is_below(const hd_cli_tensor *tensor, size_t i, double x, size_t k, double y) {
  if (tensor->type == HD_ELEMENT_UI64) return (uint64_t)bits_at(tensor, i) < (uint64_t)bits_at(tensor, k);
  if (is_wide(tensor->type)) return bits_at(tensor, i) < bits_at(tensor, k);
  return x < y;
}

hd_cli_summary hd_cli_summarise(const hd_cli_tensor *tensor) {
  hd_cli_summary s = {.min = INFINITY, .max = -INFINITY};
  size_t count = hd_cli_count(tensor), finite = 0;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) {
    double re = hd_cli_element(tensor, i), im = hd_cli_imaginary(tensor, i);
    if (isnan(re) || isnan(im)) {
      ++s.nan;
    } else if (isinf(re) || isinf(im)) {
      ++s.inf;
    } else {
      ++finite;
      sum += re;
      squares += re * re + im * im;
      if (finite == 1 || is_below(tensor, i, re, s.min_at, s.min)) s.min = re, s.min_at = i;
      if (finite == 1 || is_below(tensor, s.max_at, s.max, i, re)) s.max = re, s.max_at = i;
      s.magnitude = fmax(s.magnitude, hypot(re, im));
    }
  }
  s.mean = finite ? sum / (double)finite : 0;
  s.l2 = sqrt(squares);
  return s;
}

double hd_cli_distance(double got, double want) {
  if (got == want || (isnan(got) && isnan(want))) return 0;
  double d = fabs(got - want);
  return isfinite(d) ? d : INFINITY;
}

/* The distance of two elements, of integers before they are rounded to doubles. */
static double distance_at(const hd_cli_tensor *got, const hd_cli_tensor *want, size_t i) {
  if (is_wide(want->type) && got->type == want->type) {
    uint64_t a = (uint64_t)bits_at(got, i), b = (uint64_t)bits_at(want, i);
    bool above = want->type == HD_ELEMENT_UI64 ? a > b : (int64_t)a > (int64_t)b;
    return (double)(above ? a - b : b - a);
  }
  return fmax(hd_cli_distance(hd_cli_element(got, i), hd_cli_element(want, i)),
              hd_cli_distance(hd_cli_imaginary(got, i), hd_cli_imaginary(want, i)));
}

size_t hd_cli_worst_element(const hd_cli_tensor *got, const hd_cli_tensor *want) {
  double worst = -1;
  size_t count = hd_cli_count(want), at = 0;
  for (size_t i = 0; i < count; ++i) {
    double d = distance_at(got, want, i);
    if (d > worst) worst = d, at = i;
  }
  return at;
}

double hd_cli_difference(const hd_cli_tensor *got, const hd_cli_tensor *want) {
  double magnitude = hd_cli_summarise(want).magnitude;
  if (!hd_cli_count(want)) return 0;
  size_t at = hd_cli_worst_element(got, want);
  double worst = distance_at(got, want, at);
  return !worst ? 0 : magnitude ? worst / magnitude : INFINITY;
}

double hd_cli_tolerance_of(hd_element_type type) {
  const hd_float_format *format = format_of(type);
  return format ? hd_tolerance_of_float(format->mantissa_bits, HD_CLI_TOLERANCE) : 0;
}

double hd_cli_excess(double difference, double tolerance) { return difference ? difference / tolerance : 0; }
