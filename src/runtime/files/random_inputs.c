/* SPDX-License-Identifier: Apache-2.0 */
/* Random inputs as a pure function of (seed, argument, element): see heddle/tensor_file.h. */
#include <math.h>
#include <string.h>

#include "base/mix.h"
#include "base/status.h"
#include "heddle/tensor_file.h"
#include "runtime/alignment.h"

/* How a float type lays out its bits; |digits| are significant bits, the leading one included. */
typedef struct float_layout {
  hd_element_type type;
  int bits, digits, bias;
} float_layout;

static const float_layout layouts[] = {
    {HD_ELEMENT_F64, 64, 53, 1023}, {HD_ELEMENT_F32, 32, 24, 127},     {HD_ELEMENT_F16, 16, 11, 15},
    {HD_ELEMENT_BF16, 16, 8, 127},  {HD_ELEMENT_F8E3M4, 8, 5, 3},      {HD_ELEMENT_F8E4M3, 8, 4, 7},
    {HD_ELEMENT_F8E4M3FN, 8, 4, 7}, {HD_ELEMENT_F8E4M3FNUZ, 8, 4, 8},  {HD_ELEMENT_F8E4M3B11FNUZ, 8, 4, 11},
    {HD_ELEMENT_F8E5M2, 8, 3, 15},  {HD_ELEMENT_F8E5M2FNUZ, 8, 3, 16}, {HD_ELEMENT_F6E2M3FN, 6, 4, 1},
    {HD_ELEMENT_F6E3M2FN, 6, 3, 3}, {HD_ELEMENT_F4E2M1FN, 4, 2, 1},
};

static const float_layout *layout_of(hd_element_type type) {
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i)
    if (layouts[i].type == type) return &layouts[i];
  return NULL;
}

/* The bits of the integer |value| times 2^(1-digits), which the type holds exactly. */
static uint64_t encode(const float_layout *layout, int64_t value) {
  if (!value) return 0;
  uint64_t sign = value < 0, magnitude = sign ? (uint64_t)-value : (uint64_t)value;
  int fraction = layout->digits - 1, top = 63 - __builtin_clzll(magnitude), exponent = top - fraction;
  uint64_t bits;
  if (exponent + layout->bias >= 1) {
    bits =
        (uint64_t)(exponent + layout->bias) << fraction | ((magnitude << (fraction - top)) & ((1ull << fraction) - 1));
  } else {
    bits = magnitude << (layout->bias - 1); /* subnormal: units of 2^(1-bias-fraction) */
  }
  return sign << (layout->bits - 1) | bits;
}

static uint64_t random_float(const float_layout *layout, uint64_t h) {
  int64_t centred = (int64_t)(h >> (64 - layout->digits)) - ((int64_t)1 << (layout->digits - 1));
  return encode(layout, centred);
}

/* One more than the largest value of an integer type, at most 2^32-1. */
static uint32_t integer_limit(hd_element_type type) {
  switch (type) {
    case HD_ELEMENT_I2:
    case HD_ELEMENT_SI2:
      return 2;
    case HD_ELEMENT_UI2:
      return 4;
    case HD_ELEMENT_I4:
    case HD_ELEMENT_SI4:
      return 8;
    case HD_ELEMENT_UI4:
      return 16;
    case HD_ELEMENT_I8:
    case HD_ELEMENT_SI8:
      return 1u << 7;
    case HD_ELEMENT_UI8:
      return 1u << 8;
    case HD_ELEMENT_I16:
    case HD_ELEMENT_SI16:
      return 1u << 15;
    case HD_ELEMENT_UI16:
      return 1u << 16;
    case HD_ELEMENT_I32:
    case HD_ELEMENT_SI32:
      return 1u << 31;
    case HD_ELEMENT_UI32:
    case HD_ELEMENT_I64:
    case HD_ELEMENT_SI64:
    case HD_ELEMENT_UI64:
      return UINT32_MAX;
    default:
      return 0;
  }
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
  if (type == HD_ELEMENT_C64 || type == HD_ELEMENT_C128) {
    type = type == HD_ELEMENT_C64 ? HD_ELEMENT_F32 : HD_ELEMENT_F64;
    bytes /= 2;
    count *= 2;
  }
  const float_layout *layout = layout_of(type);
  uint32_t limit = integer_limit(type);
  if (type == HD_ELEMENT_F32) {
    float *at = out;
    for (uint64_t k = 0; k < count; ++k) at[k] = (float)((int32_t)(H(k) >> 40) - (1 << 23)) * 0x1p-23f;
  } else if (layout) {
    for (uint64_t k = 0; k < count; ++k) store(out, k, bytes, random_float(layout, H(k)));
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

/* f16 and bf16 through f32, rounding to nearest even. */
static float widen(const float_layout *layout, uint16_t bits) {
  if (layout->type == HD_ELEMENT_BF16) {
    float value;
    memcpy(&value, &(uint32_t){(uint32_t)bits << 16}, 4);
    return value;
  }
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                    : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                                   : ldexpf((float)fraction, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

static uint16_t narrow(const float_layout *layout, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (layout->type == HD_ELEMENT_BF16) {
    if (isnan(value)) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  float magnitude = fabsf(value);
  if (isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520.0f) return sign | 0x7c00;
  if (magnitude < 0x1p-14f) return sign | (uint16_t)lrintf(magnitude * 0x1p24f);
  memcpy(&bits, &magnitude, 4);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | (uint16_t)((bits >> 13) - (112u << 10));
}

hd_status hd_random_scale(hd_element_type type, double scale, uint64_t count, void *data) {
  if (count) HD_REQUIRE(data);
  HD_TRY(hd_check_aligned("data", type, data));
  if (type == HD_ELEMENT_C64 || type == HD_ELEMENT_C128) {
    type = type == HD_ELEMENT_C64 ? HD_ELEMENT_F32 : HD_ELEMENT_F64;
    count *= 2;
  }
  const float_layout *layout = layout_of(type);
  float factor = (float)scale;
  if (type == HD_ELEMENT_F32) {
    for (uint64_t k = 0; k < count; ++k) ((float *)data)[k] *= factor;
  } else if (type == HD_ELEMENT_F64) {
    for (uint64_t k = 0; k < count; ++k) ((double *)data)[k] *= scale;
  } else if (layout && layout->bits == 16) {
    uint16_t *at = data;
    for (uint64_t k = 0; k < count; ++k) at[k] = narrow(layout, widen(layout, at[k]) * factor);
  } else if (layout) {
    return hd_make_status(HD_UNIMPLEMENTED, "random inputs: elements of type %s are not scaled", hd_element_text(type));
  }
  return HD_STATUS_OK;
}
