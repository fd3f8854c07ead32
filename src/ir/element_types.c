/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/element_types.h"

#include <stdio.h>

#include "base/element_types.h"

static hd_element_type integer_of(const char *sign, uint32_t width) {
  char text[32];
  snprintf(text, sizeof text, "%si%u", sign, width);
  return hd_element_from_text(text);
}

hd_element_type hd_element_type_of(hd_type type) {
  switch (type->kind) {
    case HD_TYPE_INDEX:
      return HD_ELEMENT_I64;
    case HD_TYPE_INTEGER:
      return integer_of(type->integer.signedness == HD_UNSIGNED ? "u"
                        : type->integer.signedness == HD_SIGNED ? "s"
                                                                : "",
                        type->integer.width);
    case HD_TYPE_QUANT:
      return integer_of(type->quant.is_signed ? "" : "u", hd_type_bits(type->quant.storage));
    case HD_TYPE_FLOAT:
      return hd_element_from_text(hd_float_formats[type->float_kind].name);
    case HD_TYPE_COMPLEX:
      if (hd_type_is_float(type->shaped.element, HD_F32)) return HD_ELEMENT_C64;
      return hd_type_is_float(type->shaped.element, HD_F64) ? HD_ELEMENT_C128 : HD_ELEMENT_INVALID;
    default:
      return HD_ELEMENT_INVALID;
  }
}

hd_type hd_type_of_element(hd_context *context, hd_element_type element) {
  const hd_element_info *info = hd_element_info_of(element);
  uint32_t bits = (uint32_t)info->bits;
  switch (info->type_class) {
    case HD_ELEMENT_CLASS_BOOL:
    case HD_ELEMENT_CLASS_SIGNLESS:
      return hd_type_integer(context, bits, HD_SIGNLESS);
    case HD_ELEMENT_CLASS_SIGNED:
      return hd_type_integer(context, bits, HD_SIGNED);
    case HD_ELEMENT_CLASS_UNSIGNED:
      return hd_type_integer(context, bits, HD_UNSIGNED);
    case HD_ELEMENT_CLASS_FLOAT:
      return hd_type_float(context, info->format);
    case HD_ELEMENT_CLASS_COMPLEX:
      return hd_type_complex(hd_type_of_element(context, hd_element_part(element)));
    default:
      return NULL;
  }
}
