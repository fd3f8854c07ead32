/* SPDX-License-Identifier: Apache-2.0 */
/* scf and func (cf is translate_cfg.c): structured ops become blocks and phis at once, loops already rotated:
 *
 *          guard lb < ub ──────────────┐
 *            │                         │
 *   body:  phi iv, phi iters   <──┐    │
 *            ...                  │    │
 *          iv + step < ub ────────┘    │
 *            │                         │
 *   exit:  phi results  <──────────────┘ */
#include <llvm-c/DebugInfo.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/scf.h"
#include "target/llvm/translate.h"

enum { MAX_DEPTH = 200 };

typedef hd_vec(LLVMValueRef) value_list;

static LLVMBasicBlockRef here(hd_lower *l) { return LLVMGetInsertBlock(l->builder); }

/* Terminators that their parents read. */
static bool defined(hd_lower *l, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_lower_parts(l, hd_operand(op, i))) return hd_lower_fail(l, op, "uses operand #%u before it is defined", i);
  return true;
}

static bool flatten(hd_lower *l, hd_op *op, uint32_t first, value_list *out) {
  out->len = 0;
  for (uint32_t i = first; i < op->operand_count; ++i) {
    hd_parts *parts = hd_lower_parts(l, hd_operand(op, i));
    hd_vec_append(l->arena, out, parts->at, parts->count);
  }
  return true;
}

hd_parts *hd_lower_phis(hd_lower *l, hd_op *op, hd_value *value) {
  uint32_t count = hd_lower_part_count(l, op, value->type);
  if (!count) return NULL;
  hd_parts *parts = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    LLVMTypeRef type = hd_lower_part_type(l, op, value->type, p);
    if (!type) return NULL;
    parts->at[p] = LLVMBuildPhi(l->builder, type, "");
  }
  hd_lower_set(l, value, parts);
  return parts;
}

static bool make_all_phis(hd_lower *l, hd_op *op, hd_value *const *values, uint32_t count, value_list *out) {
  out->len = 0;
  for (uint32_t i = 0; i < count; ++i) {
    hd_parts *parts = hd_lower_phis(l, op, values[i]);
    if (!parts) return false;
    hd_vec_append(l->arena, out, parts->at, parts->count);
  }
  return true;
}

static hd_value **result_pointers(hd_lower *l, hd_op *op) {
  hd_value **values = hd_new_array(l->arena, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(op, i);
  return values;
}

static bool add_incoming(hd_lower *l, hd_op *op, const value_list *phis, size_t skip, const value_list *values,
                         LLVMBasicBlockRef from) {
  if (phis->len - skip != values->len)
    return hd_lower_fail(l, op, "gives %zu values; expected %zu", values->len, phis->len - skip);
  for (size_t i = 0; i < values->len; ++i) {
    if (LLVMTypeOf(phis->data[i + skip]) != LLVMTypeOf(values->data[i]))
      return hd_lower_fail(l, op, "gives value %zu of another type than its receiver", i);
    LLVMAddIncoming(phis->data[i + skip], &values->data[i], &from, 1);
  }
  return true;
}

/* A single-block region, up to its terminator; |out|: the values that this gives. */
static bool lower_region_ops(hd_lower *l, hd_block *block, value_list *out) {
  *out = (value_list){0};
  if (!block) return true;
  hd_for_each_op(op, block) {
    if (op == block->last && hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
      if (hd_op_is(op, HD_OP_scf_yield)) {
        if (!defined(l, op)) return false;
        flatten(l, op, 0, out);
        return true;
      }
      return hd_lower_op(l, op);
    }
    if (!hd_lower_op(l, op)) return false;
  }
  return true;
}

/* A body whose values are |out|: one block, or several (scf.execute_region alone has those). */
static bool lower_body(hd_lower *l, hd_op *op, hd_block *block, value_list *out) {
  if (++l->depth > MAX_DEPTH) return hd_lower_fail(l, op, "is nested more than %d deep", MAX_DEPTH);
  bool ok = lower_region_ops(l, block, out);
  --l->depth;
  return ok;
}

static void set_unroll(hd_lower *l, hd_op *op, LLVMValueRef branch) {
  int64_t count = hd_discardable_unroll(op);
  if (count <= 1 || count > 64 || !LLVMIsAInstruction(branch)) return;
  LLVMMetadataRef name = LLVMMDStringInContext2(l->context, "llvm.loop.unroll.count", 22);
  LLVMMetadataRef items[] = {name, LLVMValueAsMetadata(LLVMConstInt(l->i32, (uint64_t)count, false))};
  LLVMMetadataRef unroll = LLVMMDNodeInContext2(l->context, items, 2);
  /* The first operand of a loop's metadata is the node itself. */
  LLVMMetadataRef placeholder = LLVMTemporaryMDNode(l->context, NULL, 0);
  LLVMMetadataRef loop_items[] = {placeholder, unroll};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(l->context, loop_items, 2);
  LLVMMetadataReplaceAllUsesWith(placeholder, loop);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(l->context, "llvm.loop", 9), LLVMMetadataAsValue(l->context, loop));
  l->unrolls = true;
}

static bool lower_for(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_block *block = hd_op_region(op, 0)->first;
  if (!block || block->arg_count != op->operand_count - 2)
    return hd_lower_fail(l, op, "expected a body that takes the counter and the carried values");
  LLVMValueRef lower = hd_lower_operand(l, op, 0), upper = hd_lower_operand(l, op, 1),
               step = hd_lower_operand(l, op, 2);
  LLVMIntPredicate less = hd_scf_for_unsignedCmp_attr(op) ? LLVMIntULT : LLVMIntSLT;
  value_list inits = {0}, iters = {0}, yields = {0}, results = {0};
  flatten(l, op, 3, &inits);
  LLVMBasicBlockRef before = here(l), body = hd_lower_block(l, "for"), after = hd_lower_block(l, "end");
  LLVMValueRef guard = LLVMBuildICmp(l->builder, less, lower, upper, "");
  bool always = LLVMIsAConstantInt(guard) && LLVMConstIntGetZExtValue(guard);
  if (always)
    LLVMBuildBr(l->builder, body);
  else
    LLVMBuildCondBr(l->builder, guard, body, after);

  LLVMPositionBuilderAtEnd(l->builder, body);
  if (!make_all_phis(l, op, block->args, block->arg_count, &iters)) return false;
  LLVMAddIncoming(iters.data[0], &lower, &before, 1);
  if (!add_incoming(l, op, &iters, 1, &inits, before)) return false;
  if (!lower_body(l, op, block, &yields)) return false;
  LLVMBasicBlockRef latch = here(l);
  LLVMValueRef next = LLVMBuildAdd(l->builder, iters.data[0], step, "");
  if (LLVMTypeOf(next) == l->i64 && less == LLVMIntSLT && LLVMIsAInstruction(next)) LLVMSetNSW(next, true);
  LLVMAddIncoming(iters.data[0], &next, &latch, 1);
  if (!add_incoming(l, op, &iters, 1, &yields, latch)) return false;
  LLVMValueRef more = LLVMBuildICmp(l->builder, less, next, upper, "");
  set_unroll(l, op, LLVMBuildCondBr(l->builder, more, body, after));

  LLVMPositionBuilderAtEnd(l->builder, after);
  if (!make_all_phis(l, op, result_pointers(l, op), op->result_count, &results)) return false;
  if (!always && !add_incoming(l, op, &results, 0, &inits, before)) return false;
  return add_incoming(l, op, &results, 0, &yields, latch);
}

static bool lower_if(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMBasicBlockRef branches[2], ends[2], after = NULL;
  hd_block *blocks[] = {hd_op_region(op, 0)->first, hd_op_region(op, 1)->first};
  LLVMValueRef condition = hd_lower_operand(l, op, 0);
  branches[0] = hd_lower_block(l, "then");
  branches[1] = blocks[1] ? hd_lower_block(l, "else") : NULL;
  after = hd_lower_block(l, "endif");
  LLVMBuildCondBr(l->builder, condition, branches[0], branches[1] ? branches[1] : after);
  value_list yields[2] = {{0}, {0}}, results = {0};
  for (int i = 0; i < 2; ++i) {
    if (!branches[i]) continue;
    LLVMPositionBuilderAtEnd(l->builder, branches[i]);
    if (!lower_body(l, op, blocks[i], &yields[i])) return false;
    ends[i] = here(l);
    LLVMBuildBr(l->builder, after);
  }
  LLVMPositionBuilderAtEnd(l->builder, after);
  if (!op->result_count) return true;
  if (!branches[1]) return hd_lower_fail(l, op, "has results but no else region");
  return make_all_phis(l, op, result_pointers(l, op), op->result_count, &results) &&
         add_incoming(l, op, &results, 0, &yields[0], ends[0]) && add_incoming(l, op, &results, 0, &yields[1], ends[1]);
}

/* before: phis of the inits; its scf.condition leaves or gives the after region its arguments. */
static bool lower_while(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_block *before = hd_op_region(op, 0)->first, *after = hd_op_region(op, 1)->first;
  hd_op *condition = before ? before->last : NULL;
  if (!condition || !hd_op_is(condition, HD_OP_scf_condition) || !after)
    return hd_lower_fail(l, op, "expected a before region that ends with scf.condition and an after region");
  value_list inits = {0}, args = {0}, forwarded = {0}, yields = {0};
  flatten(l, op, 0, &inits);
  LLVMBasicBlockRef entry = here(l), head = hd_lower_block(l, "while"), body = hd_lower_block(l, "do"),
                    exit = hd_lower_block(l, "end");
  LLVMBuildBr(l->builder, head);
  LLVMPositionBuilderAtEnd(l->builder, head);
  if (!make_all_phis(l, op, before->args, before->arg_count, &args) || !add_incoming(l, op, &args, 0, &inits, entry))
    return false;
  if (++l->depth > MAX_DEPTH) return hd_lower_fail(l, op, "is nested more than %d deep", MAX_DEPTH);
  hd_for_each_op(inner, before)
    if (inner != condition && !hd_lower_op(l, inner)) return false;
  if (!defined(l, condition)) return false;
  LLVMBuildCondBr(l->builder, hd_lower_operand(l, condition, 0), body, exit);
  flatten(l, condition, 1, &forwarded);
  /* The forwarded values dominate both sides: they are the after region's arguments and the results. */
  if (after->arg_count != op->result_count || condition->operand_count != op->result_count + 1)
    return hd_lower_fail(l, op, "expected as many results as forwarded values");
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_parts *parts = hd_lower_parts(l, hd_operand(condition, i + 1));
    hd_lower_set(l, after->args[i], parts);
    hd_lower_set(l, hd_result(op, i), parts);
  }
  LLVMPositionBuilderAtEnd(l->builder, body);
  bool ok = lower_body(l, op, after, &yields);
  --l->depth;
  if (!ok) return false;
  LLVMBasicBlockRef latch = here(l);
  LLVMBuildBr(l->builder, head);
  if (!add_incoming(l, op, &args, 0, &yields, latch)) return false;
  LLVMPositionBuilderAtEnd(l->builder, exit);
  return true;
}

/* Region 0 is the default; region i + 1 belongs to cases[i]. */
static bool lower_index_switch(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_attr cases = hd_scf_index_switch_cases(op);
  size_t count = cases ? hd_attr_count(cases) : 0;
  if (op->region_count != count + 1) return hd_lower_fail(l, op, "expected one region per case");
  LLVMBasicBlockRef start = here(l), after = hd_lower_block(l, "end");
  value_list *yields = hd_new_array(l->arena, value_list, op->region_count), results = {0};
  LLVMBasicBlockRef *starts = hd_new_array(l->arena, LLVMBasicBlockRef, op->region_count);
  LLVMBasicBlockRef *ends = hd_new_array(l->arena, LLVMBasicBlockRef, op->region_count);
  for (uint32_t i = 0; i < op->region_count; ++i) {
    starts[i] = hd_lower_block(l, "case");
    LLVMPositionBuilderAtEnd(l->builder, starts[i]);
    if (!lower_body(l, op, hd_op_region(op, i)->first, &yields[i])) return false;
    ends[i] = here(l);
    LLVMBuildBr(l->builder, after);
  }
  LLVMPositionBuilderAtEnd(l->builder, start);
  LLVMValueRef choice = LLVMBuildSwitch(l->builder, hd_lower_operand(l, op, 0), starts[0], (unsigned)count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < i; ++k)
      if (hd_attr_int_at(cases, k) == hd_attr_int_at(cases, i)) return hd_lower_fail(l, op, "has a case twice");
    LLVMAddCase(choice, hd_lower_i64(l, hd_attr_int_at(cases, i)), starts[i + 1]);
  }
  LLVMPositionBuilderAtEnd(l->builder, after);
  if (!make_all_phis(l, op, result_pointers(l, op), op->result_count, &results)) return false;
  for (uint32_t i = 0; i < op->region_count; ++i)
    if (!add_incoming(l, op, &results, 0, &yields[i], ends[i])) return false;
  return true;
}

static bool lower_execute_region(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_region *region = hd_op_region(op, 0);
  if (!region->first || region->first != region->last) return hd_lower_fail(l, op, "expected a single block");
  value_list yields = {0};
  if (!lower_body(l, op, region->first, &yields)) return false;
  size_t at = 0;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    uint32_t count = hd_lower_part_count(l, op, hd_result(op, i)->type);
    if (!count || at + count > yields.len) return hd_lower_fail(l, op, "expected as many yielded values as results");
    hd_parts *parts = hd_lower_new_parts(l, count);
    for (uint32_t p = 0; p < count; ++p) parts->at[p] = yields.data[at++];
    hd_lower_set(l, hd_result(op, i), parts);
  }
  return true;
}

static bool lower_return(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  value_list values = {0};
  flatten(l, op, 0, &values);
  return hd_lower_return(l, values.data, values.len, NULL);
}

static bool lower_call(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_op *callee = hd_symbol_resolve(op, hd_call_like_callee(op));
  if (!hd_op_is(callee, HD_OP_func_func)) return hd_lower_fail(l, op, "calls a function that does not exist");
  LLVMValueRef function = hd_lower_declare(l, callee);
  if (!function) return false;
  value_list args = {0};
  flatten(l, op, 0, &args);
  if (l->host) {
    value_list with_context = {0};
    hd_vec_push(l->arena, &with_context, l->ral_context);
    hd_vec_append(l->arena, &with_context, args.data, args.len);
    args = with_context;
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  if (LLVMCountParamTypes(type) != args.len)
    return hd_lower_fail(l, op, "passes another number of arguments than the function takes");
  for (size_t i = 0; i < args.len; ++i)
    if (LLVMTypeOf(args.data[i]) != LLVMTypeOf(LLVMGetParam(function, (unsigned)i)))
      return hd_lower_fail(l, op, "passes an argument of another type");
  LLVMValueRef call = LLVMBuildCall2(l->builder, type, function, args.data, (unsigned)args.len, "");
  if (l->host) hd_lower_check_failed(l);
  bool several = LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMStructTypeKind;
  uint32_t at = 0;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    uint32_t count = hd_lower_part_count(l, op, hd_result(op, i)->type);
    if (!count) return false;
    hd_parts *parts = hd_lower_new_parts(l, count);
    for (uint32_t p = 0; p < count; ++p, ++at)
      parts->at[p] = several ? LLVMBuildExtractValue(l->builder, call, at, "") : call;
    hd_lower_set(l, hd_result(op, i), parts);
  }
  return true;
}

static bool lower_assert(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  return hd_lower_fail(l, op, "cannot fail inside a kernel; check on the host, before the launch");
}

const hd_handler hd_handlers_control[] = {
    {"scf.for", lower_for, 0, NULL},
    {"scf.if", lower_if, 0, NULL},
    {"scf.while", lower_while, 0, NULL},
    {"scf.index_switch", lower_index_switch, 0, NULL},
    {"scf.execute_region", lower_execute_region, 0, NULL},
    {"cf.assert", lower_assert, 0, NULL},
    {"func.return", lower_return, 0, NULL},
    {"func.call", lower_call, 0, NULL},
    {NULL, NULL, 0, NULL},
};
