/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of one value, see fold.h. */
#include "ir/fold.h"

#include "ir/number.h"
#include "ir/wide.h"

static bool can_fill(hd_type type) {
  return (type->kind == HD_TYPE_TENSOR || type->kind == HD_TYPE_VECTOR) && hd_type_is_static(type) &&
         hd_type_num_elements(type) >= 0;
}

hd_attr hd_fold_fill_int(hd_type type, int64_t value) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX) return NULL;
  if (hd_type_bits(element) > 64) return NULL;
  if (!hd_type_is_shaped(type)) return hd_attr_integer(type, value);
  if (!can_fill(type)) return NULL;
  char bytes[8];
  hd_element_store(element, bytes, value);
  return hd_attr_dense(type, bytes, hd_type_element_bytes(element), true);
}

hd_attr hd_fold_fill_float(hd_type type, double value) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || hd_type_is_wide(element)) return NULL;
  if (!hd_type_is_shaped(type)) return hd_attr_float(type, value);
  if (!can_fill(type)) return NULL;
  char bytes[8];
  hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, value));
  return hd_attr_dense(type, bytes, hd_type_element_bytes(element), true);
}

hd_attr hd_fold_fill(hd_type type, hd_attr splat) {
  if (!splat || hd_type_element(type) != (splat->type ? hd_type_element(splat->type) : NULL)) return NULL;
  if (splat->wide) {
    if (!hd_type_is_shaped(type)) return splat;
    return can_fill(type) ? hd_attr_dense(type, splat->wide, hd_type_element_bytes(splat->type), true) : NULL;
  }
  if (splat->kind == HD_ATTR_INTEGER) return hd_fold_fill_int(type, splat->integer);
  if (splat->kind == HD_ATTR_FLOAT) {
    if (!hd_type_is_shaped(type)) return splat;
    if (!can_fill(type)) return NULL;
    char bytes[8];
    hd_element_store(splat->type, bytes, (int64_t)splat->floating.bits);
    return hd_attr_dense(type, bytes, hd_type_element_bytes(splat->type), true);
  }
  if (splat->kind != HD_ATTR_DENSE || !splat->dense.splat || !can_fill(type)) return NULL;
  return hd_attr_dense(type, splat->dense.data, splat->dense.size, true);
}
