/* SPDX-License-Identifier: Apache-2.0 */
/* Tuples become their elements: where a value flows through control flow, an argument or a result, each element does.
 *
 *   %t = stablehlo.tuple %a, %b                       ->   nothing
 *   %x = stablehlo.get_tuple_element %t[1]            ->   %b
 *   while(%t), if -> tuple, return %t, func(tuple)    ->   the same on %a, %b */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/graph/expand/expand_hlo.h"

typedef hd_vec(hd_value *) values;

typedef struct taker {
  hd_pass *pass;
  bool any;
} taker;

static bool is_tuple(hd_value *value) { return value->type->kind == HD_TYPE_TUPLE; }

/* The elements of |value|, depth first; those of a tuple op directly. */
static void flatten(taker *t, hd_builder *b, hd_value *value, values *out) {
  if (!is_tuple(value)) {
    hd_vec_push(&t->pass->arena, out, value);
    return;
  }
  hd_op *op = hd_value_op(value);
  for (uint32_t i = 0; i < value->type->function.in_count; ++i) {
    hd_value *element = hd_op_is(op, HD_OP_stablehlo_tuple) ? hd_operand(op, i) : NULL;
    flatten(t, b, element ? element : hd_stablehlo_get_tuple_element(b, i, value), out);
  }
}

/* The value of |type| made of |*next| and what follows it. */
static hd_value *gather(taker *t, hd_builder *b, hd_type type, hd_value ***next) {
  if (type->kind != HD_TYPE_TUPLE) return *(*next)++;
  hd_value **elements = hd_new_array(&t->pass->arena, hd_value *, type->function.in_count + 1);
  for (uint32_t i = 0; i < type->function.in_count; ++i) elements[i] = gather(t, b, type->function.ins[i], next);
  return hd_stablehlo_tuple(b, elements, type->function.in_count);
}

/* Block arguments of tuple type become arguments of the elements' types. */
static void flatten_arguments(taker *t, hd_block *block) {
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_value *old = block->args[i];
    if (!is_tuple(old)) continue;
    uint32_t count = hd_type_leaves(old->type, NULL);
    hd_type *types = hd_new_array(&t->pass->arena, hd_type, count + 1);
    hd_value **made = hd_new_array(&t->pass->arena, hd_value *, count + 1), **next = made;
    hd_type_leaves(old->type, types);
    for (uint32_t k = 0; k < count; ++k) made[k] = hd_block_insert_arg(t->pass->module, block, i + 1 + k, types[k]);
    hd_builder b = hd_builder_at_start(t->pass->module, block);
    hd_value_replace_uses(old, gather(t, &b, old->type, &next));
    hd_block_erase_arg(block, i);
    i += count - 1;
    t->any = true;
  }
}

static void flatten_operands(taker *t, hd_op *op) {
  bool any = false;
  values all = {0};
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= is_tuple(hd_operand(op, i));
  if (!any) return;
  for (uint32_t i = 0; i < op->operand_count; ++i) flatten(t, &b, hd_operand(op, i), &all);
  hd_op_set_operands(op, all.data, all.len);
  t->any = true;
}

typedef hd_vec(hd_attr) attrs;

static void push_leaves(taker *t, hd_attr entry, attrs *out) {
  if (!hd_attr_is(entry, HD_ATTR_ARRAY)) hd_vec_push(&t->pass->arena, out, entry);
  for (uint32_t i = 0; hd_attr_is(entry, HD_ATTR_ARRAY) && i < entry->array.count; ++i)
    push_leaves(t, entry->array.items[i], out);
}

/* Elements are where the tuple said: [["host", "device"]] becomes ["host", "device"]. */
static void flatten_placement(taker *t, hd_op *op) {
  hd_attr placement = hd_placement_entries(op);
  attrs leaves = {0};
  if (!placement) return;
  push_leaves(t, placement, &leaves);
  if (leaves.len == op->result_count)
    hd_placement_set_entries(op, hd_attr_array(t->pass->context, leaves.data, leaves.len));
}

/* The op with elements for its tuples, operands and results. */
static void flatten_op(taker *t, hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) {
      flatten_arguments(t, block);
      if (block->last) flatten_operands(t, block->last);
    }
  flatten_operands(t, op);
  size_t count = 0;
  bool any = false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    any |= is_tuple(hd_result(op, i));
    count += hd_type_leaves(hd_result_type(op, i), NULL);
  }
  if (!any) return;
  hd_type *types = hd_new_array(&t->pass->arena, hd_type, count + 1);
  hd_value **operands = hd_new_array(&t->pass->arena, hd_value *, op->operand_count + 1);
  count = 0;
  for (uint32_t i = 0; i < op->result_count; ++i) count += hd_type_leaves(hd_result_type(op, i), types + count);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  hd_builder b = hd_builder_before(op);
  hd_op *made = hd_build_like(&b, op, hd_opcode_get(op), operands, op->operand_count, types, count);
  flatten_placement(t, made);
  hd_value **flat = hd_new_array(&t->pass->arena, hd_value *, count + 1), **next = flat;
  for (size_t i = 0; i < count; ++i) flat[i] = hd_result(made, (uint32_t)i);
  hd_value **results = hd_new_array(&t->pass->arena, hd_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = gather(t, &b, hd_result_type(op, i), &next);
  hd_op_replace(op, results);
  t->any = true;
}

hd_type hd_expanded_signature(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_op *end = entry->last;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count + 1),
          *outs = hd_new_array(&pass->arena, hd_type, end->operand_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < end->operand_count; ++i) outs[i] = hd_operand_type(end, i);
  return hd_type_function(pass->context, ins, entry->arg_count, outs, end->operand_count);
}

/* |name| has an entry per argument (result); it goes when their number changes. */
static void fit(hd_op *func, hd_name name, size_t count) {
  hd_attr list = hd_op_attr_get(func, name);
  if (list && hd_attr_count(list) != count) hd_op_attr_set(func, name, NULL);
}

bool hd_expand_tuples(hd_pass *pass, hd_op *func) {
  taker t = {.pass = pass};
  hd_op_list ops = hd_ops_inner_first(func, NULL, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    if (hd_is_control_flow(op) || hd_op_is(op, HD_OP_stablehlo_optimization_barrier)) flatten_op(&t, op);
  }
  flatten_arguments(&t, hd_op_region(func, 0)->first);
  flatten_operands(&t, hd_op_region(func, 0)->first->last);
  /* Elements of tuples that are made in sight, then tuples that nobody reads. */
  ops = hd_ops_where(func, NULL, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i], *from = op->operand_count ? hd_value_op(hd_operand(op, 0)) : NULL;
    if (!hd_op_is(op, HD_OP_stablehlo_get_tuple_element) || !hd_op_is(from, HD_OP_stablehlo_tuple)) continue;
    hd_value *element = hd_operand(from, (uint32_t)hd_stablehlo_get_tuple_element_index(op));
    ops.data[i] = NULL;
    hd_op_replace(op, &element);
    t.any = true;
  }
  for (size_t i = ops.len; i-- > 0;)
    if (hd_op_is(ops.data[i], HD_OP_stablehlo_tuple) && !hd_value_has_uses(hd_result(ops.data[i], 0))) {
      hd_op_erase(ops.data[i]);
      t.any = true;
    }
  if (!t.any) return true;
  hd_type type = hd_expanded_signature(pass, func);
  hd_function_like_set_function_type(func, hd_attr_type(type));
  fit(func, HD_NAME_arg_attrs, type->function.in_count);
  fit(func, HD_NAME_res_attrs, type->function.out_count);
  pass->changed = true;
  return true;
}
