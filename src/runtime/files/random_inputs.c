/* SPDX-License-Identifier: Apache-2.0 */
/* Random inputs as a pure function of (seed, argument, element): see heddle/tensor_file.h. */
#include <math.h>
#include <string.h>

#include "base/element_types.h"
#include "base/mix.h"
#include "base/status.h"
#include "heddle/tensor_file.h"
#include "runtime/alignment.h"

/* The format of the floats that are drawn uniformly; of the powers of two of f8E8M0FNU and of other types null. */
static const hd_float_format *format_of(hd_element_type type) {
  const hd_float_format *format = hd_element_format(type);
  return format && format->special != HD_FLOAT_E8M0 ? format : NULL;
}

/* The bits of the integer |value| times 2^-mantissa_bits, which the type holds exactly. */
static uint64_t encode(const hd_float_format *format, int64_t value) {
  if (!value) return 0;
  uint64_t sign = value < 0, magnitude = sign ? (uint64_t)-value : (uint64_t)value;
  int fraction = format->mantissa_bits, top = 63 - __builtin_clzll(magnitude), exponent = top - fraction;
  uint64_t bits;
  if (exponent + format->bias >= 1) {
    bits =
        (uint64_t)(exponent + format->bias) << fraction | ((magnitude << (fraction - top)) & ((1ull << fraction) - 1));
  } else {
    bits = magnitude << (format->bias - 1); /* subnormal: units of 2^(1-bias-fraction) */
  }
  return sign << (format->bits - 1) | bits;
}

static uint64_t random_float(const hd_float_format *format, uint64_t h) {
  int64_t centred = (int64_t)(h >> (63 - format->mantissa_bits)) - ((int64_t)1 << format->mantissa_bits);
  return encode(format, centred);
}

/* One more than the largest value of an integer type, at most 2^32-1. */
static uint32_t integer_limit(hd_element_type type) {
  const hd_element_info *info = hd_element_info_of(type);
  if (!hd_element_is_integer(type)) return 0;
  int bits = info->bits - (info->type_class != HD_ELEMENT_CLASS_UNSIGNED);
  return bits < 32 ? 1u << bits : UINT32_MAX;
}

static void store(void *out, uint64_t i, size_t bytes, uint64_t bits) {
  char *at = (char *)out + i * bytes;
  switch (bytes) {
    case 1:
      *(uint8_t *)at = (uint8_t)bits;
      break;
    case 2:
      memcpy(at, &(uint16_t){(uint16_t)bits}, 2);
      break;
    case 4:
      memcpy(at, &(uint32_t){(uint32_t)bits}, 4);
      break;
    default:
      memcpy(at, &bits, 8);
      break;
  }
}

hd_status hd_random_fill(hd_element_type type, uint64_t seed, uint64_t argument, uint32_t max, uint64_t count,
                         void *out) {
  if (count && hd_element_bytes(type)) HD_REQUIRE(out);
  HD_TRY(hd_check_aligned("out", type, out));
  if (!max) return hd_make_status(HD_INVALID_ARGUMENT, "random inputs: expected a positive maximum, got 0");
  uint64_t key = hd_mix(seed + (argument + 1) * HD_MIX_STEP);
#define H(k) hd_mix(key + ((k) + 1) * HD_MIX_STEP)
  size_t bytes = hd_element_bytes(type);
  if (hd_element_part(type) != type) {
    type = hd_element_part(type);
    bytes /= 2;
    count *= 2;
  }
  const hd_float_format *format = format_of(type);
  uint32_t limit = integer_limit(type);
  if (type == HD_ELEMENT_F32) {
    float *at = out;
    for (uint64_t k = 0; k < count; ++k) at[k] = (float)((int32_t)(H(k) >> 40) - (1 << 23)) * 0x1p-23f;
  } else if (format) {
    for (uint64_t k = 0; k < count; ++k) store(out, k, bytes, random_float(format, H(k)));
  } else if (limit) {
    uint64_t below = max < limit ? max : limit;
    for (uint64_t k = 0; k < count; ++k) store(out, k, bytes, (H(k) >> 32) * below >> 32);
  } else if (type == HD_ELEMENT_I1) {
    for (uint64_t k = 0; k < count; ++k) store(out, k, 1, (H(k) >> 32) < 3865470566u);
  } else if (type == HD_ELEMENT_F8E8M0FNU) {
    for (uint64_t k = 0; k < count; ++k) store(out, k, 1, 127 - (H(k) >> 62));
  } else {
    return hd_make_status(HD_INVALID_ARGUMENT, "random inputs: no values for element type %s", hd_element_text(type));
  }
#undef H
  return HD_STATUS_OK;
}

/* |bits| of a bf16 times |factor|, in f32, rounded to nearest even. */
static uint16_t scaled_bf16(uint16_t bits, float factor) {
  float value;
  uint32_t wide = (uint32_t)bits << 16;
  memcpy(&value, &wide, 4);
  value *= factor;
  memcpy(&wide, &value, 4);
  return (uint16_t)(isnan(value) ? wide >> 16 | 0x40 : (wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

hd_status hd_random_scale(hd_element_type type, double scale, uint64_t count, void *data) {
  if (count) HD_REQUIRE(data);
  HD_TRY(hd_check_aligned("data", type, data));
  if (hd_element_part(type) != type) {
    type = hd_element_part(type);
    count *= 2;
  }
  float factor = (float)scale;
  if (type == HD_ELEMENT_F32) {
    for (uint64_t k = 0; k < count; ++k) ((float *)data)[k] *= factor;
  } else if (type == HD_ELEMENT_F64) {
    for (uint64_t k = 0; k < count; ++k) ((double *)data)[k] *= scale;
  } else if (type == HD_ELEMENT_F16) {
    _Float16 *at = data;
    for (uint64_t k = 0; k < count; ++k) at[k] = (_Float16)((float)at[k] * factor);
  } else if (type == HD_ELEMENT_BF16) {
    uint16_t *at = data;
    for (uint64_t k = 0; k < count; ++k) at[k] = scaled_bf16(at[k], factor);
  } else if (format_of(type)) {
    return hd_make_status(HD_UNIMPLEMENTED, "random inputs: elements of type %s are not scaled", hd_element_text(type));
  }
  return HD_STATUS_OK;
}
