/* SPDX-License-Identifier: Apache-2.0 */
/* What attributes hold: members of dictionaries, elements, integers and floats. */
#include <string.h>

#include "ir/attributes.h"
#include "ir/number.h"
#include "ir/wide.h"

hd_attr hd_dict_get(hd_attr dict, hd_name name) {
  if (!hd_attr_is(dict, HD_ATTR_DICT)) return NULL;
  hd_ident ident = hd_name_ident(dict->context, name);
  for (uint32_t i = 0; i < dict->dict.count; ++i)
    if (dict->dict.items[i].name == ident) return dict->dict.items[i].value;
  return NULL;
}

int64_t hd_attr_int_or(hd_attr attr, int64_t absent) {
  if (hd_attr_is(attr, HD_ATTR_INTEGER)) return attr->integer;
  return hd_attr_is(attr, HD_ATTR_ENUM) ? attr->enumerant.value : absent;
}

bool hd_attr_bool_or(hd_attr attr, bool absent) {
  if (hd_attr_is(attr, HD_ATTR_UNIT)) return true;
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer != 0 : absent;
}

hd_str hd_attr_text(hd_attr attr) {
  if (hd_attr_is(attr, HD_ATTR_STRING)) return hd_ident_str(attr->string);
  if (hd_attr_is(attr, HD_ATTR_SYMBOL)) return hd_ident_str(attr->symbol.root);
  return HD_STR("");
}

int hd_attr_text_in(hd_attr attr, const char *const *texts, int count) {
  if (!hd_attr_is(attr, HD_ATTR_STRING)) return 0;
  for (int i = 1; i < count; ++i)
    if (hd_str_is(hd_ident_str(attr->string), texts[i])) return i;
  return 0;
}

hd_attr hd_dict_get_named(hd_attr dict, const char *name) {
  if (!hd_attr_is(dict, HD_ATTR_DICT)) return NULL;
  for (uint32_t i = 0; i < dict->dict.count; ++i)
    if (strcmp(dict->dict.items[i].name->text, name) == 0) return dict->dict.items[i].value;
  return NULL;
}

size_t hd_attr_count(hd_attr attr) {
  if (!attr) return 0;
  switch (attr->kind) {
    case HD_ATTR_ARRAY:
    case HD_ATTR_DENSE_STRINGS:
      return attr->array.count;
    case HD_ATTR_DENSE_ARRAY:
      return attr->dense.count;
    case HD_ATTR_DENSE: {
      int64_t count = hd_type_num_elements(attr->type);
      return count < 0 ? 0 : (size_t)count;
    }
    default:
      return 0;
  }
}

const void *hd_attr_element_data(hd_attr attr, size_t i) {
  return attr->dense.data + (attr->dense.splat ? 0 : i * hd_type_element_bytes(hd_type_element(attr->type)));
}

int64_t hd_attr_int_at(hd_attr attr, size_t i) {
  switch (attr->kind) {
    case HD_ATTR_ARRAY:
      return hd_attr_is(attr->array.items[i], HD_ATTR_INTEGER) ? attr->array.items[i]->integer : 0;
    case HD_ATTR_DENSE_ARRAY:
      return hd_element_load(attr->dense.element, attr->dense.data + i * hd_type_element_bytes(attr->dense.element));
    case HD_ATTR_DENSE:
      return hd_element_load(hd_type_element(attr->type), hd_attr_element_data(attr, i));
    default:
      return 0;
  }
}

int64_t hd_attr_int_at_or(hd_attr attr, size_t i, int64_t otherwise) {
  return attr && i < hd_attr_count(attr) ? hd_attr_int_at(attr, i) : otherwise;
}

int64_t hd_attr_find_int(hd_attr attr, int64_t value) {
  size_t count = attr ? hd_attr_count(attr) : 0;
  for (size_t i = 0; i < count; ++i)
    if (hd_attr_int_at(attr, i) == value) return (int64_t)i;
  return -1;
}

const int64_t *hd_attr_ints(hd_arena *arena, hd_attr attr, size_t *out_count) {
  size_t count = hd_attr_count(attr);
  int64_t *values = hd_new_array(arena, int64_t, count + 1);
  for (size_t i = 0; i < count; ++i) values[i] = hd_attr_int_at(attr, i);
  *out_count = count;
  return values;
}

bool hd_attr_splat_int(hd_attr attr, int64_t *out) {
  if (attr && attr->type && hd_type_is_wide(hd_type_element(attr->type))) return false;
  if (hd_attr_is(attr, HD_ATTR_INTEGER)) {
    *out = attr->integer;
    return true;
  }
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !attr->dense.splat) return false;
  hd_type element = hd_type_element(attr->type);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX) return false;
  *out = hd_element_load(element, attr->dense.data);
  return true;
}

bool hd_attr_splat_float(hd_attr attr, double *out) {
  if (attr && attr->type && hd_type_is_wide(hd_type_element(attr->type))) return false;
  if (hd_attr_is(attr, HD_ATTR_FLOAT)) {
    *out = attr->floating.value;
    return true;
  }
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !attr->dense.splat) return false;
  hd_type element = hd_type_element(attr->type);
  if (element->kind != HD_TYPE_FLOAT) return false;
  *out = hd_float_decode(element->float_kind, (uint64_t)hd_element_load(element, attr->dense.data));
  return true;
}
