/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the block whose size the launch gives, and views of bytes.
 *
 *   gpu.dynamic_shared_memory : memref<?xi8, workgroup>       llvm.mlir.global external @dynamic_shared() {addr_space =
 *                                                             3} : array<0 x i8>
 *                                                        ->   llvm.mlir.addressof @dynamic_shared
 *   memref.view %m[%shift][%n] : ... to memref<?x8xf32>       llvm.getelementptr %m[%shift] : i8 */
#include "analysis/kernel_sizes.h"
#include "passes/machine/converter.h"

enum { DYNAMIC_INDEX = INT32_MIN, INBOUNDS_NUW = 7 };

static hd_type no_bytes(hd_context *context) {
  hd_attr params[] = {hd_attr_i64(context, 0), hd_attr_type(hd_type_integer(context, 8, HD_SIGNLESS))};
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_array, params, 2);
}

/* All functions of a gpu.module have one, by its type: what only has its name is another thing. */
static hd_attr dynamic_symbol(hd_converter *c) {
  hd_for_each_op(op, c->function->block) {
    if (hd_is_dynamic_shared(op)) return hd_attr_symbol(c->context, hd_symbol_name(op), NULL, 0);
  }
  hd_attr symbol = hd_machine_unique_symbol(c->arena, hd_op_parent(c->function), "dynamic_shared");
  hd_builder before = hd_builder_at_start(c->b.module, c->function->block);
  before.loc = c->function->loc;
  hd_attr_arg attrs[] = {{HD_NAME_sym_name, symbol},
                         {HD_NAME_global_type, hd_attr_type(no_bytes(c->context))},
                         {HD_NAME_addr_space, hd_attr_i32(c->context, HD_SPACE_SHARED)},
                         {HD_NAME_alignment, hd_attr_i64(c->context, 16)},
                         {HD_NAME_linkage, hd_attr_of_llvm_linkage(c->context, HD_LLVM_LINKAGE_EXTERNAL)}};
  hd_build_op(&before, HD_OP_llvm_mlir_global, NULL, 0, NULL, 0, attrs, 5, 1);
  return hd_attr_symbol(c->context, hd_attr_text(symbol), NULL, 0);
}

/* How many bytes there are no word says: a size that is read is an error (converter.h). */
HD_RULE(dynamic_memory) {
  (void)code;
  hd_type type = hd_result_type(op, 0);
  if (type->shaped.rank != 1 || type->shaped.layout || hd_machine_space(type) != HD_SPACE_SHARED ||
      !hd_type_is_integer(type->shaped.element, 8))
    return hd_op_misfit_error(op, type, NULL, "expected dense memory of i8 of one dim in the block's space");
  hd_attr_arg address[] = {{HD_NAME_global_name, dynamic_symbol(c)}};
  hd_machine_parts *parts = hd_machine_new_parts(c, 2);
  parts->at[0] = hd_build_one_(&c->b, HD_OP_llvm_mlir_addressof, hd_machine_pointer(c->context, HD_SPACE_SHARED), NULL,
                               0, address, 1);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}

HD_RULE(view) {
  (void)code;
  hd_type type = hd_result_type(op, 0), byte = hd_type_integer(c->context, 8, HD_SIGNLESS);
  if (type->shaped.layout) return hd_op_misfit_error(op, type, NULL, "has strides, expected a dense buffer");
  hd_value *shift = hd_machine_resize(c, hd_machine_one(c, op, 1), hd_i64(c->context), false);
  hd_attr_arg attrs[] = {{HD_NAME_elem_type, hd_attr_type(byte)},
                         {HD_NAME_rawConstantIndices, hd_attr_i32_array(c->context, (int32_t[]){DYNAMIC_INDEX}, 1)},
                         {HD_NAME_noWrapFlags, hd_attr_i32(c->context, INBOUNDS_NUW)}};
  hd_value *base = hd_machine_operand(c, op, 0)->at[0];
  hd_machine_parts *parts = hd_machine_new_parts(c, hd_machine_part_count(type));
  parts->at[0] = hd_build_one_(&c->b, HD_OP_llvm_getelementptr, base->type, (hd_value *[]){base, shift}, 2, attrs, 3);
  for (uint32_t d = 0, next = 2; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == HD_DYNAMIC) parts->at[1 + d] = hd_machine_one(c, op, next++);
  hd_machine_set(c, hd_result(op, 0), parts);
  return true;
}
