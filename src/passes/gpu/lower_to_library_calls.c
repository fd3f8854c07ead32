/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lower-to-library-calls: ops that no GPU schedule computes become calls of the runtime, by their encoded names
 * (runtime/ral_names.h; docs/ral.md lists them).
 *
 *   "lmhlo.dot"(%a, %b, %c)    ->   hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"
 *                                       (%stream, %a, %b, %c, %false, %false)
 *   dots and convolutions of targets   ->   without |library-products| fusions of kind "product", which
 *   whose products are GENERATED            disc-lhlo-legalize-to-loop makes tiles of; small matrices stay loops
 *   (pass/targets.def)                      with it: %ready = ral_product_ready(..)
 *                                           scf.if %ready { the call } else { the fusion }
 *   other dots, convolutions           ->   ral_dot_general, ral_convolution: the same calls as on the CPU, without an
 *                                           epilogue
 *   "lmhlo.copy"                       ->   ral_copy, ral_h2d, ral_d2h by the memory spaces
 *   cholesky, triangular_solve, fft,   ->   the calls of the CPU, on the stream
 *   custom_call, exchanges between
 *   processes
 *
 * Operands are read where they are through transposes, slices and reshapes; what a call cannot see that way is written
 * by a fusion before it. A product of types that no library takes becomes a fusion of kind "loop". What has neither a
 * call nor a schedule is an error here. */
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/discardable.h"
#include "passes/analyses.h"
#include "passes/lowering/library.h"

static bool is_product(hd_op *op) {
  return op->info->derived_from && hd_op_info_of(op->info->derived_from)->traits & HD_TRAIT(PRODUCT);
}

/* A product of the device that a kernel of tiles computes: marked, with its views, for disc-lhlo-legalize-to-loop. */
static bool is_generated(const hd_lowering *ctx, const hd_kernel_set *set) {
  hd_op *product = hd_kernel_product(set);
  const hd_target_info *target = ctx->pass->target; /* null: libraries do all that they can */
  return target && target->gpu && target->gpu->generated_products && product && set->outputs.len &&
         set->outputs.data[0]->type->shaped.space && hd_gpu_tiles_product(product) && hd_is_plain_product(set, product);
}

static void generate(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set) {
  hd_enum_kind kind = hd_gpu_is_small_product(ctx->shapes, hd_kernel_product(set)) ? HD_KIND_LOOP : HD_KIND_PRODUCT;
  if (hd_op_is(op, HD_OP_lmhlo_fusion))
    hd_discardable_set_kind(op, kind);
  else
    hd_wrap_in_fusion(op, kind);
}

/* The call where somebody takes it, after fusions that write for it what it cannot see in place; else the kernel,
 * which computes that itself. The run tells. */
static bool call_or_generate(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, hd_op *product) {
  hd_op *kernel = hd_op_clone(ctx->pass->module, op, &ctx->pass->arena, NULL), *call = NULL;
  hd_loc loc = op->loc;
  hd_op_insert_before(kernel, op);
  ctx->asks = true;
  bool lowered = hd_lower_product(ctx, op, set, product);
  ctx->asks = false;
  if (!lowered) return false;
  for (call = kernel->next; !hd_op_is(call, HD_OP_hd_ral_call) || call->result_count; call = call->next);
  hd_builder b = hd_builder_before(call);
  b.loc = loc;
  hd_op *choice = hd_build_if(&b, ctx->ready, NULL, 0, true);
  hd_builder then = hd_builder_at_end(b.module, hd_op_region(choice, 0)->first),
             otherwise = hd_builder_at_end(b.module, hd_op_region(choice, 1)->first);
  then.loc = otherwise.loc = loc;
  hd_build_yield(&then, NULL, 0);
  hd_build_yield(&otherwise, NULL, 0);
  for (hd_op *each = kernel->next, *next; each != choice; each = next) {
    next = each->next;
    if (hd_op_is(each, HD_OP_lmhlo_fusion)) hd_op_move_before(each, then.block->last);
  }
  hd_op_move_before(call, then.block->last);
  hd_op_move_before(kernel, otherwise.block->last);
  hd_kernel_set kernel_set = {0};
  hd_kernel_collect(kernel, &ctx->pass->arena, &kernel_set);
  generate(ctx, kernel, &kernel_set);
  return true;
}

static bool lower_product(hd_lowering *ctx, hd_op *op) {
  hd_kernel_set set = {0};
  hd_kernel_collect(op, &ctx->pass->arena, &set);
  hd_op *product = hd_library_product(&set);
  ctx->pass->changed = true;
  if (is_generated(ctx, &set)) {
    bool may_call =
        hd_option_bool(ctx->pass, "library-products") && product && !hd_gpu_is_small_product(ctx->shapes, product);
    if (may_call) return call_or_generate(ctx, op, &set, product);
    generate(ctx, op, &set);
    return true;
  }
  if (product && set.outputs.len) return hd_lower_product(ctx, op, &set, product);
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) hd_discardable_set_kind(op, HD_KIND_LOOP);
  return true;
}

static bool lower_block(hd_lowering *ctx, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
      if (hd_discardable_kind(op) == HD_KIND_GEMM && !lower_product(ctx, op)) return false;
      continue;
    }
    if (is_product(op)) {
      if (!lower_product(ctx, op)) return false;
      continue;
    }
    if (op->info->derived_from && hd_buffer_opcode(op) == HD_OP_mhlo_copy) {
      if (!hd_lower_copy(ctx, op)) return false;
      ctx->pass->changed = true;
      continue;
    }
    if (hd_is_collective(op) || hd_is_library_op(op)) {
      if (!(hd_is_collective(op) ? hd_lower_collective(ctx, op) : hd_lower_library_op(ctx, op))) return false;
      ctx->pass->changed = true;
      continue;
    }
    bool constant = hd_buffer_opcode(op) == HD_OP_stablehlo_constant;
    if (op->info->derived_from && !constant && !hd_can_generate(op) && !hd_gpu_has_schedule(op))
      return hd_op_error(op, "has no library call and no GPU schedule");
    for (uint32_t r = 0; r < op->region_count && !op->info->derived_from; ++r)
      hd_for_each_block(inner, hd_op_region(op, r))
        if (!lower_block(ctx, inner)) return false;
  }
  return true;
}

bool hd_pass_lower_to_library_calls(hd_pass *pass, hd_op *func) {
  hd_lowering ctx = {.pass = pass,
                     .shapes = hd_pass_shapes(pass, func),
                     .func = func,
                     .device = true,
                     .tf32 = hd_option_bool(pass, "tf32"),
                     .deterministic = hd_option_bool(pass, "deterministic")};
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!lower_block(&ctx, block)) return false;
  return true;
}
