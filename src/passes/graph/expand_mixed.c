/* SPDX-License-Identifier: Apache-2.0 */
/* Expansions of single ops: barriers, products of two element types. */
#include "passes/graph/expand_hlo.h"

/* A barrier orders what a scheduler may move; nothing here moves across what an op depends on. */
bool hd_expand_barrier(hd_builder *b, hd_op *op, hd_value **results) {
  (void)b;
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_operand(op, i);
  return true;
}

/* The wider of two float or integer types, which holds the values of both; of f16 and bf16 f32 would: null. */
static hd_type wider(hd_type a, hd_type b) {
  if (a == b) return a;
  if (!a || !b || a->kind != b->kind) return NULL;
  if (a->kind != HD_TYPE_FLOAT && a->kind != HD_TYPE_INTEGER) return NULL;
  if (hd_type_bits(a) == hd_type_bits(b)) return NULL;
  return hd_type_bits(a) > hd_type_bits(b) ? a : b;
}

/* dot_general of bf16 by f32 becomes one of f32 by f32: the narrower side is converted, which is exact. */
bool hd_expand_mixed_dot(hd_builder *b, hd_op *op, hd_value **results) {
  hd_type sides[2] = {hd_type_element(hd_operand_type(op, 0)), hd_type_element(hd_operand_type(op, 1))};
  if (sides[0] == sides[1]) return true;
  hd_type common = wider(sides[0], sides[1]), result = hd_type_element(hd_result_type(op, 0));
  if (!common) common = wider(wider(sides[0], result), wider(sides[1], result));
  if (!common) return true;
  for (uint32_t i = 0; i < 2; ++i) {
    if (sides[i] == common) continue;
    hd_type type = hd_type_with_element(hd_operand_type(op, i), common);
    hd_op_set_operand(op, i, hd_build(b, HD_OP_stablehlo_convert, type, hd_operand(op, i)));
  }
  (void)results;
  return true;
}
