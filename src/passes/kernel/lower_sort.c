/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts: by an order of numbers (hd.order, of order-sorts) a call of the runtime's sort, by any other comparator a
 * kernel that merges copies of the operands. */
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/kernel/routes.h"
#include "passes/lowering/ral_call.h"
#include "runtime/libraries/sort_abi.h"

/* The op that fills |buffer| by counting, when nobody but |sort| wants it; else null. */
static hd_op *count_for(hd_value *buffer, hd_op *sort) {
  hd_op *maker = NULL;
  hd_for_each_use(use, buffer) {
    hd_op *op = use->owner;
    if (op == sort || hd_op_is(op, HD_OP_memref_dealloc)) continue;
    bool counts = op->info->derived_from && hd_is_iota_like(op);
    if (!counts || maker || hd_buffer_output(op, 0) != buffer || op->block != sort->block) return NULL;
    maker = op;
  }
  return maker;
}

/* Does operand |i| of |sort| count along the sorted dim? hd.positions has a bit for each of the first. */
static bool holds_positions(const hd_op *sort, uint32_t i) {
  return i < HD_SORT_MOST_POSITIONS && hd_discardable_positions(sort) >> i & 1;
}

void hd_prepare_sort(hd_op *sort) {
  for (uint32_t i = 0; i < hd_buffer_output_count(sort); ++i) {
    hd_op *count = holds_positions(sort, i) ? count_for(hd_operand(sort, i), sort) : NULL;
    if (count) hd_op_erase(count);
  }
}

static bool is_read(hd_value *buffer, const hd_op *sort) {
  hd_for_each_use(use, buffer) {
    if (use->owner != sort && !hd_op_is(use->owner, HD_OP_memref_dealloc)) return true;
  }
  return false;
}

static bool call_sort(hd_lowering *ctx, hd_op *op, hd_attr order) {
  hd_dim_table *t = &ctx->shapes->table;
  hd_builder b = hd_builder_before(op);
  hd_type index = hd_type_index(b.context), i64 = hd_i64(b.context);
  uint32_t operands = hd_buffer_output_count(op), keys = (uint32_t)hd_attr_count(order) / 2,
           rank = hd_type_rank(hd_operand_type(op, 0));
  int64_t axis = hd_stablehlo_sort_dimension(op);
  axis = axis < 0 ? axis + rank : axis;
  uint32_t first_key = HD_WORDS(hd_sort_descriptor),
           first_operand = first_key + HD_WORDS(hd_sort_key_descriptor) * keys,
           count = first_operand + HD_WORDS(hd_sort_operand_descriptor) * operands;
  hd_dim *dims = hd_new_array(&ctx->pass->arena, hd_dim, count), one = hd_dim_const(t, 1);
  hd_value **values = hd_new_array(&ctx->pass->arena, hd_value *, count);
  hd_dim *outer = &dims[HD_WORD(hd_sort_descriptor, outer)], *n = &dims[HD_WORD(hd_sort_descriptor, n)],
         *inner = &dims[HD_WORD(hd_sort_descriptor, inner)];
  *outer = *inner = one;
  for (uint32_t d = 0; d < rank; ++d) {
    hd_dim dim = hd_shapes_dim(ctx->shapes, hd_operand(op, 0), d);
    hd_dim *part = d < (uint32_t)axis ? outer : inner;
    if (d == (uint32_t)axis)
      *n = dim;
    else
      *part = hd_dim_mul(t, *part, dim);
  }
  dims[HD_WORD(hd_sort_descriptor, front)] =
      hd_discardable_front_attr(op) ? hd_dim_const(t, hd_discardable_front(op)) : *n;
  dims[HD_WORD(hd_sort_descriptor, operands)] = hd_dim_const(t, operands);
  dims[HD_WORD(hd_sort_descriptor, keys)] = hd_dim_const(t, keys);
  for (uint32_t i = 0; i < 2 * keys; ++i) /* hd.order is a list of operand and kind, as hd_sort_key_descriptor are */
    dims[first_key + i] = hd_dim_const(t, hd_attr_int_or(order->array.items[i], 0));
  for (uint32_t i = 0; i < operands; ++i) {
    uint32_t at = first_operand + HD_WORDS(hd_sort_operand_descriptor) * i,
             from = at + HD_WORD(hd_sort_operand_descriptor, in), to = at + HD_WORD(hd_sort_operand_descriptor, out);
    hd_value *in = hd_operand(op, i), *out = hd_buffer_output(op, i);
    bool counts = holds_positions(op, i);
    dims[from] = dims[to] = hd_dim_const(t, 0);
    if (!counts) values[from] = hd_build(&b, HD_OP_memref_extract_aligned_pointer_as_index, index, in);
    if (is_read(out, op)) values[to] = hd_build(&b, HD_OP_memref_extract_aligned_pointer_as_index, index, out);
    dims[at + HD_WORD(hd_sort_operand_descriptor, bytes)] =
        hd_dim_const(t, (int64_t)hd_type_element_bytes(hd_type_element(in->type)));
    dims[at + HD_WORD(hd_sort_operand_descriptor, positions)] = hd_dim_const(t, counts);
  }
  hd_value *descriptor = hd_host_table(ctx, &b, dims, values, count, op);
  if (!descriptor) return false;
  hd_value *arguments[] = {descriptor, hd_build_int(&b, i64, count)};
  hd_build_ral_call(&b, "ral_sort___pvoid_pvoid_i64___void", NULL, arguments, 2);
  hd_op_erase(op);
  return true;
}

bool hd_lower_sort(hd_lowering *ctx, hd_op *op) {
  if (!hd_type_rank(hd_operand_type(op, 0)) || !hd_discardable_order(op)) {
    hd_kernel_set set = {0};
    hd_kernel_collect(op, &ctx->pass->arena, &set);
    hd_builder b = hd_builder_before(op);
    uint32_t count = hd_buffer_output_count(op);
    for (uint32_t i = 0; i < count; ++i)
      if (hd_operand(op, i) != hd_buffer_output(op, i) &&
          !hd_lower_build_copy(ctx, &b, hd_operand(op, i), hd_buffer_output(op, i), op))
        return false;
    if (!hd_type_rank(hd_operand_type(op, 0))) { /* one element is in order */
      hd_op_erase(op);
      return true;
    }
    for (uint32_t i = 0; i < count; ++i) {
      hd_value *scratch = hd_scratch_like(ctx, op, hd_buffer_output(op, i));
      if (!scratch) return false;
      hd_vec_push(&ctx->pass->arena, &set.outputs, scratch);
    }
    return hd_lower_by(ctx, op, &set, "sort", hd_emit_sort_kernel);
  }
  return call_sort(ctx, op, hd_discardable_order(op));
}
