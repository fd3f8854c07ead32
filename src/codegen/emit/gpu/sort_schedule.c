/* SPDX-License-Identifier: Apache-2.0 */
/* The sort schedule: a bitonic network whose comparators all point the same way, one launch a column, a thread per
 * pair.
 *
 *   copy the operands; number the places of each line
 *   for width = 1, 2, 4, ... < n:                                                       (on the host)
 *     scf.parallel over pairs  (i, its mirror image in the block of 2 * width)  { exchange if out of order }
 *     for step = width / 2, ..., 1:
 *       scf.parallel over pairs  (i, i + step)                                 { exchange if out of order }
 *
 * What would be beyond the end of a line counts as greater than all else and never moves, so lines have any length.
 * Elements only change places: whatever the comparator says, a line stays a permutation of itself. Equal elements are
 * ordered by the numbers of their places, which move with them; one operand whose equals need no order has none. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"

typedef struct sorter {
  hd_gpu_frame *f;
  hd_op *op;
  hd_value **out;             /* the numbers of places come last */
  uint32_t count, rank, axis; /* count: without the numbers */
  bool numbered;
  hd_value *sizes[HD_COMPILED_MAX_RANK];
} sorter;

/* A buffer like the first result, of i32 where places are known to fit, with the number of each place in its line. */
static bool number_places(sorter *s) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b;
  hd_context *context = outer->context;
  hd_type like = s->out[0]->type;
  bool narrow = hd_dim_upper(hd_shapes_dim(g->shapes, s->out[0], s->axis)) <= INT32_MAX;
  hd_type element = narrow ? hd_i32(context) : hd_i64(context);
  hd_value *dynamic[HD_COMPILED_MAX_RANK];
  int32_t count = 0;
  for (uint32_t d = 0; d < s->rank; ++d)
    if (like->shaped.dims[d] == HD_DYNAMIC) dynamic[count++] = s->sizes[d];
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(context, (int32_t[]){count, 0}, 2)};
  hd_type type = hd_type_memref(element, like->shaped.dims, s->rank, NULL, like->shaped.space);
  hd_value *numbers = hd_build_one_(outer, HD_OP_memref_alloc, type, dynamic, (size_t)count, &segments, 1);
  if (s->f->host) hd_discardable_set_host(hd_value_op(numbers), true);
  s->out[s->count] = numbers;
  hd_builder inside = hd_gpu_parallel(s->f, s->sizes, s->rank, "_init");
  g->b = &inside;
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d) at->at[d] = hd_lane_scalar(inside.block->args[d]);
  hd_value *number = hd_build(&inside, HD_OP_arith_index_cast, element, inside.block->args[s->axis]);
  bool ok = hd_generate_store(g, numbers, at, (hd_element){number, NULL});
  g->b = outer;
  return ok;
}

/* less(second, first), and for equal ones the order of their places. */
static bool out_of_order(sorter *s, const hd_element *first, const hd_element *second, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_element *arguments = hd_new_array(g->arena, hd_element, 2 * (size_t)s->count), result;
  for (uint32_t i = 0; i < s->count; ++i) arguments[2 * i] = second[i], arguments[2 * i + 1] = first[i];
  if (!hd_generate_region(g, s->op, 0, arguments, &result)) return false;
  *out = result.re;
  if (!s->numbered) return true;
  for (uint32_t i = 0; i < s->count; ++i) arguments[2 * i] = first[i], arguments[2 * i + 1] = second[i];
  if (!hd_generate_region(g, s->op, 0, arguments, &result)) return false;
  hd_type i1 = hd_i1(g->b->context);
  hd_value *not_less = hd_build(g->b, HD_OP_arith_xori, i1, result.re, hd_build_int(g->b, i1, 1));
  hd_value *later = hd_arith_cmpi(g->b, HD_ARITH_CMPI_SLT, second[s->count].re, first[s->count].re);
  *out = hd_build(g->b, HD_OP_arith_ori, i1, *out, hd_build(g->b, HD_OP_arith_andi, i1, not_less, later));
  return true;
}

/* Puts the elements at |i| < |j| of a line in order. */
static bool exchange(sorter *s, hd_value *const *line, hd_value *i, hd_value *j) {
  hd_generator *g = &s->f->g;
  hd_index_tuple *at[2] = {hd_new_tuple(g, s->rank), hd_new_tuple(g, s->rank)};
  for (uint32_t d = 0; d < s->rank; ++d) {
    at[0]->at[d] = hd_lane_scalar(d == s->axis ? i : line[d]);
    at[1]->at[d] = hd_lane_scalar(d == s->axis ? j : line[d]);
  }
  uint32_t all = s->count + s->numbered;
  hd_element *values[2] = {hd_new_array(g->arena, hd_element, all), hd_new_array(g->arena, hd_element, all)};
  for (uint32_t o = 0; o < all; ++o)
    if (!hd_generate(g, s->out[o], at[0], &values[0][o]) || !hd_generate(g, s->out[o], at[1], &values[1][o]))
      return false;
  hd_value *wrong;
  if (!out_of_order(s, values[0], values[1], &wrong)) return false;
  hd_builder *around = g->b, then;
  hd_op *branch = hd_build_if(g->b, wrong, NULL, 0, false);
  then = hd_builder_at_end(around->module, hd_op_region(branch, 0)->first);
  then.loc = around->loc;
  g->b = &then;
  bool ok = true;
  for (uint32_t o = 0; o < all && ok; ++o)
    ok = hd_generate_store(g, s->out[o], at[0], values[1][o]) && hd_generate_store(g, s->out[o], at[1], values[0][o]);
  hd_build_yield(&then, NULL, 0);
  g->b = around;
  return ok;
}

/* One column of the network on the host: pairs of distance |step|, or mirrored in blocks of twice |step|. */
static bool column(sorter *s, hd_builder *b, hd_value *step, bool mirrored) {
  hd_generator *g = &s->f->g;
  hd_value *n = s->sizes[s->axis], *pair = hd_build_binary(b, HD_OP_arith_addi, step, step),
           *extents[HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < s->rank; ++d) extents[d] = s->sizes[d];
  extents[s->axis] = hd_build_binary(b, HD_OP_arith_muli, hd_build_binary(b, HD_OP_arith_ceildivui, n, pair), step);
  hd_builder *around = g->b;
  g->b = b;
  hd_builder inside = hd_gpu_parallel(s->f, extents, s->rank, mirrored ? "_mirror" : "_step");
  hd_value *p = inside.block->args[s->axis];
  hd_value *block =
      hd_build_binary(&inside, HD_OP_arith_muli, hd_build_binary(&inside, HD_OP_arith_divui, p, step), pair);
  hd_value *in_block = hd_build_binary(&inside, HD_OP_arith_remui, p, step);
  hd_value *i = hd_build_binary(&inside, HD_OP_arith_addi, block, in_block), *j;
  if (mirrored) {
    hd_value *last = hd_build_binary(&inside, HD_OP_arith_subi, pair, hd_build_index(&inside, 1));
    j = hd_build_binary(&inside, HD_OP_arith_addi, block, hd_build_binary(&inside, HD_OP_arith_subi, last, in_block));
  } else {
    j = hd_build_binary(&inside, HD_OP_arith_addi, i, step);
  }
  hd_op *guard = hd_build_if(&inside, hd_arith_cmpi(&inside, HD_ARITH_CMPI_ULT, j, n), NULL, 0, false);
  hd_builder then = hd_builder_at_end(b->module, hd_op_region(guard, 0)->first);
  then.loc = inside.loc;
  g->b = &then;
  bool ok = exchange(s, inside.block->args, i, j);
  hd_build_yield(&then, NULL, 0);
  g->b = around;
  return ok;
}

/* scf.while on the host that carries one number: while |predicate|(number, bound). The builder of its body. */
static hd_builder open_while(hd_builder *b, hd_value *start, hd_enum_arith_cmpi_predicate predicate, hd_value *bound) {
  hd_type index = start->type;
  hd_op *loop = hd_build_op(b, HD_OP_scf_while, &start, 1, &index, 1, NULL, 0, 2);
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_block_create(b->module);
    hd_block_add_arg(b->module, block, index);
    hd_region_append(hd_op_region(loop, r), block);
  }
  hd_builder test = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first),
             body = hd_builder_at_end(b->module, hd_op_region(loop, 1)->first);
  test.loc = body.loc = b->loc;
  hd_value *now = test.block->args[0];
  hd_build0(&test, HD_OP_scf_condition, hd_arith_cmpi(&test, predicate, now, bound), now);
  return body;
}

bool hd_gpu_emit_sort(hd_gpu_frame *f, hd_op *op) {
  hd_generator *g = &f->g;
  sorter s = {.f = f, .op = op, .count = hd_buffer_output_count(op), .rank = hd_type_rank(hd_operand_type(op, 0))};
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(op, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  s.out = hd_new_array(g->arena, hd_value *, s.count + (size_t)1);
  for (uint32_t i = 0; i < s.count; ++i) {
    s.out[i] = hd_buffer_output(op, i);
    if (!hd_gpu_emit_copy(f, hd_operand(op, i), s.out[i])) return false;
  }
  int64_t axis = hd_stablehlo_sort_dimension(op), known;
  if (!s.rank) return true; /* one element is in order */
  s.axis = (uint32_t)(axis < 0 ? axis + s.rank : axis);
  for (uint32_t d = 0; d < s.rank; ++d) s.sizes[d] = hd_generate_dim(g, hd_shapes_dim(g->shapes, s.out[0], d));
  hd_value *n = s.sizes[s.axis];
  if (hd_value_constant_int(n, &known) && known < 2) return !g->failed;
  s.numbered = s.count > 1 || hd_stablehlo_sort_is_stable(op);
  if (s.numbered && !number_places(&s)) return false;
  hd_value *one = hd_build_index(g->b, 1), *two = hd_build_index(g->b, 2), *zero = hd_build_index(g->b, 0);
  hd_builder widths = open_while(g->b, one, HD_ARITH_CMPI_ULT, n);
  hd_value *width = widths.block->args[0];
  if (!column(&s, &widths, width, true)) return false;
  hd_builder steps =
      open_while(&widths, hd_build_binary(&widths, HD_OP_arith_divui, width, two), HD_ARITH_CMPI_NE, zero);
  hd_value *step = steps.block->args[0];
  if (!column(&s, &steps, step, false)) return false;
  hd_value *half = hd_build_binary(&steps, HD_OP_arith_divui, step, two);
  hd_build_yield(&steps, &half, 1);
  hd_value *twice = hd_build_binary(&widths, HD_OP_arith_addi, width, width);
  hd_build_yield(&widths, &twice, 1);
  return !g->failed;
}
