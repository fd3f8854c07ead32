/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/number.h"

#include <math.h>
#include <string.h>

#include "ir/tile_types.h"
#include "ir/wide.h"

size_t hd_type_element_bytes(hd_type element) {
  if (element->kind == HD_TYPE_COMPLEX) return 2 * hd_type_element_bytes(element->shaped.element);
  if (hd_type_is_pointer(element)) return 8;
  uint32_t bits = hd_type_bits(element), bytes = 1;
  if (!bits) return 0;
  if (bits > 64) return (bits + 7) / 8;
  while (bytes * 8 < bits) bytes *= 2;
  return bytes;
}

static uint64_t low_mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

int64_t hd_integer_wrap(hd_type type, int64_t value) {
  if (type->kind != HD_TYPE_INTEGER || type->integer.width >= 64) return value;
  uint32_t width = type->integer.width;
  uint64_t low = (uint64_t)value & low_mask((int)width);
  if (width == 1 && type->integer.signedness == HD_SIGNLESS) return (int64_t)low;
  if (type->integer.signedness == HD_UNSIGNED) return (int64_t)low;
  return (int64_t)(low << (64 - width)) >> (64 - width);
}

double hd_float_maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? a : b;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}

double hd_float_minimum(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? a : b;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}

int64_t hd_element_load(hd_type element, const void *memory) {
  if (hd_type_is_wide(element)) return element->kind == HD_TYPE_INTEGER ? hd_wide_integer_nearest(element, memory) : 0;
  uint64_t bits = 0;
  size_t bytes = hd_type_element_bytes(element);
  memcpy(&bits, memory, bytes < 8 ? bytes : 8); /* little endian hosts only, as all targets are */
  if (element->kind == HD_TYPE_INTEGER) return hd_integer_wrap(element, (int64_t)bits);
  return (int64_t)bits;
}

void hd_element_store(hd_type element, void *memory, int64_t value) {
  uint64_t bits = (uint64_t)value;
  if (element->kind == HD_TYPE_INTEGER) {
    uint32_t width = element->integer.width;
    /* Sub-byte integers are kept extended to their byte. */
    bits = (uint64_t)hd_integer_wrap(element, value);
    if (width == 1) bits &= 1;
  } else if (element->kind == HD_TYPE_FLOAT) {
    bits &= low_mask(hd_float_formats[element->float_kind].bits);
  }
  size_t bytes = hd_type_element_bytes(element);
  if (bytes > 8) memset(memory, value < 0 ? 0xff : 0, bytes); /* as the type has it */
  memcpy(memory, &bits, bytes < 8 ? bytes : 8);
  if (bytes > 8 && hd_type_is_wide(element)) hd_wide_trim(element, memory);
}
