/* SPDX-License-Identifier: Apache-2.0 */
/* The affine dialect. */
#include <string.h>

#include "ir/eval/memory.h"

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
static hd_status apply(hd_eval_frame *frame, hd_op *op, const char *name, const hd_tensor *in, uint32_t count,
                       int64_t **out, uint32_t *out_count) {
  hd_attr map = hd_op_attr_get(op, name);
  if (!hd_attr_is(map, HD_ATTR_AFFINE_MAP)) return hd_make_status(HD_INVALID_ARGUMENT, "lacks map '%s'", name);
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
  HD_TRY(apply(frame, op, "map", in, op->operand_count, &values, &count));
  if (!count) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty map");
  int64_t best = values[0];
  for (uint32_t i = 1; i < count; ++i)
    if (sign * values[i] > sign * best) best = values[i];
  return hd_eval_int_result(frame, op, 0, best, out);
}
HD_EVAL_HOOK(affine_apply) { return extreme(frame, op, in, out, 1); }
HD_EVAL_HOOK(affine_max) { return extreme(frame, op, in, out, 1); }
HD_EVAL_HOOK(affine_min) { return extreme(frame, op, in, out, -1); }

HD_EVAL_HOOK(affine_load) {
  int64_t *index;
  uint32_t count;
  char *from;
  HD_TRY(apply(frame, op, "map", in + 1, op->operand_count - 1, &index, &count));
  HD_TRY(hd_memref_address(&in[0], index, 1, &from));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), from, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_store) {
  int64_t *index;
  uint32_t count;
  char *to;
  HD_TRY(apply(frame, op, "map", in + 2, op->operand_count - 2, &index, &count));
  HD_TRY(hd_memref_address(&in[1], index, 1, &to));
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[1])->storage));
  memcpy(to, hd_tensor_data(&in[0]), in[0].buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(affine_for) {
  uint32_t first, count, n = op->result_count, lower_count, upper_count;
  int64_t *lower, *upper;
  hd_op_operand_range(op, 0, &first, &count);
  HD_TRY(apply(frame, op, "lowerBoundMap", in + first, count, &lower, &lower_count));
  hd_op_operand_range(op, 1, &first, &count);
  HD_TRY(apply(frame, op, "upperBoundMap", in + first, count, &upper, &upper_count));
  hd_op_operand_range(op, 2, &first, &count);
  int64_t low = INT64_MIN, high = INT64_MAX, step = hd_op_int_attr(op, "step", 1);
  for (uint32_t i = 0; i < lower_count; ++i) low = lower[i] > low ? lower[i] : low;
  for (uint32_t i = 0; i < upper_count; ++i) high = upper[i] < high ? upper[i] : high;
  if (step <= 0) return hd_make_status(HD_INVALID_ARGUMENT, "steps by %lld", (long long)step);
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
  hd_attr set = hd_op_attr_get(op, "condition");
  if (!hd_attr_is(set, HD_ATTR_AFFINE_SET)) return hd_make_status(HD_INVALID_ARGUMENT, "lacks its set");
  int64_t *dims;
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
