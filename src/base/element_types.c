/* SPDX-License-Identifier: Apache-2.0 */
/* Element types: their sizes and names (heddle/element.h), and numbers in memory. */
#include "base/element_types.h"

#include <string.h>

#define FORMAT_BOOL(id) 0
#define FORMAT_SIGNLESS(id) 0
#define FORMAT_SIGNED(id) 0
#define FORMAT_UNSIGNED(id) 0
#define FORMAT_FLOAT(id) HD_##id
#define FORMAT_COMPLEX(id) 0
#define FORMAT_TOKEN(id) 0

const hd_element_info hd_element_infos[HD_ELEMENT_TYPE_LIMIT] = {
#define X(id, number, type_class, bits, text, ral_name, xla_name, c_type) \
  [number] = {text, #ral_name, #xla_name, HD_ELEMENT_CLASS_##type_class, bits, FORMAT_##type_class(id)},
    HD_ELEMENT_TYPES(X)
#undef X
};

size_t hd_element_bytes(hd_element_type type) { return (size_t)(hd_element_info_of(type)->bits + 7) / 8; }

const char *hd_element_text(hd_element_type type) {
  const char *text = hd_element_info_of(type)->text;
  return text ? text : "?";
}

hd_element_type hd_element_from_text(const char *text) {
  if (!text) return HD_ELEMENT_INVALID;
  for (int type = 1; type < HD_ELEMENT_TYPE_LIMIT; ++type)
    if (hd_element_infos[type].text && !strcmp(hd_element_infos[type].text, text)) return (hd_element_type)type;
  return strcmp(text, "index") ? HD_ELEMENT_INVALID : HD_ELEMENT_I64;
}

/* Little endian, as all targets are. */
static uint64_t load(const void *data, size_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, data, bytes);
  return bits;
}

int64_t hd_element_as_integer(hd_element_type type, const void *data) {
  size_t bytes = hd_element_bytes(type);
  hd_element_class c = hd_element_info_of(type)->type_class;
  int above = 64 - 8 * (int)bytes;
  uint64_t bits = load(data, bytes);
  if (c == HD_ELEMENT_CLASS_UNSIGNED || c == HD_ELEMENT_CLASS_BOOL) return (int64_t)bits;
  return (int64_t)(bits << above) >> above;
}

double hd_element_as_double(hd_element_type type, const void *data) {
  type = hd_element_part(type);
  const hd_element_info *info = hd_element_info_of(type);
  if (type == HD_ELEMENT_F32) {
    float value;
    memcpy(&value, data, sizeof value);
    return (double)value;
  }
  if (info->type_class == HD_ELEMENT_CLASS_FLOAT)
    return hd_float_decode(info->format, load(data, hd_element_bytes(type)));
  int64_t value = hd_element_as_integer(type, data);
  return type == HD_ELEMENT_UI64 ? (double)(uint64_t)value : (double)value;
}
