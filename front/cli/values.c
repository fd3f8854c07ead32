/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerance.h"

size_t hd_cli_count(const hd_cli_tensor *tensor) {
  size_t bytes = hd_element_bytes(tensor->type);
  return bytes ? tensor->bytes / bytes : 0;
}

static double small_float(unsigned bits, int exponent_bits, int fraction_bits, int bias, bool has_inf) {
  unsigned fraction = bits & ((1u << fraction_bits) - 1),
           exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
  unsigned all = (1u << exponent_bits) - 1;
  double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
  if (has_inf && exponent == all) return fraction ? NAN : sign * INFINITY;
  if (!exponent) return sign * ldexp(fraction, 1 - bias - fraction_bits);
  return sign * ldexp((1u << fraction_bits) + fraction, (int)exponent - bias - fraction_bits);
}

static double load(const hd_cli_tensor *tensor, size_t at, hd_element_type type) {
  const char *data = (const char *)tensor->data + at * hd_element_bytes(type);
#define LOAD(T)                         \
  {                                     \
    T value;                            \
    memcpy(&value, data, sizeof value); \
    return (double)value;               \
  }
  unsigned byte = *(const uint8_t *)data;
  switch (type) {
    case HD_ELEMENT_I1:
    case HD_ELEMENT_UI2:
    case HD_ELEMENT_UI4:
    case HD_ELEMENT_UI8:
      return byte;
    case HD_ELEMENT_I2:
    case HD_ELEMENT_SI2:
    case HD_ELEMENT_I4:
    case HD_ELEMENT_SI4:
    case HD_ELEMENT_I8:
    case HD_ELEMENT_SI8:
      LOAD(int8_t)
    case HD_ELEMENT_I16:
    case HD_ELEMENT_SI16:
      LOAD(int16_t)
    case HD_ELEMENT_I32:
    case HD_ELEMENT_SI32:
      LOAD(int32_t)
    case HD_ELEMENT_I64:
    case HD_ELEMENT_SI64:
      LOAD(int64_t)
    case HD_ELEMENT_UI16:
      LOAD(uint16_t)
    case HD_ELEMENT_UI32:
      LOAD(uint32_t)
    case HD_ELEMENT_UI64:
      LOAD(uint64_t)
    case HD_ELEMENT_F32:
      LOAD(float)
    case HD_ELEMENT_F64:
      LOAD(double)
    case HD_ELEMENT_F16:
    case HD_ELEMENT_BF16: {
      uint16_t bits;
      memcpy(&bits, data, 2);
      return type == HD_ELEMENT_F16 ? small_float(bits, 5, 10, 15, true) : small_float(bits, 8, 7, 127, true);
    }
    case HD_ELEMENT_F8E5M2:
      return small_float(byte, 5, 2, 15, true);
    case HD_ELEMENT_F8E4M3:
      return small_float(byte, 4, 3, 7, true);
    case HD_ELEMENT_F8E3M4:
      return small_float(byte, 3, 4, 3, true);
    case HD_ELEMENT_F8E4M3FN:
      return (byte & 127) == 127 ? NAN : small_float(byte, 4, 3, 7, false);
    case HD_ELEMENT_F8E4M3FNUZ:
      return byte == 128 ? NAN : small_float(byte, 4, 3, 8, false);
    case HD_ELEMENT_F8E4M3B11FNUZ:
      return byte == 128 ? NAN : small_float(byte, 4, 3, 11, false);
    case HD_ELEMENT_F8E5M2FNUZ:
      return byte == 128 ? NAN : small_float(byte, 5, 2, 16, false);
    case HD_ELEMENT_F6E2M3FN:
      return small_float(byte, 2, 3, 1, false);
    case HD_ELEMENT_F6E3M2FN:
      return small_float(byte, 3, 2, 3, false);
    case HD_ELEMENT_F4E2M1FN:
      return small_float(byte, 2, 1, 1, false);
    case HD_ELEMENT_F8E8M0FNU:
      return byte == 255 ? NAN : ldexp(1, (int)byte - 127);
    default:
      return 0;
  }
#undef LOAD
}

static bool is_complex(const hd_cli_tensor *tensor, hd_element_type *part) {
  *part = tensor->type == HD_ELEMENT_C64    ? HD_ELEMENT_F32
          : tensor->type == HD_ELEMENT_C128 ? HD_ELEMENT_F64
                                            : tensor->type;
  return *part != tensor->type;
}

double hd_cli_element(const hd_cli_tensor *tensor, size_t i) {
  hd_element_type part;
  return is_complex(tensor, &part) ? load(tensor, 2 * i, part) : load(tensor, i, part);
}

double hd_cli_imaginary(const hd_cli_tensor *tensor, size_t i) {
  hd_element_type part;
  return is_complex(tensor, &part) ? load(tensor, 2 * i + 1, part) : 0;
}

/* -1: of no float. */
static int mantissa_bits(hd_element_type type) {
  switch (type) {
    case HD_ELEMENT_F8E8M0FNU:
      return 0;
    case HD_ELEMENT_F4E2M1FN:
      return 1;
    case HD_ELEMENT_F6E3M2FN:
    case HD_ELEMENT_F8E5M2:
    case HD_ELEMENT_F8E5M2FNUZ:
      return 2;
    case HD_ELEMENT_F6E2M3FN:
    case HD_ELEMENT_F8E4M3:
    case HD_ELEMENT_F8E4M3FN:
    case HD_ELEMENT_F8E4M3FNUZ:
    case HD_ELEMENT_F8E4M3B11FNUZ:
      return 3;
    case HD_ELEMENT_F8E3M4:
      return 4;
    case HD_ELEMENT_BF16:
      return 7;
    case HD_ELEMENT_F16:
      return 10;
    case HD_ELEMENT_F32:
    case HD_ELEMENT_C64:
      return 23;
    case HD_ELEMENT_F64:
    case HD_ELEMENT_C128:
      return 52;
    default:
      return -1;
  }
}

/* Is it an integer of 64 bits, of which doubles have the first 53? */
static bool is_wide(hd_element_type type) {
  return type == HD_ELEMENT_I64 || type == HD_ELEMENT_SI64 || type == HD_ELEMENT_UI64;
}

static int64_t bits_at(const hd_cli_tensor *tensor, size_t i) {
  int64_t bits;
  memcpy(&bits, (const char *)tensor->data + 8 * i, sizeof bits);
  return bits;
}

hd_cli_number hd_cli_real_text(const hd_cli_tensor *tensor, size_t i, int digits) {
  hd_cli_number out;
  if (tensor->type == HD_ELEMENT_UI64)
    snprintf(out.text, sizeof out.text, "%" PRIu64, (uint64_t)bits_at(tensor, i));
  else if (is_wide(tensor->type))
    snprintf(out.text, sizeof out.text, "%" PRId64, bits_at(tensor, i));
  else if (mantissa_bits(tensor->type) < 0)
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
  int bits = mantissa_bits(type);
  return bits < 0 ? 0 : hd_tolerance_of_float(bits, HD_CLI_TOLERANCE);
}

double hd_cli_excess(double difference, double tolerance) { return difference ? difference / tolerance : 0; }
