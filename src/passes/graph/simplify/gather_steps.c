/* SPDX-License-Identifier: Apache-2.0 */
/* Part of gather-to-slice: a gather of single elements of a dim, whose indices are a step apart and all proven to be in
 * bounds, is a slice.
 *
 *   %i = 1 + 2 * iota
 *   gather %x[n, 64], %i : 32 x 1, dim 1 left out   ->   slice %x [0:n, 1:64:2]
 *
 * JAX writes x[:, 1::2] and x[:, ::-1] so under unknown dims, and x[::-1, ::2] with a vector of indices for each dim,
 * broadcast over the others. Negative steps are a slice, reversed. The first index is in bounds even of an empty
 * gather: an empty slice may not begin behind its operand. */
#include "passes/graph/simplify/gather_steps.h"

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "passes/graph/hlo_build.h"

enum { MOST_FOLLOWED = 32, MOST_STEP = INT32_MAX };

/* Element i along the dim at hand is |first| + |step| * i. */
typedef struct progression {
  hd_dim first;
  int64_t step;
} progression;

static bool progression_of(hd_shapes *shapes, hd_value *x, uint32_t axis, uint32_t depth, progression *out);

static bool of_constant(hd_shapes *shapes, hd_attr value, progression *out) {
  if (!hd_attr_is(value, HD_ATTR_DENSE)) return false;
  int64_t count = hd_type_num_elements(value->type), first = count ? hd_attr_int_at(value, 0) : 0;
  int64_t next = count > 1 && !value->dense.splat ? hd_attr_int_at(value, 1) : first;
  *out = (progression){hd_dim_const(&shapes->table, first), 0};
  if (value->dense.splat) return true;
  if (first < 0 || next < 0 || first > INT32_MAX || next > INT32_MAX) return false;
  out->step = next - first;
  for (int64_t i = 2; i < count; ++i)
    if (hd_attr_int_at(value, (size_t)i) != first + out->step * i) return false;
  return true;
}

/* A broadcast of one number, or of a line along its only dim. */
static bool of_broadcast(hd_shapes *shapes, hd_op *op, uint32_t axis, uint32_t depth, progression *out) {
  hd_value *from = hd_operand(op, 0);
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  if (hd_type_rank(from->type) == 0) {
    hd_dim value = hd_shapes_may_wrap(shapes, from) ? NULL : hd_shapes_element(shapes, from, 0);
    *out = (progression){value, 0};
    return value != NULL;
  }
  int64_t line = hd_attr_find_int(dims, axis);
  if (line < 0 || !hd_dim_equal(&shapes->table, hd_shapes_dim(shapes, from, (uint32_t)line),
                                hd_shapes_dim(shapes, hd_result(op, 0), axis)))
    return false;
  return progression_of(shapes, from, (uint32_t)line, depth, out);
}

static bool is_step(int64_t step) { return step >= -(int64_t)MOST_STEP && step <= MOST_STEP; }

static bool of_two(hd_shapes *shapes, hd_op *op, uint32_t axis, uint32_t depth, progression *out) {
  hd_dim_table *t = &shapes->table;
  progression a, b;
  if (!progression_of(shapes, hd_operand(op, 0), axis, depth, &a) ||
      !progression_of(shapes, hd_operand(op, 1), axis, depth, &b))
    return false;
  int64_t times;
  if (hd_op_is(op, HD_OP_stablehlo_multiply)) {
    if (a.step) {
      progression other = a;
      a = b, b = other;
    }
    if (a.step || !hd_dim_is_const(t, a.first, &times)) return false;
    out->first = hd_dim_mul(t, a.first, b.first);
    return out->first && !__builtin_mul_overflow(times, b.step, &out->step) && is_step(out->step);
  }
  bool less = hd_op_is(op, HD_OP_stablehlo_subtract);
  out->first = less ? hd_dim_sub(t, a.first, b.first) : hd_dim_add(t, a.first, b.first);
  out->step = less ? a.step - b.step : a.step + b.step;
  return out->first && is_step(out->step);
}

/* The last element of |count| of them. */
static hd_dim last_of(hd_shapes *shapes, progression p, hd_dim count) {
  hd_dim_table *t = &shapes->table;
  hd_dim steps = hd_dim_mul(t, hd_dim_const(t, p.step), hd_dim_sub(t, count, hd_dim_const(t, 1)));
  return steps && p.first ? hd_dim_add(t, p.first, steps) : NULL;
}

static bool of_reverse(hd_shapes *shapes, hd_op *op, uint32_t axis, uint32_t depth, progression *out) {
  if (!progression_of(shapes, hd_operand(op, 0), axis, depth, out)) return false;
  if (hd_attr_find_int(hd_stablehlo_reverse_dimensions(op), axis) < 0) return true;
  out->first = last_of(shapes, *out, hd_shapes_dim(shapes, hd_result(op, 0), axis));
  out->step = -out->step;
  return out->first != NULL;
}

/* Sums, differences and products are those of whole numbers here and wrap in the program: where what comes out is
 * proven to be in bounds, and the type holds such numbers (holds_indices), they are equal. */
static bool progression_of(hd_shapes *shapes, hd_value *x, uint32_t axis, uint32_t depth, progression *out) {
  hd_attr constant = hd_value_constant(x);
  if (constant) return of_constant(shapes, constant, out);
  hd_op *op = hd_value_op(x);
  if (!op || !depth--) return false;
  switch (op->info->opcode) {
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_dynamic_iota:
      *out = (progression){hd_dim_const(&shapes->table, 0), hd_iota_like_iota_dimension(op) == axis};
      return true;
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_broadcast_in_dim:
      return of_broadcast(shapes, op, axis, depth, out);
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract:
    case HD_OP_stablehlo_multiply:
      return of_two(shapes, op, axis, depth, out);
    case HD_OP_stablehlo_reverse:
      return of_reverse(shapes, op, axis, depth, out);
    default:
      return false;
  }
}

/* Does the type of |indices| hold numbers up to |most|? Of 32 bits and more it holds the indices of every dim. */
static bool holds_indices(hd_type indices, hd_dim most) {
  hd_type element = hd_type_element(indices);
  uint32_t bits = element->kind == HD_TYPE_INTEGER ? element->integer.width : 64;
  if (bits < 32 && element->integer.signedness != HD_UNSIGNED) --bits;
  return bits >= 31 || hd_dim_upper(most) < (int64_t)1 << bits;
}

/* The elements that the gather takes of dim |dim| of its operand: dim |line| of |indices| says which. */
typedef struct dim_indices {
  uint32_t dim, line;
  hd_value *indices;
  int64_t start, step; /* of the slice that has them, */
  bool back;           /* in the other order */
  hd_dim count;
} dim_indices;

/* Component |i| of |count| of the index vectors in |indices|: a vector of its own, broadcast along the other dims. */
static bool component(hd_value *indices, uint32_t count, uint32_t i, int64_t vector, dim_indices *out) {
  hd_type type = indices->type;
  if (count == 1) {
    *out = (dim_indices){.indices = indices};
    return vector == 1 && hd_type_rank(type) >= 1 && hd_type_rank(type) <= 2 &&
           (hd_type_rank(type) < 2 || hd_type_dim(type, 1) == 1);
  }
  hd_op *parts = hd_value_op(indices), *part;
  if (!hd_op_is(parts, HD_OP_stablehlo_concatenate) || parts->operand_count != count ||
      hd_stablehlo_concatenate_dimension(parts) != vector || vector != count || hd_type_rank(type) != count + 1 ||
      hd_type_dim(hd_operand_type(parts, i), count) != 1)
    return false;
  part = hd_value_op(hd_operand(parts, i));
  if (!part || !hd_is_broadcast_in_dim_like(part) || hd_type_rank(hd_operand_type(part, 0)) != 1) return false;
  int64_t line = hd_attr_int_at(hd_broadcast_in_dim_like_broadcast_dimensions(part), 0);
  *out = (dim_indices){.indices = hd_result(part, 0), .line = (uint32_t)line};
  return line < count;
}

/* The indices of each dim that the gather |op| collapses, which must be the same dim of the result; slices have all of
 * the others. */
static bool find_dim_indices(hd_shapes *shapes, hd_op *op, hd_attr n, dim_indices *out, uint32_t *out_count) {
  hd_value *operand = hd_operand(op, 0), *result = hd_result(op, 0);
  hd_attr map = hd_attr_stablehlo_gather_start_index_map(n), offsets = hd_attr_stablehlo_gather_offset_dims(n),
          collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  uint32_t rank = hd_type_rank(operand->type), count = (uint32_t)hd_attr_count(map), before = 0;
  if (hd_attr_count(hd_attr_stablehlo_gather_operand_batching_dims(n)) || !count || hd_attr_count(collapsed) != count ||
      hd_type_rank(result->type) != rank)
    return false;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t i = hd_attr_find_int(map, d);
    bool is_offset = hd_attr_find_int(offsets, d) >= 0;
    if (hd_attr_find_int(collapsed, d) < 0) {
      if (!is_offset ||
          !hd_dim_equal(&shapes->table, hd_shapes_dim(shapes, operand, d), hd_shapes_dim(shapes, result, d)))
        return false;
      continue;
    }
    if (i < 0 || is_offset ||
        !component(hd_operand(op, 1), count, (uint32_t)i, hd_attr_stablehlo_gather_index_vector_dim(n), &out[before]))
      return false;
    if (out[before].line != before) return false;
    out[before++].dim = d;
  }
  *out_count = before;
  return before == count;
}

/* Elements |p|.start, |p|.start + |p|.step, ... of |x|'s dim, |p|.count of them. */
static hd_value *slice(hd_shapes *shapes, hd_builder *b, hd_value *x, const dim_indices *p, hd_type type) {
  hd_dim_table *t = &shapes->table;
  uint32_t rank = hd_type_rank(type);
  hd_dim whole = hd_shapes_dim(shapes, x, p->dim);
  if (p->start == 0 && p->step == 1 && hd_dim_equal(t, whole, p->count)) return x;
  if (hd_type_is_static(x->type) && hd_type_is_static(type)) {
    int64_t starts[HD_MAX_RANK] = {0}, limits[HD_MAX_RANK], steps[HD_MAX_RANK];
    for (uint32_t d = 0; d < rank; ++d) limits[d] = hd_type_dim(type, d), steps[d] = 1;
    int64_t count = limits[p->dim];
    starts[p->dim] = p->start, steps[p->dim] = p->step;
    limits[p->dim] = count ? p->start + (count - 1) * p->step + 1 : p->start;
    return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, starts, rank),
                              hd_attr_i64_array(b->context, limits, rank), hd_attr_i64_array(b->context, steps, rank),
                              x);
  }
  hd_value *from[HD_MAX_RANK], *to[HD_MAX_RANK], *by[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    from[d] = hd_hlo_size(b, d == p->dim ? p->start : 0), by[d] = hd_hlo_size(b, d == p->dim ? p->step : 1);
    to[d] = hd_hlo_size_of(b, x, d);
  }
  hd_dim end = hd_dim_add(t, hd_dim_mul(t, p->count, hd_dim_const(t, p->step)), hd_dim_const(t, p->start));
  if (!hd_dim_at_most(t, whole, end)) {
    hd_value *length =
        hd_hlo_size_op(b, HD_OP_stablehlo_multiply, hd_hlo_size_of(b, p->indices, p->line), hd_hlo_size(b, p->step));
    hd_value *limit = hd_hlo_size_op(b, HD_OP_stablehlo_add, length, from[p->dim]);
    to[p->dim] = hd_dim_at_most(t, end, whole) ? limit : hd_stablehlo_minimum(b, limit, to[p->dim]);
  }
  hd_value *taken = hd_build(b, HD_OP_stablehlo_real_dynamic_slice, type, x, hd_hlo_shape(b, from, rank),
                             hd_hlo_shape(b, to, rank), hd_hlo_shape(b, by, rank));
  hd_dim dims[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d == p->dim ? p->count : hd_shapes_dim(shapes, x, d);
  hd_shapes_set_dims(shapes, taken, dims, rank);
  return taken;
}

/* Are the indices |p| of |operand| an arithmetic progression that is proven to be in bounds? */
static bool are_steps(hd_shapes *shapes, hd_value *operand, dim_indices *p) {
  hd_dim_table *t = &shapes->table;
  progression i;
  if (!progression_of(shapes, p->indices, p->line, MOST_FOLLOWED, &i) || !i.step) return false;
  p->count = hd_shapes_dim(shapes, p->indices, p->line);
  hd_dim whole = hd_shapes_dim(shapes, operand, p->dim), last = last_of(shapes, i, p->count),
         inside = hd_dim_sub(t, whole, hd_dim_const(t, 1));
  if (!last) return false;
  p->back = i.step < 0;
  p->step = p->back ? -i.step : i.step;
  hd_dim least = p->back ? last : i.first, most = p->back ? i.first : last;
  return hd_dim_is_const(t, least, &p->start) && p->start >= 0 && hd_dim_at_most(t, most, inside) &&
         hd_dim_at_most(t, least, whole) && holds_indices(p->indices->type, most);
}

bool hd_gather_steps(hd_shapes *shapes, hd_op *op, hd_attr numbers) {
  dim_indices of[HD_MAX_RANK];
  uint32_t count, back_count = 0;
  hd_value *taken = hd_operand(op, 0);
  if (!find_dim_indices(shapes, op, numbers, of, &count)) return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!are_steps(shapes, taken, &of[i])) return false;
  hd_builder b = hd_builder_before(op);
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(type);
  int64_t sizes[HD_MAX_RANK], back[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) sizes[d] = hd_type_dim(taken->type, d);
  for (uint32_t i = 0; i < count; ++i) {
    sizes[of[i].dim] = hd_type_dim(type, of[i].dim);
    taken = slice(shapes, &b, taken, &of[i], hd_type_with_dims(type, sizes, rank));
    if (of[i].back) back[back_count++] = of[i].dim;
  }
  if (back_count) taken = hd_stablehlo_reverse(&b, hd_attr_i64_array(b.context, back, back_count), taken);
  if (taken->type != type) taken = hd_hlo_retype(&b, taken, type);
  hd_dim dims[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_shapes_dim(shapes, hd_result(op, 0), d);
  if (taken != hd_operand(op, 0)) hd_shapes_set_dims(shapes, taken, dims, rank);
  hd_op_replace(op, &taken);
  return true;
}
