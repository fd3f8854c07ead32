/* SPDX-License-Identifier: Apache-2.0 */
/* Dots that share an operand become one: the other operands side by side along a free dim, the result in slices. Free
 * dims beside that one, as heads of attention have, are of equal known sizes. What makes an operand (a cast of a
 * weight) moves before the first dot, unless that is much or is made of such a dot. */
#include <string.h>

#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/dot/dot.h"
#include "passes/graph/hlo_build.h"

static bool same_dims(const hd_dot_dims *a, const hd_dot_dims *b) {
  return a->count == b->count && !memcmp(a->items, b->items, a->count * sizeof *a->items);
}

/* Does |b| have what |a| says, other than its dims? */
static bool has_attrs_of(const hd_op *a, const hd_op *b) {
  hd_ident dims = hd_name_ident(hd_op_context(a), HD_NAME_dot_dimension_numbers);
  hd_for_each_attr(attr, a)
    if (attr.name != dims && hd_op_attr_get_ident(b, attr.name) != attr.value) return false;
  return true;
}

enum { MOST_MOVED = 16 };

typedef hd_vec(hd_op *) op_list;

/* The ops that are to move before |op| so that |value| is there, in order; false when they cannot. */
static bool find_makers(hd_pass *pass, hd_value *value, hd_op *op, op_list *out) {
  if (hd_value_dominates(value, op, &pass->arena)) return true;
  hd_op *maker = hd_value_op(value);
  for (size_t i = 0; i < out->len; ++i)
    if (out->data[i] == maker) return true;
  if (!maker || maker == op || maker->block != op->block || maker->region_count || hd_is_dot(maker) ||
      !hd_op_is_pure(maker))
    return false;
  for (uint32_t i = 0; i < maker->operand_count; ++i)
    if (out->len >= MOST_MOVED || !find_makers(pass, hd_operand(maker, i), op, out)) return false;
  hd_vec_push(&pass->arena, out, maker);
  return out->len <= MOST_MOVED;
}

/* Do |a| and |b| differ in free dim |along| alone, as far as types tell? */
static bool lie_beside(hd_type a, hd_type b, const hd_dot_dims *rest, uint32_t along) {
  if (hd_type_element(a) != hd_type_element(b) || hd_type_rank(a) != hd_type_rank(b)) return false;
  for (uint32_t i = 0; i < rest->count; ++i) {
    int64_t size = hd_type_dim(a, (uint32_t)rest->items[i]);
    if (i != along && (size == HD_DYNAMIC || size != hd_type_dim(b, (uint32_t)rest->items[i]))) return false;
  }
  return true;
}

/* Can |other| be computed together with |op|, of |sides|, operand |i| being common, along free dim |along| of the other
 * one? |makers|: what has to move before |op| then. */
static bool goes_with(hd_pass *pass, hd_op *op, const hd_dot_side *sides, hd_op *other, uint32_t i, uint32_t along,
                      op_list *makers) {
  uint32_t o = 1 - i;
  hd_dot_side its[2];
  if (other == op || !hd_is_dot(other) || other->block != op->block || hd_operand(other, i) != hd_operand(op, i) ||
      hd_discardable_merged(other) ||
      !lie_beside(hd_operand_type(op, o), hd_operand_type(other, o), &sides[o].rest, along) ||
      hd_type_element(hd_result_type(other, 0)) != hd_type_element(hd_result_type(op, 0)) || !has_attrs_of(op, other) ||
      !has_attrs_of(other, op))
    return false;
  for (uint32_t k = 0; k < 2; ++k)
    if (!hd_dot_side_of(other, k, &its[k]) || !same_dims(&its[k].batch, &sides[k].batch) ||
        !same_dims(&its[k].contract, &sides[k].contract))
      return false;
  return find_makers(pass, hd_operand(other, o), op, makers);
}

/* The dots after |op| that go with it along free dim |along|, then |op|; what makes their operands has moved. */
static op_list group_of(hd_pass *pass, hd_op *op, const hd_dot_side *sides, uint32_t i, uint32_t along) {
  op_list group = {0};
  hd_for_each_use(use, hd_operand(op, i)) {
    op_list makers = {0};
    if (use->index != i || use->owner == op || !hd_op_is_before(op, use->owner) ||
        !goes_with(pass, op, sides, use->owner, i, along, &makers))
      continue;
    for (size_t k = 0; k < makers.len; ++k) hd_op_move_before(makers.data[k], op);
    hd_vec_push(&pass->arena, &group, use->owner);
  }
  hd_vec_push(&pass->arena, &group, op);
  return group;
}

static void merge(hd_pass *pass, hd_op *op, uint32_t i) {
  hd_arena *arena = &pass->arena;
  uint32_t o = 1 - i, along = 0;
  hd_dot_side sides[2];
  if (!hd_dot_side_of(op, 0, &sides[0]) || !hd_dot_side_of(op, 1, &sides[1]) || !sides[o].rest.count) return;
  op_list group = group_of(pass, op, sides, i, 0);
  while (group.len == 1 && ++along < sides[o].rest.count) group = group_of(pass, op, sides, i, along);
  if (group.len == 1) return;
  uint32_t free_dim = (uint32_t)sides[o].rest.items[along], n = (uint32_t)group.len;
  /* The free dim of the result: lhs' free dims come first. */
  uint32_t out_dim = sides[0].batch.count + (o == 0 ? 0 : sides[0].rest.count) + along;
  hd_builder b = hd_builder_before(op);
  hd_value **parts = hd_new_array(arena, hd_value *, n + 1);
  int64_t total = 0, *shape = hd_new_array(arena, int64_t, HD_COMPILED_MAX_RANK * 2);
  for (uint32_t k = 0; k < n; ++k) {
    parts[k] = hd_operand(group.data[n - 1 - k], o);
    int64_t size = hd_type_dim(parts[k]->type, free_dim);
    total = total == HD_DYNAMIC || size == HD_DYNAMIC ? HD_DYNAMIC : total + size;
  }
  hd_value *joined = hd_stablehlo_concatenate(&b, free_dim, parts, n);
  hd_type result = hd_result_type(op, 0);
  for (uint32_t d = 0; d < hd_type_rank(result); ++d) shape[d] = d == out_dim ? total : hd_type_dim(result, d);
  hd_value *all = hd_build_dot(&b, op, o ? hd_operand(op, 0) : joined, o ? joined : hd_operand(op, 1), &sides[0],
                               &sides[1], hd_type_with_dims(result, shape, hd_type_rank(result)));
  hd_value **sizes = hd_new_array(arena, hd_value *, hd_type_rank(result) + 1), *from = hd_hlo_size(&b, 0);
  hd_hlo_sizes_of(&b, all, sizes);
  for (uint32_t k = 0; k < n; ++k) {
    hd_op *old = group.data[n - 1 - k];
    hd_value *to = hd_hlo_size_op(&b, HD_OP_stablehlo_add, from, hd_hlo_size_of(&b, parts[k], free_dim));
    hd_value *part = hd_hlo_slice_sized(&b, all, out_dim, from, to, sizes);
    part = hd_hlo_retype(&b, part, hd_result_type(old, 0));
    hd_value_replace_uses(hd_result(old, 0), part);
    hd_discardable_set_merged(old, true); /* dead: erased at the end */
    from = to;
  }
  pass->changed = true;
}

void hd_dot_merge(hd_pass *pass, hd_op **dots, size_t count) {
  for (size_t i = 0; i < count; ++i)
    for (uint32_t common = 0; common < 2; ++common)
      if (hd_is_dot(dots[i]) && !hd_discardable_merged(dots[i])) merge(pass, dots[i], common);
  for (size_t i = 0; i < count; ++i)
    if (hd_discardable_merged(dots[i])) hd_op_erase(dots[i]), dots[i] = NULL;
}
