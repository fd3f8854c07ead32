/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/graph_op.h"

#include "ir/builder.h"
#include "ir/ops/discardable.h"

static uint32_t output_count(const hd_op *op) { return (uint32_t)hd_discardable_outputs(op); }
static uint32_t capture_count(const hd_op *op) { return (uint32_t)hd_discardable_captures(op); }

static hd_type tensor_of(hd_type memref) {
  return hd_type_tensor(memref->shaped.element, memref->shaped.dims, memref->shaped.rank, NULL);
}

bool hd_only_holds_regions(const hd_op *op) {
  uint64_t graph = hd_op_info_of(op->info->derived_from)->traits;
  return graph & (HD_TRAIT(WHILE) | HD_TRAIT(BRANCHES)) || hd_op_is(op, HD_OP_lmhlo_fusion);
}

hd_op *hd_buffer_graph_op(hd_op *op, hd_arena *scratch) {
  if (!op->info->derived_from || hd_only_holds_regions(op)) return NULL;
  uint32_t outputs = output_count(op), captures = capture_count(op), first,
           shapes = hd_opcode_shape_operands(op->info->derived_from, &first);
  uint32_t inputs = hd_op_buffer_count(op) - outputs - captures;
  hd_context *context = hd_op_context(op);
  hd_block *block = hd_block_create(op->module); /* its arguments stand for the operands; never run */
  hd_type shape = hd_type_tensor(hd_i64(context), (int64_t[]){HD_DYNAMIC}, 1, NULL);
  hd_type pairs = hd_type_tensor(hd_i64(context), (int64_t[]){HD_DYNAMIC, 2}, 2, NULL);
  hd_value **operands = hd_new_array(scratch, hd_value *, inputs + shapes + 1);
  for (uint32_t i = 0; i < inputs; ++i)
    operands[i] = hd_block_add_arg(op->module, block, tensor_of(hd_operand_type(op, i)));
  for (uint32_t i = 0; i < shapes; ++i)
    operands[inputs + i] =
        hd_block_add_arg(op->module, block, op->info->derived_from == HD_OP_stablehlo_dynamic_conv ? pairs : shape);
  for (uint32_t i = 0; i < captures; ++i)
    hd_block_add_arg(op->module, block, tensor_of(hd_operand_type(op, inputs + i)));
  hd_type *types = hd_new_array(scratch, hd_type, outputs + 1);
  for (uint32_t i = 0; i < outputs; ++i) types[i] = tensor_of(hd_operand_type(op, inputs + captures + i));
  hd_op_attr_list all = hd_op_all_attrs(op, scratch);
  size_t attr_count = 0;
  for (size_t i = 0; i < all.len; ++i)
    if (!hd_str_starts(hd_ident_str(all.data[i].name), "hd.")) all.data[attr_count++] = all.data[i];
  const char *name = hd_op_info_of(op->info->derived_from)->name;
  hd_op *graph_op = hd_op_create(op->module, &(hd_op_state){.context = context,
                                                            .loc = op->loc,
                                                            .opcode = op->info->derived_from,
                                                            .name = hd_ident_cstr(context, name),
                                                            .operands = operands,
                                                            .operand_count = inputs + shapes,
                                                            .result_types = types,
                                                            .result_count = outputs,
                                                            .attrs = all.data,
                                                            .attr_count = attr_count,
                                                            .region_count = op->region_count});
  hd_map map = {0};
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_region_clone_into(op->module, hd_op_region(op, r), hd_op_region(graph_op, r), scratch, &map);
    hd_block *body = hd_op_region(graph_op, r)->first;
    for (uint32_t i = captures; body && i-- > 0;) { /* the graph op's body uses them by name */
      if (!body->arg_count) break;
      hd_value_replace_uses(body->args[body->arg_count - 1], hd_buffer_graph_op_capture(graph_op, i));
      hd_block_erase_arg(body, body->arg_count - 1);
    }
  }
  return graph_op;
}

hd_value *hd_buffer_graph_op_capture(const hd_op *graph_op, uint32_t i) {
  hd_block *block = graph_op->operand_count ? hd_value_block(hd_operand(graph_op, 0)) : NULL;
  return block && graph_op->operand_count + i < block->arg_count ? block->args[graph_op->operand_count + i] : NULL;
}
