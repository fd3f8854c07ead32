/* SPDX-License-Identifier: Apache-2.0 */
/* Which carried values of a loop are stacks that are read and made row by row. */
#include "passes/graph/loop/carried_rows.h"

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

enum { MOST_OPS = 256 /* elementwise ops that are made for the stack's */ };

static bool is_stack(const hd_carried_rows *s, hd_type type) {
  return hd_type_is(type, HD_TYPE_TENSOR) && hd_type_rank(type) >= 2 && hd_type_dim(type, 0) == s->rows;
}

bool hd_stacks_rows(const hd_carried_rows *s, const hd_op *op) {
  if (!hd_op_is(op, HD_OP_stablehlo_concatenate) || hd_stablehlo_concatenate_dimension((hd_op *)op) ||
      op->operand_count != s->rows)
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_dim(hd_operand_type(op, i), 0) != 1) return false;
  return true;
}

static bool is_elementwise(const hd_carried_rows *s, hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || op->result_count != 1 || op->region_count || !hd_op_is_pure(op) ||
      !is_stack(s, hd_result_type(op, 0)))
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!is_stack(s, hd_operand_type(op, i))) return false;
  return true;
}

static bool element_is(hd_carried_rows *s, hd_value *value, uint32_t i, int64_t wanted) {
  hd_dim dim = hd_shapes_element(s->shapes, value, i);
  int64_t is;
  return dim && hd_dim_is_const(&s->shapes->table, dim, &is) && is == wanted;
}

int64_t hd_row_of_slice(hd_carried_rows *s, hd_op *op) {
  hd_type type = hd_result_type(op, 0), from = hd_operand_type(op, 0);
  uint32_t rank = hd_type_rank(type);
  if (hd_type_dim(type, 0) != 1) return -1;
  if (hd_op_is(op, HD_OP_stablehlo_slice)) {
    for (uint32_t d = 1; d < rank; ++d)
      if (hd_type_dim(type, d) == HD_DYNAMIC || hd_type_dim(type, d) != hd_type_dim(from, d)) return -1;
    return hd_attr_int_at(hd_stablehlo_slice_start_indices(op), 0);
  }
  if (!s->shapes) s->shapes = hd_pass_shapes(s->pass, s->func);
  for (uint32_t d = 0; d < rank; ++d) {
    bool whole = element_is(s, hd_operand(op, 1), d, 0) &&
                 hd_dim_equal(&s->shapes->table, hd_shapes_dim(s->shapes, hd_result(op, 0), d),
                              hd_shapes_dim(s->shapes, hd_operand(op, 0), d));
    if ((d && !whole) || !element_is(s, hd_operand(op, 3), d, 1)) return -1;
  }
  for (int64_t row = 0; row < s->rows; ++row)
    if (element_is(s, hd_operand(op, 1), 0, row)) return row;
  return -1;
}

bool hd_slices_rows(const hd_op *op) { return hd_is_slice_like(op); }

static void add(hd_carried_rows *s, hd_value *value) {
  bool is_new;
  hd_map_insert(s->arena, &s->split, value, &is_new);
  if (is_new) hd_vec_push(s->arena, &s->work, value);
}

/* Is the value made of rows, or of what is? Adds what it is made of in the body. */
static bool may_be_made(hd_carried_rows *s, hd_value *value) {
  if (value == s->body->args[s->at]) return true;
  hd_op *op = hd_value_op(value);
  if (!op || op->block != s->body) return false;
  if (hd_stacks_rows(s, op)) return ++s->stacks;
  if (!is_elementwise(s, op) || (s->ops += s->rows) > MOST_OPS) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *operand = hd_operand(op, i);
    hd_op *from = hd_value_op(operand);
    bool made = from && from->block == s->body && (hd_stacks_rows(s, from) || is_elementwise(s, from));
    if (made || operand == s->body->args[s->at]) add(s, operand);
  }
  return true;
}

static bool may_be_read(hd_carried_rows *s, hd_value *value) {
  hd_for_each_use(use, value) {
    hd_op *op = use->owner;
    if (op->block != s->body) return false;
    if (hd_op_is(op, HD_OP_stablehlo_get_dimension_size)) continue;
    if (op == s->body->last) {
      if (hd_operand(op, s->at) != value) return false;
      for (uint32_t i = 0; i < op->operand_count; ++i)
        if (i != s->at && hd_operand(op, i) == value) return false;
    } else if (hd_slices_rows(op)) {
      if (hd_operand(op, 0) != value || hd_row_of_slice(s, op) < 0) return false;
      ++s->reads;
    } else if (is_elementwise(s, op)) {
      add(s, hd_result(op, 0));
    } else {
      return false;
    }
  }
  return true;
}

bool hd_may_carry_rows(hd_carried_rows *s) {
  hd_value *carried = s->body->args[s->at], *next = hd_operand(s->body->last, s->at);
  int64_t rows = is_stack(s, carried->type) ? s->rows : 0;
  if (!rows || next == carried || next->type != carried->type || hd_operand_type(s->loop, s->at) != carried->type ||
      hd_result_type(s->loop, s->at) != carried->type ||
      hd_value_has_uses(hd_op_region(s->loop, 0)->first->args[s->at]))
    return false;
  add(s, carried);
  add(s, next);
  while (s->work.len) {
    hd_value *value = hd_vec_pop(&s->work);
    if (!may_be_made(s, value) || !may_be_read(s, value)) return false;
  }
  if (!s->stacks || !s->reads) return false;
  if (!s->shapes) s->shapes = hd_pass_shapes(s->pass, s->func);
  return true;
}
