/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/kernel_set.h"

#include "analysis/buffer_op.h"
#include "codegen/emit/generator.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

/* A buffer lives on when something outside reads it; readers in other fusions that have a copy of its op do not count.
 * An argument is the caller's. */
static bool lives_on(hd_value *buffer, hd_op *fusion) {
  if (buffer->is_block_arg) return true;
  hd_for_each_use(use, buffer) {
    if (hd_op_is_ancestor(fusion, use->owner) || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    bool own_copy = false;
    if (hd_op_is(hd_op_parent(use->owner), HD_OP_lmhlo_fusion))
      hd_for_each_op(op, use->owner->block) own_copy |= hd_discardable_inline(op) && hd_buffer_output(op, 0) == buffer;
    if (!own_copy) return true;
  }
  return false;
}

void hd_kernel_collect(hd_op *fusion, hd_arena *arena, hd_kernel_set *set) {
  if (!hd_op_is(fusion, HD_OP_lmhlo_fusion)) {
    hd_vec_push(arena, &set->ops, fusion);
    for (uint32_t o = 0; o < hd_buffer_output_count(fusion); ++o) {
      hd_vec_push(arena, &set->outputs, hd_buffer_output(fusion, o));
      hd_map_set(arena, &set->writers, hd_buffer_output(fusion, o), fusion);
    }
    return;
  }
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (!op->info->derived_from) continue;
    hd_vec_push(arena, &set->ops, op);
    for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o)
      hd_map_set(arena, &set->writers, hd_buffer_output(op, o), op);
  }
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    for (uint32_t o = 0; o < hd_buffer_output_count(op) && !hd_discardable_inline(op); ++o)
      if (lives_on(hd_buffer_output(op, o), fusion)) hd_vec_push(arena, &set->outputs, hd_buffer_output(op, o));
  }
}

bool hd_kernel_has_output(const hd_kernel_set *set, const hd_value *buffer) {
  for (size_t i = 0; i < set->outputs.len; ++i)
    if (set->outputs.data[i] == buffer) return true;
  return false;
}

bool hd_fusion_has_loops(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (op->region_count && !op->info->derived_from) return true;
  }
  return false;
}

hd_op *hd_update_of(const hd_kernel_set *set) {
  hd_op *last = set->ops.len ? set->ops.data[set->ops.len - 1] : NULL;
  if (set->outputs.len != 1 || hd_buffer_opcode(last) != HD_OP_stablehlo_dynamic_update_slice ||
      set->outputs.data[0] != hd_buffer_output(last, 0))
    return NULL;
  hd_op *maker = hd_map_get(&set->writers, hd_operand(last, 0));
  bool in_memory = !maker || maker == last;
  for (size_t i = 0; in_memory && i + 1 < set->ops.len; ++i)
    if (!hd_discardable_inline(set->ops.data[i])) return NULL;
  return in_memory ? last : NULL;
}

hd_op *hd_scatter_of(const hd_kernel_set *set) {
  hd_op *last = set->ops.len ? set->ops.data[set->ops.len - 1] : NULL;
  return hd_buffer_opcode(last) == HD_OP_stablehlo_scatter ? last : NULL;
}

hd_op *hd_scan_of(const hd_kernel_set *set) {
  for (size_t i = 0; i < set->ops.len; ++i)
    if (hd_buffer_opcode(set->ops.data[i]) == HD_OP_mhlo_associative_scan) return set->ops.data[i];
  return NULL;
}

bool hd_is_plain_product(const hd_kernel_set *set, hd_op *dot) {
  if (set->outputs.len != 1) return false;
  hd_value *result = hd_buffer_output(dot, 0), *target = set->outputs.data[0];
  if (target == result) return true;
  hd_op *writer = hd_map_get(&set->writers, target);
  return writer && hd_buffer_opcode(writer) == HD_OP_stablehlo_transpose && hd_operand(writer, 0) == result;
}

static bool library_takes(hd_op *dot) {
  hd_type l = hd_type_element(hd_operand_type(dot, 0)), r = hd_type_element(hd_operand_type(dot, 1)),
          o = hd_type_element(hd_buffer_output(dot, 0)->type);
  const hd_type types[3] = {l, r, o};
  bool any_float = false, any_int = false;
  for (int i = 0; i < 3; ++i) {
    bool wide = types[i]->kind == HD_TYPE_FLOAT && hd_float_formats[types[i]->float_kind].bits >= 16;
    bool integer = types[i]->kind == HD_TYPE_INTEGER && types[i]->integer.width >= 8;
    if (!wide && !integer) return false;
    any_float |= wide;
    any_int |= integer;
  }
  bool f64 = hd_type_is_float(o, HD_F64);
  for (int i = 0; i < 3; ++i)
    if (hd_type_is_float(types[i], HD_F64) != f64) return false;
  return !(any_float && any_int);
}

static bool is_convolution(const hd_op *op) { return hd_is_convolution_like(op); }

hd_op *hd_product_among(hd_op *const *ops, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (is_convolution(ops[i]) || hd_buffer_opcode(ops[i]) == HD_OP_stablehlo_dot_general ||
        hd_buffer_opcode(ops[i]) == HD_OP_stablehlo_dot)
      return ops[i];
  return NULL;
}

hd_op *hd_kernel_product(const hd_kernel_set *set) { return hd_product_among(set->ops.data, set->ops.len); }

hd_op *hd_library_product(const hd_kernel_set *set) {
  hd_op *product = hd_kernel_product(set);
  return product && library_takes(product) ? product : NULL;
}

enum { MAX_HOST_OPS = 24 };

static bool is_single_integer(hd_value *buffer) {
  return hd_type_element(buffer->type)->kind == HD_TYPE_INTEGER && hd_type_num_elements(buffer->type) == 1;
}

static bool only_renames(const hd_op *op) { return hd_is_reshape_like(op) || hd_is_broadcast_in_dim_like(op); }

bool hd_is_host_arithmetic(const hd_kernel_set *set) {
  if (set->ops.len > MAX_HOST_OPS) return false;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    hd_opcode opcode = hd_buffer_opcode(op);
    if (hd_buffer_output_count(op) != 1 || !is_single_integer(hd_buffer_output(op, 0))) return false;
    uint32_t inputs = hd_buffer_input_count(op);
    for (uint32_t o = 0; o < inputs; ++o)
      if (!is_single_integer(hd_operand(op, o))) return false;
    if (opcode == HD_OP_stablehlo_constant || (only_renames(op) && inputs == 1)) continue;
    if (!hd_is_elementwise(op)) return false;
  }
  return true;
}
