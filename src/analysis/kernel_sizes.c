/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/kernel_sizes.h"

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"

bool hd_kernel_takes_size(const hd_op *kernel, uint32_t argument, uint32_t d) {
  const hd_value *memref = hd_op_region(kernel, 0)->first->args[argument];
  if (memref->type->shaped.dims[d] != HD_DYNAMIC) return false;
  hd_attr all = hd_function_like_arg_attrs(kernel);
  hd_attr sizes = argument < hd_attr_count(all) ? hd_dict_get(all->array.items[argument], HD_NAME_hd_sizes) : NULL;
  if (!sizes) return true;
  for (size_t i = 0; i < hd_attr_count(sizes); ++i)
    if (hd_attr_int_at(sizes, i) == d) return true;
  return false;
}

bool hd_is_dynamic_shared(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_llvm_mlir_global)) return false;
  hd_type type = hd_llvm_mlir_global_global_type(op)->type_value;
  return hd_llvm_mlir_global_addr_space(op) == 3 && hd_type_is(type, HD_TYPE_DIALECT) &&
         type->dialect.row == HD_TYPE_ROW_llvm_array && !type->dialect.params[0]->integer;
}
