/* SPDX-License-Identifier: Apache-2.0 */
/* Part of gather-to-slice: a gather of single places of one dim, each a step after the other, all proven to be inside,
 * is a slice.
 *
 *   %i = 1 + 2 * iota
 *   gather %x[n, 64], %i : 32 x 1, dim 1 left out   ->   slice %x [0:n, 1:64:2]
 *
 * JAX writes x[:, 1::2] and x[:, ::-1] so under unknown dims. Steps back are a slice, reversed. The first place is
 * inside too where there is none: a slice of nothing may not begin after its operand. */
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
 * proven to be in a dim, and the type has a dim's numbers (has_places), they are equal. */
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

/* Does the type of indices have places up to |most|? Of 32 bits and more it has those of all dims. */
static bool has_places(hd_type indices, hd_dim most) {
  hd_type element = hd_type_element(indices);
  uint32_t bits = element->kind == HD_TYPE_INTEGER ? element->integer.width : 64;
  if (bits < 32 && element->integer.signedness != HD_UNSIGNED) --bits;
  return bits >= 31 || hd_dim_upper(most) < (int64_t)1 << bits;
}

/* What the gather takes: single places of dim |dim| of its operand, along dim |line| of its indices. */
typedef struct places {
  uint32_t dim;
  hd_value *operand, *indices;
} places;

static bool takes_places(hd_shapes *shapes, hd_op *op, hd_attr n, places *out) {
  out->operand = hd_operand(op, 0), out->indices = hd_operand(op, 1);
  hd_attr map = hd_attr_stablehlo_gather_start_index_map(n), offsets = hd_attr_stablehlo_gather_offset_dims(n),
          collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  uint32_t rank = hd_type_rank(out->operand->type), lines = hd_type_rank(out->indices->type);
  int64_t vector = hd_attr_stablehlo_gather_index_vector_dim(n);
  if (hd_attr_count(hd_attr_stablehlo_gather_operand_batching_dims(n)) || hd_attr_count(map) != 1 ||
      hd_attr_count(collapsed) != 1 || hd_attr_int_at(map, 0) != hd_attr_int_at(collapsed, 0))
    return false;
  out->dim = (uint32_t)hd_attr_int_at(map, 0);
  if (vector != 1 || lines < 1 || lines > 2 || (lines == 2 && hd_type_dim(out->indices->type, 1) != 1)) return false;
  if (hd_attr_find_int(offsets, out->dim) >= 0 || hd_type_rank(hd_result_type(op, 0)) != rank) return false;
  for (uint32_t d = 0; d < rank; ++d)
    if (d != out->dim && !hd_dim_equal(&shapes->table, hd_shapes_dim(shapes, out->operand, d),
                                       hd_shapes_dim(shapes, hd_result(op, 0), d)))
      return false;
  return true;
}

/* Elements |start|, |start| + |step|, ... of |p|'s dim, |count| of them. */
static hd_value *slice(hd_shapes *shapes, hd_builder *b, const places *p, int64_t start, int64_t step, hd_dim count,
                       hd_type type) {
  hd_dim_table *t = &shapes->table;
  uint32_t rank = hd_type_rank(type);
  hd_dim whole = hd_shapes_dim(shapes, p->operand, p->dim);
  if (start == 0 && step == 1 && hd_dim_equal(t, whole, count)) return p->operand;
  if (hd_type_is_static(p->operand->type) && hd_type_is_static(type)) {
    int64_t starts[HD_MAX_RANK] = {0}, limits[HD_MAX_RANK], steps[HD_MAX_RANK];
    for (uint32_t d = 0; d < rank; ++d) limits[d] = hd_type_dim(type, d), steps[d] = 1;
    int64_t places = limits[p->dim];
    starts[p->dim] = start, steps[p->dim] = step, limits[p->dim] = places ? start + (places - 1) * step + 1 : start;
    return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, starts, rank),
                              hd_attr_i64_array(b->context, limits, rank), hd_attr_i64_array(b->context, steps, rank),
                              p->operand);
  }
  hd_value *from[HD_MAX_RANK], *to[HD_MAX_RANK], *by[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    from[d] = hd_hlo_size(b, d == p->dim ? start : 0), by[d] = hd_hlo_size(b, d == p->dim ? step : 1);
    to[d] = hd_hlo_size_of(b, p->operand, d);
  }
  hd_dim end = hd_dim_add(t, hd_dim_mul(t, count, hd_dim_const(t, step)), hd_dim_const(t, start));
  if (!hd_dim_at_most(t, whole, end)) {
    hd_value *length =
        hd_hlo_size_op(b, HD_OP_stablehlo_multiply, hd_hlo_size_of(b, p->indices, 0), hd_hlo_size(b, step));
    hd_value *limit = hd_hlo_size_op(b, HD_OP_stablehlo_add, length, from[p->dim]);
    to[p->dim] = hd_dim_at_most(t, end, whole) ? limit : hd_stablehlo_minimum(b, limit, to[p->dim]);
  }
  return hd_build(b, HD_OP_stablehlo_real_dynamic_slice, type, p->operand, hd_hlo_shape(b, from, rank),
                  hd_hlo_shape(b, to, rank), hd_hlo_shape(b, by, rank));
}

bool hd_gather_steps(hd_shapes *shapes, hd_op *op, hd_attr numbers) {
  hd_dim_table *t = &shapes->table;
  places p;
  progression i;
  if (!takes_places(shapes, op, numbers, &p) || !progression_of(shapes, p.indices, 0, MOST_FOLLOWED, &i) || !i.step)
    return false;
  hd_dim count = hd_shapes_dim(shapes, p.indices, 0), last = last_of(shapes, i, count),
         inside = hd_dim_sub(t, hd_shapes_dim(shapes, p.operand, p.dim), hd_dim_const(t, 1));
  if (!last) return false;
  bool back = i.step < 0;
  hd_dim least = back ? last : i.first, most = back ? i.first : last;
  int64_t start, step = back ? -i.step : i.step;
  if (!hd_dim_is_const(t, least, &start) || start < 0 || !hd_dim_at_most(t, most, inside) ||
      !hd_dim_at_most(t, least, hd_shapes_dim(shapes, p.operand, p.dim)) || !has_places(p.indices->type, most))
    return false;
  hd_builder b = hd_builder_before(op);
  hd_type type = hd_result_type(op, 0);
  hd_value *taken = slice(shapes, &b, &p, start, step, count, type);
  if (back) taken = hd_stablehlo_reverse(&b, hd_attr_i64_array(b.context, (int64_t[]){p.dim}, 1), taken);
  if (taken->type != type) taken = hd_hlo_retype(&b, taken, type);
  hd_dim dims[HD_MAX_RANK];
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) dims[d] = hd_shapes_dim(shapes, hd_result(op, 0), d);
  if (taken != p.operand) hd_shapes_set_dims(shapes, taken, dims, hd_type_rank(type));
  hd_op_replace(op, &taken);
  return true;
}
