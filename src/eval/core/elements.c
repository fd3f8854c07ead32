/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/elements.h"

#include <math.h>
#include <string.h>

#include "ir/quantized.h"
#include "ir/tile_types.h"

hd_number_class hd_class_of(hd_type element) {
  switch (element->kind) {
    case HD_TYPE_INDEX:
      return HD_CLASS_INT;
    case HD_TYPE_INTEGER:
      return element->integer.width <= 64 ? HD_CLASS_INT : HD_CLASS_NONE;
    case HD_TYPE_FLOAT:
      return hd_type_bits(element) <= 64 ? HD_CLASS_FLOAT : HD_CLASS_NONE;
    case HD_TYPE_COMPLEX:
      return hd_class_of(element->shaped.element) == HD_CLASS_FLOAT ? HD_CLASS_COMPLEX : HD_CLASS_NONE;
    default:
      return HD_CLASS_NONE;
  }
}

bool hd_is_element(hd_type element) {
  return hd_class_of(element) != HD_CLASS_NONE || element->kind == HD_TYPE_QUANT || hd_type_is_pointer(element);
}

#define LOAD(T) \
  for (size_t i = 0; i < count; ++i) out[i] = (int64_t)((const T *)data)[i]

void hd_load_ints(hd_type element, const void *data, size_t count, int64_t *out) {
  size_t bytes = hd_type_element_bytes(element);
  bool is_unsigned = hd_is_unsigned(element);
  if (hd_type_bits(element) == bytes * 8) {
    switch (bytes) {
      case 1:
        if (is_unsigned) {
          LOAD(uint8_t);
        } else {
          LOAD(int8_t);
        }
        return;
      case 2:
        if (is_unsigned) {
          LOAD(uint16_t);
        } else {
          LOAD(int16_t);
        }
        return;
      case 4:
        if (is_unsigned) {
          LOAD(uint32_t);
        } else {
          LOAD(int32_t);
        }
        return;
      case 8:
        memcpy(out, data, count * 8);
        return;
      default:
        break;
    }
  }
  for (size_t i = 0; i < count; ++i) out[i] = hd_element_load(element, (const char *)data + i * bytes);
}
#undef LOAD

#define STORE(T) \
  for (size_t i = 0; i < count; ++i) ((T *)data)[i] = (T)values[i]

void hd_store_ints(hd_type element, void *data, size_t count, const int64_t *values) {
  if (!count) return; /* there may be no values then */
  size_t bytes = hd_type_element_bytes(element);
  if (hd_type_bits(element) == bytes * 8) {
    switch (bytes) {
      case 1:
        STORE(int8_t);
        return;
      case 2:
        STORE(int16_t);
        return;
      case 4:
        STORE(int32_t);
        return;
      case 8:
        memcpy(data, values, count * 8);
        return;
      default:
        break;
    }
  }
  for (size_t i = 0; i < count; ++i) hd_element_store(element, (char *)data + i * bytes, values[i]);
}

/* A signalling NaN would make pow(NaN, 0) NaN. */
static double quiet(double value) {
  if (!isnan(value)) return value;
  uint64_t bits;
  memcpy(&bits, &value, 8);
  bits |= 1ull << 51;
  memcpy(&value, &bits, 8);
  return value;
}

static double half_to_double(uint16_t half, int mantissa_bits) {
  /* bf16 is the top of f32; f16 goes through the general decoder. */
  if (mantissa_bits == 7) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
  }
  return quiet(hd_float_decode(HD_F16, half));
}

void hd_load_doubles(hd_type element, const void *data, size_t count, double *out) {
  hd_float_kind kind = element->float_kind;
  switch (kind) {
    case HD_F32:
      for (size_t i = 0; i < count; ++i) out[i] = ((const float *)data)[i];
      return;
    case HD_F64:
      memcpy(out, data, count * 8);
      return;
    case HD_BF16:
    case HD_F16:
      for (size_t i = 0; i < count; ++i)
        out[i] = half_to_double(((const uint16_t *)data)[i], hd_float_formats[kind].mantissa_bits);
      return;
    default:
      break;
  }
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)data + i * bytes, bytes);
    out[i] = quiet(hd_float_decode(kind, bits));
  }
}

void hd_store_doubles(hd_type element, void *data, size_t count, const double *values) {
  hd_float_kind kind = element->float_kind;
  if (kind == HD_F32) {
    for (size_t i = 0; i < count; ++i) ((float *)data)[i] = (float)values[i];
    return;
  }
  if (kind == HD_F64) {
    memcpy(data, values, count * 8);
    return;
  }
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = hd_float_encode(kind, values[i]);
    memcpy((char *)data + i * bytes, &bits, bytes);
  }
}

/* A double complex is two doubles, as interleaved storage is. */
void hd_load_complex(hd_type element, const void *data, size_t count, double complex *out) {
  hd_load_doubles(element->shaped.element, data, 2 * count, (double *)out);
}

void hd_store_complex(hd_type element, void *data, size_t count, const double complex *values) {
  hd_store_doubles(element->shaped.element, data, 2 * count, (const double *)values);
}

double hd_int_to_double_odd(int64_t value, bool is_unsigned) {
  bool negative = !is_unsigned && value < 0;
  uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
  if (magnitude >> 53) {
    /* Drop low bits, leaving their "not zero" in the last kept bit: the result is exact to 53 bits. */
    int shift = 64 - __builtin_clzll(magnitude) - 53;
    uint64_t lost = magnitude & ((1ull << shift) - 1);
    magnitude >>= shift;
    if (lost) magnitude |= 1;
    double result = ldexp((double)magnitude, shift);
    return negative ? -result : result;
  }
  return negative ? -(double)magnitude : (double)magnitude;
}

int64_t hd_double_to_int(hd_type element, double value) {
  if (isnan(value)) return 0;
  if (element->kind == HD_TYPE_INDEX || !hd_is_unsigned(element)) {
    uint32_t width = hd_type_bits(element);
    double limit = ldexp(1.0, (int)width - 1);
    if (value >= limit) return (int64_t)((1ull << (width - 1)) - 1);
    if (value < -limit) return width == 64 ? INT64_MIN : -(int64_t)(1ull << (width - 1));
    return (int64_t)value;
  }
  uint32_t width = element->integer.width;
  if (value <= 0) return 0;
  if (value >= ldexp(1.0, (int)width)) return width == 64 ? -1 : (int64_t)((1ull << width) - 1);
  return (int64_t)(uint64_t)value;
}

double hd_dequantize(hd_type type, size_t k, const void *data) {
  int64_t stored;
  hd_load_ints(type->quant.storage, data, 1, &stored);
  /* the storage type is signless in text: the quantized type says how it extends */
  uint32_t width = hd_type_bits(type->quant.storage);
  if (!type->quant.is_signed) stored &= (int64_t)((1ull << width) - 1);
  double number = hd_quantized_round(type, (double)(stored - type->quant.zero_points[k]));
  return hd_quantized_round(type, number * hd_quantized_scale(type, k));
}

/* |stored|, which is in the range of quantized |type|'s storage, as it is in memory. */
static void store_quantized(hd_type type, void *data, int64_t stored) {
  if (type->quant.is_signed)
    hd_store_ints(type->quant.storage, data, 1, &stored);
  else /* in memory unsigned integers extend by zeros */
    memcpy(data, &stored, hd_type_element_bytes(type));
}

void hd_quantize(hd_type type, size_t k, double value, void *data) {
  double low, high;
  hd_quantized_bounds(type, &low, &high);
  value = hd_quantized_round(type, value / hd_quantized_scale(type, k));
  value = hd_quantized_round(type, value + hd_quantized_round(type, (double)type->quant.zero_points[k]));
  value = hd_float_minimum(hd_float_maximum(value, low), high);
  double down = floor(value), rest = value - down;
  if (rest > 0.5 || (rest == 0.5 && fmod(down, 2) != 0)) down += 1;
  /* as convert has it, NaN is 0; where that, or a bound that was rounded, is outside the range, its end */
  if (isnan(down)) down = 0;
  int64_t least = type->quant.storage_min, most = type->quant.storage_max;
  int64_t stored = down <= (double)least ? least : down >= (double)most ? most : (int64_t)down;
  store_quantized(type, data, stored);
}

enum { RUN = 256 };

static void convert_run(hd_type from, const char *data, hd_type to, char *out, size_t count) {
  hd_number_class source = hd_class_of(from), target = hd_class_of(to);
  int64_t ints[RUN];
  double floats[RUN];
  double complex numbers[RUN];
  if (source == HD_CLASS_INT) hd_load_ints(from, data, count, ints);
  if (source == HD_CLASS_FLOAT) hd_load_doubles(from, data, count, floats);
  if (source == HD_CLASS_COMPLEX) hd_load_complex(from, data, count, numbers);
  if (target == HD_CLASS_INT) {
    bool to_bool = hd_is_bool(to);
    for (size_t i = 0; i < count; ++i) {
      if (source == HD_CLASS_INT) {
        if (to_bool) ints[i] = ints[i] != 0;
      } else if (to_bool) {
        ints[i] = source == HD_CLASS_FLOAT ? floats[i] != 0 : creal(numbers[i]) != 0 || cimag(numbers[i]) != 0;
      } else {
        ints[i] = hd_double_to_int(to, source == HD_CLASS_FLOAT ? floats[i] : creal(numbers[i]));
      }
    }
    hd_store_ints(to, out, count, ints);
    return;
  }
  bool wide = to->kind == HD_TYPE_FLOAT ? to->float_kind == HD_F64 : to->shaped.element->float_kind == HD_F64;
  bool is_unsigned = source == HD_CLASS_INT && hd_is_unsigned(from);
  for (size_t i = 0; i < count; ++i) {
    if (source == HD_CLASS_INT) {
      if (wide)
        floats[i] = is_unsigned ? (double)(uint64_t)ints[i] : (double)ints[i];
      else
        floats[i] = hd_int_to_double_odd(ints[i], is_unsigned);
    } else if (source == HD_CLASS_COMPLEX) {
      floats[i] = creal(numbers[i]);
    }
  }
  if (target == HD_CLASS_FLOAT) {
    hd_store_doubles(to, out, count, floats);
    return;
  }
  for (size_t i = 0; i < count && source != HD_CLASS_COMPLEX; ++i) numbers[i] = floats[i];
  hd_store_complex(to, out, count, numbers);
}

/* One at a time through doubles. */
static void convert_quantized(hd_type from, const char *data, hd_type to, char *out, size_t count) {
  size_t from_bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(to);
  for (size_t i = 0; i < count; ++i) {
    double value;
    hd_type f64 = hd_type_float(from->context, HD_F64);
    if (from == to) {
      memcpy(out + i * to_bytes, data + i * from_bytes, to_bytes);
      continue;
    }
    if (from->kind == HD_TYPE_QUANT)
      value = hd_dequantize(from, 0, data + i * from_bytes);
    else
      convert_run(from, data + i * from_bytes, f64, (char *)&value, 1);
    if (to->kind == HD_TYPE_QUANT)
      hd_quantize(to, 0, value, out + i * to_bytes);
    else
      convert_run(f64, (const char *)&value, to, out + i * to_bytes, 1);
  }
}

void hd_convert_elements(hd_type from, const void *data, hd_type to, void *out, size_t count) {
  if (from == to) {
    if (count) memmove(out, data, count * hd_type_element_bytes(to));
    return;
  }
  if (from->kind == HD_TYPE_QUANT || to->kind == HD_TYPE_QUANT) {
    convert_quantized(from, data, to, out, count);
    return;
  }
  size_t from_bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(to);
  for (size_t at = 0; at < count; at += RUN)
    convert_run(from, (const char *)data + at * from_bytes, to, (char *)out + at * to_bytes,
                count - at < RUN ? count - at : RUN);
}

int64_t hd_int_at(hd_type element, const void *data, size_t i) {
  int64_t value;
  hd_load_ints(element, (const char *)data + i * hd_type_element_bytes(element), 1, &value);
  if (value < 0 && hd_is_unsigned(element)) return INT64_MAX;
  return value;
}
