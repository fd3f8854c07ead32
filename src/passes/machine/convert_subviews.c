/* SPDX-License-Identifier: Apache-2.0 */
/* Views of buffers in kernels, and memory of a thread. A view is its buffer's pointer where its type says the offset,
 * else the pointer of its own first element:
 *
 *   memref.subview %m[%i, 2] [4, 4] [1, 1]                            llvm.getelementptr %m[8 * %i + 2]
 *     : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
 *
 * Strides are numbers of the type. */
#include "ir/ops/memref.h"
#include "passes/machine/converter.h"

/* A list of numbers, HD_DYNAMIC where the next of the operands is. */
typedef struct mixed {
  hd_attr values;
  uint32_t next;
} mixed;

static hd_value *mixed_at(hd_converter *c, hd_op *op, mixed *list, uint32_t i) {
  int64_t value = hd_attr_int_at(list->values, i);
  return value == HD_DYNAMIC ? hd_machine_one(c, op, list->next++) : hd_machine_index(c, value);
}

static uint32_t unknown_in(hd_attr values) {
  uint32_t count = 0;
  for (size_t i = 0; i < hd_attr_count(values); ++i) count += hd_attr_int_at(values, i) == HD_DYNAMIC;
  return count;
}

/* Null after an error. */
static hd_machine_parts *new_view(hd_converter *c, hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  if (type->kind == HD_TYPE_MEMREF && hd_type_has_rank(type) && hd_machine_has_known_strides(type))
    return hd_machine_new_parts(c, hd_machine_part_count(type));
  hd_op_misfit_error(op, type, NULL, "gives a buffer with strides that its type does not say");
  return NULL;
}

/* The pointer of |op|'s result, which begins |at| elements after the pointer of operand 0. */
static hd_value *pointer_at(hd_converter *c, hd_op *op, hd_value *at) {
  hd_value *base = hd_machine_operand(c, op, 0)->at[0];
  hd_type type, stored, result = hd_result_type(op, 0);
  if (!hd_machine_has_own_offset(result)) return base;
  return hd_machine_element_types(c, op, result->shaped.element, &type, &stored)
             ? hd_machine_offset(c, base, at, stored)
             : NULL;
}

/* What the type of operand 0 says of its offset; an offset of its own is in the pointer. */
static int64_t known_offset(hd_op *op) {
  hd_type type = hd_operand_type(op, 0);
  return type->shaped.layout && !hd_machine_has_own_offset(type) ? type->shaped.layout->strided.offset : 0;
}

/* Elements from one index of dim |d| of operand 0 to the next. */
static hd_value *stride_of(hd_converter *c, hd_op *op, uint32_t d) {
  hd_type type = hd_operand_type(op, 0);
  if (type->shaped.layout) return hd_machine_index(c, type->shaped.layout->strided.strides[d]);
  hd_value *stride = hd_machine_index(c, 1);
  for (uint32_t i = d + 1; i < type->shaped.rank; ++i)
    stride = hd_machine_binary(c, HD_OP_llvm_mul, stride, hd_machine_size(c, type, hd_machine_operand(c, op, 0), i));
  return stride;
}

HD_RULE(subview) {
  (void)code;
  hd_type from = hd_operand_type(op, 0), type = hd_result_type(op, 0);
  hd_attr offsets = hd_memref_subview_static_offsets(op), sizes = hd_memref_subview_static_sizes(op);
  hd_machine_parts *parts = new_view(c, op);
  if (!parts) return false;
  if (hd_machine_has_own_offset(from) && !hd_machine_has_own_offset(type))
    return hd_op_misfit_error(op, type, NULL, "gives a buffer of a known offset in one of an unknown offset");
  mixed starts = {offsets, 1}, counts = {sizes, 1 + unknown_in(offsets)};
  hd_value *at = hd_machine_index(c, known_offset(op));
  for (uint32_t d = 0; d < from->shaped.rank; ++d) {
    hd_value *start = hd_machine_binary(c, HD_OP_llvm_mul, mixed_at(c, op, &starts, d), stride_of(c, op, d));
    at = hd_machine_binary(c, HD_OP_llvm_add, at, start);
  }
  if (!(parts->at[0] = pointer_at(c, op, at))) return false;
  if (type->shaped.rank != from->shaped.rank && !hd_type_is_static(type))
    return hd_op_misfit_error(op, type, NULL, "drops dims of a buffer of unknown sizes");
  for (uint32_t d = 0; d < type->shaped.rank && type->shaped.rank == from->shaped.rank; ++d) {
    hd_value *size = mixed_at(c, op, &counts, d);
    if (type->shaped.dims[d] == HD_DYNAMIC) parts->at[1 + d] = size;
  }
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

HD_RULE(memref_cast) {
  (void)code;
  hd_type from = hd_operand_type(op, 0), type = hd_result_type(op, 0);
  if (!hd_type_has_rank(type) || !hd_type_has_rank(from))
    return hd_op_misfit_error(op, type, NULL, "gives or takes a buffer of an unknown rank");
  hd_machine_parts *parts = new_view(c, op);
  if (!parts) return false;
  if (hd_machine_has_own_offset(from) != hd_machine_has_own_offset(type) && hd_machine_has_own_offset(from))
    return hd_op_misfit_error(op, type, NULL, "gives a buffer of a known offset for one of an unknown offset");
  hd_value *at = hd_machine_index(c, known_offset(op));
  if (hd_machine_has_own_offset(from))
    parts->at[0] = hd_machine_operand(c, op, 0)->at[0];
  else if (!(parts->at[0] = pointer_at(c, op, at)))
    return false;
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == HD_DYNAMIC)
      parts->at[1 + d] = hd_machine_size(c, from, hd_machine_operand(c, op, 0), d);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

/* The offset counts from the buffer's pointer, whatever the offset of operand 0. */
HD_RULE(reinterpret_cast) {
  (void)code;
  hd_type from = hd_operand_type(op, 0), type = hd_result_type(op, 0);
  hd_attr offsets = hd_memref_reinterpret_cast_static_offsets(op);
  hd_machine_parts *parts = new_view(c, op);
  if (!parts) return false;
  if (from->kind != HD_TYPE_MEMREF || !hd_type_has_rank(from) || hd_machine_has_own_offset(from))
    return hd_op_misfit_error(op, from, NULL, "takes a buffer whose pointer is not known");
  mixed starts = {offsets, 1}, counts = {hd_memref_reinterpret_cast_static_sizes(op), 1 + unknown_in(offsets)};
  if (!(parts->at[0] = pointer_at(c, op, mixed_at(c, op, &starts, 0)))) return false;
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    hd_value *size = mixed_at(c, op, &counts, d);
    if (type->shaped.dims[d] == HD_DYNAMIC) parts->at[1 + d] = size;
  }
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

HD_RULE(alloca) {
  (void)code;
  hd_type type = hd_result_type(op, 0);
  if (!hd_type_is_static(type) || type->shaped.layout || hd_machine_space(type) != HD_SPACE_PRIVATE)
    return hd_op_misfit_error(op, type, NULL, "expected dense memory of a known shape in the thread's space");
  hd_type array = hd_machine_array(c, op, type);
  if (!array) return false;
  hd_machine_parts *parts = hd_machine_new_parts(c, hd_machine_part_count(type));
  parts->at[0] = hd_machine_private(c, array);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}
