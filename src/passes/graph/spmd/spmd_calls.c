/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of custom calls. One with a side effect happens once. One that says how many leading dims are a batch,
 *
 *   %q = custom_call @lapack_sgeqrf_ffi(%a) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x6x6xf32>)
 *   -> ...
 *
 * is called by each device for the members that it has. Any other works on whole tensors. */
#include "ir/custom_calls.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

static hd_value *zeros(hd_builder *b, hd_type type) {
  size_t bytes = hd_type_element_bytes(hd_type_element(type));
  return hd_build_hlo_constant(b, hd_attr_dense(type, hd_new_array(&b->module->arena, char, bytes + 1), bytes, true));
}

/* A side effect happens once: the first device has it, on whole operands, and the others receive its results. */
static bool once(hd_spmd *s, hd_op *op) {
  hd_context *c = s->pass->context;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!hd_type_is_static(hd_result_type(op, i)) || !hd_type_element_bytes(hd_type_element(hd_result_type(op, i))))
      return hd_op_error(op, "has a side effect and a result that cannot be sent to the other partitions");
  hd_plan p = hd_plan_of(s, op);
  hd_type u32 = hd_type_tensor(hd_type_integer(c, 32, HD_UNSIGNED), NULL, 0, NULL);
  hd_value *id = hd_result(hd_build_op(&s->b, HD_OP_stablehlo_partition_id, NULL, 0, &u32, 1, NULL, 0, 0), 0);
  hd_value *first = hd_stablehlo_compare(&s->b, HD_STABLEHLO_COMPARE_EQ, id, zeros(&s->b, u32));
  hd_type *types = hd_new_array(s->arena, hd_type, op->result_count + 1u);
  hd_value **values = hd_new_array(s->arena, hd_value *, op->result_count + 1u);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  for (uint32_t i = 0; i < op->operand_count; ++i) (void)hd_spmd_as(s, hd_operand(op, i), p.operands[i]);
  hd_op *made = hd_build_op(&s->b, HD_OP_stablehlo_if, &first, 1, types, op->result_count, NULL, 0, 2);
  hd_builder outer = s->b;
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_block_create(s->pass->module);
    hd_region_append(hd_op_region(made, r), block);
    s->b = hd_builder_at_end(s->pass->module, block);
    hd_op *call = r ? NULL : hd_spmd_emit(s, op, p.operands, p.results);
    for (uint32_t i = 0; i < op->result_count; ++i) values[i] = r ? zeros(&s->b, types[i]) : hd_result(call, i);
    hd_build_op(&s->b, HD_OP_stablehlo_return, values, op->result_count, NULL, 0, NULL, 0, 0);
  }
  s->b = outer;
  for (uint32_t i = 0; i < op->result_count; ++i)
    hd_spmd_set(s, hd_result(op, i), hd_spmd_broadcast(s, hd_result(made, i)), p.results[i]);
  return true;
}

/* What an older sharding calls manual is the device's own, as all is in a manual computation. */
static bool is_own(hd_op *op) {
  hd_attr sharding = hd_discardable_mhlo_sharding(op);
  return hd_attr_is(sharding, HD_ATTR_STRING) && hd_str_is(hd_ident_str(sharding->string), "{manual}");
}

/* How many leading dims of its operands and results a call says are dims of a batch, whose members do not depend on
 * each other; 0 where it does not say. What has fewer dims belongs to all of the batch. */
static uint32_t batch_dims(hd_op *op) {
  hd_attr attributes = hd_discardable_mhlo_frontend_attributes(op);
  hd_attr count = hd_attr_is(attributes, HD_ATTR_DICT) ? hd_dict_get(attributes, HD_NAME_num_batch_dims) : NULL;
  if (!hd_attr_is(count, HD_ATTR_STRING)) return 0;
  hd_str text = hd_ident_str(count->string);
  uint32_t dims = 0;
  for (size_t i = 0; i < text.len; ++i) {
    if (text.data[i] < '0' || text.data[i] > '9' || dims > 99) return 0;
    dims = dims * 10 + (uint32_t)(text.data[i] - '0');
  }
  return dims;
}

/* Every device calls for the members of the batch that it has. Operands that say how large the results are say it of
 * all of the batch. */
static bool batched_call(hd_spmd *s, hd_op *op, uint32_t dims) {
  if (hd_discardable_indices_of_shape_operands(op)) return hd_spmd_replicated(s, op);
  hd_plan p = hd_plan_of(s, op);
  hd_layout batch = {0};
  hd_type type = NULL;
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    hd_type next = i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
    if (!hd_type_has_rank(next)) return hd_spmd_replicated(s, op);
    if (hd_type_rank(next) < dims) continue;
    if (!type) type = next;
    for (uint32_t d = 0; d < dims; ++d)
      if (hd_type_dim(next, d) != hd_type_dim(type, d)) return hd_spmd_replicated(s, op);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_layout have = hd_layout_of(s, hd_operand(op, i));
    if (have.rank < dims) continue;
    have.rank = dims;
    if (!batch.rank || hd_layout_parts(s, have) > hd_layout_parts(s, batch)) batch = have;
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (p.operands[i].rank >= dims) hd_layout_merge(s, &p.operands[i], batch, type);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (p.results[i].rank >= dims) hd_layout_merge(s, &p.results[i], batch, type);
  return hd_plan_emit(s, op, p);
}

bool hd_spmd_custom_call(hd_spmd *s, hd_op *op) {
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  if (hd_str_is(target, "SPMDFullToShardShape") || hd_str_is(target, "SPMDShardToFullShape"))
    return hd_spmd_border(s, op);
  if (hd_custom_call_is_annotation(target)) return hd_spmd_pairwise(s, op);
  hd_attr effect = hd_stablehlo_custom_call_has_side_effect_attr(op);
  if (effect && effect->integer && !is_own(op)) return once(s, op);
  uint32_t dims = batch_dims(op);
  return dims ? batched_call(s, op, dims) : hd_spmd_replicated(s, op);
}
