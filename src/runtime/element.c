/* SPDX-License-Identifier: Apache-2.0 */
/* Element types (heddle/element.h): their sizes in bytes and their names. */
#include "heddle/element.h"

#include <string.h>

static const struct {
  const char *text;
  size_t bytes;
} elements[HD_ELEMENT_TYPE_LIMIT] = {
#define X(id, number, text, ral_name, bytes) [number] = {text, bytes},
    HD_ELEMENT_TYPES(X)
#undef X
};

size_t hd_element_bytes(hd_element_type type) {
  return (unsigned)type < HD_ELEMENT_TYPE_LIMIT ? elements[type].bytes : 0;
}

const char *hd_element_text(hd_element_type type) {
  return (unsigned)type < HD_ELEMENT_TYPE_LIMIT && elements[type].text ? elements[type].text : "?";
}

hd_element_type hd_element_from_text(const char *text) {
  if (!text) return HD_ELEMENT_INVALID;
  for (int type = 1; type < HD_ELEMENT_TYPE_LIMIT; ++type)
    if (elements[type].text && !strcmp(elements[type].text, text)) return (hd_element_type)type;
  return strcmp(text, "index") ? HD_ELEMENT_INVALID : HD_ELEMENT_I64;
}
