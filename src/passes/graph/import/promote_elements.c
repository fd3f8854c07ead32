/* SPDX-License-Identifier: Apache-2.0 */
/* promote-elements: what the specification converts is written out, so that all passes after see one element type per
 * op:
 *
 *   reduce(%x, %v) ({ add of i64 }) : i8, i8 -> i64     ->    reduce(convert %x, convert %v) : i64, i64 -> i64
 *   dot_general %a, %b : bf16, f32 -> f32               ->    dot_general (convert %a), %b : f32, f32 -> f32
 *
 * What is combined by a region (reduce, reduce_window, scatter, select_and_scatter, all_reduce, reduce_scatter,
 * collective_reduce) takes the region's element type, the sides of a product one that adds up in the result's. Which
 * types may meet at all is the verifier's (ir/promotion.h). The operand of select_and_scatter is compared in its own
 * type:
 * where the region's does not hold it (f16 and bf16), the op computes in one that holds both.
 *
 * Quantized types are left: hlo-expand computes them as floats. */
#include "codegen/widen.h"
#include "ir/promotion.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

/* The element type to which operand |i| is converted; null when it stays. */
static hd_type promoted(const hd_op *op, uint32_t i) {
  hd_type to = hd_combined_element(op, i), from = hd_type_element(hd_operand_type(op, i));
  return to && to != from && from->kind != HD_TYPE_QUANT ? to : NULL;
}

static void promote(hd_pass *pass, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_type selected = hd_op_is(op, HD_OP_stablehlo_select_and_scatter) && promoted(op, 0)
                         ? hd_type_element(hd_operand_type(op, 0))
                         : NULL;
  for (uint32_t i = selected != NULL; i < op->operand_count; ++i) {
    hd_type to = promoted(op, i);
    if (!to) continue;
    hd_op_set_operand(op, i, hd_hlo_convert(&b, hd_operand(op, i), to));
    pass->changed = true;
  }
  if (selected) {
    hd_type to = hd_type_element(hd_result_type(op, 0)), both = hd_element_holding(selected, to);
    op = hd_widen_op(op, selected, both, &pass->arena);
    if (both != to) op = hd_widen_op(op, to, both, &pass->arena);
    pass->changed = true;
  }
  pass->changed |= hd_widen_sides(op);
}

bool hd_pass_promote_elements(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_inner_first(func, NULL, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) promote(pass, ops.data[i]);
  return true;
}
