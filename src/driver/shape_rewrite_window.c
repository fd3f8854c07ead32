/* SPDX-License-Identifier: Apache-2.0 */
/* A window whose size only the arguments tell (a cumulative sum's is the dim itself), as exported programs say it:
 *
 *   "stablehlo.reduce_window"(%x.., %init..) ({ f }) {window_dimensions = [4, 1], padding = [[3, 0], [0, 0]]}
 *     ->  custom_call @stablehlo.dynamic_reduce_window(%x.., %init.., [n, 1], strides, base dilations, window
 *         dilations, [[n - 1, 0], [0, 0]]) {called_computations = [@f]} */
#include "driver/shape_rewriter.h"
#include "ir/ops/stablehlo.h"

/* The region as a private function; null when it uses what is outside. */
static hd_op *function_of(hd_rewriter *w, hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *end = body->last;
  hd_for_each_op(inner, body) {
    if (inner->region_count) return NULL;
    for (uint32_t i = 0; i < inner->operand_count; ++i) {
      hd_op *from = hd_value_op(hd_operand(inner, i));
      bool own = from && from->block == body;
      for (uint32_t k = 0; k < body->arg_count; ++k) own |= body->args[k] == hd_operand(inner, i);
      if (!own) return NULL;
    }
  }
  hd_type *ins = hd_new_array(w->arena, hd_type, body->arg_count),
          *outs = hd_new_array(w->arena, hd_type, end->operand_count);
  for (uint32_t i = 0; i < body->arg_count; ++i) ins[i] = body->args[i]->type;
  for (uint32_t i = 0; i < end->operand_count; ++i) outs[i] = hd_operand_type(end, i);
  hd_type type = hd_type_function(w->module->context, ins, body->arg_count, outs, end->operand_count);
  hd_builder b = hd_builder_before(w->func);
  hd_symbol_table symbols;
  hd_symbol_table_init(&symbols, w->arena, w->module->op);
  hd_ident name = hd_symbol_table_unique(&symbols, w->module->context, HD_STR("reducer"));
  hd_op *func = hd_build_func(&b, (hd_str){name->text, name->len}, type, true);
  hd_map map = {0};
  hd_block *to = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < body->arg_count; ++i)
    hd_map_insert(w->arena, &map, body->args[i], NULL)->value.ptr = to->args[i];
  hd_for_each_op(inner, body)
    if (inner != end) hd_op_append(hd_op_clone(w->module, inner, w->arena, &map), to);
  hd_value **results = hd_new_array(w->arena, hd_value *, end->operand_count);
  for (uint32_t i = 0; i < end->operand_count; ++i) results[i] = hd_map_get(&map, hd_operand(end, i));
  hd_builder in = hd_builder_at_end(w->module, to);
  hd_build_op(&in, HD_OP_func_return, results, end->operand_count, NULL, 0, NULL, 0, 0);
  return func;
}

/* The integers of |attr|, |absent| |count| times where it is left out. */
static hd_value *list_of(hd_rewriter *w, hd_builder *b, hd_attr attr, int64_t absent, size_t count) {
  if (attr) return hd_rewriter_attribute(w, b, attr);
  int64_t *values = hd_new_array(w->arena, int64_t, count);
  for (size_t i = 0; i < count; ++i) values[i] = absent;
  return hd_rewriter_list(w, b, values, count);
}

bool hd_rewrite_window(hd_rewriter *w, hd_op *op) {
  hd_context *context = w->module->context;
  hd_number_range window = hd_rewriter_sizes(w, op, HD_NAME_window_dimensions),
                  padding = hd_rewriter_sizes(w, op, HD_NAME_padding);
  size_t rank = window.count;
  if (!hd_rewriter_range_varies(w, padding) && !hd_rewriter_range_varies(w, window)) return true;
  if (!hd_rewriter_need_range(w, op, padding) || !hd_rewriter_need_range(w, op, window)) return false;
  hd_op *func = function_of(w, op);
  if (!func) return hd_rewriter_fail(w, op, "has a window of unknown size and a computation that uses other values");
  hd_builder b = hd_builder_before(op);
  hd_value **operands = hd_new_array(w->arena, hd_value *, op->operand_count + 5),
           **more = operands + op->operand_count;
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  more[0] = hd_rewriter_vector(w, window.start, rank);
  more[1] = list_of(w, &b, hd_stablehlo_reduce_window_window_strides(op), 1, rank);
  more[2] = list_of(w, &b, hd_stablehlo_reduce_window_base_dilations(op), 1, rank);
  more[3] = list_of(w, &b, hd_stablehlo_reduce_window_window_dilations(op), 1, rank);
  more[4] = padding.count ? hd_rewriter_vector(w, padding.start, 2 * rank) : list_of(w, &b, NULL, 0, 2 * rank);
  hd_type pairs = hd_type_tensor(hd_i64(context), (int64_t[]){(int64_t)rank, 2}, 2, NULL);
  more[4] = hd_stablehlo_reshape(&b, pairs, more[4]);
  hd_attr called = hd_attr_symbol(context, hd_symbol_name(func), NULL, 0);
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_cstring(context, "stablehlo.dynamic_reduce_window")},
                         {HD_NAME_called_computations, hd_attr_array(context, &called, 1)}};
  hd_type *types = hd_new_array(w->arena, hd_type, op->result_count);
  hd_value **results = hd_new_array(w->arena, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_op *call = hd_build_op(&b, HD_OP_stablehlo_custom_call, operands, op->operand_count + 5, types, op->result_count,
                            attrs, 2, 0);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_result(call, i);
  hd_op_replace(op, results);
  return true;
}
