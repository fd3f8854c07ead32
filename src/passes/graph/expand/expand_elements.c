/* SPDX-License-Identifier: Apache-2.0 */
/* map, reduce and scatter whose computation no kernel can hold (a sort, a loop over tensors) become loops of the
 * program, one element a step (element_loop.h):
 *
 *   "stablehlo.map"(%x) ({ f })           ->    %flat = reshape %x : [n]
 *                                               while (i < n) { out[i] = f(flat[i]), i += 1 }
 *   "stablehlo.reduce"(%x, %z) ({ f })    ->    %flat = reshape (transpose %x) : [kept * reduced], out = broadcast %z
 *                                               while (i < n) { k = i / reduced, out[k] = f(out[k], flat[i]), i += 1 }
 *   "stablehlo.scatter"(%x, %at, %u)      ->    out = flat x and one element for updates that are outside
 *                                               while (i < n) { k = place of u[i], out[k] = f(out[k], u[i]), i += 1 }
 *
 * Sorts are in expand_element_sort.c, windows in expand_element_window.c. Other computations stay
 * (codegen/emit/generate_region.c), unless it matters how often they run: what may fail by its dims must not be checked
 * ahead of a scatter, a sort or a choice of windows, of which only the data tell whether anything is combined. */
#include "codegen/emit/generator.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"
#include "shape/shapes.h"

static bool has_known_dims(hd_op *op, void *outer) { return op == outer || hd_op_has_known_dims(op); }

bool hd_regions_are_exact(hd_op *op, hd_op *func, hd_shapes **shapes, hd_arena *arena) {
  if (!hd_can_generate_regions(op)) return true;
  if (hd_walk_pre(op, has_known_dims, op)) return false;
  if (!*shapes) *shapes = hd_shapes_of(func, arena);
  bool exact = false;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      hd_for_each_op(inner, block) exact |= hd_shapes_may_fail(*shapes, inner);
  return exact;
}

bool hd_expand_map_by_element(hd_builder *b, hd_op *op, hd_value **results) {
  results[0] = NULL;
  if (hd_can_generate_regions(op)) return true;
  hd_arena *arena = &b->module->arena;
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t inputs = op->operand_count;
  if (!inputs) return hd_op_error(op, "expects one operand or more, got none");
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1), **flat = hd_new_array(arena, hd_value *, inputs),
           **elements = hd_new_array(arena, hd_value *, inputs);
  hd_hlo_sizes_of(b, hd_operand(op, 0), sizes);
  hd_value *count = hd_element_product(b, sizes, rank), *made;
  for (uint32_t i = 0; i < inputs; ++i) flat[i] = hd_hlo_reshape(b, hd_operand(op, i), &count, 1);
  hd_value *out = hd_element_spread(b, hd_hlo_zero(b, hd_type_element(hd_result_type(op, 0))), count);
  hd_element_loop l = hd_element_loop_open(b, 0, count, &out, 1);
  for (uint32_t i = 0; i < inputs; ++i) elements[i] = hd_element_get(&l.in, flat[i], l.at, body->args[i]->type);
  hd_element_apply(&l.in, body, elements, &made);
  made = hd_element_set(&l.in, l.carried[0], l.at, made);
  hd_element_loop_close(&l, NULL, &made, &out);
  results[0] = hd_element_unflat(b, out, sizes, hd_result_type(op, 0));
  return true;
}

/* |user|: how many elements go to one output. */
static void plan_reduce(hd_builder *b, const void *user, hd_value *at, hd_element_step *step) {
  step->to = hd_stablehlo_divide(b, at, hd_element_number(b, (hd_value *)(uintptr_t)user));
}

bool hd_expand_reduce(hd_builder *b, hd_op *op, hd_value **results) {
  results[0] = NULL;
  if (hd_can_generate_regions(op)) return true;
  hd_arena *arena = &b->module->arena;
  uint32_t n = op->result_count;
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), reduced = (uint32_t)hd_attr_count(dims), kept = 0;
  int64_t *order = hd_new_array(arena, int64_t, rank + 1);
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1), **flat = hd_new_array(arena, hd_value *, n);
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(dims, d) < 0) order[kept++] = d;
  for (uint32_t d = 0, at = kept; d < rank; ++d)
    if (hd_attr_find_int(dims, d) >= 0) order[at++] = d;
  for (uint32_t d = 0; d < rank; ++d) sizes[d] = hd_hlo_size_of(b, hd_operand(op, 0), (uint32_t)order[d]);
  hd_value *outputs = hd_element_product(b, sizes, kept), *each = hd_element_product(b, sizes + kept, reduced);
  hd_value *count = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, outputs, each);
  for (uint32_t i = 0; i < n; ++i) {
    flat[i] = hd_hlo_reshape(b, hd_hlo_transpose(b, hd_operand(op, i), order), &count, 1);
    hd_type element = hd_type_element(hd_result_type(op, i));
    results[i] = hd_element_spread(b, hd_hlo_convert(b, hd_operand(op, n + i), element), outputs);
  }
  hd_element_combine(b, hd_op_region(op, 0)->first, count, flat, results, n, plan_reduce, each);
  for (uint32_t i = 0; i < n; ++i) results[i] = hd_element_unflat(b, results[i], sizes, hd_result_type(op, i));
  return true;
}

/* ---- scatter ---- */

/* What a scatter's step knows. Lists of scatter_dimension_numbers, and sizes. */
typedef struct scatter {
  hd_op *op;
  hd_attr window, inserted, input_batching, index_batching, to_operand;
  uint32_t rank, index_rank, update_rank, vector_dim;
  hd_value *indices;                                     /* flat */
  hd_value **sizes, **index_sizes, **update_sizes, *end; /* |end|: the place of updates outside */
} scatter;

static scatter read_scatter(hd_builder *b, hd_op *op) {
  hd_arena *arena = &b->module->arena;
  uint32_t n = op->result_count;
  hd_attr numbers = hd_stablehlo_scatter_scatter_dimension_numbers(op);
  hd_value *indices = hd_operand(op, n), *updates = hd_operand(op, n + 1);
  scatter s = {.op = op,
               .window = hd_attr_stablehlo_scatter_update_window_dims(numbers),
               .inserted = hd_attr_stablehlo_scatter_inserted_window_dims(numbers),
               .input_batching = hd_attr_stablehlo_scatter_input_batching_dims(numbers),
               .index_batching = hd_attr_stablehlo_scatter_scatter_indices_batching_dims(numbers),
               .to_operand = hd_attr_stablehlo_scatter_scatter_dims_to_operand_dims(numbers),
               .rank = hd_type_rank(hd_operand_type(op, 0)),
               .index_rank = hd_type_rank(indices->type),
               .update_rank = hd_type_rank(updates->type),
               .vector_dim = (uint32_t)hd_attr_stablehlo_scatter_index_vector_dim(numbers)};
  s.sizes = hd_new_array(arena, hd_value *, s.rank + 1);
  s.index_sizes = hd_new_array(arena, hd_value *, s.index_rank + 1);
  s.update_sizes = hd_new_array(arena, hd_value *, s.update_rank + 1);
  hd_hlo_sizes_of(b, hd_operand(op, 0), s.sizes);
  hd_hlo_sizes_of(b, indices, s.index_sizes);
  hd_hlo_sizes_of(b, updates, s.update_sizes);
  s.indices = hd_element_flat(b, indices);
  s.end = hd_element_number(b, hd_element_product(b, s.sizes, s.rank));
  return s;
}

static void plan_scatter(hd_builder *b, const void *user, hd_value *at, hd_element_step *step) {
  const scatter *s = user;
  hd_arena *arena = &b->module->arena;
  hd_value **update = hd_new_array(arena, hd_value *, s->update_rank + 1),
           **batch = hd_new_array(arena, hd_value *, s->index_rank + s->update_rank + 1),
           **window = hd_new_array(arena, hd_value *, s->update_rank + 1),
           **index = hd_new_array(arena, hd_value *, s->rank + 1);
  hd_type i64 = hd_i64(b->context), i32 = hd_i32(b->context);
  hd_value *zero = hd_element_number(b, hd_hlo_size(b, 0));
  uint32_t batches = 0, windows = 0, next = 0;
  hd_element_index(b, at, s->update_sizes, s->update_rank, update);
  for (uint32_t d = 0; d < s->update_rank; ++d) {
    if (hd_attr_find_int(s->window, d) >= 0) {
      window[windows++] = update[d];
      continue;
    }
    if (batches == s->vector_dim) batch[batches++] = zero;
    batch[batches++] = update[d];
  }
  if (batches == s->vector_dim) batch[batches++] = zero;
  for (uint32_t d = 0; d < s->rank; ++d) {
    int64_t k = hd_attr_find_int(s->input_batching, d);
    if (k >= 0) {
      index[d] = batch[hd_attr_int_at(s->index_batching, (size_t)k)];
      continue;
    }
    index[d] = hd_attr_find_int(s->inserted, d) >= 0 ? zero : window[next++];
    k = hd_attr_find_int(s->to_operand, d);
    if (k < 0) continue;
    if (s->vector_dim < s->index_rank) batch[s->vector_dim] = hd_element_number(b, hd_hlo_size(b, k));
    hd_value *from = hd_element_place(b, batch, s->index_sizes, s->index_rank);
    hd_value *start = hd_element_get(b, s->indices, from, hd_type_tensor(i64, NULL, 0, NULL));
    start = hd_stablehlo_add(b, start, hd_hlo_convert(b, index[d], i64));
    hd_value *size = hd_hlo_convert(b, hd_element_number(b, s->sizes[d]), i64);
    hd_value *fits = hd_hlo_and(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, start, hd_hlo_zero(b, i64)),
                                hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, start, size));
    step->inside = hd_hlo_and(b, step->inside, fits);
    index[d] = hd_hlo_convert(b, start, i32);
  }
  step->to = hd_element_place(b, index, s->sizes, s->rank);
  if (step->inside) step->to = hd_stablehlo_select(b, step->inside, step->to, s->end);
}

bool hd_expand_scatter(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t n = op->result_count;
  scatter s = read_scatter(b, op);
  hd_value **flat = hd_new_array(&b->module->arena, hd_value *, n);
  for (uint32_t i = 0; i < n; ++i) {
    flat[i] = hd_element_flat(b, hd_operand(op, n + 1 + i));
    results[i] = hd_element_flat_and(b, hd_operand(op, i), hd_hlo_zero(b, hd_type_element(hd_operand_type(op, i))));
  }
  hd_value *updates = hd_element_product(b, s.update_sizes, s.update_rank);
  hd_element_combine(b, hd_op_region(op, 0)->first, updates, flat, results, n, plan_scatter, &s);
  for (uint32_t i = 0; i < n; ++i) results[i] = hd_element_unflat(b, results[i], s.sizes, hd_result_type(op, i));
  return true;
}
