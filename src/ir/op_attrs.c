/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of ops: those of the row are slots, the others a list sorted by name. */
#include <stdlib.h>
#include <string.h>

#include "ir/op.h"

static int compare_attrs(const void *a, const void *b) {
  const hd_op_attr *x = a, *y = b;
  int order = strcmp(x->name->text, y->name->text);
  return order ? order : (int)y->inherent - (int)x->inherent; /* properties first */
}

/* The index of |name| among the properties of |op|'s row; -1 when it is none of them. */
static int property_index(const hd_op *op, uint16_t name) {
  const hd_name_list *list = hd_row_names(op->info->opcode);
  for (uint32_t i = 0; i < list->count; ++i)
    if (list->names[i] == name) return (int)i;
  return -1;
}

void hd_op_take_attrs(hd_op *op, const hd_op_state *state) {
  hd_arena *arena = &op->module->arena;
  const hd_name_list *list = hd_row_names(op->info->opcode);
  op->properties = hd_new_array(arena, hd_attr, list->count);
  if (state->properties && list->count) memcpy(op->properties, state->properties, list->count * sizeof *op->properties);
  op->attr_capacity = (uint32_t)state->attr_count;
  op->attrs = hd_new_array(arena, hd_op_attr, state->attr_count);
  for (size_t i = 0; i < state->attr_count; ++i) {
    int index = property_index(op, state->attrs[i].name->name);
    if (index >= 0) {
      op->properties[index] = state->attrs[i].value;
      continue;
    }
    op->attrs[op->attr_count] = state->attrs[i];
    op->attrs[op->attr_count++].inherent &= !state->opcode;
  }
  if (op->attr_count > 1) qsort(op->attrs, op->attr_count, sizeof *op->attrs, compare_attrs);
}

static hd_attr discardable(const hd_op *op, hd_ident name) {
  for (uint32_t i = 0; i < op->attr_count; ++i)
    if (op->attrs[i].name == name) return op->attrs[i].value;
  return NULL;
}

hd_attr hd_op_attr_get(const hd_op *op, hd_name name) {
  int index = property_index(op, (uint16_t)name);
  if (index >= 0) return op->properties[index];
  return op->attr_count ? discardable(op, hd_name_ident(hd_op_context(op), name)) : NULL;
}

hd_attr hd_op_attr_get_ident(const hd_op *op, hd_ident name) {
  int index = property_index(op, name->name);
  return index >= 0 ? op->properties[index] : discardable(op, name);
}

hd_attr hd_op_attr_get_named(const hd_op *op, const char *name) {
  const hd_name_list *list = hd_row_names(op->info->opcode);
  for (uint32_t i = 0; i < list->count; ++i)
    if (strcmp(hd_name_text((hd_name)list->names[i]), name) == 0) return op->properties[i];
  for (uint32_t i = 0; i < op->attr_count; ++i)
    if (strcmp(op->attrs[i].name->text, name) == 0) return op->attrs[i].value;
  return NULL;
}

static void set_discardable(hd_op *op, hd_ident name, hd_attr value) {
  uint32_t at = 0;
  int order = -1;
  while (at < op->attr_count && (order = strcmp(op->attrs[at].name->text, name->text)) < 0) ++at;
  bool found = at < op->attr_count && order == 0;
  if (found && value) {
    op->attrs[at].value = value;
    return;
  }
  if (found) {
    memmove(op->attrs + at, op->attrs + at + 1, (op->attr_count - at - 1) * sizeof *op->attrs);
    --op->attr_count;
    return;
  }
  if (!value) return;
  if (op->attr_count == op->attr_capacity) {
    op->attr_capacity = op->attr_capacity ? op->attr_capacity * 2 : 4;
    hd_op_attr *grown = hd_new_array(&op->module->arena, hd_op_attr, op->attr_capacity);
    if (op->attr_count) memcpy(grown, op->attrs, op->attr_count * sizeof *grown);
    op->attrs = grown;
  }
  memmove(op->attrs + at + 1, op->attrs + at, (op->attr_count - at) * sizeof *op->attrs);
  op->attrs[at] = (hd_op_attr){name, value, false};
  ++op->attr_count;
}

void hd_op_attr_set_ident(hd_op *op, hd_ident name, hd_attr value) {
  int index = property_index(op, name->name);
  if (index >= 0)
    op->properties[index] = value;
  else
    set_discardable(op, name, value);
}

void hd_op_attr_set(hd_op *op, hd_name name, hd_attr value) {
  hd_op_attr_set_ident(op, hd_name_ident(hd_op_context(op), name), value);
}

void hd_op_attr_set_named(hd_op *op, const char *name, hd_attr value) {
  hd_op_attr_set_ident(op, hd_ident_cstr(hd_op_context(op), name), value);
}

bool hd_op_next_attr(const hd_op *op, hd_attr_cursor *cursor) {
  const hd_name_list *list = hd_row_names(op->info->opcode);
  while (cursor->next < list->count) {
    uint32_t i = cursor->next++;
    if (!op->properties[i]) continue;
    *cursor = (hd_attr_cursor){cursor->next, hd_name_ident(hd_op_context(op), (hd_name)list->names[i]),
                               op->properties[i], true};
    return true;
  }
  uint32_t i = cursor->next - list->count;
  if (i >= op->attr_count) return false;
  *cursor = (hd_attr_cursor){cursor->next + 1, op->attrs[i].name, op->attrs[i].value, op->attrs[i].inherent};
  return true;
}

hd_op_attr_list hd_op_all_attrs(const hd_op *op, hd_arena *arena) {
  const hd_name_list *list = hd_row_names(op->info->opcode);
  hd_op_attr_list all = {hd_new_array(arena, hd_op_attr, list->count + op->attr_count), 0};
  uint32_t other = 0;
  for (uint32_t i = 0; i < list->count; ++i) {
    if (!op->properties[i]) continue;
    hd_ident name = hd_name_ident(hd_op_context(op), (hd_name)list->names[i]);
    while (other < op->attr_count && strcmp(op->attrs[other].name->text, name->text) < 0)
      all.data[all.len++] = op->attrs[other++];
    all.data[all.len++] = (hd_op_attr){name, op->properties[i], true};
  }
  while (other < op->attr_count) all.data[all.len++] = op->attrs[other++];
  return all;
}

bool hd_op_has_attrs(const hd_op *op) { return hd_op_next_attr(op, &(hd_attr_cursor){0}); }
