/* SPDX-License-Identifier: Apache-2.0 */
/* vector.transfer_read and transfer_write, whose boxes may reach outside, and vector.mask. */
#include <string.h>

#include "eval/core/run.h"
#include "eval/machine/vectors.h"
#include "ir/ops/interfaces.h"

/* ---- masks ---- */

const hd_tensor *hd_eval_take_mask(hd_eval_frame *frame) {
  const hd_tensor *mask = frame->evaluator->mask;
  frame->evaluator->mask = NULL;
  return mask;
}

HD_EVAL_HOOK(vector_mask) {
  hd_evaluator *e = frame->evaluator;
  hd_block *body = hd_op_region(op, 0)->first;
  bool empty = !body || body->first == body->last;
  e->mask = empty ? NULL : &in[0];
  hd_status status = hd_eval_region(frame, op, 0, NULL, 0, out, op->result_count);
  bool taken = !e->mask;
  e->mask = NULL;
  HD_TRY(status);
  if (!taken) return hd_make_status(HD_UNIMPLEMENTED, "masks an op that the evaluator runs without masks");
  if (op->operand_count < 2) return HD_STATUS_OK;
  /* Lanes whose mask is off come from the second operand. */
  hd_tensor chosen;
  size_t lanes = hd_lanes_of(out[0].type), bytes = hd_vector_bytes(out[0].type);
  if (lanes != hd_lanes_of(in[0].type) || in[1].type != out[0].type)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a mask or values of another shape than its result");
  HD_TRY(hd_eval_value(frame, out[0].type, &chosen));
  for (size_t i = 0; i < lanes; ++i)
    memcpy(hd_vector_lane(&chosen, i), hd_vector_lane(*hd_vector_lane(&in[0], i) ? &out[0] : &in[1], i), bytes);
  hd_tensor_release(&out[0]);
  out[0] = chosen;
  return HD_STATUS_OK;
}

/* ---- transfers ---- */

/* A box of |vector|'s shape in |base|, a tensor or memref. */
typedef struct transfer {
  hd_op *op;
  const hd_tensor *base, *mask; /* mask: null: all lanes */
  hd_type vector;
  hd_attr map, in_bounds;
  int64_t *start;
  int64_t strides[HD_MAX_RANK]; /* of a tensor */
  uint32_t rank, own;           /* of the base and of the vector */
} transfer;

static hd_status open_transfer(hd_eval_frame *frame, hd_op *op, const hd_tensor *base, const hd_tensor *indices,
                               const hd_tensor *mask, hd_type vector, transfer *t) {
  const hd_tensor *outer = hd_eval_take_mask(frame);
  *t = (transfer){.op = op, .base = base, .mask = mask ? mask : outer, .vector = vector};
  t->map = hd_transfer_like_permutation_map(op);
  t->in_bounds = hd_transfer_like_in_bounds(op);
  t->rank = base->type->shaped.rank;
  t->own = vector->shaped.rank;
  if (mask && outer) return hd_make_status(HD_INVALID_ARGUMENT, "has two masks");
  if (!hd_attr_is(t->map, HD_ATTR_AFFINE_MAP) || t->map->affine.dims != t->rank || t->map->affine.count != t->own)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a map of other dims than its box");
  if (base->type->shaped.element != vector->shaped.element)
    return hd_make_status(HD_UNIMPLEMENTED, "moves elements that are vectors");
  if (hd_tensor_is_tensor(base)) hd_strides_of(t->rank, hd_tensor_dims(base), t->strides);
  return hd_eval_index_operands(frame, indices, t->rank, &t->start);
}

/* The element of the base at lane |index| of the box, null where there is none: outside, or masked off. */
static hd_status place_of(const transfer *t, const int64_t *index, char **out) {
  const int64_t *dims = hd_is_memref(t->base) ? hd_memref_sizes(t->base) : hd_tensor_dims(t->base);
  int64_t at[HD_MAX_RANK];
  bool used[HD_MAX_RANK] = {false};
  int64_t lane_of[HD_MAX_RANK] = {0}, sizes[HD_MAX_RANK];
  *out = NULL;
  memcpy(at, t->start, t->rank * sizeof *at);
  bool inside = true;
  for (uint32_t r = 0; r < t->own; ++r) {
    hd_affine e = t->map->affine.results[r];
    if (e->kind == HD_AFFINE_CONST && e->value == 0) continue; /* one element for all lanes of the dim */
    if (e->kind != HD_AFFINE_DIM) return hd_make_status(HD_INVALID_ARGUMENT, "has a map that is no permutation");
    uint32_t d = (uint32_t)e->value;
    if (__builtin_add_overflow(at[d], index[r], &at[d])) at[d] = INT64_MAX;
    used[d] = true;
    lane_of[d] = index[r];
    sizes[d] = t->vector->shaped.dims[r];
  }
  if (t->mask) { /* its dims are those of the base that the box has, in the base's order */
    size_t lane = 0;
    for (uint32_t d = 0; d < t->rank; ++d)
      if (used[d]) lane = lane * (size_t)sizes[d] + (size_t)lane_of[d];
    if (lane >= hd_lanes_of(t->mask->type)) return hd_make_status(HD_INVALID_ARGUMENT, "has a mask of too few lanes");
    if (!*hd_vector_lane(t->mask, lane)) return HD_STATUS_OK;
  }
  for (uint32_t r = 0; r < t->own; ++r) {
    hd_affine e = t->map->affine.results[r];
    if (e->kind != HD_AFFINE_DIM || (at[e->value] >= 0 && at[e->value] < dims[e->value])) continue;
    if (r < hd_attr_count(t->in_bounds) && hd_attr_int_at(t->in_bounds, r))
      return hd_make_status(HD_INVALID_ARGUMENT, "reaches index %lld of dim %lld, which is not in [0, %lld)",
                            (long long)at[e->value], (long long)e->value, (long long)dims[e->value]);
    inside = false;
  }
  if (!inside) return HD_STATUS_OK;
  if (hd_is_memref(t->base)) return hd_memref_address(t->base, at, 1, out);
  int64_t offset = 0;
  for (uint32_t d = 0; d < t->rank; ++d) {
    if (at[d] < 0 || at[d] >= dims[d]) return hd_make_status(HD_INVALID_ARGUMENT, "has an index outside of its tensor");
    offset += at[d] * t->strides[d];
  }
  *out = (char *)hd_tensor_data(t->base) + (size_t)offset * hd_vector_bytes(t->vector);
  return HD_STATUS_OK;
}

/* Operand |item| of the segments; null when it is left out. */
static const hd_tensor *optional(hd_op *op, const hd_tensor *in, uint32_t item) {
  uint32_t first, count;
  hd_op_operand_range(op, item, &first, &count);
  return count ? &in[first] : NULL;
}

HD_EVAL_HOOK(vector_transfer_read) {
  transfer t;
  hd_type vector = hd_result_type(op, 0);
  uint32_t rank = in[0].type->shaped.rank;
  if (!hd_type_is(vector, HD_TYPE_VECTOR)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a vector as result");
  HD_TRY(open_transfer(frame, op, &in[0], in + 1, optional(op, in, 3), vector, &t));
  HD_TRY(hd_eval_value(frame, vector, out));
  int64_t index[HD_MAX_RANK] = {0};
  size_t lane = 0, bytes = hd_vector_bytes(vector);
  do {
    char *from;
    HD_TRY(place_of(&t, index, &from));
    memcpy(hd_vector_lane(out, lane++), from ? from : hd_tensor_data(&in[1 + rank]), bytes);
  } while (hd_index_next(t.own, vector->shaped.dims, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_transfer_write) {
  transfer t;
  hd_type vector = in[0].type;
  hd_tensor copy = {0}, base = in[1];
  if (!hd_type_is(vector, HD_TYPE_VECTOR)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a vector to write");
  if (hd_is_memref(&in[1])) {
    HD_TRY(hd_storage_write(frame, hd_memref_of(&in[1])->storage));
  } else {
    HD_TRY(hd_tensor_create(hd_frame_heap(frame), in[1].type, &copy));
    memcpy(hd_tensor_data(&copy), hd_tensor_data(&in[1]), in[1].buffer->size);
    base = copy;
  }
  HD_TRY(open_transfer(frame, op, &base, in + 2, optional(op, in, 3), vector, &t));
  int64_t index[HD_MAX_RANK] = {0};
  size_t lane = 0, bytes = hd_vector_bytes(vector);
  do {
    char *to;
    HD_TRY(place_of(&t, index, &to));
    if (to) memcpy(to, hd_vector_lane(&in[0], lane), bytes);
    ++lane;
  } while (hd_index_next(t.own, vector->shaped.dims, index));
  if (op->result_count) out[0] = copy;
  return HD_STATUS_OK;
}

/* A memref of scalars as one of a vector. */
HD_EVAL_HOOK(vector_type_cast) {
  char *base;
  HD_TRY(hd_memref_place(&in[0], 0, &base));
  HD_TRY(hd_memref_create(frame, hd_result_type(op, 0), hd_memref_of(&in[0])->storage, base, 0, NULL, NULL, out));
  return hd_memref_check(out);
}
