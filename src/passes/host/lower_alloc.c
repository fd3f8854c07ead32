/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/host/lower_alloc.h"

#include "passes/kernel/ral_call.h"

int64_t hd_alloc_output_of(const hd_op *ret, const hd_value *buffer) {
  int64_t found = -1;
  for (uint32_t i = 0; i < ret->operand_count; ++i) {
    if (hd_operand(ret, i) != buffer) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

static hd_value *bytes_of(hd_builder *b, hd_op *alloc) {
  hd_type type = hd_result_type(alloc, 0), index = hd_type_index(b->context);
  hd_value *bytes = hd_build_index(b, (int64_t)hd_type_element_bytes(type->shaped.element));
  for (uint32_t d = 0, dynamic = 0; d < type->shaped.rank; ++d) {
    hd_value *size =
        type->shaped.dims[d] == HD_DYNAMIC ? hd_operand(alloc, dynamic++) : hd_build_index(b, type->shaped.dims[d]);
    bytes = hd_build(b, HD_OP_arith_muli, index, bytes, size);
  }
  return hd_build(b, HD_OP_arith_index_cast, hd_i64(b->context), bytes);
}

void hd_lower_alloc(hd_pass *pass, hd_op *op, int64_t output, const char *api) {
  hd_builder b = hd_builder_before(op);
  hd_type ptr = hd_pointer_type(b.context);
  hd_value *bytes = bytes_of(&b, op), *pointer;
  if (output >= 0)
    pointer = hd_build_ral_call(&b, "ral_alloc_output___pvoid_i64_i64___pvoid", ptr,
                                (hd_value *[]){hd_build_int(&b, hd_i64(b.context), output), bytes}, 2);
  else
    pointer = hd_build_ral_call(&b, api, ptr, &bytes, 1);
  hd_value **operands = hd_new_array(&pass->arena, hd_value *, op->operand_count + 1);
  operands[0] = pointer;
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[1 + i] = hd_operand(op, i);
  hd_value *memref =
      hd_build_one_(&b, HD_OP_hd_memref, hd_result_type(op, 0), operands, op->operand_count + 1, NULL, 0);
  hd_op_replace(op, &memref);
}
