/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/gpu/kernel_modules.h"

#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

typedef struct launched_kernel {
  hd_op *kernels, *kernel;
  hd_vec(hd_op *) launches;
} launched_kernel;

typedef hd_vec(launched_kernel) launched_kernels;

static bool is_launch(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch_func); }
static bool is_kernel_module(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_module); }
static bool is_kernel(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_func) && hd_discardable_gpu_kernel(op); }

static bool find_kernels(hd_pass *pass, hd_op *module, launched_kernels *out) {
  hd_op_list launches = hd_ops_where(module, is_launch, &pass->arena);
  for (size_t i = 0; i < launches.len; ++i) {
    hd_op *launch = launches.data[i], *kernel = hd_symbol_resolve(launch, hd_launch_like_kernel(launch));
    if (!kernel || !is_kernel(kernel))
      return hd_op_error(launch, "expects a gpu.func as its kernel, got another symbol");
    launched_kernel *found = NULL;
    for (size_t k = 0; k < out->len && !found; ++k)
      if (out->data[k].kernel == kernel) found = &out->data[k];
    if (!found) {
      hd_vec_push(&pass->arena, out, ((launched_kernel){.kernels = hd_op_parent(kernel), .kernel = kernel}));
      found = &out->data[out->len - 1];
    }
    hd_vec_push(&pass->arena, &found->launches, launch);
  }
  return true;
}

/* The sizes of the block of all launches; false: they are not known, or not one. */
static bool block_of(const launched_kernel *k, int32_t *sizes) {
  for (size_t i = 0; i < k->launches.len; ++i) {
    uint32_t first, count;
    hd_op_operand_range(k->launches.data[i], HD_LAUNCH_BLOCK, &first, &count);
    for (uint32_t d = 0; d < 3; ++d) {
      int64_t size;
      if (!hd_value_constant_int(hd_operand(k->launches.data[i], first + d), &size) || size < 1 || size > INT32_MAX)
        return false;
      if (i && size != sizes[d]) return false;
      sizes[d] = (int32_t)size;
    }
  }
  return true;
}

/* A copy of |k|'s module with |k|'s kernel alone, named |name|. */
static void move_kernel(hd_pass *pass, const launched_kernel *k, hd_ident name) {
  hd_map clones = {0};
  hd_op *copy = hd_op_clone(pass->module, k->kernels, &pass->arena, &clones);
  hd_attr text = hd_attr_string(pass->context, hd_ident_str(name));
  hd_op_insert_after(copy, k->kernels);
  hd_op *kernel = hd_symbol_lookup(copy, hd_symbol_name(k->kernel));
  hd_for_each_op_safe(op, hd_op_region(copy, 0)->first)
    if (is_kernel(op) && op != kernel) hd_op_erase(op);
  hd_op_attr_set(copy, HD_NAME_sym_name, text);
  hd_op_attr_set(kernel, HD_NAME_sym_name, text);
  int32_t sizes[3];
  if (!hd_discardable_gpu_known_block_size(kernel) && !hd_discardable_known_block_size(kernel) && block_of(k, sizes))
    hd_discardable_set_known_block_size(kernel, hd_attr_i32_array(pass->context, sizes, 3));
  for (size_t i = 0; i < k->launches.len; ++i)
    hd_launch_like_set_kernel(k->launches.data[i], hd_attr_symbol(pass->context, hd_ident_str(name), &name, 1));
}

bool hd_split_kernel_modules(hd_pass *pass, hd_op *module) {
  launched_kernels kernels = {0};
  hd_symbol_table symbols;
  if (!find_kernels(pass, module, &kernels)) return false;
  hd_symbol_table_init(&symbols, &pass->arena, module);
  hd_op_list old = hd_ops_where(module, is_kernel_module, &pass->arena);
  for (size_t i = 0; i < kernels.len; ++i) {
    const launched_kernel *k = &kernels.data[i];
    hd_str outer = hd_symbol_name(k->kernels), inner = hd_symbol_name(k->kernel);
    const char *text =
        hd_arena_printf(&pass->arena, "%.*s_%.*s", (int)outer.len, outer.data, (int)inner.len, inner.data);
    hd_ident name = hd_symbol_table_unique(&symbols, pass->context, hd_str_of(text));
    move_kernel(pass, k, name);
    hd_symbol_table_insert(&symbols, hd_symbol_lookup(module, hd_ident_str(name)));
  }
  for (size_t i = 0; i < old.len; ++i) hd_op_erase(old.data[i]);
  return true;
}
