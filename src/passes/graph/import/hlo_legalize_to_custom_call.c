/* SPDX-License-Identifier: Apache-2.0 */
/* hlo-legalize-to-custom-call: ops that StableHLO lacks become custom calls of their names.
 *
 *   %v, %i = chlo.top_k(%x, k = 2)   ->   %v, %i = stablehlo.custom_call @chlo.top_k(%x) {mhlo.attributes = {k = 2}}
 *   mhlo.erf %x                      ->   stablehlo.custom_call @mhlo.erf(%x)
 *
 * So a program can be given to a reader of StableHLO alone, in the form that StableHLO has for ops to come. Ops with
 * regions stay, and so do those that StableHLO has too, whichever name they were read by. */
#include "base/vec.h"
#include "passes/passes.h"

static bool is_foreign(const hd_op *op) {
  hd_str name = {op->info->name, strlen(op->info->name)};
  return (hd_str_starts(name, "chlo.") || hd_str_starts(name, "mhlo.")) && !op->region_count;
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!is_foreign(op)) return true;
  hd_arena *arena = &pass->arena;
  hd_vec(hd_named_attr) own = {0};
  hd_for_each_attr(attr, op)
    if (attr.inherent) hd_vec_push(arena, &own, ((hd_named_attr){attr.name, attr.value}));
  hd_builder b = hd_builder_before(op);
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_cstring(b.context, op->info->name)},
                         {HD_NAME_mhlo_attributes, own.len ? hd_attr_dict(b.context, own.data, own.len) : NULL}};
  hd_value **values = hd_new_array(arena, hd_value *, op->operand_count + op->result_count + 1);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_op *call = hd_build_op(&b, HD_OP_stablehlo_custom_call, values, op->operand_count, types, op->result_count, attrs,
                            own.len ? 2 : 1, 0);
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(call, i);
  hd_op_replace(op, values);
  pass->changed = true;
  return true;
}

bool hd_pass_hlo_legalize_to_custom_call(hd_pass *pass, hd_op *func) { return hd_walk_post(func, visit, pass); }
