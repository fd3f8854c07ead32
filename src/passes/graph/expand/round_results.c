/* SPDX-License-Identifier: Apache-2.0 */
/* hlo-expand without excess precision: kernels compute floats below f32 in f32 and round them where they are stored;
 * with a rounding of its own after each op that computes, a value is never more exact than its type, wherever it is
 * read:
 *
 *   %s = add %a, %b : bf16   ->   %s = add %a, %b   %r = reduce_precision %s, e8m7 : bf16
 *
 * Inside the regions of reductions, windows and scans too, so that each step rounds. Kernels take the elements of a
 * body that is more than one op in their order, as the evaluator does. Products and convolutions add up in f32 and are
 * rounded as a whole. */
#include "codegen/widen.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

typedef struct narrow_results {
  hd_arena *arena;
  hd_vec(hd_value *) values;
} narrow_results;

static bool collect_narrow(hd_op *op, void *user) {
  narrow_results *n = user;
  if (!hd_computes_on_elements(op) || op->region_count || hd_op_has_trait(op, HD_TRAIT(EXACT)))
    return true; /* what regions give is rounded there */
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type element = hd_type_is_tensor(hd_result_type(op, i)) ? hd_type_element(hd_result_type(op, i)) : NULL;
    if (hd_type_is(element, HD_TYPE_FLOAT) && hd_float_formats[element->float_kind].bits < 32)
      hd_vec_push(n->arena, &n->values, hd_result(op, i));
  }
  return true;
}

bool hd_round_results(hd_op *func, hd_arena *arena) {
  narrow_results n = {.arena = arena};
  hd_walk_pre(func, collect_narrow, &n);
  for (size_t i = 0; i < n.values.len; ++i) {
    hd_value *value = n.values.data[i];
    hd_op *op = hd_value_op(value);
    const hd_float_format *format = &hd_float_formats[hd_type_element(value->type)->float_kind];
    hd_builder b = hd_builder_after(op);
    b.loc = op->loc;
    hd_value *rounded = hd_stablehlo_reduce_precision(&b, format->exponent_bits, format->mantissa_bits, value);
    hd_discardable_set_fusion_attr(hd_value_op(rounded), hd_discardable_fusion_attr(op));
    hd_value_replace_uses_except(value, rounded, hd_value_op(rounded));
  }
  return n.values.len > 0;
}
