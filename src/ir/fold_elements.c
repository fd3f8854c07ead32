/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of constants that fold, as words of 64 bits. */
#include "ir/fold_elements.h"

#include "ir/number.h"
#include "ir/wide.h"

enum { MAX_ELEMENTS = 4096 }; /* of non-splat operands */

size_t hd_fold_span(const hd_attr *operands, uint32_t count) {
  size_t span = 1;
  for (uint32_t i = 0; i < count; ++i) {
    hd_attr a = operands[i];
    if (!a) return 0;
    if (a->type && hd_type_is_wide(hd_type_element(a->type))) return 0;
    if (a->kind == HD_ATTR_INTEGER || a->kind == HD_ATTR_FLOAT) continue;
    if (a->kind != HD_ATTR_DENSE) return 0;
    if (a->dense.splat) continue;
    size_t n = hd_attr_count(a);
    if (n > MAX_ELEMENTS || (span != 1 && n != span)) return 0;
    span = n;
  }
  return span;
}

int64_t hd_fold_raw(hd_attr a, size_t i) {
  if (a->kind == HD_ATTR_INTEGER) return a->integer;
  if (a->kind == HD_ATTR_FLOAT) return (int64_t)a->floating.bits;
  return hd_element_load(hd_type_element(a->type), hd_attr_element_data(a, i));
}

double hd_fold_float(hd_attr a, size_t i) {
  return hd_float_decode(hd_type_element(a->type)->float_kind, (uint64_t)hd_fold_raw(a, i));
}

hd_attr hd_fold_make(hd_op *op, hd_type type, const int64_t *raw, size_t span) {
  hd_type element = hd_type_element(type);
  if (hd_type_is_wide(element)) return NULL;
  if (!hd_type_is_shaped(type)) {
    return element->kind == HD_TYPE_FLOAT ? hd_attr_float_bits(type, (uint64_t)raw[0]) : hd_attr_integer(type, raw[0]);
  }
  if ((type->kind != HD_TYPE_TENSOR && type->kind != HD_TYPE_VECTOR) || !hd_type_is_static(type)) return NULL;
  size_t bytes = hd_type_element_bytes(element);
  if (!bytes || (span != 1 && (int64_t)span != hd_type_num_elements(type))) return NULL;
  char *data = hd_arena_alloc(&op->module->arena, span * bytes);
  for (size_t i = 0; i < span; ++i) hd_element_store(element, data + i * bytes, raw[i]);
  return hd_attr_dense(type, data, span * bytes, span == 1);
}

bool hd_fold_fits_word(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_INDEX || (element->kind == HD_TYPE_INTEGER && element->integer.width <= 64);
}

unsigned hd_fold_width(hd_type element) { return element->kind == HD_TYPE_INDEX ? 64 : element->integer.width; }

static uint64_t mask_of(hd_type element) {
  unsigned width = hd_fold_width(element);
  return width >= 64 ? UINT64_MAX : (1ull << width) - 1;
}

uint64_t hd_fold_unsigned(hd_type element, int64_t value) { return (uint64_t)value & mask_of(element); }

int64_t hd_fold_signed(hd_type element, int64_t value) {
  unsigned width = hd_fold_width(element);
  return width >= 64 ? value : (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
}

hd_value *hd_fold_cast_back(hd_op *op, hd_opcode first) {
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  return hd_op_is(inner, first) && hd_operand_type(inner, 0) == hd_result_type(op, 0) ? hd_operand(inner, 0) : NULL;
}
