/* SPDX-License-Identifier: Apache-2.0 */
/* vector ops that only move elements. A vector of any rank is a flat list of elements (part by part); an op is a map
 * from flat result elements to flat source elements, and pick() makes a part from such a map by shuffles. */
#include "ir/ops/interfaces.h"
#include "ir/ops/vector.h"
#include "target/llvm/translate.h"

enum { POISON = -1 };

/* Dims of a vector type as rank >= 1, with the sizes of its rows. */
typedef struct shape {
  uint32_t rank;
  int64_t dims[HD_COMPILED_MAX_RANK], strides[HD_COMPILED_MAX_RANK];
  int64_t count, lanes; /* elements; elements of a part */
} shape;

static bool shape_of(hd_lower *l, hd_op *op, hd_type type, shape *out) {
  *out = (shape){.count = 1, .lanes = 1};
  if (type->kind != HD_TYPE_VECTOR) return true;
  if (type->shaped.rank > HD_COMPILED_MAX_RANK)
    return hd_lower_fail(l, op, "has a vector of more than %d dims", HD_COMPILED_MAX_RANK);
  if (!hd_lower_part_count(l, op, type) || !hd_lower_part_type(l, op, type, 0)) return false;
  out->rank = type->shaped.rank;
  for (uint32_t i = out->rank; i-- > 0;) {
    out->dims[i] = type->shaped.dims[i];
    out->strides[i] = out->count;
    out->count *= out->dims[i];
  }
  if (out->rank) out->lanes = out->dims[out->rank - 1];
  return true;
}

/* Elements from[0..lanes) of the concatenation of |a| and |b| (may be null), each with |source_lanes| lanes a part. */
static LLVMValueRef pick(hd_lower *l, const hd_parts *a, const hd_parts *b, int64_t source_lanes, const int64_t *from,
                         int64_t lanes) {
  LLVMTypeRef source_type = LLVMTypeOf(a->at[0]), type = LLVMVectorType(hd_lower_scalar(source_type), (unsigned)lanes);
  LLVMValueRef poison = LLVMGetPoison(source_type), result = NULL;
  LLVMValueRef *mask = hd_new_array(l->arena, LLVMValueRef, lanes);
  bool *done = hd_new_array(l->arena, bool, lanes);
#define PART(flat) \
  ((flat) / source_lanes < a->count ? a->at[(flat) / source_lanes] : b->at[(flat) / source_lanes - a->count])
  for (int64_t i = 0; i < lanes; ++i) {
    if (done[i] || from[i] == POISON) continue;
    /* This part and one more; lanes of others wait for the next turn. */
    int64_t first = from[i] / source_lanes, second = -1;
    bool identity = lanes == source_lanes;
    for (int64_t k = 0; k < lanes; ++k) {
      int64_t part = from[k] == POISON ? -1 : from[k] / source_lanes;
      mask[k] = LLVMGetUndef(l->i32);
      if (part < 0 || done[k]) continue;
      if (part != first && second < 0) second = part;
      if (part != first && part != second) continue;
      int64_t lane = from[k] % source_lanes + (part == first ? 0 : source_lanes);
      identity = identity && part == first && lane == k;
      mask[k] = LLVMConstInt(l->i32, (uint64_t)lane, false);
      done[k] = true;
    }
    LLVMValueRef piece;
    if (identity) {
      piece = PART(from[i]);
    } else {
      LLVMValueRef x = first < a->count ? a->at[first] : b->at[first - a->count];
      LLVMValueRef y = second < 0 ? poison : second < a->count ? a->at[second] : b->at[second - a->count];
      piece = LLVMBuildShuffleVector(l->builder, x, y, LLVMConstVector(mask, (unsigned)lanes), "");
    }
    if (!result) {
      result = piece;
      continue;
    }
    for (int64_t k = 0; k < lanes; ++k) {
      bool here = from[k] != POISON && (from[k] / source_lanes == first || from[k] / source_lanes == second);
      mask[k] = LLVMConstInt(l->i32, (uint64_t)(here ? lanes + k : k), false);
    }
    result = LLVMBuildShuffleVector(l->builder, result, piece, LLVMConstVector(mask, (unsigned)lanes), "");
  }
#undef PART
  return result ? result : LLVMGetPoison(type);
}

/* Sets result |r| of |op| from a map of all its elements. */
static void set_picked(hd_lower *l, hd_op *op, uint32_t r, const shape *to, const hd_parts *a, const hd_parts *b,
                       int64_t source_lanes, const int64_t *map) {
  uint32_t count = (uint32_t)(to->count / to->lanes);
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p)
    out->at[p] = pick(l, a, b, source_lanes, map + (int64_t)p * to->lanes, to->lanes);
  hd_lower_set(l, hd_result(op, r), out);
}

/* The coordinates of flat element |flat|. */
static void unflatten(const shape *s, int64_t flat, int64_t *out) {
  for (uint32_t i = 0; i < s->rank; ++i) out[i] = flat / s->strides[i] % s->dims[i];
}

static bool is_vector(hd_value *value) { return value->type->kind == HD_TYPE_VECTOR; }

static bool lower_broadcast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_value *source = hd_operand(op, 0);
  shape from, to;
  if (!shape_of(l, op, source->type, &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  hd_parts *parts = hd_lower_parts(l, source);
  uint32_t count = (uint32_t)(to.count / to.lanes);
  if (!is_vector(source)) {
    hd_parts *out = hd_lower_new_parts(l, count);
    LLVMValueRef splat = hd_lower_splat(l, parts->at[0], (uint32_t)to.lanes);
    for (uint32_t p = 0; p < count; ++p) out->at[p] = splat;
    hd_lower_set(l, hd_result(op, 0), out);
    return true;
  }
  if (from.rank > to.rank) return hd_lower_fail(l, op, "lowers the rank");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count), at[HD_COMPILED_MAX_RANK];
  for (int64_t i = 0; i < to.count; ++i) {
    unflatten(&to, i, at);
    for (uint32_t d = 0; d < from.rank; ++d) {
      int64_t where = at[to.rank - from.rank + d];
      map[i] += (from.dims[d] == 1 ? 0 : where) * from.strides[d];
      if (where >= from.dims[d] && from.dims[d] != 1) return hd_lower_fail(l, op, "stretches a dim that is not 1");
    }
  }
  set_picked(l, op, 0, &to, parts, NULL, from.lanes, map);
  return true;
}

/* Rows of the leading dim for rank > 1, elements for rank 1. */
static bool lower_shuffle(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr mask = hd_vector_shuffle_mask(op);
  shape a, b, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &a) || !shape_of(l, op, hd_operand_type(op, 1), &b) ||
      !shape_of(l, op, hd_result_type(op, 0), &to))
    return false;
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *y = hd_lower_parts(l, hd_operand(op, 1));
  int64_t rows = to.rank ? to.dims[0] : 1, row = to.count / rows;
  if (!mask || (int64_t)hd_attr_count(mask) != rows)
    return hd_lower_fail(l, op, "expected a mask of %lld entries", (long long)rows);
  int64_t a_rows = a.rank ? a.dims[0] : 1, b_rows = b.rank ? b.dims[0] : 1;
  int64_t *map = hd_new_array(l->arena, int64_t, to.count);
  for (int64_t r = 0; r < rows; ++r) {
    int64_t from = hd_attr_int_at(mask, (size_t)r);
    if (from >= a_rows + b_rows)
      return hd_lower_fail(l, op, "takes element %lld of %lld", (long long)from, (long long)(a_rows + b_rows));
    for (int64_t i = 0; i < row; ++i) map[r * row + i] = from < 0 ? POISON : from * row + i;
  }
  if (a.lanes != b.lanes) { /* only rank 1: widen the shorter with poison */
    int64_t lanes = a.lanes > b.lanes ? a.lanes : b.lanes;
    int64_t *widen = hd_new_array(l->arena, int64_t, lanes);
    hd_parts *wide[2];
    for (int side = 0; side < 2; ++side) {
      int64_t own = side ? b.lanes : a.lanes;
      for (int64_t i = 0; i < lanes; ++i) widen[i] = i < own ? i : POISON;
      wide[side] = hd_lower_new_parts(l, 1);
      wide[side]->at[0] = pick(l, side ? y : x, NULL, own, widen, lanes);
    }
    for (int64_t i = 0; i < to.count; ++i)
      if (map[i] >= a.lanes) map[i] += lanes - a.lanes;
    set_picked(l, op, 0, &to, wide[0], wide[1], lanes, map);
    return true;
  }
  set_picked(l, op, 0, &to, x, y, a.lanes, map);
  return true;
}

static bool lower_shape_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape from, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (from.count != to.count) return hd_lower_fail(l, op, "changes the number of elements");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count);
  for (int64_t i = 0; i < to.count; ++i) map[i] = i;
  set_picked(l, op, 0, &to, hd_lower_parts(l, hd_operand(op, 0)), NULL, from.lanes, map);
  return true;
}

static bool lower_transpose(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr permutation = hd_vector_transpose_permutation(op);
  shape from, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (!permutation || hd_attr_count(permutation) != from.rank || from.count != to.count || from.rank != to.rank)
    return hd_lower_fail(l, op, "expected a permutation of the dims");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count), at[HD_COMPILED_MAX_RANK];
  for (int64_t i = 0; i < to.count; ++i) {
    unflatten(&to, i, at);
    for (uint32_t d = 0; d < to.rank; ++d) {
      int64_t source = hd_attr_int_at(permutation, d);
      if (source < 0 || source >= from.rank || from.dims[source] != to.dims[d])
        return hd_lower_fail(l, op, "expected a permutation of the dims");
      map[i] += at[d] * from.strides[source];
    }
  }
  set_picked(l, op, 0, &to, hd_lower_parts(l, hd_operand(op, 0)), NULL, from.lanes, map);
  return true;
}

static bool lower_interleave(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape from, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (to.count != 2 * from.count) return hd_lower_fail(l, op, "expected a result of twice the elements");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count);
  for (int64_t i = 0; i < to.count; ++i) map[i] = i / 2 + (i % 2) * from.count;
  set_picked(l, op, 0, &to, hd_lower_parts(l, hd_operand(op, 0)), hd_lower_parts(l, hd_operand(op, 1)), from.lanes,
             map);
  return true;
}

static bool lower_deinterleave(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape from, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (from.count != 2 * to.count) return hd_lower_fail(l, op, "expected results of half the elements");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count);
  for (uint32_t r = 0; r < 2; ++r) {
    for (int64_t i = 0; i < to.count; ++i) map[i] = 2 * i + r;
    set_picked(l, op, r, &to, hd_lower_parts(l, hd_operand(op, 0)), NULL, from.lanes, map);
  }
  return true;
}

/* An entry of an array-of-integers attribute, |otherwise| past its end. */
static int64_t int_at(hd_attr list, size_t i, int64_t otherwise) {
  return list && i < hd_attr_count(list) ? hd_attr_int_at(list, i) : otherwise;
}

static bool lower_extract_slice(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr offsets = hd_strided_slice_like_offsets(op), strides = hd_strided_slice_like_strides(op);
  shape from, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (from.rank != to.rank) return hd_lower_fail(l, op, "changes the rank");
  int64_t *map = hd_new_array(l->arena, int64_t, to.count), at[HD_COMPILED_MAX_RANK];
  for (int64_t i = 0; i < to.count; ++i) {
    unflatten(&to, i, at);
    for (uint32_t d = 0; d < to.rank; ++d) {
      int64_t where = int_at(offsets, d, 0) + at[d] * int_at(strides, d, 1);
      if (where < 0 || where >= from.dims[d]) return hd_lower_fail(l, op, "leaves its source");
      map[i] += where * from.strides[d];
    }
  }
  set_picked(l, op, 0, &to, hd_lower_parts(l, hd_operand(op, 0)), NULL, from.lanes, map);
  return true;
}

static bool lower_insert_slice(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr offsets = hd_strided_slice_like_offsets(op), strides = hd_strided_slice_like_strides(op);
  shape small, to;
  if (!shape_of(l, op, hd_operand_type(op, 0), &small) || !shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (!small.rank || small.rank > to.rank || small.lanes > to.lanes)
    return hd_lower_fail(l, op, "expected a smaller vector to insert");
  hd_parts *dest = hd_lower_parts(l, hd_operand(op, 1)), *value = hd_lower_parts(l, hd_operand(op, 0));
  /* Both sources with the lanes of the destination. */
  hd_parts *wide = hd_lower_new_parts(l, value->count);
  int64_t *widen = hd_new_array(l->arena, int64_t, to.lanes);
  for (int64_t i = 0; i < to.lanes; ++i) widen[i] = i < small.lanes ? i : POISON;
  for (uint32_t p = 0; p < value->count; ++p) {
    for (int64_t i = 0; i < small.lanes; ++i) widen[i] = (int64_t)p * small.lanes + i;
    wide->at[p] = pick(l, value, NULL, small.lanes, widen, to.lanes);
  }
  int64_t *map = hd_new_array(l->arena, int64_t, to.count), at[HD_COMPILED_MAX_RANK];
  for (int64_t i = 0; i < to.count; ++i) map[i] = i;
  uint32_t lead = to.rank - small.rank;
  for (int64_t i = 0; i < small.count; ++i) {
    unflatten(&small, i, at);
    int64_t flat = 0;
    for (uint32_t d = 0; d < to.rank; ++d) {
      int64_t where = int_at(offsets, d, 0) + (d < lead ? 0 : at[d - lead] * int_at(strides, d - lead, 1));
      if (where < 0 || where >= to.dims[d]) return hd_lower_fail(l, op, "leaves its destination");
      flat += where * to.strides[d];
    }
    map[flat] = to.count + i / small.lanes * to.lanes + i % small.lanes;
  }
  set_picked(l, op, 0, &to, dest, wide, to.lanes, map);
  return true;
}

/* Positions of extract and insert: static ones, HD_DYNAMIC where the next operand is. */
typedef struct position {
  size_t count;
  int64_t known[HD_COMPILED_MAX_RANK];
  LLVMValueRef value[HD_COMPILED_MAX_RANK]; /* null where known */
} position;

static bool take_position(hd_lower *l, hd_op *op, uint32_t next, const shape *s, position *out) {
  hd_attr list = hd_positioned_static_position(op);
  out->count = list ? hd_attr_count(list) : 0;
  if (out->count > s->rank) return hd_lower_fail(l, op, "has more positions than dims");
  for (size_t i = 0; i < out->count; ++i) {
    out->known[i] = hd_attr_int_at(list, i);
    out->value[i] = NULL;
    if (out->known[i] == HD_DYNAMIC) {
      if (next >= op->operand_count) return hd_lower_fail(l, op, "lacks a position operand");
      LLVMValueRef value = hd_lower_operand(l, op, next++);
      if (LLVMIsAConstantInt(value))
        out->known[i] = LLVMConstIntGetSExtValue(value);
      else
        out->value[i] = value;
    }
    if (!out->value[i] && (out->known[i] < 0 || out->known[i] >= s->dims[i]))
      return hd_lower_fail(l, op, "has position %lld of %lld", (long long)out->known[i], (long long)s->dims[i]);
  }
  return true;
}

/* The first part of the row at the leading |count| positions; |*out_dynamic| is an i64 part number where unknown. */
static int64_t row_start(hd_lower *l, const shape *s, const position *at, size_t count, LLVMValueRef *out_dynamic) {
  int64_t start = 0;
  LLVMValueRef dynamic = NULL;
  for (size_t i = 0; i < count; ++i) {
    int64_t parts = s->strides[i] / s->lanes;
    if (at->value[i]) {
      LLVMValueRef term = LLVMBuildMul(l->builder, at->value[i], hd_lower_i64(l, parts), "");
      dynamic = dynamic ? LLVMBuildAdd(l->builder, dynamic, term, "") : term;
    } else {
      start += at->known[i] * parts;
    }
  }
  *out_dynamic = dynamic ? LLVMBuildAdd(l->builder, dynamic, hd_lower_i64(l, start), "") : NULL;
  return start;
}

static LLVMValueRef part_is(hd_lower *l, LLVMValueRef dynamic, uint32_t part) {
  return LLVMBuildICmp(l->builder, LLVMIntEQ, dynamic, hd_lower_i64(l, part), "");
}

static bool lower_extract(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape s;
  position at;
  if (!shape_of(l, op, hd_operand_type(op, 0), &s) || !take_position(l, op, 1, &s, &at)) return false;
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  bool scalar = at.count == s.rank && !hd_type_is(hd_result_type(op, 0), HD_TYPE_VECTOR);
  size_t leading = at.count == s.rank && s.rank ? at.count - 1 : at.count;
  LLVMValueRef dynamic;
  int64_t start = row_start(l, &s, &at, leading, &dynamic);
  uint32_t count = leading ? (uint32_t)(s.strides[leading - 1] / s.lanes) : parts->count;
  hd_parts *row = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    row->at[p] = parts->at[dynamic ? p : start + p];
    /* Among the rows by selects: rows are registers, not memory. */
    for (uint32_t k = p; dynamic && k + count <= parts->count + p; k += count) {
      LLVMValueRef here = LLVMBuildICmp(
          l->builder, LLVMIntEQ, LLVMBuildAdd(l->builder, dynamic, hd_lower_i64(l, p), ""), hd_lower_i64(l, k), "");
      row->at[p] = LLVMBuildSelect(l->builder, here, parts->at[k], row->at[p], "");
    }
  }
  if (!scalar) {
    hd_lower_set(l, hd_result(op, 0), row);
    return true;
  }
  LLVMValueRef lane = s.rank == 0            ? hd_lower_i64(l, 0)
                      : at.value[s.rank - 1] ? at.value[s.rank - 1]
                                             : hd_lower_i64(l, at.known[s.rank - 1]);
  return hd_lower_result(l, op, LLVMBuildExtractElement(l->builder, row->at[0], lane, ""));
}

static bool lower_insert(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape s;
  position at;
  if (!shape_of(l, op, hd_operand_type(op, 1), &s) || !take_position(l, op, 2, &s, &at)) return false;
  hd_parts *value = hd_lower_parts(l, hd_operand(op, 0)), *dest = hd_lower_parts(l, hd_operand(op, 1));
  bool scalar = !hd_type_is(hd_operand_type(op, 0), HD_TYPE_VECTOR);
  size_t leading = at.count == s.rank && s.rank ? at.count - 1 : at.count;
  if (!scalar && at.count == s.rank && s.rank) return hd_lower_fail(l, op, "expected a scalar at a full position");
  LLVMValueRef dynamic;
  int64_t start = row_start(l, &s, &at, leading, &dynamic);
  uint32_t count = leading ? (uint32_t)(s.strides[leading - 1] / s.lanes) : dest->count;
  LLVMValueRef lane = s.rank == 0 || at.count < s.rank ? hd_lower_i64(l, 0)
                      : at.value[s.rank - 1]           ? at.value[s.rank - 1]
                                                       : hd_lower_i64(l, at.known[s.rank - 1]);
  hd_parts *out = hd_lower_new_parts(l, dest->count);
  for (uint32_t p = 0; p < dest->count; ++p) {
    out->at[p] = dest->at[p];
    uint32_t of_row = p % count;
    bool may_be_here = dynamic || (p >= start && p < start + count);
    if (!may_be_here || (!scalar && of_row >= value->count)) continue;
    LLVMValueRef replaced =
        scalar ? LLVMBuildInsertElement(l->builder, dest->at[p], value->at[0], lane, "") : value->at[of_row];
    LLVMValueRef here = dynamic ? part_is(l, dynamic, p - of_row) : NULL;
    out->at[p] = here ? LLVMBuildSelect(l->builder, here, replaced, dest->at[p], "") : replaced;
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_from_elements(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape to;
  if (!shape_of(l, op, hd_result_type(op, 0), &to)) return false;
  if (to.count != op->operand_count) return hd_lower_fail(l, op, "expected %lld elements", (long long)to.count);
  hd_parts *out = hd_lower_new_parts(l, (uint32_t)(to.count / to.lanes));
  for (uint32_t p = 0; p < out->count; ++p) {
    LLVMValueRef part = LLVMGetPoison(hd_lower_part_type(l, op, hd_result_type(op, 0), p));
    for (int64_t i = 0; i < to.lanes; ++i) {
      LLVMValueRef element = hd_lower_operand(l, op, (uint32_t)(p * to.lanes + i));
      part = LLVMBuildInsertElement(l->builder, part, element, hd_lower_i64(l, i), "");
    }
    out->at[p] = part;
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_to_elements(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  shape from;
  if (!shape_of(l, op, hd_operand_type(op, 0), &from)) return false;
  if (from.count != op->result_count) return hd_lower_fail(l, op, "expected %lld results", (long long)from.count);
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  for (uint32_t i = 0; i < op->result_count; ++i)
    hd_lower_set_one(
        l, hd_result(op, i),
        LLVMBuildExtractElement(l->builder, parts->at[i / from.lanes], hd_lower_i64(l, i % from.lanes), ""));
  return true;
}

const hd_handler hd_handlers_shuffle[] = {
    {"vector.broadcast", lower_broadcast, 0, NULL},
    {"vector.shuffle", lower_shuffle, 0, NULL},
    {"vector.shape_cast", lower_shape_cast, 0, NULL},
    {"vector.transpose", lower_transpose, 0, NULL},
    {"vector.interleave", lower_interleave, 0, NULL},
    {"vector.deinterleave", lower_deinterleave, 0, NULL},
    {"vector.extract_strided_slice", lower_extract_slice, 0, NULL},
    {"vector.insert_strided_slice", lower_insert_slice, 0, NULL},
    {"vector.extract", lower_extract, 0, NULL},
    {"vector.insert", lower_insert, 0, NULL},
    {"vector.from_elements", lower_from_elements, 0, NULL},
    {"vector.to_elements", lower_to_elements, 0, NULL},
    {NULL, NULL, 0, NULL},
};
