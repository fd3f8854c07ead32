/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and operand types of ops in Triton's older programs. */
#include <string.h>

#include "ir/ops/enums.h"
#include "ir/tile_types.h"
#include "text/parse_op.h"
#include "text/upgrade.h"

bool hd_upgrade_has_brackets(const hd_op_parser *op) {
  const char *name = op->info->name;
  return !strncmp(name, "tt.", 3) || !strncmp(name, "ttg.", 4);
}

/* What loads and stores move, where pointers to it are meant. */
static hd_type pointers_to(hd_type moved) {
  if (moved->kind != HD_TYPE_TENSOR) return hd_type_pointer(moved, HD_GLOBAL_MEMORY);
  if (moved->shaped.element->kind == HD_TYPE_DIALECT) return moved;
  return hd_type_with_element(moved, hd_type_pointer(moved->shaped.element, HD_GLOBAL_MEMORY));
}

bool hd_upgrade_types(hd_op_parser *op) {
  if (op->opcode != HD_OP_tt_load && op->opcode != HD_OP_tt_store) return true;
  hd_type_vec *types = &op->args[0].types;
  for (size_t i = 0; i < types->len; ++i)
    if (!hd_type_is_pointer(types->data[i])) types->data[i] = pointers_to(types->data[i]);
  return true;
}

static void remove_attr(hd_op_parser *op, size_t i) {
  --op->attrs.len;
  memmove(op->attrs.data + i, op->attrs.data + i + 1, (op->attrs.len - i) * sizeof *op->attrs.data);
}

/* allowTF32 = true */
static bool upgrade_precision(hd_op_parser *op) {
  for (size_t i = 0; i < op->attrs.len; ++i) {
    hd_attr value = op->attrs.data[i].value;
    if (strcmp(op->attrs.data[i].name->text, "allowTF32") != 0) continue;
    if (!hd_attr_is(value, HD_ATTR_INTEGER)) return hd_parser_error(op->p, op->at, "expected a bool as 'allowTF32'");
    if (hd_op_parser_get(op, "inputPrecision"))
      return hd_parser_error(op->p, op->at, "has both 'allowTF32' and 'inputPrecision'");
    bool allowed = hd_attr_bool_or(value, false);
    remove_attr(op, i);
    hd_op_parser_attr(op, "inputPrecision",
                      hd_attr_i32(op->p->context, allowed ? HD_TT_INPUT_PRECISION_TF32 : HD_TT_INPUT_PRECISION_IEEE));
    return true;
  }
  return true;
}

/* allow_reorder = true, which is a unit today */
static void upgrade_units(hd_op_parser *op) {
  static const char *const units[] = {"allow_reorder", "efficient_layout"};
  for (size_t u = 0; u < sizeof units / sizeof *units; ++u)
    for (size_t i = 0; i < op->attrs.len; ++i) {
      hd_attr value = op->attrs.data[i].value;
      if (strcmp(op->attrs.data[i].name->text, units[u]) != 0 || !hd_attr_is(value, HD_ATTR_INTEGER)) continue;
      if (hd_attr_bool_or(value, false))
        op->attrs.data[i].value = hd_attr_unit(op->p->context);
      else
        remove_attr(op, i);
      break;
    }
}

bool hd_upgrade_attrs(hd_op_parser *op) {
  if (op->opcode == HD_OP_tt_dot) return upgrade_precision(op);
  if (op->opcode == HD_OP_tt_reshape) upgrade_units(op);
  return true;
}
