/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/host/lower_alloc.h"

#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/lowering/ral_call.h"
#include "runtime/abi.h"

int64_t hd_alloc_output_of(const hd_op *ret, const hd_value *buffer) {
  int64_t found = -1;
  for (uint32_t i = 0; i < ret->operand_count; ++i) {
    if (hd_operand(ret, i) != buffer) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* The size of the buffer; -1, which the runtime refuses, when a size is negative or the product beyond any memory. That
 * is seen by the product in floating point, which does not wrap. */
static hd_value *bytes_of(hd_builder *b, hd_op *alloc) {
  hd_type type = hd_result_type(alloc, 0), i64 = hd_i64(b->context), f64 = hd_type_float(b->context, HD_F64);
  int64_t known = (int64_t)hd_type_element_bytes(type->shaped.element);
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == 0) return hd_build_int(b, i64, 0);
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] != HD_DYNAMIC && __builtin_mul_overflow(known, type->shaped.dims[d], &known))
      return hd_build_int(b, i64, -1);
  hd_value *bytes = hd_build_int(b, i64, known), *about = hd_build_float(b, f64, (double)known), *any = NULL;
  for (uint32_t i = 0; i < alloc->operand_count; ++i) {
    hd_value *size = hd_build(b, HD_OP_arith_index_cast, i64, hd_operand(alloc, i));
    bytes = hd_build(b, HD_OP_arith_muli, i64, bytes, size);
    about = hd_build(b, HD_OP_arith_mulf, f64, about, hd_build(b, HD_OP_arith_sitofp, f64, size));
    any = any ? hd_build(b, HD_OP_arith_ori, i64, any, size) : size;
  }
  if (!any) return bytes;
  hd_value *large = hd_arith_cmpf(b, HD_ARITH_CMPF_OGT, about, hd_build_float(b, f64, 4611686018427387904.0)),
           *negative = hd_arith_cmpi(b, HD_ARITH_CMPI_SLT, any, hd_build_int(b, i64, 0));
  return hd_build(b, HD_OP_arith_select, i64, hd_build(b, HD_OP_arith_ori, hd_i1(b->context), large, negative),
                  hd_build_int(b, i64, -1), bytes);
}

void hd_lower_alloc(hd_messages *messages, hd_op *op, int64_t output, const char *api) {
  hd_pass *pass = messages->pass;
  hd_builder b = hd_builder_before(op);
  hd_type ptr = hd_pointer_type(b.context);
  hd_value *bytes = bytes_of(&b, op), *pointer;
  int64_t donor = hd_discardable_donor(op);
  hd_type i64 = hd_i64(b.context);
  hd_value *place = hd_build_int(&b, i64, hd_message_add_place(messages, op->loc));
  if (donor >= 0)
    pointer =
        hd_build_ral_call(&b, "ral_alloc_donated___pvoid_i64_i64_i64_i64___pvoid", ptr,
                          (hd_value *[]){hd_build_int(&b, i64, donor), hd_build_int(&b, i64, output), bytes, place}, 4);
  else if (output >= 0)
    pointer = hd_build_ral_call(&b, "ral_alloc_output___pvoid_i64_i64_i64___pvoid", ptr,
                                (hd_value *[]){hd_build_int(&b, i64, output), bytes, place}, 3);
  else
    pointer = hd_build_ral_call(&b, api, ptr, (hd_value *[]){bytes, place}, 2);
  hd_value **operands = hd_new_array(&pass->arena, hd_value *, op->operand_count + 1);
  operands[0] = pointer;
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[1 + i] = hd_operand(op, i);
  hd_value *memref =
      hd_build_one_(&b, HD_OP_hd_memref, hd_result_type(op, 0), operands, op->operand_count + 1, NULL, 0);
  hd_op_replace(op, &memref);
}
