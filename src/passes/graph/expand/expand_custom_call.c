/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls that ask for their tensors in another order of memory than row major.
 *
 *   stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]>], result_layouts = [dense<[0, 1]>]}
 * becomes a call on transposed tensors, whose row-major memory is what was asked for; which dim is which is kept in
 * hd.operand_dims and hd.result_dims:
 *   %t = stablehlo.transpose %a, dims = [1, 0]
 *   %u = stablehlo.custom_call @f(%t) {hd.operand_dims = [array<i64: 1, 0>], hd.result_dims = ...}
 *   %r = stablehlo.transpose %u, dims = [1, 0]
 *
 * Where a routine can do the same to matrices row by row, nothing is moved: memory row by row is the transpose column
 * by column. A triangular system is that of the transposes with the side and the triangle exchanged, a Cholesky factor
 * that of the other triangle. */
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/hlo_build.h"

/* |layout| lists dims from minor to major. Fills |out_order|: the buffer's dim i is the program's dim out_order[i].
 * True when that is not row major. */
static bool order_of(hd_attr layouts, uint32_t i, uint32_t rank, int64_t *out_order) {
  hd_attr layout = layouts && i < layouts->array.count ? layouts->array.items[i] : NULL;
  bool other = false;
  for (uint32_t d = 0; d < rank; ++d) {
    out_order[d] = layout && hd_attr_count(layout) == rank ? hd_attr_int_at(layout, rank - 1 - d) : d;
    other |= out_order[d] != d;
  }
  return other;
}

static void invert(const int64_t *order, uint32_t rank, int64_t *out) {
  for (uint32_t d = 0; d < rank; ++d) out[order[d]] = d;
}

static bool is_order(const int64_t *order, uint32_t rank) {
  bool seen[HD_MAX_RANK] = {false};
  for (uint32_t d = 0; d < rank; ++d) {
    if (order[d] < 0 || order[d] >= rank || seen[order[d]]) return false;
    seen[order[d]] = true;
  }
  return true;
}

static hd_attr dims_attr(hd_context *context, const int64_t *values, uint32_t rank) {
  return hd_attr_i64_array(context, values, rank);
}

/* Is it column by column, matrices one after the other? */
static bool is_by_columns(hd_attr layouts, uint32_t i, hd_type type) {
  int64_t order[HD_MAX_RANK];
  if (type->kind != HD_TYPE_TENSOR || hd_type_rank(type) < 2 || hd_type_rank(type) > HD_MAX_RANK) return false;
  uint32_t rank = hd_type_rank(type);
  order_of(layouts, i, rank, order);
  for (uint32_t d = 0; d < rank; ++d)
    if (order[d] != (d + 2 < rank ? d : d + 1 == rank ? d - 1 : d + 1)) return false;
  return true;
}

/* A configuration whose letters change. */
typedef struct letters {
  hd_named_attr *items;
  uint32_t count;
} letters;

/* |one| and |other| become each other; false where the attribute is missing or another letter. */
static bool exchange_letters(letters *l, const char *attribute, int64_t one, int64_t other) {
  for (uint32_t i = 0; i < l->count; ++i) {
    hd_attr value = l->items[i].value;
    if (strcmp(l->items[i].name->text, attribute) || !hd_attr_is(value, HD_ATTR_INTEGER)) continue;
    if (value->integer != one && value->integer != other) return false;
    l->items[i].value = hd_attr_integer(value->type, value->integer == one ? other : one);
    return true;
  }
  return false;
}

/* Which matrices of a call stay row by row, as |config| says instead. */
typedef struct rowwise {
  hd_attr config;
  bool operands[2], result;
} rowwise;

/* What comes column by column, from another routine, stays so: its transposes are none then. */
static bool is_transposed(const hd_value *x) {
  const hd_op *op = hd_value_op(x);
  if (!op || !hd_op_is(op, HD_OP_stablehlo_transpose)) return false;
  hd_attr permutation = hd_stablehlo_transpose_permutation(op);
  size_t rank = hd_attr_count(permutation);
  for (size_t d = 0; d + 2 < rank; ++d)
    if (hd_attr_int_at(permutation, d) != (int64_t)d) return false;
  return rank >= 2 && hd_attr_int_at(permutation, rank - 1) == (int64_t)rank - 2;
}

static bool is_routine(hd_str target, const char *routine) {
  enum { BEFORE = 8, AFTER = 4 }; /* "lapack_s" and "_ffi" */
  size_t size = strlen(routine);
  return hd_str_starts(target, "lapack_") && target.len == BEFORE + size + AFTER &&
         !memcmp(target.data + BEFORE, routine, size) && !memcmp(target.data + BEFORE + size, "_ffi", AFTER);
}

/* a^T of a symmetric a is a, whose other triangle is the one that is factored. */
static bool cholesky_by_rows(hd_op *op, letters *l, rowwise *out) {
  out->operands[0] = out->result = !is_transposed(hd_operand(op, 0));
  return out->result && exchange_letters(l, "uplo", 'L', 'U');
}

/* op(a) x = b with a' = a^T is op'(a') x = b of the other triangle; with x' = x^T and b' = b^T it is
 * x' op(a)^T = b'. */
static bool system_by_rows(hd_op *op, letters *l, rowwise *out) {
  bool a = out->operands[0] = !is_transposed(hd_operand(op, 0));
  bool x = out->operands[1] = out->result = !is_transposed(hd_operand(op, 1));
  return (a || x) && (!a || exchange_letters(l, "uplo", 'L', 'U')) && (!x || exchange_letters(l, "side", 'L', 'R')) &&
         (a == x || exchange_letters(l, "trans_x", 'N', 'T'));
}

static rowwise rowwise_of(hd_builder *b, hd_op *op) {
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  bool is_system = is_routine(target, "trsm");
  uint32_t matrices = is_system ? 2 : 1;
  rowwise out = {0}, none = {0};
  if ((!is_system && !is_routine(target, "potrf")) || op->operand_count < matrices || !op->result_count) return none;
  hd_attr ins = hd_stablehlo_custom_call_operand_layouts(op), outs = hd_stablehlo_custom_call_result_layouts(op);
  for (uint32_t i = 0; i < matrices; ++i)
    if (!is_by_columns(ins, i, hd_operand_type(op, i))) return none;
  hd_attr config = hd_discardable_mhlo_backend_config(op);
  if (!config) config = hd_stablehlo_custom_call_backend_config(op);
  if (!is_by_columns(outs, 0, hd_result_type(op, 0)) || !hd_attr_is(config, HD_ATTR_DICT)) return none;
  letters l = {hd_new_array(&b->module->arena, hd_named_attr, config->dict.count + 1), config->dict.count};
  for (uint32_t i = 0; i < l.count; ++i) l.items[i] = config->dict.items[i];
  if (!(is_system ? system_by_rows : cholesky_by_rows)(op, &l, &out)) return none;
  out.config = hd_attr_dict(b->context, l.items, l.count);
  return out;
}

/* The operand that says the dims of the first result, which are those of matrix |like|, says those of the transpose. */
static void exchange_sizes(hd_builder *b, hd_op *op, uint32_t like, hd_value **operands) {
  hd_attr list = hd_discardable_indices_of_shape_operands(op);
  int64_t at = list && hd_attr_count(list) ? hd_attr_int_at(list, 0) : -1;
  if (at < 0 || at >= (int64_t)op->operand_count) return;
  uint32_t rank = hd_type_rank(hd_operand_type(op, like));
  hd_value *sizes[HD_MAX_RANK], *last;
  hd_hlo_sizes_of(b, operands[like], sizes);
  last = sizes[rank - 1], sizes[rank - 1] = sizes[rank - 2], sizes[rank - 2] = last;
  operands[at] = hd_hlo_shape(b, sizes, rank);
}

bool hd_expand_layouts(hd_builder *b, hd_op *op, hd_value **results) {
  rowwise rows = rowwise_of(b, op);
  hd_attr own = hd_stablehlo_custom_call_backend_config(op), discardable = hd_discardable_mhlo_backend_config(op);
  hd_attr ins = hd_stablehlo_custom_call_operand_layouts(op), outs = hd_stablehlo_custom_call_result_layouts(op);
  hd_context *context = b->context;
  hd_arena *arena = &b->module->arena;
  bool any = false;
  int64_t order[HD_MAX_RANK], inverse[HD_MAX_RANK];
  hd_value **operands = hd_new_array(arena, hd_value *, op->operand_count + 1);
  hd_attr *operand_dims = hd_new_array(arena, hd_attr, op->operand_count + 1);
  hd_attr *result_dims = hd_new_array(arena, hd_attr, op->result_count + 1);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    bool is_operand = i < op->operand_count;
    uint32_t k = is_operand ? i : i - op->operand_count;
    hd_type type = is_operand ? hd_operand_type(op, k) : hd_result_type(op, k);
    if (is_operand) operands[k] = hd_operand(op, k);
    if (!is_operand) types[k] = type;
    if (type->kind != HD_TYPE_TENSOR || hd_type_rank(type) > HD_MAX_RANK) {
      (is_operand ? operand_dims : result_dims)[k] = dims_attr(context, NULL, 0);
      continue;
    }
    uint32_t rank = hd_type_rank(type);
    bool other = order_of(is_operand ? ins : outs, k, rank, order);
    if (!is_order(order, rank))
      return hd_op_error(op, "expects each layout to be a permutation of the dims, got another list");
    any |= other;
    invert(order, rank, inverse);
    (is_operand ? operand_dims : result_dims)[k] = dims_attr(context, inverse, rank);
    if (!other || (is_operand ? k < 2 && rows.operands[k] : !k && rows.result)) continue;
    if (is_operand) {
      operands[k] = hd_hlo_transpose(b, hd_operand(op, k), order);
    } else {
      int64_t dims[HD_MAX_RANK];
      for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_type_dim(type, (uint32_t)order[d]);
      types[k] = hd_type_with_dims(type, dims, rank);
    }
  }
  if (!any) return true;
  if (rows.result) exchange_sizes(b, op, rows.operands[1], operands);
  if (rows.config) *(discardable ? &discardable : &own) = rows.config;
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_stablehlo_custom_call_call_target_name_attr(op)},
                         {HD_NAME_has_side_effect, hd_stablehlo_custom_call_has_side_effect_attr(op)},
                         {HD_NAME_backend_config, own},
                         {HD_NAME_mhlo_backend_config, discardable},
                         {HD_NAME_api_version, hd_stablehlo_custom_call_api_version_attr(op)},
                         {HD_NAME_called_computations, hd_stablehlo_custom_call_called_computations(op)},
                         {HD_NAME_indices_of_shape_operands, hd_discardable_indices_of_shape_operands(op)},
                         {HD_NAME_hd_operand_dims, hd_attr_array(context, operand_dims, op->operand_count)},
                         {HD_NAME_hd_result_dims, hd_attr_array(context, result_dims, op->result_count)}};
  hd_op *call = hd_build_op(b, HD_OP_stablehlo_custom_call, operands, op->operand_count, types, op->result_count, attrs,
                            sizeof attrs / sizeof *attrs, 0);
  for (uint32_t k = 0; k < op->result_count; ++k) {
    hd_type type = hd_result_type(op, k);
    results[k] = hd_result(call, k);
    if (!k && rows.result) continue;
    if (types[k] == type && (type->kind != HD_TYPE_TENSOR || !order_of(outs, k, hd_type_rank(type), order))) continue;
    order_of(outs, k, hd_type_rank(type), order);
    invert(order, hd_type_rank(type), inverse);
    results[k] = hd_hlo_transpose(b, hd_result(call, k), inverse);
  }
  return true;
}
