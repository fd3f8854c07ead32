/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/gpu/host_elements.h"

#include "ir/address_space.h"
#include "ir/builder.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "passes/lowering/ral_call.h"

/* ---- numbers of the entry -------------------------------------------------------------------------------------- */

static bool is_return(const hd_op *op) { return hd_op_is(op, HD_OP_func_return); }
/* The buffer of one number of |type|, an index as i64; null: |type| is no number. */
static hd_type box_of(hd_type type) {
  if (type->kind == HD_TYPE_INDEX) type = hd_i64(type->context);
  bool is_number = type->kind == HD_TYPE_INTEGER || type->kind == HD_TYPE_FLOAT || type->kind == HD_TYPE_COMPLEX;
  return is_number ? hd_type_memref(type, NULL, 0, NULL, NULL) : NULL;
}

void hd_box_numbers(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_type index = hd_type_index(pass->context);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    hd_value *argument = entry->args[i];
    hd_type type = argument->type, box = box_of(type);
    if (!box) continue;
    hd_builder b = hd_builder_at_start(pass->module, entry);
    b.loc = func->loc;
    argument->type = box;
    hd_value *number = hd_build(&b, HD_OP_memref_load, box->shaped.element, argument);
    hd_op *load = hd_value_op(number);
    if (type == index) number = hd_build(&b, HD_OP_arith_index_cast, index, number);
    hd_value_replace_uses_except(argument, number, load);
  }
  hd_op_list returns = hd_ops_where(func, is_return, &pass->arena);
  for (size_t r = 0; r < returns.len; ++r)
    for (uint32_t i = 0; i < returns.data[r]->operand_count; ++i) {
      hd_value *number = hd_operand(returns.data[r], i);
      hd_type box = box_of(number->type);
      if (!box) continue;
      hd_builder b = hd_builder_before(returns.data[r]);
      b.loc = returns.data[r]->loc;
      hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(pass->context, (int32_t[]){0, 0}, 2)};
      hd_value *buffer = hd_build_one_(&b, HD_OP_memref_alloc, box, NULL, 0, &segments, 1);
      if (number->type == index) number = hd_build(&b, HD_OP_arith_index_cast, hd_i64(pass->context), number);
      hd_build0(&b, HD_OP_memref_store, number, buffer);
      hd_op_set_operand(returns.data[r], i, buffer);
    }
}

/* ---- elements that the host reads and writes ------------------------------------------------------------------- */

static bool is_element_access(const hd_op *op) {
  uint32_t memref = hd_op_is(op, HD_OP_memref_store) ? 1 : 0;
  bool accesses = memref || hd_op_is(op, HD_OP_memref_load);
  return accesses && hd_is_in_address_space(hd_operand_type(op, memref), HD_GPU_ADDRESS_SPACE_GLOBAL);
}

/* The element's place in the buffer, counted in elements from its pointer. */
static hd_value *element_index(hd_builder *b, hd_op *op, uint32_t memref) {
  hd_value *buffer = hd_operand(op, memref), *at = hd_build_index(b, 0);
  hd_type type = buffer->type, index = hd_type_index(b->context);
  uint32_t rank = type->shaped.rank;
  hd_op *parts = NULL;
  if (type->shaped.layout) {
    hd_type *types = hd_new_array(&b->module->arena, hd_type, 2 + 2 * rank);
    types[0] = hd_type_memref(type->shaped.element, NULL, 0, NULL, type->shaped.space);
    for (uint32_t i = 1; i < 2 + 2 * rank; ++i) types[i] = index;
    parts = hd_build_op(b, HD_OP_memref_extract_strided_metadata, &buffer, 1, types, 2 + 2 * rank, NULL, 0, 0);
    at = hd_result(parts, 1);
  }
  for (uint32_t d = 0; d < rank; ++d) {
    hd_value *i = hd_operand(op, memref + 1 + d);
    if (parts)
      i = hd_build_binary(b, HD_OP_arith_muli, i, hd_result(parts, 2 + rank + d));
    else
      at = hd_build_binary(b, HD_OP_arith_muli, at, hd_build(b, HD_OP_memref_dim, index, buffer, hd_build_index(b, d)));
    at = hd_build_binary(b, HD_OP_arith_addi, at, i);
  }
  return at;
}

/* One element goes through memory of the host:
 *   %x = memref.load %m[%i]    ->    hd.ral_call "ral_d2h..."(%stream, %one, address of %m[%i], bytes)
 *                                    %x = memref.load %one[0] */
static bool access_element(hd_pass *pass, hd_op *func, hd_value *stream, hd_op *op) {
  uint32_t memref = hd_op_is(op, HD_OP_memref_store) ? 1 : 0;
  hd_builder start = hd_builder_at_start(pass->module, hd_op_region(func, 0)->first), b = hd_builder_before(op);
  start.loc = b.loc = op->loc;
  hd_value *buffer = hd_operand(op, memref);
  hd_type element = buffer->type->shaped.element, index = hd_type_index(pass->context), i64 = hd_i64(pass->context);
  int64_t bytes = (int64_t)hd_type_element_bytes(hd_type_element(element));
  if (hd_type_is_shaped(element))
    return hd_op_error(op, "loads a vector element from device memory, expected a scalar");
  hd_value *one = hd_build_one_(
      &start, HD_OP_memref_alloca, hd_type_memref(element, (int64_t[]){1}, 1, NULL, NULL), NULL, 0,
      &(hd_attr_arg){HD_NAME_operandSegmentSizes, hd_attr_i32_array(pass->context, (int32_t[]){0, 0}, 2)}, 1);
  hd_value *zero = hd_build_index(&b, 0);
  hd_value *at = hd_build_binary(&b, HD_OP_arith_muli, element_index(&b, op, memref), hd_build_index(&b, bytes));
  at = hd_build_binary(&b, HD_OP_arith_addi, at,
                       hd_build(&b, HD_OP_memref_extract_aligned_pointer_as_index, index, buffer));
  hd_value *address =
      hd_build(&b, HD_OP_llvm_inttoptr, hd_pointer_type(pass->context), hd_build(&b, HD_OP_arith_index_cast, i64, at));
  hd_value *count = hd_build_int(&b, i64, bytes);
  if (memref) {
    hd_build0(&b, HD_OP_memref_store, hd_operand(op, 0), one, zero);
    hd_build_ral_call(&b, "ral_h2d___pvoid_pvoid_pvoid_pvoid_i64___void", NULL,
                      (hd_value *[]){stream, address, one, count}, 4);
    hd_op_erase(op);
  } else {
    hd_build_ral_call(&b, "ral_d2h___pvoid_pvoid_pvoid_pvoid_i64___void", NULL,
                      (hd_value *[]){stream, one, address, count}, 4);
    hd_op_replace(op, (hd_value *[]){hd_build(&b, HD_OP_memref_load, element, one, zero)});
  }
  return true;
}

bool hd_access_elements(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_element_access, &pass->arena);
  if (!ops.len) return true;
  hd_builder start = hd_builder_at_start(pass->module, hd_op_region(func, 0)->first);
  start.loc = func->loc;
  hd_value *stream = hd_build_ral_call(&start, "ral_stream___pvoid___pvoid", hd_pointer_type(pass->context), NULL, 0);
  for (size_t i = 0; i < ops.len; ++i)
    if (!access_element(pass, func, stream, ops.data[i])) return false;
  return true;
}
