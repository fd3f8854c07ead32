/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of graph ops with regions: what their blocks take and give. */
#include "ir/infer.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/promotion.h"

/* Region |r|'s only block and its terminator; false with an error when there is none. */
static bool body_of(hd_op *op, uint32_t r, hd_block **block, hd_op **last) {
  *block = r < op->region_count ? hd_op_region(op, r)->first : NULL;
  if (!*block) return hd_op_error(op, "expects a block in region #%u, got none", r);
  *last = hd_block_terminator(*block);
  return *last || hd_op_error(op, "expects a terminator in region #%u, got none", r);
}

static bool is_scalar_pred(hd_type type) {
  return hd_type_is_scalar(type) && hd_type_is_integer(type->shaped.element, 1);
}

/* Region |r| takes |args| scalar tensors and gives |results| scalar tensors. */
static bool scalar_body(hd_op *op, uint32_t r, uint32_t args, uint32_t results, hd_block **block, hd_op **last) {
  if (!body_of(op, r, block, last)) return false;
  if ((*block)->arg_count != args)
    return hd_op_error(op, "expects region #%u to take %u arguments, got %u", r, args, (*block)->arg_count);
  for (uint32_t i = 0; i < args; ++i)
    if (!hd_type_is_scalar((*block)->args[i]->type))
      return hd_op_misfit_error(op, (*block)->args[i]->type, NULL,
                                "expects argument #%u of region #%u to be a 0-d tensor", i, r);
  if ((*last)->operand_count != results)
    return hd_op_error(op, "expects region #%u to give %u values, got %u", r, results, (*last)->operand_count);
  for (uint32_t i = 0; i < results; ++i)
    if (!hd_type_is_scalar(hd_operand_type(*last, i)))
      return hd_op_misfit_error(op, hd_operand_type(*last, i), NULL,
                                "expects value #%u of region #%u to be a 0-d tensor", i, r);
  return true;
}

/* (a0.., b0..) -> (r0..), all of one type per position. */
static bool reducer(hd_op *op, uint32_t r, uint32_t count) {
  hd_block *block = NULL;
  hd_op *last = NULL;
  if (!scalar_body(op, r, 2 * count, count, &block, &last)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    hd_type type = hd_operand_type(last, i);
    hd_type left = block->args[i]->type, right = block->args[count + i]->type, element = hd_type_element(type);
    if (hd_type_element(left) != element || hd_type_element(right) != element)
      return hd_op_type_error(op, type, hd_type_element(left) == element ? right : left,
                              "expects the reducer to take and give value #%u in one type", i);
  }
  return true;
}

/* Operands in halves, each as many as there are results; the ops' infer hooks say more. */
static bool halves(hd_op *op, uint32_t others) {
  uint32_t count = op->operand_count - others;
  return (op->operand_count > others && count % 2 == 0 && op->result_count == count / 2) ||
         hd_op_error(op, "expects two operands per result%s, and at least one result, got %u of %u",
                     others ? " and the indices" : "", op->operand_count, op->result_count);
}

bool hd_verify_reducer(hd_op *op) {
  return halves(op, 0) && reducer(op, 0, op->result_count) && hd_verify_promotion(op);
}
bool hd_verify_associative_scan(hd_op *op) {
  if (!halves(op, 0) || !reducer(op, 0, op->result_count)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type wanted = hd_type_element(hd_operand_type(op, i)),
            got = hd_type_element(hd_op_region(op, 0)->first->args[i]->type);
    if (wanted != got)
      return hd_op_type_error(op, wanted, got, "expects argument #%u of region #0 of the element type of operand #%u",
                              i, i);
  }
  return true;
}
bool hd_verify_scatter(hd_op *op) {
  return halves(op, 1) && reducer(op, 0, op->result_count) && hd_verify_promotion(op);
}
bool hd_verify_collective_reducer(hd_op *op) { return reducer(op, 0, 1) && hd_verify_promotion(op); }

/* A region that takes |count| scalars and gives a scalar tensor<i1>. */
static bool predicate(hd_op *op, uint32_t r, uint32_t count) {
  hd_block *block = NULL;
  hd_op *last = NULL;
  if (!scalar_body(op, r, count, 1, &block, &last)) return false;
  return is_scalar_pred(hd_operand_type(last, 0)) ||
         hd_op_misfit_error(op, hd_operand_type(last, 0), NULL, "expects region #%u to give a tensor<i1>", r);
}

/* Argument |i| of region 0 has the element type of operand |operand|. */
static bool takes_element(hd_op *op, uint32_t i, uint32_t operand) {
  hd_type wanted = hd_type_element(hd_operand_type(op, operand)),
          got = hd_type_element(hd_op_region(op, 0)->first->args[i]->type);
  return wanted == got ||
         hd_op_type_error(op, wanted, got, "expects argument #%u of region #0 of the element type of operand #%u", i,
                          operand);
}

bool hd_verify_select_and_scatter(hd_op *op) {
  return predicate(op, 0, 2) && takes_element(op, 0, 0) && takes_element(op, 1, 0) && reducer(op, 1, 1) &&
         hd_verify_promotion(op);
}

bool hd_verify_sort(hd_op *op) {
  if (!predicate(op, 0, 2 * op->operand_count)) return false;
  hd_block *block = hd_op_region(op, 0)->first;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    for (uint32_t k = 0; k < 2; ++k)
      if (hd_type_element(block->args[2 * i + k]->type) != hd_type_element(hd_operand_type(op, i)))
        return hd_op_type_error(
            op, hd_type_element(hd_operand_type(op, i)), hd_type_element(block->args[2 * i + k]->type),
            "expects comparator arguments #%u and #%u of the element type of operand #%u", 2 * i, 2 * i + 1, i);
  return true;
}

bool hd_verify_map(hd_op *op) {
  hd_block *block = NULL;
  hd_op *last = NULL;
  if (!scalar_body(op, 0, op->operand_count, 1, &block, &last)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_element(block->args[i]->type) != hd_type_element(hd_operand_type(op, i)))
      return hd_op_type_error(op, hd_type_element(hd_operand_type(op, i)), hd_type_element(block->args[i]->type),
                              "expects argument #%u of the computation to have the element type of operand #%u", i, i);
  return true;
}

/* In one of the two some dims may be known that are not in the other. */
static bool are_one_type(hd_type a, hd_type b) { return hd_types_compatible(a, b) || hd_types_compatible(b, a); }

bool hd_verify_while(hd_op *op) {
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = NULL;
    hd_op *last = NULL;
    if (!body_of(op, r, &block, &last)) return false;
    const char *what = r ? "body" : "cond";
    if (block->arg_count != op->operand_count)
      return hd_op_error(op, "expects %s to take %u arguments, got %u", what, op->operand_count, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i)
      if (!are_one_type(hd_operand_type(op, i), block->args[i]->type))
        return hd_op_type_error(op, hd_operand_type(op, i), block->args[i]->type,
                                "expects argument #%u of %s in the type of operand #%u", i, what, i);
    uint32_t wanted = r ? op->operand_count : 1;
    if (last->operand_count != wanted)
      return hd_op_error(op, "expects %s to give %u values, got %u", what, wanted, last->operand_count);
    if (r == 0) {
      if (!is_scalar_pred(hd_operand_type(last, 0)))
        return hd_op_misfit_error(op, hd_operand_type(last, 0), NULL, "expects cond to give a tensor<i1>");
      continue;
    }
    for (uint32_t i = 0; i < wanted; ++i)
      if (!are_one_type(hd_operand_type(op, i), hd_operand_type(last, i)))
        return hd_op_type_error(op, hd_operand_type(op, i), hd_operand_type(last, i),
                                "expects body to give value #%u in the type of operand #%u", i, i);
  }
  return true;
}

/* The body takes the operands and gives the results. */
bool hd_verify_mhlo_fusion(hd_op *op) {
  hd_block *block = NULL;
  hd_op *last = NULL;
  if (!body_of(op, 0, &block, &last)) return false;
  if (block->arg_count != op->operand_count)
    return hd_op_error(op, "expects the body to take %u arguments, got %u", op->operand_count, block->arg_count);
  for (uint32_t i = 0; i < block->arg_count; ++i)
    if (!are_one_type(hd_operand_type(op, i), block->args[i]->type))
      return hd_op_type_error(op, hd_operand_type(op, i), block->args[i]->type,
                              "expects argument #%u of the body in the type of operand #%u", i, i);
  if (last->operand_count != op->result_count)
    return hd_op_error(op, "expects the body to give %u values, got %u", op->result_count, last->operand_count);
  for (uint32_t i = 0; i < last->operand_count; ++i)
    if (!are_one_type(hd_result_type(op, i), hd_operand_type(last, i)))
      return hd_op_type_error(op, hd_result_type(op, i), hd_operand_type(last, i),
                              "expects the body to give value #%u in the type of result #%u", i, i);
  return true;
}

/* Branches take nothing; what they give is inferred. */
static bool branches(hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *block = NULL;
    hd_op *last = NULL;
    if (!body_of(op, r, &block, &last)) return false;
    if (block->arg_count) return hd_op_error(op, "expects branch %u to take no arguments, got %u", r, block->arg_count);
    if (last->operand_count != op->result_count)
      return hd_op_error(op, "expects branch %u to give %u values, got %u", r, op->result_count, last->operand_count);
  }
  return true;
}

bool hd_verify_if(hd_op *op) {
  if (!is_scalar_pred(hd_operand_type(op, 0)))
    return hd_op_misfit_error(op, hd_operand_type(op, 0), NULL, "expects pred to be a tensor<i1>");
  return branches(op);
}

bool hd_verify_case(hd_op *op) {
  hd_type index = hd_operand_type(op, 0);
  if (!hd_type_is_scalar(index) || !hd_type_is_integer(index->shaped.element, 32))
    return hd_op_misfit_error(op, index, NULL, "expects index to be a tensor<i32>");
  if (!op->region_count) return hd_op_error(op, "expects at least one branch, got none");
  return branches(op);
}

/* Types of a call beside those of the function called. */
static bool matches(hd_op *op, hd_op *func) {
  hd_attr attr = hd_function_like_function_type_if_any(func);
  hd_type type = hd_attr_is(attr, HD_ATTR_TYPE) ? attr->type_value : NULL;
  if (!type || type->kind != HD_TYPE_FUNCTION)
    return hd_op_error(op, "expects the decomposition to be a function, got %s", func->name->text);
  if (type->function.in_count != op->operand_count || type->function.out_count != op->result_count)
    return hd_op_error(op, "expects the decomposition to take %u and give %u values, got %u and %u", op->operand_count,
                       op->result_count, type->function.in_count, type->function.out_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_types_compatible(type->function.ins[i], hd_operand_type(op, i)))
      return hd_op_type_error(op, type->function.ins[i], hd_operand_type(op, i),
                              "type of operand #%u differs from the decomposition's", i);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!hd_types_compatible(type->function.outs[i], hd_result_type(op, i)))
      return hd_op_type_error(op, type->function.outs[i], hd_result_type(op, i),
                              "type of result #%u differs from the decomposition's", i);
  return true;
}

bool hd_verify_composite(hd_op *op) {
  hd_attr symbol = hd_stablehlo_composite_decomposition(op);
  hd_op *func = hd_symbol_resolve(op, symbol);
  if (!func) return hd_op_error(op, "'%s' does not reference a valid function", symbol->symbol.root->text);
  hd_str name = hd_stablehlo_composite_name(op);
  if (!name.len) return hd_op_error(op, "expects a 'name' of the form namespace.op, got none");
  return matches(op, func);
}
