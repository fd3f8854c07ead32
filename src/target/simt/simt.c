/* SPDX-License-Identifier: Apache-2.0 */
#include "target/simt/simt.h"

#include "analysis/kernel_sizes.h"
#include "ir/ops/discardable.h"
#include "ir/ops/llvm.h"
#include "target/simt/encoder.h"

enum { SHARED_LIMIT = 1 << 24 };

/* Memory of the block: the globals of |kernels| one after the other, then what the launch gives. */
static bool place_globals(hd_simt_encoder *e, hd_op *kernels) {
  hd_op *dynamic = NULL;
  hd_for_each_op(op, hd_op_region(kernels, 0)->first) {
    if (!hd_op_is(op, HD_OP_llvm_mlir_global)) continue;
    uint64_t align, bytes = hd_simt_bytes_of(hd_llvm_mlir_global_global_type(op)->type_value, &align);
    int64_t promised = hd_attr_int_or(hd_llvm_mlir_global_alignment_attr(op), 0);
    if (hd_attr_int_or(hd_llvm_mlir_global_addr_space_attr(op), 0) != HD_SIMT_SPACE_SHARED ||
        hd_llvm_mlir_global_value(op) || hd_op_region(op, 0)->first)
      return hd_simt_fail(e, op, "is other than memory of the block without a value");
    if (promised > 0 && promised <= 4096 && !(promised & (promised - 1))) align = (uint64_t)promised;
    if (align < 16) align = 16;
    if (hd_is_dynamic_shared(op)) {
      dynamic = op;
      continue;
    }
    uint64_t at = (e->kernel.shared_bytes + align - 1) & ~(align - 1);
    if (!bytes || bytes > SHARED_LIMIT - at)
      return hd_simt_fail(e, op, "takes more than %d bytes of the block", SHARED_LIMIT);
    hd_map_insert(e->arena, &e->shared, op, NULL)->value.i64 = (int64_t)at + 1;
    e->kernel.shared_bytes = (uint32_t)(at + bytes);
  }
  if (!dynamic) return true;
  e->kernel.shared_bytes = (e->kernel.shared_bytes + 15) & ~15u;
  hd_map_insert(e->arena, &e->shared, dynamic, NULL)->value.i64 = (int64_t)e->kernel.shared_bytes + 1;
  return true;
}

static void write_arguments(hd_simt_encoder *e, hd_op *function) {
  hd_simt_argument *arguments = hd_new_array(e->arena, hd_simt_argument, e->arguments.len + 1);
  for (size_t i = 0; i < e->arguments.len; ++i) {
    const hd_simt_register *reg = &e->registers.data[e->arguments.data[i]];
    hd_type type = hd_op_region(function, 0)->first->args[i]->type;
    bool is_number = type->kind == HD_TYPE_INTEGER || type->kind == HD_TYPE_FLOAT;
    arguments[i] = (hd_simt_argument){reg->slot, reg->slots, is_number ? (uint32_t)hd_type_bits(type) : 64};
  }
  e->kernel.arguments = arguments;
  e->kernel.argument_count = (uint32_t)e->arguments.len;
}

static hd_status encode(hd_op *kernels, hd_op *function, hd_arena *arena, hd_simt_kernel *out) {
  hd_simt_encoder *e = hd_new(arena, hd_simt_encoder);
  hd_str name = hd_symbol_name(function);
  hd_attr size = hd_discardable_gpu_known_block_size(function);
  *e = (hd_simt_encoder){.arena = arena, .status = HD_STATUS_OK};
  e->kernel.name = hd_arena_copy(arena, name.data, name.len);
  for (uint32_t i = 0; i < 3 && hd_attr_count(size) == 3; ++i) e->kernel.block[i] = (uint32_t)hd_attr_int_at(size, i);
  if (!place_globals(e, kernels) || !hd_simt_lower_kernel(e, function)) return e->status;
  hd_simt_find_meets(e);
  HD_TRY(hd_simt_allocate(e));
  write_arguments(e, function);
  e->kernel.sources = e->sources.data;
  e->kernel.source_count = (uint32_t)e->sources.len;
  *out = e->kernel;
  return HD_STATUS_OK;
}

hd_status hd_simt_image(hd_module *module, hd_arena *arena, hd_str *out_image) {
  hd_vec(hd_simt_kernel) kernels = {0};
  bool any = false;
  *out_image = (hd_str){NULL, 0};
  hd_for_each_op(op, hd_module_body(module)) {
    if (!hd_op_is(op, HD_OP_gpu_module)) continue;
    any = true;
    hd_for_each_op(function, hd_op_region(op, 0)->first) {
      if (!hd_op_is(function, HD_OP_llvm_func) || !hd_discardable_gpu_kernel(function)) continue;
      hd_simt_kernel kernel;
      HD_TRY_MSG(encode(op, function, arena, &kernel), "simt");
      hd_vec_push(arena, &kernels, kernel);
    }
  }
  if (!any) return hd_make_status(HD_NOT_FOUND, "simt: the program has no gpu.module");
  hd_simt_module image = {(uint32_t)kernels.len, kernels.data};
  *out_image = hd_simt_image_write(&image, arena);
  return HD_STATUS_OK;
}
