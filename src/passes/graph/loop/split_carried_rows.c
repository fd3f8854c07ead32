/* SPDX-License-Identifier: Apache-2.0 */
/* split-carried-rows: a loop carries each row of a small stack of rows by itself.
 *
 *   while(%s = %a : tensor<3x?>) {                      while(%x = %a[0], %y = %a[1], %z = %a[2] : tensor<?>) {
 *     %x = reshape (slice %s [0:1])   ..            ->    yield %x + h * f(%y), ..
 *     yield %s + h * concatenate f(%y), f(%z), f(%x)    }
 *   }                                                   concatenate %x, %y, %z
 *
 * The state of an equation of motion is written so: rows are taken apart, computed with, and stacked again, several
 * times a step. Neither the stack nor what reads a row of it fuses with the other, so that a step was a dozen kernels
 * of a few ops; rows alone are one elementwise kernel.
 *
 * Of a carried value whose first dim is known, at most MOST_ROWS, and that the body reads row by row or in elementwise
 * ops whose results are read in the same way, down to the next value, and stacks from rows at least once. Everything
 * else stays. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/loop/carried_rows.h"
#include "passes/passes.h"

enum { MOST_ROWS = 8 };

/* ---- rows ---- */

static hd_type row_type(hd_type stack) {
  return hd_type_with_dims(stack, stack->shaped.dims + 1, hd_type_rank(stack) - 1);
}

/* The value that |x|, [1, ...], was made of by a broadcast along a new first dim and no other; else null. */
static hd_value *widened(hd_carried_rows *s, hd_value *x) {
  hd_op *op = hd_value_op(x);
  if (!hd_is_broadcast_in_dim_like(op) || hd_operand_type(op, 0) != row_type(x->type)) return NULL;
  hd_value *from = hd_operand(op, 0);
  hd_attr axes = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  for (uint32_t d = 0; d < hd_type_rank(from->type); ++d)
    if (hd_attr_int_at(axes, d) != d + 1 ||
        !hd_dim_equal(&s->shapes->table, hd_shapes_dim(s->shapes, from, d), hd_shapes_dim(s->shapes, x, d + 1)))
      return NULL;
  return from;
}

/* [1, ...] as [...]. */
static hd_value *without_first_dim(hd_carried_rows *s, hd_builder *b, hd_value *x) {
  hd_value *sizes[HD_MAX_RANK], *from = widened(s, x);
  if (from) return from;
  hd_hlo_sizes_of(b, x, sizes);
  return hd_hlo_reshape(b, x, sizes + 1, hd_type_rank(x->type) - 1);
}

static hd_value *with_first_dim(hd_builder *b, hd_value *row) {
  hd_value *sizes[HD_MAX_RANK + 1] = {hd_hlo_size(b, 1)};
  hd_hlo_sizes_of(b, row, sizes + 1);
  return hd_hlo_reshape(b, row, sizes, hd_type_rank(row->type) + 1);
}

/* Row |i| of a stack that stays one; |like|, another row, has its dims. */
static hd_value *read_row(hd_builder *b, hd_value *stack, uint32_t i, hd_value *like) {
  hd_op *op = hd_value_op(stack);
  if (like && hd_is_broadcast_in_dim_like(op) && hd_type_rank(hd_operand_type(op, 0)) == 0)
    return hd_hlo_convert(b, hd_hlo_broadcast_like(b, hd_operand(op, 0), like, NULL), hd_type_element(stack->type));
  hd_value *sizes[HD_MAX_RANK];
  hd_hlo_sizes_of(b, stack, sizes);
  hd_value *row = hd_hlo_slice_sized(b, stack, 0, hd_hlo_size(b, i), hd_hlo_size(b, i + 1), sizes);
  row = hd_hlo_reshape(b, row, sizes + 1, hd_type_rank(stack->type) - 1);
  return row->type == row_type(stack->type) ? row : hd_hlo_retype(b, row, row_type(stack->type));
}

static hd_value **rows_of(hd_carried_rows *s, hd_value *value) { return hd_map_get(&s->split, value); }

/* The rows of what |op| gives, before it. */
static void make_rows(hd_carried_rows *s, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value **rows = hd_new_array(s->arena, hd_value *, s->rows), *like = NULL;
  hd_value **operands = hd_new_array(s->arena, hd_value *, op->operand_count);
  hd_type type = row_type(hd_result_type(op, 0));
  bool stacked = hd_stacks_rows(s, op);
  for (uint32_t k = 0; k < op->operand_count && !stacked; ++k)
    if (rows_of(s, hd_operand(op, k))) like = rows_of(s, hd_operand(op, k))[0];
  for (uint32_t i = 0; i < s->rows; ++i) {
    if (stacked) {
      rows[i] = without_first_dim(s, &b, hd_operand(op, i));
    } else {
      for (uint32_t k = 0; k < op->operand_count; ++k) {
        hd_value *operand = hd_operand(op, k), **known = rows_of(s, operand);
        operands[k] = known ? known[i] : read_row(&b, operand, i, like);
      }
      rows[i] = hd_result(hd_build_like(&b, op, hd_opcode_get(op), operands, op->operand_count, &type, 1), 0);
    }
    if (rows[i]->type != type) rows[i] = hd_hlo_retype(&b, rows[i], type);
  }
  hd_map_set(s->arena, &s->split, hd_result(op, 0), rows);
}

/* A row in place of the slice |op| that took it, and of reshapes of that. */
static void use_row(hd_carried_rows *s, hd_op *op) {
  hd_value *row = rows_of(s, hd_operand(op, 0))[hd_row_of_slice(s, op)];
  for (hd_use *use = hd_result(op, 0)->first_use, *next; use; use = next) {
    next = use->next;
    hd_op *user = use->owner;
    if (hd_is_reshape_like(user) && hd_operand(user, 0) == hd_result(op, 0) && hd_result_type(user, 0) == row->type &&
        hd_type_rank(row->type) == 1)
      hd_value_replace_uses(hd_result(user, 0), row);
  }
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *stacked = with_first_dim(&b, row);
  if (stacked->type != hd_result_type(op, 0)) stacked = hd_hlo_retype(&b, stacked, hd_result_type(op, 0));
  hd_value_replace_uses(hd_result(op, 0), stacked);
}

static void use_size(hd_carried_rows *s, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  uint32_t d = (uint32_t)hd_stablehlo_get_dimension_size_dimension(op);
  hd_value **rows = rows_of(s, hd_operand(op, 0));
  hd_value *size = d ? hd_hlo_size_of(&b, rows[0], d - 1) : hd_hlo_size(&b, s->rows);
  hd_value_replace_uses(hd_result(op, 0), hd_hlo_reshape_to(&b, size, NULL, 0));
}

/* ---- the loop ---- */

static void split_body(hd_carried_rows *s) {
  hd_op *last = s->body->last;
  hd_for_each_op_safe(op, s->body) {
    if (op->result_count == 1 && hd_map_find(&s->split, hd_result(op, 0))) make_rows(s, op);
    bool reads = op->operand_count && hd_map_find(&s->split, hd_operand(op, 0));
    if (reads && hd_slices_rows(op)) use_row(s, op);
    if (reads && hd_op_is(op, HD_OP_stablehlo_get_dimension_size)) use_size(s, op);
  }
  hd_value **next = rows_of(s, hd_operand(last, s->at));
  hd_value **values = hd_new_array(s->arena, hd_value *, last->operand_count + s->rows);
  uint32_t count = 0;
  for (uint32_t i = 0; i < last->operand_count; ++i)
    for (uint32_t k = 0; k < (i == s->at ? s->rows : 1); ++k)
      values[count++] = i == s->at ? next[k] : hd_operand(last, i);
  hd_op_set_operands(last, values, count);
  for (hd_op *op = last->prev, *previous; op; op = previous) {
    previous = op->prev;
    if (hd_op_is_trivially_dead(op)) hd_op_erase(op);
  }
}

static hd_op *split(hd_carried_rows *s) {
  hd_op *loop = s->loop;
  hd_builder b = hd_builder_before(loop);
  b.loc = loop->loc;
  hd_type type = row_type(hd_operand_type(loop, s->at));
  uint32_t count = loop->operand_count - 1 + s->rows;
  hd_value **operands = hd_new_array(s->arena, hd_value *, count), **rows = hd_new_array(s->arena, hd_value *, s->rows);
  hd_type *types = hd_new_array(s->arena, hd_type, count);
  for (uint32_t i = 0, to = 0; i < loop->operand_count; ++i)
    for (uint32_t k = 0; k < (i == s->at ? s->rows : 1); ++k, ++to) {
      operands[to] = i == s->at ? read_row(&b, hd_operand(loop, i), k, NULL) : hd_operand(loop, i);
      types[to] = operands[to]->type;
    }
  hd_block *cond = hd_op_region(loop, 0)->first;
  for (uint32_t k = 0; k < s->rows; ++k) {
    hd_block_insert_arg(loop->module, cond, s->at + 1 + k, type);
    rows[k] = hd_block_insert_arg(loop->module, s->body, s->at + 1 + k, type);
  }
  hd_map_set(s->arena, &s->split, s->body->args[s->at], rows);
  split_body(s);
  hd_block_erase_arg(cond, s->at);
  hd_block_erase_arg(s->body, s->at);
  hd_op *made = hd_build_like(&b, loop, HD_OP_stablehlo_while, operands, count, types, count);
  hd_builder after = hd_builder_after(made);
  after.loc = loop->loc;
  hd_value **stacked = hd_new_array(s->arena, hd_value *, s->rows);
  for (uint32_t k = 0; k < s->rows; ++k) stacked[k] = with_first_dim(&after, hd_result(made, s->at + k));
  for (uint32_t i = 0; i < loop->result_count; ++i)
    if (i != s->at) hd_value_replace_uses(hd_result(loop, i), hd_result(made, i < s->at ? i : i - 1 + s->rows));
  if (hd_value_has_uses(hd_result(loop, s->at))) {
    hd_value *all = hd_stablehlo_concatenate(&after, 0, stacked, s->rows);
    if (all->type != hd_result_type(loop, s->at)) all = hd_hlo_retype(&after, all, hd_result_type(loop, s->at));
    hd_value_replace_uses(hd_result(loop, s->at), all);
  }
  hd_op_erase(loop);
  return made;
}

static bool is_while(const hd_op *op) { return hd_op_is(op, HD_OP_stablehlo_while); }

bool hd_pass_split_carried_rows(hd_pass *pass, hd_op *func) {
  hd_op_list loops = hd_ops_where(func, is_while, &pass->arena);
  for (size_t i = 0; i < loops.len; ++i) {
    hd_op *loop = loops.data[i];
    if (hd_placement_entries(loop)) continue;
    for (uint32_t k = 0; k < loop->operand_count; ++k) {
      hd_type type = hd_operand_type(loop, k);
      bool ranked = hd_type_is(type, HD_TYPE_TENSOR) && hd_type_rank(type) >= 2 && hd_type_rank(type) < HD_MAX_RANK;
      int64_t rows = ranked ? hd_type_dim(type, 0) : 0;
      if (rows < 2 || rows > MOST_ROWS) continue;
      hd_carried_rows s = {.pass = pass,
                           .loop = loop,
                           .at = k,
                           .rows = (uint32_t)rows,
                           .body = hd_op_region(loop, 1)->first,
                           .func = func,
                           .arena = &pass->arena};
      if (!hd_may_carry_rows(&s)) continue;
      loop = split(&s);
      k += (uint32_t)rows - 1;
      pass->changed = true;
    }
  }
  return true;
}
