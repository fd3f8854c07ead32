/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/expand/element_loop.h"

#include "ir/ops/stablehlo.h"

hd_value *hd_element_number(hd_builder *b, hd_value *size) { return hd_hlo_reshape_to(b, size, NULL, 0); }

/* ---- loops ---- */

hd_element_loop hd_element_loop_open(hd_builder *b, int64_t from, hd_value *end, hd_value *const *starts,
                                     uint32_t count) {
  hd_arena *arena = &b->module->arena;
  uint32_t n = count + 1;
  hd_value **values = hd_new_array(arena, hd_value *, n);
  hd_type *types = hd_new_array(arena, hd_type, n);
  values[0] = hd_element_number(b, hd_hlo_size(b, from));
  for (uint32_t i = 0; i < count; ++i) values[1 + i] = starts[i];
  for (uint32_t i = 0; i < n; ++i) types[i] = values[i]->type;
  end = hd_element_number(b, end);
  hd_op *op = hd_build_op(b, HD_OP_stablehlo_while, values, n, types, n, NULL, 0, 2);
  hd_builder cond = hd_hlo_open_region(b, op, 0, types, n);
  hd_build0(&cond, HD_OP_stablehlo_return,
            hd_stablehlo_compare(&cond, HD_STABLEHLO_COMPARE_LT, cond.block->args[0], end));
  hd_builder in = hd_hlo_open_region(b, op, 1, types, n);
  return (hd_element_loop){in, op, in.block->args[0], in.block->args + 1, count};
}

void hd_element_loop_close(hd_element_loop *loop, hd_value *next_at, hd_value *const *next, hd_value **results) {
  hd_builder *in = &loop->in;
  hd_value **values = hd_new_array(&in->module->arena, hd_value *, loop->count + (size_t)1);
  if (!next_at) next_at = hd_stablehlo_add(in, loop->at, hd_element_number(in, hd_hlo_size(in, 1)));
  values[0] = next_at;
  for (uint32_t i = 0; i < loop->count; ++i) values[1 + i] = next[i];
  hd_build_op(in, HD_OP_stablehlo_return, values, loop->count + (size_t)1, NULL, 0, NULL, 0, 0);
  for (uint32_t i = 0; i < loop->count; ++i) results[i] = hd_result(loop->op, 1 + i);
}

/* ---- elements ---- */

void hd_element_index(hd_builder *b, hd_value *at, hd_value *const *sizes, uint32_t rank, hd_value **out) {
  for (uint32_t d = rank; d-- > 0;) {
    hd_value *size = hd_element_number(b, sizes[d]);
    out[d] = d ? hd_stablehlo_remainder(b, at, size) : at;
    if (d) at = hd_stablehlo_divide(b, at, size);
  }
}

hd_value *hd_element_place(hd_builder *b, hd_value *const *index, hd_value *const *sizes, uint32_t rank) {
  hd_value *place = hd_element_number(b, hd_hlo_size(b, 0));
  for (uint32_t d = 0; d < rank; ++d) {
    if (d) place = hd_stablehlo_multiply(b, place, hd_element_number(b, sizes[d]));
    place = d ? hd_stablehlo_add(b, place, index[d]) : index[d];
  }
  return place;
}

hd_value *hd_element_get(hd_builder *b, hd_value *x, hd_value *at, hd_type type) {
  int64_t one = 1;
  /* Of a tensor without elements too, in a loop that makes no step: types that no inference gives. */
  hd_attr_arg sizes = {HD_NAME_slice_sizes, hd_attr_i64_array(b->context, &one, 1)};
  hd_value *slice = hd_build_one_(b, HD_OP_stablehlo_dynamic_slice, hd_type_with_dims(x->type, &one, 1),
                                  (hd_value *[]){x, at}, 2, &sizes, 1);
  return hd_hlo_convert(b, hd_hlo_reshape_to(b, slice, NULL, 0), hd_type_element(type));
}

hd_value *hd_element_set(hd_builder *b, hd_value *x, hd_value *at, hd_value *element) {
  int64_t one = 1;
  element = hd_hlo_reshape_to(b, hd_hlo_convert(b, element, hd_type_element(x->type)), &one, 1);
  return hd_build(b, HD_OP_stablehlo_dynamic_update_slice, x->type, x, element, at);
}

void hd_element_apply(hd_builder *b, hd_block *body, hd_value *const *arguments, hd_value **results) {
  hd_arena *arena = &b->module->arena;
  hd_map map = {0};
  for (uint32_t i = 0; i < body->arg_count; ++i) hd_map_set(arena, &map, body->args[i], arguments[i]);
  hd_for_each_op(op, body) {
    if (op == body->last) break;
    hd_op *copy = hd_op_clone(b->module, op, arena, &map);
    if (b->before)
      hd_op_insert_before(copy, b->before);
    else
      hd_op_append(copy, b->block);
  }
  for (uint32_t i = 0; i < body->last->operand_count; ++i) {
    hd_value *given = hd_operand(body->last, i), *made = hd_map_get(&map, given);
    results[i] = made ? made : given;
  }
}

void hd_element_apply_if(hd_builder *b, hd_value *pred, hd_block *body, hd_value *const *arguments,
                         hd_value *const *otherwise, hd_value **results) {
  uint32_t count = body->last->operand_count;
  hd_arena *arena = &b->module->arena;
  hd_type *types = hd_new_array(arena, hd_type, count);
  for (uint32_t i = 0; i < count; ++i) types[i] = otherwise[i]->type;
  hd_op *branch = hd_build_op(b, HD_OP_stablehlo_if, &pred, 1, types, count, NULL, 0, 2);
  hd_builder then = hd_hlo_open_region(b, branch, 0, NULL, 0), other = hd_hlo_open_region(b, branch, 1, NULL, 0);
  hd_element_apply(&then, body, arguments, results);
  for (uint32_t i = 0; i < count; ++i) results[i] = hd_hlo_convert(&then, results[i], hd_type_element(types[i]));
  hd_build_op(&then, HD_OP_stablehlo_return, results, count, NULL, 0, NULL, 0, 0);
  hd_build_op(&other, HD_OP_stablehlo_return, otherwise, count, NULL, 0, NULL, 0, 0);
  for (uint32_t i = 0; i < count; ++i) results[i] = hd_result(branch, i);
}

void hd_element_combine(hd_builder *b, hd_block *body, hd_value *steps, hd_value *const *inputs, hd_value **outputs,
                        uint32_t count,
                        void (*plan)(hd_builder *b, const void *user, hd_value *at, hd_element_step *step),
                        const void *user) {
  if (hd_hlo_known_size(steps) == 0) return;
  hd_arena *arena = &b->module->arena;
  hd_value **elements = hd_new_array(arena, hd_value *, 2 * (size_t)count),
           **made = hd_new_array(arena, hd_value *, count);
  hd_element_loop l = hd_element_loop_open(b, 0, steps, outputs, count);
  hd_element_step step = {l.at, l.at, NULL};
  plan(&l.in, user, l.at, &step);
  for (uint32_t i = 0; i < count; ++i) {
    elements[i] = hd_element_get(&l.in, l.carried[i], step.to, body->args[i]->type);
    elements[count + i] = hd_element_get(&l.in, inputs[i], step.from, body->args[count + i]->type);
  }
  if (step.inside)
    hd_element_apply_if(&l.in, step.inside, body, elements, elements, made);
  else
    hd_element_apply(&l.in, body, elements, made);
  for (uint32_t i = 0; i < count; ++i) made[i] = hd_element_set(&l.in, l.carried[i], step.to, made[i]);
  hd_element_loop_close(&l, NULL, made, outputs);
}

/* ---- flat tensors ---- */

hd_value *hd_element_product(hd_builder *b, hd_value *const *sizes, uint32_t count) {
  hd_value *all = hd_hlo_size(b, 1);
  for (uint32_t i = 0; i < count; ++i) all = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, all, sizes[i]);
  return all;
}

hd_value *hd_element_spread(hd_builder *b, hd_value *x, hd_value *size) {
  int64_t dim = hd_hlo_known_size(size);
  hd_type type = hd_type_tensor(hd_type_element(x->type), &dim, 1, NULL);
  return hd_hlo_broadcast(b, x, type, NULL, size);
}

hd_value *hd_element_flat(hd_builder *b, hd_value *x) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  hd_hlo_sizes_of(b, x, sizes);
  hd_value *count = hd_element_product(b, sizes, rank);
  return hd_hlo_reshape(b, x, &count, 1);
}

hd_value *hd_element_flat_and(hd_builder *b, hd_value *x, hd_value *last) {
  int64_t one = 1;
  hd_value *parts[] = {hd_element_flat(b, x),
                       hd_hlo_reshape_to(b, hd_hlo_convert(b, last, hd_type_element(x->type)), &one, 1)};
  return hd_stablehlo_concatenate(b, 0, parts, 2);
}

hd_value *hd_element_unflat(hd_builder *b, hd_value *x, hd_value *const *sizes, hd_type type) {
  uint32_t rank = hd_type_rank(type);
  hd_value *count = hd_element_product(b, sizes, rank);
  x = hd_hlo_slice_sized(b, x, 0, hd_hlo_size(b, 0), count, NULL);
  return hd_hlo_retype(b, hd_hlo_reshape(b, x, sizes, rank), type);
}
