/* SPDX-License-Identifier: Apache-2.0 */
/* Names of attributes and parameters as an enum: their texts, and which of them each row has, both generated. */
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/interfaces.inc"
#include "ir/ops/tables.inc"

const char *hd_name_text(hd_name name) { return name_texts[name]; }

const char *hd_discardable_attr_kind(const char *name) {
  size_t low = 0, high = HD_NAME_COUNT;
  while (low < high) { /* the texts are sorted */
    size_t middle = (low + high) / 2;
    int order = strcmp(name_texts[middle], name);
    if (order == 0) return discardable_kinds[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

void hd_names_fill(hd_context *context) {
  for (int i = 0; i < HD_NAME_COUNT; ++i) {
    struct hd_ident_storage *ident = (struct hd_ident_storage *)hd_ident_cstr(context, name_texts[i]); /* just made */
    ident->name = (uint16_t)i;
    context->names[i] = ident;
  }
}

const hd_name_list *hd_row_names(hd_opcode opcode) {
  return &row_names[(unsigned)opcode < HD_OPCODE_COUNT ? opcode : 0];
}

hd_attr hd_struct_param(hd_attr structure, int row, uint32_t index) {
  if (!hd_attr_is(structure, HD_ATTR_STRUCT) || structure->structure.row != row) return NULL;
  return index < structure->structure.count ? structure->structure.params[index] : NULL;
}

hd_attr hd_struct_get(hd_attr structure, hd_name name) {
  if (!hd_attr_is(structure, HD_ATTR_STRUCT)) return NULL;
  const hd_name_list *list = &param_names[structure->structure.row];
  for (uint32_t i = 0; i < list->count; ++i)
    if (list->names[i] == name) return i < structure->structure.count ? structure->structure.params[i] : NULL;
  return NULL;
}
