/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/indexing/of_value.h"

#include "analysis/indexing/linear.h"

struct hd_index_values {
  hd_arena *arena;
  hd_indexing *in;
  hd_op *outside;
  hd_map exprs;      /* hd_value -> expression */
  hd_map leaves;     /* expression of a dim or size -> hd_value */
  hd_index_map none; /* knows no ranges */
  uint32_t dims;
};

hd_index_values *hd_index_values_create(hd_op *outside, hd_arena *arena) {
  hd_index_values *v = hd_new(arena, hd_index_values);
  v->arena = arena;
  v->in = hd_indexing_create(arena, hd_op_context(outside), NULL);
  v->outside = outside;
  v->none.in = v->in;
  return v;
}

/* |value| as it is: a size when it comes from outside, else a dim. */
static hd_affine leaf(hd_index_values *v, hd_value *value) {
  hd_affine expr;
  if (hd_op_is_ancestor(v->outside, hd_block_parent_op(hd_value_block(value)))) {
    expr = hd_affine_dim(v->in->context, v->dims++);
  } else {
    const char *name = hd_arena_printf(v->arena, "n%zu", v->in->sizes.len);
    expr = hd_index_of_dim(v->in, hd_dim_symbol(v->in->table, name, 0, INT64_MAX, NULL, false));
  }
  hd_map_set(v->arena, &v->leaves, expr, value);
  return expr;
}

static bool is_size(const hd_index_values *v, hd_affine e) { return hd_index_to_dim(v->in, e) != NULL; }

static hd_affine expr_of(hd_index_values *v, hd_value *value);

/* What |op| computes from its operands' expressions; null where that is no expression. */
static hd_affine computed(hd_index_values *v, const hd_op *op) {
  static const struct {
    hd_opcode opcode;
    hd_affine_kind kind;
  } rows[] = {{HD_OP_arith_addi, HD_AFFINE_ADD},
              {HD_OP_arith_muli, HD_AFFINE_MUL},
              {HD_OP_arith_remui, HD_AFFINE_MOD},
              {HD_OP_arith_divui, HD_AFFINE_FLOORDIV}};
  size_t i = 0;
  while (i < sizeof rows / sizeof *rows && !hd_op_is(op, rows[i].opcode)) ++i;
  if (i == sizeof rows / sizeof *rows) return NULL;
  hd_affine lhs = expr_of(v, hd_operand(op, 0)), rhs = expr_of(v, hd_operand(op, 1));
  bool scales = rows[i].kind == HD_AFFINE_MUL && is_size(v, lhs);
  if (rows[i].kind != HD_AFFINE_ADD && !scales && !is_size(v, rhs)) return NULL;
  hd_affine made = hd_affine_binary(v->in->context, rows[i].kind, lhs, rhs);
  return hd_index_parts(made) <= HD_INDEX_MAX_PARTS / 16 ? made : NULL;
}

static hd_affine expr_of(hd_index_values *v, hd_value *value) {
  hd_affine expr = hd_map_get(&v->exprs, value);
  int64_t number;
  if (expr) return expr;
  hd_op *op = hd_value_op(value);
  if (hd_value_constant_int(value, &number))
    expr = hd_affine_const(v->in->context, number);
  else if (op && hd_type_is(value->type, HD_TYPE_INDEX) && hd_op_is_ancestor(v->outside, op))
    expr = computed(v, op);
  if (!expr) expr = leaf(v, value);
  hd_map_set(v->arena, &v->exprs, value, (void *)expr);
  return expr;
}

hd_value *hd_index_equal_value(hd_index_values *v, hd_value *value) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_simplifier s = {.in = v->in, .map = &v->none, .arena = &arena};
  hd_value *leaf_value = hd_map_get(&v->leaves, hd_simplify(&s, expr_of(v, value)));
  hd_arena_free(&arena);
  return leaf_value != value ? leaf_value : NULL;
}
