/* SPDX-License-Identifier: Apache-2.0 */
/* Folds of graph ops that need no arithmetic: identities, splats, sizes that types tell. Arithmetic on constants is the
 * evaluator's, see fold.c. */
#include <math.h>

#include "ir/fold.h"
#include "ir/ops/chlo.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"

static bool to_operand(hd_op *op, uint32_t i, hd_fold_result *out) { return hd_fold_to_value(out, hd_operand(op, i)); }
static bool same_type(hd_op *op, uint32_t i) { return hd_operand_type(op, i) == hd_result_type(op, 0); }
static bool same_operands(hd_op *op) { return hd_operand(op, 0) == hd_operand(op, 1); }

static bool is_int(const hd_attr *operands, uint32_t i, int64_t value) {
  int64_t constant;
  if (!hd_attr_splat_int(operands[i], &constant)) return false;
  hd_type element = hd_type_element(operands[i]->type);
  uint32_t width = element->kind == HD_TYPE_INTEGER ? element->integer.width : 64;
  uint64_t mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
  return ((uint64_t)constant & mask) == ((uint64_t)value & mask);
}
static bool is_float(const hd_attr *operands, uint32_t i, double value) {
  double constant;
  return hd_attr_splat_float(operands[i], &constant) && constant == value && signbit(constant) == signbit(value);
}
static bool fill_int(hd_op *op, int64_t value, hd_fold_result *out) {
  return hd_fold_to_attr(out, hd_fold_fill_int(hd_result_type(op, 0), value));
}

/* A list attribute that counts 0, 1, 2, ... up to the rank of the operand. */
static bool counts_up(hd_op *op, hd_attr list) {
  hd_type type = hd_operand_type(op, 0);
  if (!hd_type_has_rank(type) || hd_attr_count(list) != type->shaped.rank) return false;
  for (size_t i = 0; i < hd_attr_count(list); ++i)
    if (hd_attr_int_at(list, i) != (int64_t)i) return false;
  return true;
}
static bool all_are(hd_attr list, int64_t value) {
  for (size_t i = 0; i < hd_attr_count(list); ++i)
    if (hd_attr_int_at(list, i) != value) return false;
  return true;
}

/* Arithmetic identities ------------------------------------------------------------------------------------------- */

bool hd_fold_add(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i)
    if (is_int(operands, i, 0) || is_float(operands, i, -0.0)) return to_operand(op, 1 - i, out);
  return false;
}
bool hd_fold_subtract(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(operands, 1, 0) || is_float(operands, 1, 0.0)) return to_operand(op, 0, out);
  return same_operands(op) && fill_int(op, 0, out);
}
bool hd_fold_multiply(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(operands, i, 1) || is_float(operands, i, 1.0)) return to_operand(op, 1 - i, out);
    if (is_int(operands, i, 0)) return to_operand(op, i, out);
  }
  return false;
}
bool hd_fold_divide(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  bool one = is_int(operands, 1, 1) && !hd_type_is_integer(element, 1);
  return (one || is_float(operands, 1, 1.0)) && to_operand(op, 0, out);
}
bool hd_fold_and(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(operands, i, 0)) return to_operand(op, i, out);
    if (is_int(operands, i, -1)) return to_operand(op, 1 - i, out);
  }
  return same_operands(op) && to_operand(op, 0, out);
}
bool hd_fold_or(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(operands, i, 0)) return to_operand(op, 1 - i, out);
    if (is_int(operands, i, -1)) return to_operand(op, i, out);
  }
  return same_operands(op) && to_operand(op, 0, out);
}
bool hd_fold_xor(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i)
    if (is_int(operands, i, 0)) return to_operand(op, 1 - i, out);
  return same_operands(op) && fill_int(op, 0, out);
}
/* maximum and minimum of a value with itself. */
bool hd_fold_idempotent(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  return same_operands(op) && to_operand(op, 0, out);
}
bool hd_fold_shift(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_int(operands, 1, 0) && to_operand(op, 0, out);
}

/* not(not(x)), negate(negate(x)): x. */
bool hd_fold_involution(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  return inner && hd_opcode_get(inner) == hd_opcode_get(op) && hd_fold_to_value(out, hd_operand(inner, 0));
}

bool hd_fold_compare(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  enum { EQ, NE, GE, GT, LE, LT };
  (void)operands;
  hd_attr direction = hd_compare_like_comparison_direction(op);
  if (!same_operands(op) || !hd_attr_is(direction, HD_ATTR_ENUM)) return false;
  hd_type_kind kind = hd_type_element(hd_operand_type(op, 0))->kind;
  if (kind != HD_TYPE_INTEGER && kind != HD_TYPE_INDEX) return false;
  int64_t d = direction->enumerant.value;
  return fill_int(op, d == EQ || d == GE || d == LE, out);
}
bool hd_fold_select(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  int64_t pred;
  if (hd_operand(op, 1) == hd_operand(op, 2)) return to_operand(op, 1, out);
  return hd_attr_splat_int(operands[0], &pred) && to_operand(op, pred ? 1 : 2, out);
}
/* real(complex(a, b)) is a, imag of it b. */
static bool part(hd_op *op, uint32_t i, hd_fold_result *out) {
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  if (hd_op_is(inner, HD_OP_stablehlo_complex)) return hd_fold_to_value(out, hd_operand(inner, i));
  return i == 0 && same_type(op, 0) && to_operand(op, 0, out);
}
bool hd_fold_real(hd_op *op, const hd_attr *operands, hd_fold_result *out) { return (void)operands, part(op, 0, out); }
bool hd_fold_imag(hd_op *op, const hd_attr *operands, hd_fold_result *out) { return (void)operands, part(op, 1, out); }
bool hd_fold_complex(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_op *real = hd_value_op(hd_operand(op, 0)), *imag = hd_value_op(hd_operand(op, 1));
  if (!hd_op_is(real, HD_OP_stablehlo_real) || !hd_op_is(imag, HD_OP_stablehlo_imag)) return false;
  return hd_operand(real, 0) == hd_operand(imag, 0) && hd_fold_to_value(out, hd_operand(real, 0));
}

/* Shapes ---------------------------------------------------------------------------------------------------------- */

/* convert, copy, bitcast and others that do nothing when the type stays. */
bool hd_fold_same_type(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  /* A copy between memories moves. */
  if (hd_op_is(op, HD_OP_mhlo_copy) && hd_placement_entries(op)) return false;
  return same_type(op, 0) && to_operand(op, 0, out);
}

bool hd_fold_reshape(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type result = hd_result_type(op, 0);
  /* An unknown dim may be another number on each side. */
  if (same_type(op, 0) && (hd_type_is_static(result) || (hd_type_has_rank(result) && result->shaped.rank == 1)))
    return to_operand(op, 0, out);
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  if (hd_op_is(inner, HD_OP_stablehlo_reshape) && hd_operand_type(inner, 0) == result && hd_type_is_static(result))
    return hd_fold_to_value(out, hd_operand(inner, 0));
  hd_attr value = operands[0];
  if (!hd_attr_is(value, HD_ATTR_DENSE) || !hd_type_is_static(result) ||
      hd_type_element(value->type) != hd_type_element(result) ||
      hd_type_num_elements(value->type) != hd_type_num_elements(result))
    return false;
  return hd_fold_to_attr(out, hd_attr_dense(result, value->dense.data, value->dense.size, value->dense.splat));
}

/* A result with the operand's type and the same dims in the same places is the operand; splats stay splats. */
static bool broadcast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type result = hd_result_type(op, 0);
  if (same_type(op, 0) && hd_type_is_static(result) && counts_up(op, hd_broadcast_in_dim_like_broadcast_dimensions(op)))
    return to_operand(op, 0, out);
  return hd_type_is_static(result) && hd_fold_to_attr(out, hd_fold_fill(result, operands[0]));
}
bool hd_fold_broadcast_in_dim(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return broadcast(op, operands, out);
}
bool hd_fold_dynamic_broadcast_in_dim(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return broadcast(op, operands, out);
}
bool hd_fold_broadcast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (!hd_attr_count(hd_stablehlo_broadcast_broadcast_sizes(op))) return to_operand(op, 0, out);
  return hd_type_is_static(hd_result_type(op, 0)) &&
         hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
}

/* transpose: the identity, or of a splat. */
bool hd_fold_transpose(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (counts_up(op, hd_stablehlo_transpose_permutation(op))) return to_operand(op, 0, out);
  return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
}
bool hd_fold_reverse(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_attr dims = hd_stablehlo_reverse_dimensions(op);
  hd_type type = hd_operand_type(op, 0);
  if (hd_attr_is(operands[0], HD_ATTR_DENSE) && operands[0]->dense.splat) return to_operand(op, 0, out);
  for (size_t i = 0; i < hd_attr_count(dims); ++i) {
    int64_t at = hd_attr_int_at(dims, i);
    if (!hd_type_has_rank(type) || at < 0 || at >= type->shaped.rank || type->shaped.dims[at] != 1) return false;
  }
  return to_operand(op, 0, out);
}
bool hd_fold_slice(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type type = hd_operand_type(op, 0);
  if (same_type(op, 0) && hd_type_is_static(type)) return to_operand(op, 0, out);
  return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
}
bool hd_fold_dynamic_slice(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return hd_fold_slice(op, operands, out);
}
bool hd_fold_dynamic_update_slice(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_type type = hd_operand_type(op, 1);
  if (!hd_type_is_static(type)) return false;
  if (hd_type_num_elements(type) == 0) return to_operand(op, 0, out);
  return same_type(op, 1) && to_operand(op, 1, out);
}
/* One operand, or all the others empty. */
bool hd_fold_concatenate(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  uint32_t kept = UINT32_MAX;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    if (hd_type_has_rank(type) && hd_type_is_static(type) && hd_type_num_elements(type) == 0 &&
        type != hd_result_type(op, 0))
      continue;
    if (kept != UINT32_MAX) return false;
    kept = i;
  }
  return kept != UINT32_MAX && to_operand(op, kept, out);
}
bool hd_fold_pad(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (all_are(hd_stablehlo_pad_edge_padding_low(op), 0) && all_are(hd_stablehlo_pad_edge_padding_high(op), 0) &&
      all_are(hd_stablehlo_pad_interior_padding(op), 0))
    return to_operand(op, 0, out);
  if (hd_attr_is(operands[0], HD_ATTR_DENSE) && operands[0]->dense.splat && hd_attr_is(operands[1], HD_ATTR_DENSE) &&
      operands[0] == hd_fold_fill(operands[0]->type, operands[1]))
    return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
  return false;
}
/* Along a dim of size 1 (or 0) iota is zero. */
bool hd_fold_iota(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_type type = hd_result_type(op, 0);
  int64_t axis = hd_iota_like_iota_dimension(op);
  if (!hd_type_is_static(type) || axis < 0 || axis >= type->shaped.rank || type->shaped.dims[axis] > 1) return false;
  if (fill_int(op, 0, out)) return true;
  return hd_fold_to_attr(out, hd_fold_fill_float(type, 0));
}
bool hd_fold_get_dimension_size(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_type type = hd_operand_type(op, 0);
  int64_t axis = hd_stablehlo_get_dimension_size_dimension(op);
  if (!hd_type_has_rank(type) || axis < 0 || axis >= type->shaped.rank) return false;
  int64_t size = type->shaped.dims[axis];
  return size != HD_DYNAMIC && size <= INT32_MAX && fill_int(op, size, out);
}
bool hd_fold_get_tuple_element(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_op *tuple = hd_value_op(hd_operand(op, 0));
  int64_t index = hd_stablehlo_get_tuple_element_index(op);
  return hd_op_is(tuple, HD_OP_stablehlo_tuple) && index >= 0 && index < tuple->operand_count &&
         hd_fold_to_value(out, hd_operand(tuple, (uint32_t)index));
}
bool hd_fold_after_all(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  return op->operand_count == 1 && to_operand(op, 0, out);
}
bool hd_fold_constant_like(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), hd_chlo_constant_like_value(op)));
}
