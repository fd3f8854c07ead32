/* SPDX-License-Identifier: Apache-2.0 */
/* The affine dialect. */
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/vectors.h"
#include "ir/ops/affine.h"
#include "ir/ops/interfaces.h"

static hd_status value_of(hd_affine e, const int64_t *dims, uint32_t dim_count, uint32_t count, int64_t *out) {
  if (e->kind == HD_AFFINE_CONST) {
    *out = e->value;
    return HD_STATUS_OK;
  }
  if (e->kind == HD_AFFINE_DIM || e->kind == HD_AFFINE_SYMBOL) {
    uint64_t at = (uint64_t)e->value + (e->kind == HD_AFFINE_SYMBOL ? dim_count : 0);
    if (at >= count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks an operand of its map");
    *out = dims[at];
    return HD_STATUS_OK;
  }
  int64_t a, b;
  HD_TRY(value_of(e->lhs, dims, dim_count, count, &a));
  HD_TRY(value_of(e->rhs, dims, dim_count, count, &b));
  if (e->kind == HD_AFFINE_ADD || e->kind == HD_AFFINE_MUL) {
    *out = e->kind == HD_AFFINE_ADD ? (int64_t)((uint64_t)a + (uint64_t)b) : (int64_t)((uint64_t)a * (uint64_t)b);
    return HD_STATUS_OK;
  }
  if (b <= 0) return hd_make_status(HD_INVALID_ARGUMENT, "divides by %lld in its map", (long long)b);
  int64_t q = a / b, r = a % b;
  if (r < 0) --q, r += b;
  *out = e->kind == HD_AFFINE_MOD ? r : e->kind == HD_AFFINE_CEILDIV && r ? q + 1 : q;
  return HD_STATUS_OK;
}

/* The results of map |name| for operands |in|[first .. first + count). */
static hd_status apply(hd_eval_frame *frame, hd_op *op, hd_name name, const hd_tensor *in, uint32_t count,
                       int64_t **out, uint32_t *out_count) {
  hd_attr map = hd_op_attr_get(op, name);
  if (!hd_attr_is(map, HD_ATTR_AFFINE_MAP))
    return hd_make_status(HD_INVALID_ARGUMENT, "lacks map '%s'", hd_name_text(name));
  int64_t *dims;
  HD_TRY(hd_eval_index_operands(frame, in, count, &dims));
  HD_TRY(hd_eval_temp(frame, map->affine.count + 1, sizeof **out, out));
  *out_count = map->affine.count;
  for (uint32_t i = 0; i < map->affine.count; ++i)
    HD_TRY(value_of(map->affine.results[i], dims, map->affine.dims, count, &(*out)[i]));
  return HD_STATUS_OK;
}

static hd_status extreme(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, int sign) {
  int64_t *values;
  uint32_t count;
  HD_TRY(apply(frame, op, HD_NAME_map, in, op->operand_count, &values, &count));
  if (!count) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty map");
  int64_t best = values[0];
  for (uint32_t i = 1; i < count; ++i)
    if (sign > 0 ? values[i] > best : values[i] < best) best = values[i];
  return hd_eval_int_result(frame, op, 0, best, out);
}
HD_EVAL_HOOK(affine_apply) { return extreme(frame, op, in, out, 1); }
HD_EVAL_HOOK(affine_max) { return extreme(frame, op, in, out, 1); }
HD_EVAL_HOOK(affine_min) { return extreme(frame, op, in, out, -1); }

/* The place in |memref| that the map of |op| gives for |count| |operands|: one index per dim. |value|, what goes there
 * or comes from there, is of the memref's element type, or a vector of it. */
static hd_status place_in(hd_eval_frame *frame, hd_op *op, const hd_tensor *memref, const hd_tensor *operands,
                          uint32_t count, hd_type value, int64_t **out) {
  uint32_t indices, rank = memref->type->shaped.rank;
  hd_type element = memref->type->shaped.element;
  HD_TRY(apply(frame, op, HD_NAME_map, operands, count, out, &indices));
  if (indices != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a map of %u results, one per dim, got %u", rank, indices);
  if (value != element && !(hd_type_is(value, HD_TYPE_VECTOR) && hd_type_element(value) == element))
    return hd_make_status(HD_INVALID_ARGUMENT, "expects memory and value of one element type");
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_load) {
  int64_t *index;
  char *from;
  hd_type type = hd_result_type(op, 0);
  if (type != in[0].type->shaped.element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a result of the memory's element type");
  HD_TRY(place_in(frame, op, &in[0], in + 1, op->operand_count - 1, type, &index));
  HD_TRY(hd_memref_address(&in[0], index, 1, &from));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), from, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_store) {
  int64_t *index;
  char *to;
  if (in[0].type != in[1].type->shaped.element)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a value of the memory's element type");
  HD_TRY(place_in(frame, op, &in[1], in + 2, op->operand_count - 2, in[0].type, &index));
  HD_TRY(hd_memref_address(&in[1], index, 1, &to));
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[1])->storage));
  memcpy(to, hd_tensor_data(&in[0]), in[0].buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_for) {
  uint32_t first, count, n = op->result_count, lower_count, upper_count;
  int64_t *lower, *upper;
  hd_op_operand_range(op, 0, &first, &count);
  HD_TRY(apply(frame, op, HD_NAME_lowerBoundMap, in + first, count, &lower, &lower_count));
  hd_op_operand_range(op, 1, &first, &count);
  HD_TRY(apply(frame, op, HD_NAME_upperBoundMap, in + first, count, &upper, &upper_count));
  hd_op_operand_range(op, 2, &first, &count);
  int64_t low = INT64_MIN, high = INT64_MAX, step = hd_affine_for_step(op);
  for (uint32_t i = 0; i < lower_count; ++i) low = lower[i] > low ? lower[i] : low;
  for (uint32_t i = 0; i < upper_count; ++i) high = upper[i] < high ? upper[i] : high;
  if (step <= 0) return hd_make_status(HD_INVALID_ARGUMENT, "steps by %lld", (long long)step);
  if (count != n) return hd_make_status(HD_INVALID_ARGUMENT, "expects %u initial values, got %u", n, count);
  hd_tensor *args;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *args, &args));
  for (uint32_t i = 0; i < n; ++i) out[i] = hd_tensor_retain(in[first + i]);
  hd_type index = hd_type_index(hd_frame_context(frame));
  for (int64_t i = low; i < high; i += step) {
    HD_TRY(hd_eval_value(frame, index, &args[0]));
    hd_element_store(index, hd_tensor_data(&args[0]), i);
    for (uint32_t k = 0; k < n; ++k) args[1 + k] = out[k];
    hd_status status = hd_eval_region(frame, op, 0, args, n + 1, out, n);
    for (uint32_t k = 0; k <= n; ++k) hd_tensor_release(&args[k]);
    HD_TRY(status);
    HD_TRY(hd_eval_poll(frame));
    if (i > INT64_MAX - step) break;
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_if) {
  hd_attr set = hd_affine_if_condition(op);
  if (!hd_attr_is(set, HD_ATTR_AFFINE_SET)) return hd_make_status(HD_INVALID_ARGUMENT, "lacks its set");
  int64_t *dims;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_type_is(in[i].type, HD_TYPE_INDEX))
      return hd_make_status(HD_INVALID_ARGUMENT, "expects operand %u of type index", i);
  HD_TRY(hd_eval_index_operands(frame, in, op->operand_count, &dims));
  bool holds = true;
  for (uint32_t i = 0; i < set->affine.count; ++i) {
    int64_t value;
    HD_TRY(value_of(set->affine.results[i], dims, set->affine.dims, op->operand_count, &value));
    holds &= set->affine.equality[i] ? value == 0 : value >= 0;
  }
  if (!holds && !hd_op_region(op, 1)->first) return HD_STATUS_OK;
  return hd_eval_region(frame, op, holds ? 0 : 1, NULL, 0, out, op->result_count);
}

HD_EVAL_HOOK(affine_vector_load) {
  int64_t *index;
  HD_TRY(place_in(frame, op, &in[0], in + 1, op->operand_count - 1, hd_result_type(op, 0), &index));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  return hd_eval_move_vector(frame, &in[0], index, out, NULL, false);
}

HD_EVAL_HOOK(affine_vector_store) {
  int64_t *index;
  hd_tensor value = in[0];
  HD_TRY(place_in(frame, op, &in[1], in + 2, op->operand_count - 2, in[0].type, &index));
  return hd_eval_move_vector(frame, &in[1], index, &value, NULL, true);
}

HD_EVAL_HOOK(affine_prefetch) { return HD_STATUS_OK; }

/* The sizes of a mixed basis: the static list, with |dynamic| values where it has none. */
static hd_status basis_of(hd_eval_frame *frame, hd_op *op, const hd_tensor *dynamic, uint32_t count, int64_t **out,
                          uint32_t *out_count) {
  hd_attr list = hd_with_static_basis_static_basis(op);
  uint32_t used = 0;
  *out_count = (uint32_t)hd_attr_count(list);
  HD_TRY(hd_eval_temp(frame, *out_count + 1, sizeof **out, out));
  for (uint32_t i = 0; i < *out_count; ++i) {
    (*out)[i] = hd_attr_int_at(list, i);
    if ((*out)[i] == HD_DYNAMIC && used == count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks a size");
    if ((*out)[i] == HD_DYNAMIC) (*out)[i] = hd_eval_int(&dynamic[used++]);
    if ((*out)[i] < 1) return hd_make_status(HD_INVALID_ARGUMENT, "has a basis of %lld", (long long)(*out)[i]);
  }
  return HD_STATUS_OK;
}

/* The first coordinate takes what is left; a size for it is a promise. */
HD_EVAL_HOOK(affine_delinearize_index) {
  int64_t *basis, rest = hd_eval_int(&in[0]);
  uint32_t count, n = op->result_count;
  HD_TRY(basis_of(frame, op, in + 1, op->operand_count - 1, &basis, &count));
  if (count != n && count + 1 != n) return hd_make_status(HD_INVALID_ARGUMENT, "has a basis of %u sizes", count);
  for (uint32_t i = n; i-- > 0;) {
    int64_t size = i ? basis[count - n + i] : 0, at = rest;
    if (i) {
      at = rest % size < 0 ? rest % size + size : rest % size;
      rest = rest / size - (rest % size < 0);
    }
    HD_TRY(hd_eval_int_result(frame, op, i, at, &out[i]));
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_linearize_index) {
  int64_t *basis, linear = 0;
  uint32_t count, first, n, sizes, size_count;
  hd_op_operand_range(op, 0, &first, &n);
  hd_op_operand_range(op, 1, &sizes, &size_count);
  HD_TRY(basis_of(frame, op, in + sizes, size_count, &basis, &count));
  if (count != n && count + 1 != n) return hd_make_status(HD_INVALID_ARGUMENT, "has a basis of %u sizes", count);
  for (uint32_t i = 0; i < n; ++i)
    linear =
        (int64_t)((uint64_t)linear * (uint64_t)(i ? basis[count - n + i] : 1) + (uint64_t)hd_eval_int(&in[first + i]));
  return hd_eval_int_result(frame, op, 0, linear, out);
}

/* The bounds of |name|: of each group of its map's results the largest or the least. */
static hd_status bounds_of(hd_eval_frame *frame, hd_op *op, hd_name map, hd_name groups, const hd_tensor *in,
                           uint32_t count, uint32_t rank, int sign, int64_t **out) {
  int64_t *values;
  uint32_t value_count, at = 0;
  hd_attr sizes = hd_op_attr_get(op, groups);
  HD_TRY(apply(frame, op, map, in, count, &values, &value_count));
  HD_TRY(hd_eval_temp(frame, rank + 1, sizeof **out, out));
  if (hd_attr_count(sizes) != rank) return hd_make_status(HD_INVALID_ARGUMENT, "lacks bounds");
  for (uint32_t d = 0; d < rank; ++d)
    for (int64_t k = 0, n = hd_attr_int_at(sizes, d); k < n; ++k, ++at) {
      if (at >= value_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks bounds");
      if (k == 0 || (sign > 0 ? values[at] > (*out)[d] : values[at] < (*out)[d])) (*out)[d] = values[at];
    }
  return HD_STATUS_OK;
}

/* *to = *to combined with |value| by reduction |i| of |op|; the first value is taken as it is. */
static hd_status reduce(hd_eval_frame *frame, hd_op *op, uint32_t i, hd_tensor *to, const hd_tensor *value) {
  hd_attr kinds = hd_affine_parallel_reductions(op);
  if (i >= hd_attr_count(kinds)) return hd_make_status(HD_INVALID_ARGUMENT, "gives more values than it reduces");
  hd_tensor result;
  if (hd_type_is_shaped(value->type)) return hd_make_status(HD_UNIMPLEMENTED, "reduces values that are no scalars");
  HD_TRY(hd_eval_value(frame, value->type, &result));
  hd_opcode combination = hd_arith_op_of_atomic_rmw((hd_enum_arith_atomic_rmw_kind)hd_attr_int_at(kinds, i));
  HD_TRY(hd_eval_combine(combination, value->type, hd_tensor_data(to), hd_tensor_data(value), hd_tensor_data(&result)));
  hd_tensor_release(to);
  *to = result;
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_parallel) {
  hd_attr low_map = hd_affine_parallel_lowerBoundsMap(op), steps = hd_affine_parallel_steps(op);
  uint32_t rank = (uint32_t)hd_attr_count(steps), n = op->result_count;
  uint32_t low_count = hd_attr_is(low_map, HD_ATTR_AFFINE_MAP) ? low_map->affine.dims + low_map->affine.symbols : 0;
  if (low_count > op->operand_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks operands of its maps");
  int64_t *low, *high, *at;
  hd_tensor *args, *values;
  HD_TRY(bounds_of(frame, op, HD_NAME_lowerBoundsMap, HD_NAME_lowerBoundsGroups, in, low_count, rank, 1, &low));
  HD_TRY(bounds_of(frame, op, HD_NAME_upperBoundsMap, HD_NAME_upperBoundsGroups, in + low_count,
                   op->operand_count - low_count, rank, -1, &high));
  HD_TRY(hd_eval_temp(frame, rank + 1, sizeof *at, &at));
  HD_TRY(hd_eval_temp(frame, rank + 1, sizeof *args, &args));
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *values, &values));
  hd_type index = hd_type_index(hd_frame_context(frame));
  bool more = true, some = false;
  for (uint32_t d = 0; d < rank; ++d) {
    at[d] = low[d];
    more &= low[d] < high[d];
    if (hd_attr_int_at(steps, d) < 1) return hd_make_status(HD_INVALID_ARGUMENT, "steps by 0 or less");
  }
  while (more) {
    for (uint32_t d = 0; d < rank; ++d) {
      HD_TRY(hd_eval_value(frame, index, &args[d]));
      hd_element_store(index, hd_tensor_data(&args[d]), at[d]);
    }
    HD_TRY(hd_eval_region(frame, op, 0, args, rank, values, n));
    for (uint32_t d = 0; d < rank; ++d) hd_tensor_release(&args[d]);
    for (uint32_t i = 0; i < n; ++i) {
      if (some) HD_TRY(reduce(frame, op, i, &out[i], &values[i]));
      if (!some) out[i] = hd_tensor_retain(values[i]);
      hd_tensor_release(&values[i]);
    }
    some = true;
    more = false;
    for (uint32_t d = rank; d > 0 && !more; --d) {
      more = !__builtin_add_overflow(at[d - 1], hd_attr_int_at(steps, d - 1), &at[d - 1]) && at[d - 1] < high[d - 1];
      if (!more) at[d - 1] = low[d - 1];
    }
    HD_TRY(hd_eval_poll(frame));
  }
  return some || !n ? HD_STATUS_OK : hd_make_status(HD_UNIMPLEMENTED, "reduces over no iteration");
}
