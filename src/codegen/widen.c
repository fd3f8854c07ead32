/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/widen.h"

#include "ir/ops/stablehlo.h"
#include "ir/promotion.h"

bool hd_is_native(const hd_native_types *types, hd_type element) {
  return element->kind != HD_TYPE_FLOAT || types->floats & 1u << element->float_kind;
}

hd_type hd_native_type(const hd_native_types *types, hd_type element) {
  if (hd_is_native(types, element)) return element;
  const hd_float_format *own = &hd_float_formats[element->float_kind], *best = NULL;
  for (int kind = 0; kind < HD_FLOAT_KIND_COUNT; ++kind) {
    const hd_float_format *f = &hd_float_formats[kind];
    bool holds = f->special == HD_FLOAT_IEEE && f->mantissa_bits >= own->mantissa_bits && f->bias >= own->bias;
    if (types->floats & 1u << kind && holds && (!best || f->bits < best->bits)) best = f;
  }
  return best ? hd_type_float(element->context, (hd_float_kind)(best - hd_float_formats)) : NULL;
}

/* Graph ----------------------------------------------------------------------------------------------------------- */

static hd_value *convert(hd_builder *b, hd_value *x, hd_type element) {
  if (hd_type_element(x->type) == element) return x;
  return hd_stablehlo_convert(b, hd_type_with_element(x->type, element), x);
}

bool hd_computes_on_elements(const hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(COMPUTES)) ||
         (hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) &&
          !hd_op_has_any_trait(op, HD_TRAIT(TYPE_SPECIFIC) | HD_TRAIT(CONSTANT_LIKE)));
}

/* To a float with fewer digits. */
static bool narrows(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_stablehlo_convert)) return false;
  hd_type from = hd_type_element(hd_operand_type(op, 0)), to = hd_type_element(hd_result_type(op, 0));
  return hd_type_is(from, HD_TYPE_FLOAT) && hd_type_is(to, HD_TYPE_FLOAT) &&
         hd_float_formats[to->float_kind].mantissa_bits < hd_float_formats[from->float_kind].mantissa_bits;
}

static bool finds_rounding(hd_op *op, void *user) {
  bool *found = user;
  *found |= hd_op_is(op, HD_OP_stablehlo_reduce_precision) || narrows(op);
  return true;
}

bool hd_regions_round(hd_op *op) {
  bool found = false;
  hd_walk_pre(op, finds_rounding, &found);
  return found;
}

static bool is(hd_type type, hd_type element) { return hd_type_is_tensor(type) && hd_type_element(type) == element; }

/* Does region |r| give back elements of the op, and not a decision about them? */
static bool gives_elements(const hd_op *op, uint32_t r) {
  return !hd_op_is(op, HD_OP_stablehlo_sort) && !(hd_op_is(op, HD_OP_stablehlo_select_and_scatter) && r == 0);
}

/* The arguments of a region become wide ones that are converted at once; what it gives back is converted last. */
static void widen_region(hd_op *op, uint32_t r, hd_type from, hd_type to) {
  hd_block *block = hd_op_region(op, r)->first;
  if (!block) return;
  hd_builder start = hd_builder_at_start(op->module, block);
  start.loc = op->loc;
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_value *arg = block->args[i];
    if (!is(arg->type, from)) continue;
    hd_type narrow = arg->type;
    arg->type = hd_type_with_element(narrow, to);
    hd_value *converted = convert(&start, arg, from);
    hd_value_replace_uses_except(arg, converted, hd_value_op(converted));
  }
  hd_op *end = block->last;
  hd_builder last = hd_builder_before(end);
  for (uint32_t i = 0; gives_elements(op, r) && i < end->operand_count; ++i)
    if (is(hd_operand_type(end, i), from)) hd_op_set_operand(end, i, convert(&last, hd_operand(end, i), to));
}

hd_op *hd_widen_op(hd_op *op, hd_type from, hd_type to, hd_arena *scratch) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= is(hd_operand_type(op, i), from);
  for (uint32_t i = 0; i < op->result_count; ++i) any |= is(hd_result_type(op, i), from);
  if (!any) return op;
  hd_builder b = hd_builder_before(op);
  hd_value **operands = hd_new_array(scratch, hd_value *, op->operand_count + 1),
           **results = hd_new_array(scratch, hd_value *, op->result_count + 1);
  hd_type *types = hd_new_array(scratch, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *x = hd_operand(op, i);
    operands[i] = is(x->type, from) ? convert(&b, x, to) : x;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    types[i] = is(type, from) ? hd_type_with_element(type, to) : type;
  }
  for (uint32_t r = 0; r < op->region_count; ++r) widen_region(op, r, from, to);
  hd_op *wide = hd_build_like(&b, op, hd_opcode_get(op), operands, op->operand_count, types, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i)
    results[i] = is(hd_result_type(op, i), from) ? convert(&b, hd_result(wide, i), from) : hd_result(wide, i);
  hd_op_replace(op, results);
  return wide;
}

bool hd_computes_in_library(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_cholesky) || hd_op_is(op, HD_OP_stablehlo_triangular_solve);
}

/* Floats up to f32 add up in f32 or f64, integers in wider integers of their
 * signedness; all else is computed in one type. */
static bool adds_up_in(hd_type side, hd_type result) {
  if (side->kind != result->kind) return false;
  if (side == result) return true;
  if (side->kind == HD_TYPE_FLOAT) return hd_type_bits(side) <= 32;
  return side->kind == HD_TYPE_INTEGER && side->integer.width > 1 &&
         side->integer.signedness == result->integer.signedness;
}

bool hd_widen_sides(hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(PRODUCT))) return false;
  hd_type lhs = hd_type_element(hd_operand_type(op, 0)), rhs = hd_type_element(hd_operand_type(op, 1)),
          result = hd_type_element(hd_result_type(op, 0)), both = hd_product_element(lhs, rhs, result);
  if (!both || result->kind == HD_TYPE_QUANT || (lhs == rhs && adds_up_in(lhs, result))) return false;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  for (uint32_t i = 0; i < 2; ++i) hd_op_set_operand(op, i, convert(&b, hd_operand(op, i), both));
  if (hd_type_bits(both) <= hd_type_bits(result)) return true;
  hd_value *wide = hd_result(op, 0);
  wide->type = hd_type_with_element(wide->type, both);
  b = hd_builder_after(op);
  b.loc = op->loc;
  hd_value *rounded = convert(&b, wide, result);
  hd_value_replace_uses_except(wide, rounded, hd_value_op(rounded));
  return true;
}

/* Kernels --------------------------------------------------------------------------------------------------------- */

hd_type hd_memory_type(hd_type element) {
  return element->kind == HD_TYPE_INTEGER ? hd_type_integer(element->context, element->integer.width, HD_SIGNLESS)
                                          : element;
}

hd_type hd_compute_type(hd_type element) {
  if (element->kind == HD_TYPE_COMPLEX) return element->shaped.element;
  return hd_memory_type(hd_native_type(hd_kernel_types(), element));
}

hd_type hd_lanes_type(hd_type type, uint32_t lanes) {
  return lanes ? hd_type_vector(type, (int64_t[]){lanes}, 1, NULL) : type;
}

hd_element hd_emit_widen(hd_builder *b, hd_type element, hd_element value, uint32_t lanes) {
  hd_type wide = hd_lanes_type(hd_compute_type(element), lanes);
  if (!hd_is_native(hd_kernel_types(), element)) value.re = hd_build(b, HD_OP_arith_extf, wide, value.re);
  return value;
}

/* |value| of |type|, where it was widened and only chosen or spread since; null where something computed it. Rounding a
 * number that was widened gives it back, but of a signaling NaN a quiet one. */
static hd_value *not_widened(hd_builder *b, hd_type type, hd_value *value, uint32_t depth) {
  enum { DEEPEST = 6 };
  hd_op *op = hd_value_op(value);
  if (!op || depth > DEEPEST) return NULL;
  if (hd_op_is(op, HD_OP_arith_extf)) return hd_operand_type(op, 0) == type ? hd_operand(op, 0) : NULL;
  if (hd_op_is(op, HD_OP_vector_broadcast)) {
    hd_type from = hd_operand_type(op, 0);
    if (from->kind == HD_TYPE_VECTOR) return NULL;
    hd_value *one = not_widened(b, hd_type_element(type), hd_operand(op, 0), depth + 1);
    return one ? hd_build(b, HD_OP_vector_broadcast, type, one) : NULL;
  }
  if (!hd_op_is(op, HD_OP_arith_select)) return NULL;
  hd_value *yes = not_widened(b, type, hd_operand(op, 1), depth + 1),
           *no = not_widened(b, type, hd_operand(op, 2), depth + 1);
  if (!yes && !no) return NULL;
  if (!yes) yes = hd_build(b, HD_OP_arith_truncf, type, hd_operand(op, 1));
  if (!no) no = hd_build(b, HD_OP_arith_truncf, type, hd_operand(op, 2));
  return hd_build(b, HD_OP_arith_select, type, hd_operand(op, 0), yes, no);
}

hd_element hd_emit_narrow(hd_builder *b, hd_type element, hd_element value, uint32_t lanes) {
  if (hd_is_native(hd_kernel_types(), element)) return value;
  hd_type type = hd_lanes_type(element, lanes);
  hd_value *moved = not_widened(b, type, value.re, 0);
  value.re = moved ? moved : hd_build(b, HD_OP_arith_truncf, type, value.re);
  return value;
}

hd_value *hd_emit_at_lane(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count) {
  int64_t dynamic = HD_DYNAMIC;
  hd_attr_arg position = {HD_NAME_static_position, hd_attr_i64_array(b->context, &dynamic, 1)};
  return hd_build_one_(b, opcode, type, operands, count, &position, 1);
}
