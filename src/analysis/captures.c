/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/captures.h"

bool hd_has_element_regions(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_while:
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
      return false;
    default:
      return op->region_count && !hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) &&
             !hd_op_has_trait(op, HD_TRAIT(ISOLATED));
  }
}

typedef struct finding {
  hd_op *op;
  hd_arena *arena;
  hd_captures *out;
  hd_map seen;
} finding;

static bool visit(hd_op *inner, void *user) {
  finding *f = user;
  if (inner == f->op) return true;
  for (uint32_t i = 0; i < inner->operand_count; ++i) {
    hd_value *value = hd_operand(inner, i);
    hd_op *parent = hd_block_parent_op(hd_value_block(value));
    bool is_new;
    if (parent && hd_op_is_ancestor(f->op, parent)) continue;
    hd_map_insert(f->arena, &f->seen, value, &is_new);
    if (is_new) hd_vec_push(f->arena, f->out, value);
  }
  return true;
}

void hd_captures_find(hd_op *op, hd_arena *arena, hd_captures *out) {
  finding f = {.op = op, .arena = arena, .out = out};
  hd_walk_pre(op, visit, &f);
}

typedef struct binding {
  hd_value *from, *to;
} binding;

static bool replace(hd_op *inner, void *user) {
  binding *b = user;
  for (uint32_t i = 0; i < inner->operand_count; ++i)
    if (hd_operand(inner, i) == b->from) hd_op_set_operand(inner, i, b->to);
  return true;
}

/* Regions are on tensors at every level. */
static hd_type tensor_of(hd_type type) {
  if (!hd_type_is(type, HD_TYPE_MEMREF)) return type;
  return hd_type_tensor(type->shaped.element, type->shaped.dims, type->shaped.rank, NULL);
}

void hd_captures_bind(hd_op *op, const hd_captures *captures) {
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *block = hd_op_region(op, r)->first;
    for (size_t c = 0; block && c < captures->len; ++c) {
      binding b = {captures->data[c], hd_block_add_arg(op->module, block, tensor_of(captures->data[c]->type))};
      hd_for_each_op(inner, block) hd_walk_pre(inner, replace, &b);
    }
  }
}
