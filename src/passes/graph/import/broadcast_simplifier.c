/* SPDX-License-Identifier: Apache-2.0 */
/* disc-broadcast-simplifier: what broadcasts implicitly does so by ops of its own.
 *
 *   chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>)
 *   ->
 *   %0 = broadcast_in_dim %b, dims = [1]      stablehlo.add %a, %0 {hd.no_implicit_broadcast}
 *
 * Three kinds, also combined and on unknown dims: an operand of lower rank, whose dims broadcast_dimensions places (the
 * last ones else); dims of 1; both. They occur in chlo.broadcast_* and in elementwise ops of old programs, which have
 * broadcast_dimensions as an attribute. A converted op is tagged, and a tagged one is left alone. Of a stablehlo op
 * without that attribute `?` and `?` are equal, as its specification says, so it is left as well. */
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "passes/graph/import/broadcast.h"
#include "passes/graph/import/chlo_legalize_to_stablehlo.h"
#include "passes/passes.h"

static bool is_open(const hd_op *op) {
  return (hd_op_broadcasts_implicitly(op) || hd_op_is_chlo_broadcast(op)) && !hd_discardable_no_implicit_broadcast(op);
}

static bool simplify(hd_op *op) {
  hd_builder b = hd_builder_before(op);
  hd_attr unit = hd_attr_unit(b.context);
  if (hd_op_is_chlo_broadcast(op)) {
    bool failed = false;
    hd_value *value = hd_chlo_legalize_op(&b, op, &failed);
    if (failed || !value) return !failed;
    if (hd_value_op(value)) hd_discardable_set_no_implicit_broadcast(hd_value_op(value), unit);
    hd_op_replace(op, &value);
    return true;
  }
  hd_value *values[HD_BROADCAST_MAX_OPERANDS];
  if (!hd_broadcast_operands(&b, op, values)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_op_set_operand(op, i, values[i]);
  hd_op_attr_set(op, HD_NAME_broadcast_dimensions, NULL);
  hd_discardable_set_no_implicit_broadcast(op, unit);
  return true;
}

bool hd_pass_broadcast_simplifier(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_open, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i)
    if (!simplify(ops.data[i])) return false;
  pass->changed |= ops.len > 0;
  return true;
}
