/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of the func dialect. */
#include "ir/hooks.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/placement.h"

static hd_type function_type(hd_op *func) {
  hd_attr attr = hd_function_like_function_type_if_any(func);
  return hd_attr_is(attr, HD_ATTR_TYPE) && attr->type_value->kind == HD_TYPE_FUNCTION ? attr->type_value : NULL;
}

bool hd_verify_func_func(hd_op *op) {
  hd_type type = function_type(op);
  if (!type) return hd_op_error(op, "expects 'function_type' to be a function type, got another attribute");
  hd_attr arg_attrs = hd_function_like_arg_attrs(op), res_attrs = hd_function_like_res_attrs(op);
  if (arg_attrs && arg_attrs->array.count != type->function.in_count)
    return hd_op_error(op, "expects %u argument attribute dictionaries, got %u", type->function.in_count,
                       arg_attrs->array.count);
  if (res_attrs && res_attrs->array.count != type->function.out_count)
    return hd_op_error(op, "expects %u result attribute dictionaries, got %u", type->function.out_count,
                       res_attrs->array.count);
  hd_block *entry = hd_op_region(op, 0)->first;
  if (!entry) return true; /* external */
  if (entry->arg_count != type->function.in_count)
    return hd_op_error(op, "entry block must have %u arguments to match the function type, got %u",
                       type->function.in_count, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (entry->args[i]->type != type->function.ins[i])
      return hd_op_type_error(op, type->function.ins[i], entry->args[i]->type,
                              "type of entry block argument #%u differs from the function type", i);
  return hd_placement_verify(op);
}

static bool verify_return(hd_op *op, hd_opcode parent) {
  hd_op *func = hd_op_parent(op);
  if (!hd_op_is(func, parent))
    return hd_op_error(op, "expects parent op '%s', got '%s'", hd_op_info_of(parent)->name,
                       func ? func->name->text : "none");
  hd_type type = function_type(func);
  if (!type) return true;
  if (op->operand_count != type->function.out_count)
    return hd_op_error(op, "has %u operands, but the enclosing function returns %u", op->operand_count,
                       type->function.out_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand_type(op, i) != type->function.outs[i])
      return hd_op_type_error(op, type->function.outs[i], hd_operand_type(op, i),
                              "type of return operand #%u differs from the function result type", i);
  return true;
}

bool hd_verify_func_return(hd_op *op) { return verify_return(op, HD_OP_func_func); }
bool hd_verify_tt_return(hd_op *op) { return verify_return(op, HD_OP_tt_func); }

bool hd_verify_func_call(hd_op *op) {
  hd_attr callee = hd_call_like_callee(op);
  hd_op *func = hd_symbol_resolve(op, callee);
  if (!func) return hd_op_error(op, "'%s' does not reference a valid function", callee->symbol.root->text);
  hd_type type = hd_op_has_trait(func, HD_TRAIT(FUNCTION_LIKE)) ? function_type(func) : NULL;
  if (!type) return hd_op_error(op, "'%s' is no function", callee->symbol.root->text);
  if (op->operand_count != type->function.in_count)
    return hd_op_error(op, "incorrect number of operands for callee: expected %u, got %u", type->function.in_count,
                       op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand_type(op, i) != type->function.ins[i])
      return hd_op_type_error(op, type->function.ins[i], hd_operand_type(op, i),
                              "operand #%u type mismatch with the callee", i);
  if (op->result_count != type->function.out_count)
    return hd_op_error(op, "incorrect number of results for callee: expected %u, got %u", type->function.out_count,
                       op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_result_type(op, i) != type->function.outs[i])
      return hd_op_type_error(op, type->function.outs[i], hd_result_type(op, i),
                              "result #%u type mismatch with the callee", i);
  return true;
}

/* A buffer of a fusion names a value: one op of it writes it, before any other reads it. */
static bool verify_fusion(hd_op *fusion) {
  hd_block *body = hd_op_region(fusion, 0)->first;
  if (!body) return hd_op_error(fusion, "expects a block in region #0, got none");
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_map read = {0}, written = {0};
  bool ok = true;
  hd_for_each_op(op, body) {
    if (!op->info->derived_from) continue;
    uint32_t buffers = hd_op_buffer_count(op), outputs = (uint32_t)hd_discardable_outputs(op);
    if (outputs > buffers) continue; /* its own error */
    for (uint32_t i = 0; i < buffers - outputs; ++i)
      hd_map_insert(&scratch, &read, hd_operand(op, i), NULL)->value.ptr = op;
    for (uint32_t i = buffers - outputs; i < buffers && ok; ++i) {
      hd_op *reader = hd_map_get(&read, hd_operand(op, i));
      bool is_new;
      hd_map_insert(&scratch, &written, hd_operand(op, i), &is_new);
      if (!is_new)
        ok = hd_op_error(op, "writes operand #%u, which another op of the fusion writes: expected one writer", i);
      if (!reader || (reader == op && hd_op_updates_in_place(op))) continue;
      ok = hd_op_error(op, "writes operand #%u, which %s of the fusion reads: expected it to be written first", i,
                       reader == op ? "the same op" : "an earlier op");
    }
  }
  hd_arena_free(&scratch);
  return ok;
}

bool hd_verify_lmhlo(hd_op *op) {
  const hd_signature *graph = hd_signature_of(hd_op_context(op), op->info->derived_from);
  size_t fixed = graph->args.count - graph->args.variable + graph->results.count - graph->results.variable;
  int64_t captures = hd_discardable_captures(op); /* analysis/captures.h */
  if (captures < 0 || captures > op->operand_count)
    return hd_op_error(op, "expects hd.captures to count operands, got %lld of %u", (long long)captures,
                       op->operand_count);
  fixed += (size_t)captures;
  bool exact = !graph->args.variable && !graph->results.variable;
  if (hd_op_info_of(op->info->derived_from)->traits &
      HD_TRAIT(HLO_DYNAMIC)) { /* operands that only gave the shape are gone */
    exact = false;
    fixed = graph->results.count;
  }
  for (uint32_t r = 0; r < op->region_count && captures; ++r) {
    hd_block *block = hd_op_region(op, r)->first;
    if (!block || block->arg_count < captures)
      return hd_op_error(op, "expects region #%u to take the %lld values of hd.captures, got %u arguments", r,
                         (long long)captures, block ? block->arg_count : 0);
  }
  uint32_t buffers = hd_op_buffer_count(op), first, shapes = hd_opcode_shape_operands(op->info->derived_from, &first);
  int64_t outputs = hd_attr_int_or(hd_discardable_outputs_attr(op), (int64_t)graph->results.count);
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
    if (!verify_fusion(op)) return false;
  } else if (outputs < 0 || outputs > buffers) {
    return hd_op_error(op, "expects hd.outputs to count buffers, got %lld of %u", (long long)outputs, buffers);
  }
  if (shapes) { /* sizes are the output's, positions are index values */
    size_t wanted = graph->args.count - shapes + 1;
    uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), indices = op->operand_count - buffers, expected = 0;
    if (buffers != wanted) return hd_op_error(op, "expects %zu buffers, inputs and output, got %u", wanted, buffers);
    if (op->info->derived_from == HD_OP_stablehlo_real_dynamic_slice) expected = 2 * rank;
    if (op->info->derived_from == HD_OP_stablehlo_dynamic_pad) expected = 3 * rank;
    if (op->info->derived_from == HD_OP_stablehlo_dynamic_conv && rank > 2) expected = 2 * (rank - 2);
    if (indices != expected)
      return hd_op_error(op, "expects %u index values after the buffers, got %u", expected, indices);
  }
  if (exact ? op->operand_count != fixed : op->operand_count < fixed)
    return hd_op_error(op, "expects %s%zu operands, inputs and outputs, got %u", exact ? "" : "at least ", fixed,
                       op->operand_count);
  /* Buffers, then index values: bounds that only the host knows (real_dynamic_slice, dynamic_pad). */
  bool scalars = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type_kind kind = hd_operand_type(op, i)->kind;
    if ((kind != HD_TYPE_MEMREF || scalars) && kind != HD_TYPE_INDEX)
      return hd_op_misfit_error(op, hd_operand_type(op, i), NULL,
                                "operand #%u must be a memref: buffer ops take operands, outputs, then index values",
                                i);
    scalars |= kind == HD_TYPE_INDEX;
  }
  return true;
}
