/* SPDX-License-Identifier: Apache-2.0 */
/* What the table of element types (heddle/element.h) says of a type, and elements in memory as numbers. Thread-safe. */
#ifndef HD_BASE_ELEMENT_TYPES_H_
#define HD_BASE_ELEMENT_TYPES_H_

#include "base/float_format.h"
#include "heddle/element.h"

typedef enum hd_element_class {
  HD_ELEMENT_CLASS_INVALID,
  HD_ELEMENT_CLASS_BOOL,
  HD_ELEMENT_CLASS_SIGNLESS, /* as numbers like signed ones */
  HD_ELEMENT_CLASS_SIGNED,
  HD_ELEMENT_CLASS_UNSIGNED,
  HD_ELEMENT_CLASS_FLOAT,
  HD_ELEMENT_CLASS_COMPLEX,
  HD_ELEMENT_CLASS_TOKEN,
} hd_element_class;

typedef struct hd_element_info {
  const char *text, *ral_name, *xla_name; /* null for what is no element type */
  hd_element_class type_class;
  int bits;
  hd_float_kind format; /* of floats */
} hd_element_info;

/* By number; of what is no element type all zero. */
extern const hd_element_info hd_element_infos[HD_ELEMENT_TYPE_LIMIT];
static inline const hd_element_info *hd_element_info_of(hd_element_type type) {
  return &hd_element_infos[(unsigned)type < HD_ELEMENT_TYPE_LIMIT ? type : HD_ELEMENT_INVALID];
}
/* Signless, signed or unsigned. */
static inline bool hd_element_is_integer(hd_element_type type) {
  hd_element_class c = hd_element_info_of(type)->type_class;
  return c >= HD_ELEMENT_CLASS_SIGNLESS && c <= HD_ELEMENT_CLASS_UNSIGNED;
}
/* The format of a float, null for other types. */
static inline const hd_float_format *hd_element_format(hd_element_type type) {
  const hd_element_info *info = hd_element_info_of(type);
  return info->type_class == HD_ELEMENT_CLASS_FLOAT ? &hd_float_formats[info->format] : NULL;
}
/* Of a complex type the type of its two parts, any other itself. */
static inline hd_element_type hd_element_part(hd_element_type type) {
  return type == HD_ELEMENT_C64 ? HD_ELEMENT_F32 : type == HD_ELEMENT_C128 ? HD_ELEMENT_F64 : type;
}

/* The integer or bool at |data|; of ui64 the bits. */
int64_t hd_element_as_integer(hd_element_type type, const void *data);
/* The number at |data|, rounded to a double where it is an integer of 64 bits; of complex types the real part. */
double hd_element_as_double(hd_element_type type, const void *data);

#endif
