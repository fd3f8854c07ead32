/* SPDX-License-Identifier: Apache-2.0 */
/* sort whose comparator no kernel can hold becomes a merge sort of places as loops of the program (element_loop.h):
 *
 *   ids = iota [lines * n], width = 1
 *   while (width < n) {                            # runs of |width| become runs of twice that
 *     for k in [0, lines * n): the run of k is [low, middle) and [middle, high)
 *       if (k == low) a = low, b = middle
 *       right = a < middle && b < high ? less(x[ids[b]], x[ids[a]]) : a >= middle
 *       to[k] = right ? ids[b++] : ids[a++]
 *     ids = to, width *= 2
 *   }
 *
 * Stable, and a permutation whatever the comparator says. */
#include "codegen/emit/generator.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"

typedef struct sorter {
  hd_op *op;
  hd_value *length, *count; /* of a line, of all */
  hd_value **flat;          /* the operands, lines one after the other */
  hd_value **elements;      /* room for the comparator's arguments */
} sorter;

static hd_value *smaller(hd_builder *b, hd_value *x, hd_value *y) { return hd_stablehlo_minimum(b, x, y); }
static hd_value *plus(hd_builder *b, hd_value *x, hd_value *y) { return hd_stablehlo_add(b, x, y); }

/* |ids| with runs of |width| merged two by two. */
static hd_value *merge_runs(hd_builder *outer, const sorter *s, hd_value *ids, hd_value *width) {
  hd_block *less = hd_op_region(s->op, 0)->first;
  hd_value *zero = hd_element_number(outer, hd_hlo_size(outer, 0)), *results[3];
  hd_element_loop l = hd_element_loop_open(outer, 0, s->count, (hd_value *[]){zero, zero, ids}, 3);
  hd_builder *b = &l.in;
  hd_value *length = hd_element_number(b, s->length);
  /* Two runs, or the line where that is less. */
  hd_value *two = plus(b, width, smaller(b, width, hd_stablehlo_subtract(b, length, width)));
  hd_value *in_line = hd_stablehlo_remainder(b, l.at, length);
  hd_value *line = hd_stablehlo_subtract(b, l.at, in_line), *end = plus(b, line, length);
  hd_value *in_run = hd_stablehlo_remainder(b, in_line, two);
  hd_value *low = hd_stablehlo_subtract(b, l.at, in_run);
  hd_value *middle = smaller(b, plus(b, low, width), end), *high = smaller(b, plus(b, middle, width), end);
  hd_value *starts = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, l.at, low);
  hd_value *left = hd_stablehlo_select(b, starts, low, l.carried[0]),
           *right = hd_stablehlo_select(b, starts, middle, l.carried[1]);
  hd_value *ended = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, left, middle);
  hd_value *both = hd_hlo_and(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, left, middle),
                              hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, right, high));
  hd_value *left_id = hd_element_get(b, ids, left, zero->type), *right_id = hd_element_get(b, ids, right, zero->type);
  for (uint32_t i = 0; i < s->op->operand_count; ++i) {
    s->elements[2 * i] = hd_element_get(b, s->flat[i], right_id, less->args[2 * i]->type);
    s->elements[2 * i + 1] = hd_element_get(b, s->flat[i], left_id, less->args[2 * i + 1]->type);
  }
  hd_value *takes_right;
  hd_element_apply_if(b, both, less, s->elements, &ended, &takes_right);
  hd_value *one = hd_element_number(b, hd_hlo_size(b, 1));
  hd_value *next[] = {hd_stablehlo_select(b, takes_right, left, plus(b, left, one)),
                      hd_stablehlo_select(b, takes_right, plus(b, right, one), right),
                      hd_element_set(b, l.carried[2], l.at, hd_stablehlo_select(b, takes_right, right_id, left_id))};
  hd_element_loop_close(&l, NULL, next, results);
  return results[2];
}

bool hd_expand_sort(hd_builder *b, hd_op *op, hd_value **results) {
  hd_arena *arena = &b->module->arena;
  uint32_t n = op->operand_count, rank = hd_type_rank(hd_operand_type(op, 0));
  for (uint32_t i = 0; i < n; ++i) results[i] = hd_operand(op, i);
  if (!rank || hd_type_num_elements(hd_operand_type(op, 0)) == 0) return true;
  int64_t axis = hd_stablehlo_sort_dimension(op);
  if (axis < 0) axis += rank;
  int64_t *order = hd_new_array(arena, int64_t, rank), *back = hd_new_array(arena, int64_t, rank);
  for (uint32_t d = 0, at = 0; d < rank; ++d)
    if (d != axis) order[at++] = d;
  order[rank - 1] = axis;
  for (uint32_t d = 0; d < rank; ++d) back[order[d]] = d;
  hd_value **sizes = hd_new_array(arena, hd_value *, rank);
  for (uint32_t d = 0; d < rank; ++d) sizes[d] = hd_hlo_size_of(b, hd_operand(op, 0), (uint32_t)order[d]);
  sorter s = {op, sizes[rank - 1], hd_element_product(b, sizes, rank), hd_new_array(arena, hd_value *, n),
              hd_new_array(arena, hd_value *, 2 * n)};
  for (uint32_t i = 0; i < n; ++i)
    s.flat[i] = hd_hlo_reshape(b, hd_hlo_transpose(b, hd_operand(op, i), order), &s.count, 1);
  int64_t count = hd_hlo_known_size(s.count);
  hd_type line = hd_type_tensor(hd_i32(b->context), &count, 1, NULL);
  hd_value *ids = hd_hlo_iota(b, line, s.flat[0], 0);
  hd_element_loop l = hd_element_loop_open(b, 1, s.length, &ids, 1);
  hd_value *merged = merge_runs(&l.in, &s, l.carried[0], l.at);
  /* Twice the width, or the length where that is less: twice may be above 2^31. */
  hd_value *rest = hd_stablehlo_subtract(&l.in, hd_element_number(&l.in, s.length), l.at);
  hd_element_loop_close(&l, plus(&l.in, l.at, smaller(&l.in, l.at, rest)), &merged, &ids);
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *end = hd_hlo_zero(b, hd_type_element(s.flat[i]->type)); /* a gather wants an element, if it takes none */
    results[i] = hd_build_pick(b, hd_element_flat_and(b, s.flat[i], end), ids, 0, 0, s.flat[i]->type);
    results[i] = hd_hlo_transpose(b, hd_hlo_reshape(b, results[i], sizes, rank), back);
    results[i] = hd_hlo_retype(b, results[i], hd_result_type(op, i));
  }
  return true;
}
