/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/accumulate.h"

#include <string.h>

#include "ir/promotion.h"

static hd_accumulator accumulator_of(hd_type element) {
  switch (hd_class_of(element)) {
    case HD_CLASS_INT:
      return HD_ACCUMULATE_INT;
    case HD_CLASS_FLOAT:
      return element->float_kind == HD_F64 ? HD_ACCUMULATE_F64 : HD_ACCUMULATE_F32;
    case HD_CLASS_COMPLEX:
      return element->shaped.element->float_kind == HD_F64 ? HD_ACCUMULATE_C128 : HD_ACCUMULATE_C64;
    default:
      return HD_ACCUMULATE_NONE;
  }
}

hd_accumulator hd_accumulator_of_product(const hd_tensor *lhs, const hd_tensor *rhs, hd_type element) {
  hd_type both = hd_product_element(hd_tensor_element(lhs), hd_tensor_element(rhs), element);
  return accumulator_of(both ? both : element);
}

/* The element type that has the memory of |kind|; null of none. */
static hd_type wide_type(hd_context *context, hd_accumulator kind) {
  switch (kind) {
    case HD_ACCUMULATE_F32:
      return hd_f32(context);
    case HD_ACCUMULATE_F64:
      return hd_type_float(context, HD_F64);
    case HD_ACCUMULATE_INT:
      return hd_i64(context);
    case HD_ACCUMULATE_C64:
      return hd_type_complex(hd_f32(context));
    case HD_ACCUMULATE_C128:
      return hd_type_complex(hd_type_float(context, HD_F64));
    case HD_ACCUMULATE_NONE:
      break;
  }
  return NULL;
}

size_t hd_accumulator_bytes(hd_accumulator kind) {
  static const size_t bytes[] = {0, 4, 8, 8, 8, 16};
  return bytes[kind];
}

hd_status hd_eval_widened(hd_eval_frame *frame, const hd_tensor *tensor, hd_accumulator kind, void *out_pointer) {
  hd_type from = hd_tensor_element(tensor), to = wide_type(hd_frame_context(frame), kind);
  if (!to || hd_class_of(from) == HD_CLASS_NONE)
    return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  void *data = hd_tensor_data(tensor);
  if (from != to) {
    HD_TRY(hd_eval_temp(frame, hd_tensor_count(tensor), hd_type_element_bytes(to), &data));
    hd_convert_elements(from, hd_tensor_data(tensor), to, data, hd_tensor_count(tensor));
  }
  memcpy(out_pointer, &data, sizeof data);
  return HD_STATUS_OK;
}

void hd_narrow(hd_accumulator kind, const void *wide, hd_type element, void *out, size_t count) {
  hd_type from = wide_type(element->context, kind);
  if (from == element)
    memcpy(out, wide, count * hd_accumulator_bytes(kind));
  else
    hd_convert_elements(from, wide, element, out, count);
}
