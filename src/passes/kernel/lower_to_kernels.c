/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lower-to-kernels: every fusion and every single buffer op becomes a kernel function and its launch, a library
 * call, or structured host control flow.
 *
 *   "lmhlo.fusion"() ({...}) {hd.kind = "loop"}   ->   hd.launch @loop_multiply_add extent(%e) grain(%g) args(...)
 *                                                      func.func private @loop_multiply_add(...) attributes {hd.kernel}
 *   dots, convolutions                            ->   hd.ral_call "ral_dot_general...", "ral_convolution..." with an
 *                                                      epilogue kernel
 *   lmhlo.constant, not a splat                   ->   a pointer of the context: hd.ral_call "ral_constant..."
 * An op with no way to be compiled is an error that names it. */
#include "analysis/short_dims.h"
#include "ir/ops/discardable.h"
#include "passes/analyses.h"
#include "passes/kernel/attention.h"
#include "passes/kernel/routes.h"

/* A row fusion that no row kernel fits: a loop kernel for each reduction and each output, which reads those before it
 * from memory. A later one may read what one kernel of all would have written over when it was done. */
static bool lower_in_parts(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set) {
  for (size_t o = 0; o < set->outputs.len; ++o)
    if (hd_kernel_donor(ctx->shapes, set->outputs.data[o]))
      hd_discardable_set_donor_attr(hd_value_op(set->outputs.data[o]), NULL);
  hd_builder b = hd_builder_before(op);
  hd_op **ops = hd_new_array(&ctx->pass->arena, hd_op *, set->ops.len);
  hd_map in_memory = {0}; /* ops whose results are there */
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *each = set->ops.data[i];
    bool wanted = hd_buffer_opcode(each) == HD_OP_stablehlo_reduce;
    for (size_t o = 0; o < set->outputs.len; ++o) wanted |= hd_map_get(&set->writers, set->outputs.data[o]) == each;
    if (!wanted || hd_discardable_inline(each)) continue;
    size_t count = 0;
    for (size_t k = 0; k <= i; ++k)
      if (!hd_map_get(&in_memory, set->ops.data[k])) ops[count++] = set->ops.data[k];
    uint32_t outputs = hd_buffer_output_count(each);
    hd_value **results = hd_new_array(&ctx->pass->arena, hd_value *, outputs);
    for (uint32_t o = 0; o < outputs; ++o) results[o] = hd_buffer_output(each, o);
    hd_kernel_ops part = {ops, count, results, outputs};
    hd_kernel_launch launch = {0};
    if (!hd_kernel_of(ctx, hd_emit_loop_kernel, &part, "loop", &each, 1, each->loc, &launch)) return false;
    if (!hd_launch_kernel(ctx, &b, &launch, op)) return false;
    hd_map_set(&ctx->pass->arena, &in_memory, each, each);
  }
  hd_op_erase(op);
  return true;
}

/* Loops of a GPU schedule and buffers of a device have other passes; kernels of the CPU take neither. */
static bool is_for_the_cpu(hd_op *op) {
  bool is_fusion = hd_op_is(op, HD_OP_lmhlo_fusion);
  if (is_fusion && hd_fusion_has_loops(op))
    return hd_op_error(op, "has loops: disc-input-inline-fusion takes it, and disc-lower-to-kernels what has none");
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_is(hd_operand_type(op, i), HD_TYPE_MEMREF) && hd_operand_type(op, i)->shaped.space)
      return hd_op_error(op,
                         "takes memory of the device: disc-lower-to-kernels makes kernels of the CPU, and "
                         "disc-lhlo-legalize-to-loop those of the device");
  if (is_fusion)
    hd_for_each_op(inner, hd_op_region(op, 0)->first) {
      if (!is_for_the_cpu(inner)) return false;
    }
  return true;
}

/* The fusion before |op|, with nothing but host arithmetic and allocations between; null when it is not joined with the
 * next one. */
static hd_op *joined_before(hd_op *op) {
  do op = op->prev;
  while (op && !op->info->derived_from && !op->region_count && !hd_op_is(op, HD_OP_hd_launch));
  return hd_op_is(op, HD_OP_lmhlo_fusion) && hd_discardable_joined(op) ? op : NULL;
}

static bool lower_op(hd_lowering *ctx, hd_op *op);

/* What has waited for |op|, the last of its fusions: one call, or all of them one by one where that is no more. */
static bool lower_joined(hd_lowering *ctx, hd_op *op) {
  hd_attention attention;
  if (hd_attention_at(ctx, op, &attention)) return hd_lower_attention(ctx, &attention);
  hd_op *before = joined_before(op), *first = joined_before(before);
  hd_op *all[] = {first, before, op};
  for (int i = 0; i < 3; ++i) {
    if (!all[i]) continue;
    if (hd_op_is(all[i], HD_OP_lmhlo_fusion)) hd_discardable_set_joined(all[i], false);
  }
  for (int i = 0; i < 3; ++i)
    if (all[i] && !lower_op(ctx, all[i])) return false;
  return true;
}

static bool lower_op(hd_lowering *ctx, hd_op *op) {
  if (hd_op_is(op, HD_OP_lmhlo_fusion) && hd_discardable_joined(op)) return true; /* the last of them does it */
  if (joined_before(op)) return lower_joined(ctx, op);
  if (!is_for_the_cpu(op) || !hd_part_own_reads(ctx, op)) return false;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_mhlo_copy:
      return hd_lower_copy(ctx, op);
    case HD_OP_stablehlo_sort:
      return hd_lower_sort(ctx, op);
    case HD_OP_stablehlo_constant:
      if (!hd_can_generate(op)) return hd_lower_constant(ctx, op);
      break;
    default:
      break;
  }
  hd_kernel_set set = {0};
  hd_kernel_collect(op, &ctx->pass->arena, &set);
  hd_op *scan = hd_scan_of(&set);
  if (scan) return hd_lower_scan(ctx, op, &set, scan);
  if (hd_scatter_of(&set)) return hd_lower_scatter(ctx, op, &set);
  hd_enum_kind kind = hd_discardable_kind(op);
  hd_op *product = hd_library_product(&set);
  bool whole = kind == HD_KIND_GEMM || (product == op && !hd_is_small_product(product));
  if (product && set.outputs.len && whole) return hd_lower_product(ctx, op, &set, product);
  if (set.outputs.len && hd_is_host_arithmetic(&set)) return hd_lower_host_arithmetic(ctx, op, &set);
  hd_op *update = hd_update_of(&set);
  if (update) return hd_lower_update(ctx, op, &set, update);
  if (hd_is_collective(op)) return hd_lower_collective(ctx, op);
  if (hd_is_library_op(op)) return hd_lower_library_op(ctx, op);
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_select_and_scatter)
    return hd_lower_by(ctx, op, &set, "pool", hd_emit_select_and_scatter_kernel);
  hd_kernel_ops ops = {set.ops.data, set.ops.len, set.outputs.data, set.outputs.len};
  bool fits = kind != HD_KIND_ROW || !set.outputs.len || hd_row_kernel_fits(ctx->shapes, &ops, &ctx->pass->arena);
  if (kind == HD_KIND_COLUMN) return hd_lower_columns(ctx, op, &set);
  if (kind == HD_KIND_ROW && fits) return hd_lower_by(ctx, op, &set, "row", hd_emit_row_kernel);
  for (size_t i = 0; i < set.ops.len; ++i)
    if (!hd_can_generate(set.ops.data[i])) return hd_op_error(set.ops.data[i], "has no compiled path on the CPU");
  return fits ? hd_lower_by(ctx, op, &set, "loop", hd_emit_loop_kernel) : lower_in_parts(ctx, op, &set);
}

static bool lower_buffer_block(hd_lowering *ctx, hd_block *block);

static bool lower_regions(hd_lowering *ctx, hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      if (!lower_buffer_block(ctx, block)) return false;
  return true;
}

static bool lower_block(hd_lowering *ctx, hd_block *block) {
  /* Constants first: their buffers become others. */
  hd_for_each_op_safe(op, block) {
    if (op->info->derived_from && hd_buffer_opcode(op) == HD_OP_stablehlo_constant && !hd_can_generate(op) &&
        !hd_lower_constant(ctx, op))
      return false;
  }
  hd_for_each_op_safe(op, block) {
    if (op->info->derived_from && hd_buffer_opcode(op) == HD_OP_stablehlo_sort) hd_prepare_sort(op);
  }
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (op->info->derived_from ? !lower_op(ctx, op) : !lower_regions(ctx, op)) return false;
  }
  return true;
}

static bool lower_buffer_block(hd_lowering *ctx, hd_block *block) {
  hd_block *outer = ctx->here;
  hd_map dims = ctx->here_dims, words = ctx->here_words, tables = ctx->here_tables;
  ctx->here = block;
  ctx->here_dims = ctx->here_words = ctx->here_tables = (hd_map){0};
  bool ok = lower_block(ctx, block);
  ctx->here = outer;
  ctx->here_dims = dims, ctx->here_words = words, ctx->here_tables = tables;
  return ok;
}

bool hd_pass_lower_to_kernels(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  hd_lowering ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func};
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!lower_buffer_block(&ctx, block)) return false;
  if (ctx.constants.len)
    hd_discardable_set_constants(func, hd_attr_array(pass->context, ctx.constants.data, ctx.constants.len));
  pass->changed = true;
  return true;
}
