/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/layout/transpose_sink.h"

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"

enum { MAX_OPERANDS = 3 };

/* Operand |x| of an elementwise op as it is before a transpose by |permutation| to |like|'s dims; null when it has no
 * such form. */
static hd_value *untransposed(hd_builder *b, hd_value *x, hd_attr permutation, hd_value *like) {
  hd_op *op = hd_value_op(x);
  if (hd_op_is(op, HD_OP_stablehlo_transpose))
    return hd_stablehlo_transpose_permutation(op) == permutation ? hd_operand(op, 0) : NULL;
  hd_attr constant = hd_value_constant(x);
  if (hd_attr_is(constant, HD_ATTR_DENSE) && constant->dense.splat) {
    hd_type type = hd_type_with_dims(x->type, like->type->shaped.dims, hd_type_rank(like->type));
    return hd_build_hlo_constant(b, hd_attr_dense(type, constant->dense.data, constant->dense.size, true));
  }
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_broadcast_in_dim);
  if (!dynamic && !hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim)) return NULL;
  hd_attr axes = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  uint32_t rank = hd_type_rank(like->type);
  int64_t moved[HD_COMPILED_MAX_RANK];
  hd_value *sizes[HD_COMPILED_MAX_RANK] = {0};
  if (rank > HD_COMPILED_MAX_RANK) return NULL;
  for (size_t i = 0; i < hd_attr_count(axes); ++i)
    moved[i] = hd_attr_int_at(permutation, (size_t)hd_attr_int_at(axes, i));
  if (dynamic) hd_hlo_sizes_of(b, like, sizes);
  return hd_hlo_broadcast(b, hd_operand(op, 0), like->type, moved, dynamic ? hd_hlo_shape(b, sizes, rank) : NULL);
}

/* |op| on |operands|, whose dims are those of |op|'s by |permutation|, and the transpose that makes up for it. */
static hd_value *rebuild(hd_builder *b, hd_op *op, hd_value *const *operands, hd_attr permutation) {
  uint32_t rank = hd_type_rank(hd_result_type(op, 0));
  int64_t dims[HD_COMPILED_MAX_RANK], forward[HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    forward[d] = hd_attr_int_at(permutation, d);
    dims[forward[d]] = hd_type_dim(hd_result_type(op, 0), d);
  }
  hd_type type = hd_type_with_dims(hd_result_type(op, 0), dims, rank);
  hd_op *moved = hd_build_like(b, op, hd_opcode_get(op), operands, op->operand_count, &type, 1);
  hd_value *result = hd_hlo_transpose(b, hd_result(moved, 0), forward);
  hd_op_replace(op, &result);
  return result;
}

static hd_value *sink_elementwise(hd_op *op) {
  hd_op *first = NULL;
  for (uint32_t i = 0; i < op->operand_count && !first; ++i)
    if (hd_op_is(hd_value_op(hd_operand(op, i)), HD_OP_stablehlo_transpose)) first = hd_value_op(hd_operand(op, i));
  if (!first) return NULL;
  hd_attr permutation = hd_stablehlo_transpose_permutation(first);
  hd_value *like = hd_operand(first, 0), *operands[MAX_OPERANDS];
  uint32_t rank = hd_type_rank(like->type);
  if (rank > HD_COMPILED_MAX_RANK || rank != hd_type_rank(hd_result_type(op, 0))) return NULL;
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (hd_type_rank(hd_operand_type(op, i)) != rank) return NULL;
    operands[i] = untransposed(&b, hd_operand(op, i), permutation, like);
    if (!operands[i]) return NULL;
  }
  return rebuild(&b, op, operands, permutation);
}

/* |attr| has |each| numbers per dim of the transposed operand: those of its dims before. */
static hd_attr by_dims(hd_context *context, hd_attr attr, hd_attr permutation, uint32_t rank, uint32_t each) {
  int64_t numbers[2 * HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d)
    for (uint32_t k = 0; k < each; ++k)
      numbers[each * hd_attr_int_at(permutation, d) + k] = hd_attr_int_at(attr, each * d + k);
  if (each == 1) return hd_attr_i64_array(context, numbers, rank);
  hd_type type = hd_type_tensor(hd_i64(context), (int64_t[]){rank, each}, 2, NULL);
  return hd_attr_dense(type, numbers, rank * each * sizeof *numbers, false);
}

/* A window or padding of every dim. */
static hd_value *sink_window(hd_op *op) {
  hd_op *transpose = hd_value_op(hd_operand(op, 0));
  uint32_t rank = hd_type_rank(hd_result_type(op, 0));
  if (!hd_op_is(transpose, HD_OP_stablehlo_transpose) || rank > HD_COMPILED_MAX_RANK) return NULL;
  hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
  hd_context *context = hd_op_context(op);
  hd_for_each_attr(attr, op) {
    bool pairs = attr.name == hd_name_ident(context, HD_NAME_padding);
    bool numbers = hd_attr_count(attr.value) == rank * (pairs ? 2u : 1u);
    if (numbers && (hd_attr_is(attr.value, HD_ATTR_DENSE) || hd_attr_is(attr.value, HD_ATTR_DENSE_ARRAY)))
      hd_op_attr_set_ident(op, attr.name, by_dims(context, attr.value, permutation, rank, pairs ? 2 : 1));
  }
  hd_builder b = hd_builder_before(op);
  hd_value *operands[MAX_OPERANDS] = {hd_operand(transpose, 0), hd_operand(op, 1)};
  return rebuild(&b, op, operands, permutation);
}

static hd_value *sink_reduce(hd_op *op) {
  hd_op *transpose = hd_value_op(hd_operand(op, 0));
  if (!hd_op_is(transpose, HD_OP_stablehlo_transpose)) return NULL;
  hd_attr permutation = hd_stablehlo_transpose_permutation(transpose), dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), count = 0;
  int64_t reduced[HD_COMPILED_MAX_RANK], last = -1;
  if (rank > HD_COMPILED_MAX_RANK) return NULL;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t from = hd_attr_int_at(permutation, d);
    if (hd_attr_find_int(dims, d) >= 0) continue;
    if (from < last) return NULL;
    last = from;
  }
  for (uint32_t from = 0; from < rank; ++from)
    for (uint32_t d = 0; d < rank; ++d)
      if (hd_attr_int_at(permutation, d) == from && hd_attr_find_int(dims, d) >= 0) reduced[count++] = from;
  hd_op_set_operand(op, 0, hd_operand(transpose, 0));
  hd_stablehlo_reduce_set_dimensions(op, hd_attr_i64_array(hd_op_context(op), reduced, count));
  return hd_result(op, 0);
}

typedef hd_value *(*sinker)(hd_op *op);

/* Null where a transpose cannot go through |op|. */
static sinker sinker_of(const hd_op *op) {
  if (op->result_count != 1 || !hd_type_has_rank(hd_result_type(op, 0)) ||
      hd_type_is(hd_type_element(hd_result_type(op, 0)), HD_TYPE_QUANT)) /* scales may go along a dim */
    return NULL;
  bool reduces = hd_op_is(op, HD_OP_stablehlo_reduce);
  if (reduces || hd_op_is(op, HD_OP_stablehlo_reduce_window) || hd_op_is(op, HD_OP_stablehlo_pad))
    return op->operand_count != 2 ? NULL : reduces ? sink_reduce : sink_window;
  bool fits = hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) && !op->region_count && op->operand_count &&
              op->operand_count <= MAX_OPERANDS;
  return fits ? sink_elementwise : NULL;
}

bool hd_may_sink_transpose(const hd_op *op) { return sinker_of(op) != NULL; }

hd_value *hd_sink_transpose(hd_op *op) {
  sinker sink = sinker_of(op);
  return sink ? sink(op) : NULL;
}
