/* SPDX-License-Identifier: Apache-2.0 */
/* scf, calls and the gpu dialect: structured ops become blocks, in the order in which a thread comes to them, so that
 * what follows a loop or a branch is after it.
 *
 *   scf.if          ... cond_br ^then, ^else    ^then: br ^end    ^else: br ^end    ^end(results)
 *   scf.for         br ^head(lower, inits)      ^head(i, args): cond_br ^body, ^end    ^body: br ^head(i + step,
 *                                                                                      yields)
 *   scf.while       br ^head(inits)             ^head(args): cond_br ^body, ^end       ^body: br ^head(yields) */
#include "ir/ops/interfaces.h"
#include "ir/ops/scf.h"
#include "passes/machine/converter.h"

enum { MAX_DEPTH = 200 };

typedef hd_vec(hd_value *) value_list;

static hd_block *new_block(hd_converter *c) { return hd_block_create(c->b.module); }

void hd_machine_enter(hd_converter *c, hd_block *block) {
  hd_region_append(hd_op_region(c->function, 0), block);
  c->b.block = block;
}

/* The parts of operands |first|.. of |op| that a branch passes. */
static void add_operands(hd_converter *c, hd_op *op, uint32_t first, value_list *out) {
  for (uint32_t i = first; i < op->operand_count; ++i) {
    const hd_machine_parts *parts = hd_machine_operand(c, op, i);
    for (uint32_t p = 0; p < parts->count; ++p)
      if (parts->at[p]) hd_vec_push(c->arena, out, parts->at[p]);
  }
}

/* |value| becomes arguments of |block|. */
static bool add_arguments(hd_converter *c, hd_op *op, hd_block *block, hd_value *value) {
  hd_type_list types = {0};
  if (!hd_machine_part_types(c, op, value->type, &types)) return false;
  hd_machine_parts *parts = hd_machine_new_parts(c, hd_machine_part_count(value->type));
  bool memref = value->type->kind == HD_TYPE_MEMREF;
  for (uint32_t p = 0, at = 0; p < parts->count; ++p)
    if (!memref || !p || value->type->shaped.dims[p - 1] == HD_DYNAMIC)
      parts->at[p] = hd_block_add_arg(c->b.module, block, types.data[at++]);
  hd_machine_set(c, value, parts);
  return true;
}

void hd_machine_jump(hd_converter *c, hd_block *to, hd_value *const *values, size_t count) {
  hd_build_state(&c->b, &(hd_op_state){.opcode = HD_OP_llvm_br,
                                       .operands = values,
                                       .operand_count = count,
                                       .successors = &to,
                                       .successor_count = 1});
}

static void jump(hd_converter *c, hd_block *to, const value_list *values) {
  hd_machine_jump(c, to, values->data, values->len);
}

void hd_machine_jump_if(hd_converter *c, hd_value *condition, hd_block *yes, hd_block *no, hd_value *const *no_values,
                        size_t no_count) {
  value_list operands = {0};
  hd_vec_push(c->arena, &operands, condition);
  for (size_t i = 0; i < no_count; ++i) hd_vec_push(c->arena, &operands, no_values[i]);
  hd_op_attr segments = {hd_name_ident(c->context, HD_NAME_operandSegmentSizes),
                         hd_attr_i32_array(c->context, (int32_t[]){1, 0, (int32_t)no_count}, 3), true};
  hd_build_state(&c->b, &(hd_op_state){.opcode = HD_OP_llvm_cond_br,
                                       .operands = operands.data,
                                       .operand_count = operands.len,
                                       .attrs = &segments,
                                       .attr_count = 1,
                                       .successors = (hd_block *[]){yes, no},
                                       .successor_count = 2});
}

static void jump_if(hd_converter *c, hd_value *condition, hd_block *yes, hd_block *no) {
  hd_machine_jump_if(c, condition, yes, no, NULL, 0);
}

bool hd_machine_body(hd_converter *c, hd_op *op, uint32_t r, hd_op **out_end) {
  hd_region *region = hd_op_region(op, r);
  if (!region->first || region->first->next || !region->first->last)
    return hd_op_error(op, "expected regions of one block, got several blocks");
  if (++c->depth > MAX_DEPTH) return hd_op_error(op, "is nested deeper than expected, at most %d", MAX_DEPTH);
  bool ok = hd_machine_block(c, region->first);
  --c->depth;
  *out_end = region->first->last;
  return ok;
}

HD_RULE(if) {
  (void)code;
  bool has_else = hd_op_region(op, 1)->first != NULL;
  hd_block *blocks[] = {new_block(c), has_else ? new_block(c) : NULL}, *end = new_block(c);
  jump_if(c, hd_machine_one(c, op, 0), blocks[0], has_else ? blocks[1] : end);
  for (uint32_t r = 0; r < 2 && blocks[r]; ++r) {
    hd_op *yield;
    value_list values = {0};
    hd_machine_enter(c, blocks[r]);
    if (!hd_machine_body(c, op, r, &yield)) return false;
    add_operands(c, yield, 0, &values);
    jump(c, end, &values);
  }
  hd_machine_enter(c, end);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!add_arguments(c, op, end, hd_result(op, i))) return false;
  return true;
}

/* The results of |op| are |values|, parts of the arguments or operands of another op. */
static void give(hd_converter *c, hd_op *op, hd_machine_parts *const *values) {
  for (uint32_t i = 0; i < op->result_count; ++i) hd_machine_set(c, hd_result(op, i), values[i]);
}

HD_RULE(for) {
  (void)code;
  hd_block *from = hd_op_region(op, 0)->first, *head = new_block(c), *loop = new_block(c), *end = new_block(c);
  hd_value *upper = hd_machine_one(c, op, 1), *step = hd_machine_one(c, op, 2);
  value_list inits = {0}, next = {0};
  hd_vec_push(c->arena, &inits, hd_machine_one(c, op, 0));
  add_operands(c, op, 3, &inits);
  jump(c, head, &inits);
  hd_machine_enter(c, head);
  hd_machine_parts **args = hd_new_array(c->arena, hd_machine_parts *, op->result_count + 1);
  for (uint32_t i = 0; i < from->arg_count; ++i) {
    if (!add_arguments(c, op, head, from->args[i])) return false;
    if (i) args[i - 1] = hd_map_get(&c->values, from->args[i]);
  }
  hd_value *counter = head->args[0];
  bool is_unsigned = hd_scf_for_unsignedCmp_attr(op) != NULL;
  hd_value *more = hd_machine_icmp(c, is_unsigned ? HD_LLVM_ICMP_ULT : HD_LLVM_ICMP_SLT, counter, upper);
  jump_if(c, more, loop, end);
  hd_machine_enter(c, loop);
  hd_op *yield;
  if (!hd_machine_body(c, op, 0, &yield)) return false;
  hd_vec_push(c->arena, &next, hd_machine_binary(c, HD_OP_llvm_add, counter, step));
  add_operands(c, yield, 0, &next);
  jump(c, head, &next);
  hd_machine_enter(c, end);
  give(c, op, args);
  return true;
}

HD_RULE(while) {
  (void)code;
  hd_block *before = hd_op_region(op, 0)->first, *after = hd_op_region(op, 1)->first;
  hd_block *head = new_block(c), *loop = new_block(c), *end = new_block(c);
  hd_op *condition, *yield;
  value_list inits = {0}, next = {0};
  add_operands(c, op, 0, &inits);
  jump(c, head, &inits);
  hd_machine_enter(c, head);
  for (uint32_t i = 0; i < before->arg_count; ++i)
    if (!add_arguments(c, op, head, before->args[i])) return false;
  if (!hd_machine_body(c, op, 0, &condition)) return false;
  if (!hd_op_is(condition, HD_OP_scf_condition))
    return hd_op_error(op, "expected a region that ends with scf.condition, got another terminator");
  hd_machine_parts **passed = hd_new_array(c->arena, hd_machine_parts *, condition->operand_count);
  for (uint32_t i = 1; i < condition->operand_count; ++i) {
    passed[i - 1] = hd_machine_operand(c, condition, i);
    hd_machine_set(c, after->args[i - 1], passed[i - 1]);
  }
  jump_if(c, hd_machine_one(c, condition, 0), loop, end);
  hd_machine_enter(c, loop);
  if (!hd_machine_body(c, op, 1, &yield)) return false;
  add_operands(c, yield, 0, &next);
  jump(c, head, &next);
  hd_machine_enter(c, end);
  give(c, op, passed);
  return true;
}

/* Of a function of the same module. */
HD_RULE(call) {
  (void)code;
  value_list operands = {0};
  add_operands(c, op, 0, &operands);
  hd_type type = NULL;
  if (op->result_count > 1 || (op->result_count && hd_machine_part_count(hd_result_type(op, 0)) != 1))
    return hd_op_error(op, "returns several values, expected one at most from a function of the device");
  if (op->result_count && !(type = hd_machine_type(c, op, hd_result_type(op, 0)))) return false;
  hd_attr_arg attrs[] = {
      {HD_NAME_callee, hd_call_like_callee(op)},
      {HD_NAME_op_bundle_sizes, hd_attr_i32_array(c->context, NULL, 0)},
      {HD_NAME_operandSegmentSizes, hd_attr_i32_array(c->context, (int32_t[]){(int32_t)operands.len, 0}, 2)}};
  hd_op *call = hd_build_op(&c->b, HD_OP_llvm_call, operands.data, operands.len, &type, op->result_count, attrs, 3, 0);
  return !op->result_count || hd_machine_result(c, op, hd_result(call, 0));
}
