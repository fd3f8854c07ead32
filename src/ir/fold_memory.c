/* SPDX-License-Identifier: Apache-2.0 */
/* Folds of memref, tensor and vector ops: sizes that types or allocations tell, elements of constants, casts to the
 * same. */
#include "ir/fold.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "ir/wide.h"

static bool to_index(hd_op *op, int64_t value, hd_fold_result *out) {
  return hd_fold_to_attr(out, hd_attr_index(hd_op_context(op), value));
}

/* The operand that gives the size of unknown dim |axis| of an allocation whose sizes are item |item|. */
static hd_value *size_operand(hd_op *alloc, size_t item, hd_type type, int64_t axis) {
  uint32_t start, count, unknown = 0;
  hd_op_operand_range(alloc, item, &start, &count);
  for (int64_t i = 0; i < axis; ++i) unknown += type->shaped.dims[i] == HD_DYNAMIC;
  return unknown < count ? hd_operand(alloc, start + unknown) : NULL;
}

/* memref.dim, tensor.dim */
bool hd_fold_dim(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type type = hd_operand_type(op, 0);
  int64_t axis;
  if (!hd_type_has_rank(type) || !hd_attr_splat_int(operands[1], &axis) || axis < 0 || axis >= type->shaped.rank)
    return false;
  if (type->shaped.dims[axis] != HD_DYNAMIC) return to_index(op, type->shaped.dims[axis], out);
  hd_op *source = hd_value_op(hd_operand(op, 0));
  switch (source ? hd_opcode_get(source) : HD_OP_UNREGISTERED) {
    case HD_OP_memref_alloc:
    case HD_OP_memref_alloca:
    case HD_OP_tensor_empty:
      return hd_fold_to_value(out, size_operand(source, 0, type, axis));
    case HD_OP_gpu_alloc:
      return hd_fold_to_value(out, size_operand(source, 1, type, axis));
    case HD_OP_memref_view:
      return hd_fold_to_value(out, size_operand(source, 2, type, axis));
    default:
      return false;
  }
}
bool hd_fold_rank(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  hd_type type = hd_operand_type(op, 0);
  return hd_type_has_rank(type) && to_index(op, type->shaped.rank, out);
}

/* A cast to the type that its operand has, or back to the type before an inner cast of the same kind. */
bool hd_fold_cast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  if (hd_operand_type(op, 0) == hd_result_type(op, 0)) return hd_fold_to_value(out, hd_operand(op, 0));
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  return inner && hd_opcode_get(inner) == hd_opcode_get(op) && hd_operand_type(inner, 0) == hd_result_type(op, 0) &&
         hd_fold_to_value(out, hd_operand(inner, 0));
}

/* Element |at| of a constant as an attribute of its own. */
static hd_attr element_at(hd_attr value, size_t at) {
  if (!hd_attr_is(value, HD_ATTR_DENSE)) return NULL;
  hd_type element = hd_type_element(value->type);
  if (!value->dense.splat && at >= hd_attr_count(value)) return NULL;
  if (hd_type_is_wide(element)) return hd_attr_wide(element, hd_attr_element_data(value, at));
  int64_t raw = hd_element_load(element, hd_attr_element_data(value, at));
  if (element->kind == HD_TYPE_FLOAT) return hd_attr_float_bits(element, (uint64_t)raw);
  return element->kind == HD_TYPE_INTEGER || element->kind == HD_TYPE_INDEX ? hd_attr_integer(element, raw) : NULL;
}

/* tensor.extract of a constant, or of tensor.from_elements, at constant coordinates. */
bool hd_fold_tensor_extract(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type type = hd_operand_type(op, 0);
  if (hd_attr_is(operands[0], HD_ATTR_DENSE) && operands[0]->dense.splat)
    return hd_fold_to_attr(out, element_at(operands[0], 0));
  if (!hd_type_is_static(type) || op->operand_count != type->shaped.rank + 1) return false;
  int64_t at = 0;
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    int64_t index;
    if (!hd_attr_splat_int(operands[1 + i], &index) || index < 0 || index >= type->shaped.dims[i]) return false;
    if (__builtin_mul_overflow(at, type->shaped.dims[i], &at) || __builtin_add_overflow(at, index, &at)) return false;
  }
  hd_op *source = hd_value_op(hd_operand(op, 0));
  if (hd_op_is(source, HD_OP_tensor_from_elements) && at < source->operand_count)
    return hd_fold_to_value(out, hd_operand(source, (uint32_t)at));
  return hd_fold_to_attr(out, element_at(operands[0], (size_t)at));
}

/* from_elements of constants. */
bool hd_fold_from_elements(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  size_t bytes = hd_type_element_bytes(element), count = op->operand_count;
  if (!count || count > 1024 || !bytes || bytes > 8) return false;
  char *data = hd_arena_alloc(&op->module->arena, count * bytes);
  for (size_t i = 0; i < count; ++i) {
    hd_attr value = operands[i];
    if (hd_attr_is(value, HD_ATTR_INTEGER))
      hd_element_store(element, data + i * bytes, value->integer);
    else if (hd_attr_is(value, HD_ATTR_FLOAT))
      hd_element_store(element, data + i * bytes, (int64_t)value->floating.bits);
    else
      return false;
  }
  return hd_fold_to_attr(out, hd_attr_dense(type, data, count * bytes, false));
}

/* A scalar constant, or a splat, repeated. */
bool hd_fold_splat(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (hd_operand_type(op, 0) == hd_result_type(op, 0)) return hd_fold_to_value(out, hd_operand(op, 0));
  return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
}

/* vector.extract of a broadcast scalar, or of a splat. */
bool hd_fold_vector_extract(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_op *source = hd_value_op(hd_operand(op, 0));
  if (!hd_attr_count(hd_positioned_static_position(op)) && hd_operand_type(op, 0) == hd_result_type(op, 0))
    return hd_fold_to_value(out, hd_operand(op, 0));
  if (hd_op_is(source, HD_OP_vector_broadcast) && hd_operand_type(source, 0) == hd_result_type(op, 0))
    return hd_fold_to_value(out, hd_operand(source, 0));
  if (!hd_attr_is(operands[0], HD_ATTR_DENSE) || !operands[0]->dense.splat) return false;
  if (hd_type_is_shaped(hd_result_type(op, 0)))
    return hd_fold_to_attr(out, hd_fold_fill(hd_result_type(op, 0), operands[0]));
  return hd_fold_to_attr(out, element_at(operands[0], 0));
}

/* builtin.unrealized_conversion_cast there and back, or that changes nothing. */
bool hd_fold_unrealized_cast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  (void)operands;
  if (op->operand_count == op->result_count) {
    bool same = true;
    for (uint32_t i = 0; i < op->result_count; ++i) same &= hd_operand_type(op, i) == hd_result_type(op, i);
    if (same) {
      for (uint32_t i = 0; i < op->result_count; ++i) out[i].value = hd_operand(op, i);
      return true;
    }
  }
  hd_op *inner = op->operand_count ? hd_value_op(hd_operand(op, 0)) : NULL;
  if (!hd_op_is(inner, HD_OP_builtin_unrealized_conversion_cast) || inner->result_count != op->operand_count ||
      inner->operand_count != op->result_count)
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand(op, i) != hd_result(inner, i)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) out[i].value = hd_operand(inner, i);
  return true;
}
