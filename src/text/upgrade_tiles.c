/* SPDX-License-Identifier: Apache-2.0 */
/* Names and parameters of Triton's older programs. */
#include <string.h>

#include "ir/layouts.h"
#include "ir/ops/enums.h"
#include "ir/tile_types.h"
#include "text/parse_op.h"
#include "text/upgrade.h"

static const struct {
  const char *old, *today;
} dialects[] = {{"triton_gpu", "ttg"}, {"triton_nvidia_gpu", "ttng"}};

static const struct {
  const char *dialect, *old, *today;
} renamed[] = {{"ttg", "shared", "swizzled_shared"}, {"ttg", "mma", "nvidia_mma"}};

hd_str hd_upgrade_dialect(hd_str dialect) {
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (hd_str_is(dialect, dialects[i].old)) return hd_str_of(dialects[i].today);
  return dialect;
}

hd_str hd_upgrade_row(hd_str dialect, hd_str name) {
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i)
    if (hd_str_is(dialect, renamed[i].dialect) && hd_str_is(name, renamed[i].old)) return hd_str_of(renamed[i].today);
  return name;
}

hd_str hd_upgrade_name(hd_arena *scratch, hd_str name) {
  const char *dot = name.len && name.data[0] == 't' ? memchr(name.data, '.', name.len) : NULL;
  if (!dot) return name;
  hd_str dialect = {name.data, (size_t)(dot - name.data)}, today = hd_upgrade_dialect(dialect);
  if (today.data == dialect.data) return name;
  return hd_str_of(hd_arena_printf(scratch, "%s%.*s", today.data, (int)(name.len - dialect.len), dot));
}

static bool is_trivial(hd_str name, hd_attr value) {
  if (value->kind != HD_ATTR_ARRAY) return false;
  bool order = hd_str_is(name, "CTAOrder");
  for (size_t i = 0; i < hd_attr_count(value); ++i)
    if (!order && hd_attr_int_at(value, i) != 1) return false;
  return true;
}

bool hd_upgrade_param(hd_parser *p, int row, hd_str name, bool *out_known, bool *out_leading_offset) {
  static const char *const known[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "hasLeadingOffset"};
  *out_known = false;
  for (size_t i = 0; i < 4; ++i) *out_known |= hd_str_is(name, known[i]);
  *out_known &= hd_attr_row_info_of(row)->alias != NULL;
  if (!*out_known) return true;
  const char *at = name.data;
  if (!hd_expect(p, TOK_EQUAL, "'='")) return false;
  hd_attr value = hd_parse_attr(p, NULL);
  if (!value) return false;
  if (hd_str_is(name, "hasLeadingOffset") && row == HD_STRUCT_ttg_swizzled_shared &&
      hd_attr_is(value, HD_ATTR_INTEGER)) {
    *out_leading_offset = hd_attr_bool_or(value, false);
    return true;
  }
  return is_trivial(name, value) ||
         hd_parser_error(p, at, "'%.*s' of older programs is read where it says one block, got something else",
                         (int)name.len, name.data);
}

hd_attr hd_upgrade_missing(hd_context *context, int row, const hd_attr *params, size_t index) {
  static const int32_t instruction[] = {16, 8};
  if (row != HD_STRUCT_ttg_nvidia_mma || index != 4 || hd_attr_int_or(params[0], 0) != 2) return NULL;
  return hd_attr_i32_array(context, instruction, 2);
}

/* An atom of a vector of 16 bytes, whose phases tell how wide the swizzle is: 128, 64 or 32 bytes. */
hd_attr hd_upgrade_leading_offset(hd_parser *p, const char *at, hd_attr layout) {
  hd_swizzled_layout old = hd_layout_swizzled(layout);
  bool swizzled = old.vector > 1 && old.vector <= 16 && old.per_phase * old.max_phase == 8 && old.max_phase > 1;
  if (!swizzled || old.rank != 2) {
    hd_parser_error(
        p, at,
        "a leading offset is read with vectors of 16 bytes in two dims and 8 lines of phases, got vec = %d, "
        "perPhase = %d, maxPhase = %d",
        old.vector, old.per_phase, old.max_phase);
    return NULL;
  }
  hd_nvmma_shared_layout today = {.rank = 2,
                                  .swizzle_bytes = 16 * old.max_phase,
                                  .transposed = old.order[0] == 0,
                                  .element_bits = 128 / old.vector};
  return hd_attr_nvmma_shared(p->context, &today);
}

/* ---- ops ---- */

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
