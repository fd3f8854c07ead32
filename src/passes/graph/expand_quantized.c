/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized types become their storage integers; what computes on them computes on the expressed floats, as the
 * specification has it:
 *
 *   %q = stablehlo.add %a, %b : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
 *   ->
 *   x = (f64(%a) - 3) * 0.5 as f32, y likewise;   %q = i8(clamp(round(f64(x + y) / 0.5) + 3, -128, 127))
 *
 * The conversions are done in f64, so they give the bits of ir/eval/quantized.c. Inside reducers values are the floats
 * themselves and are rounded to the quantized type once, at the end. Ops that only move elements of one quantized type
 * move its integers. */
#include "ir/number.h"
#include "passes/graph/expand_hlo.h"

typedef struct quantizer {
  hd_pass *pass;
  hd_map types; /* value -> its quantized tensor type */
  hd_vec(hd_op *) ops;
} quantizer;

static hd_type quantized_element(hd_type type) {
  return hd_type_is_tensor(type) && hd_type_is(type->shaped.element, HD_TYPE_QUANT) ? type->shaped.element : NULL;
}

static hd_type storage_of(hd_type q) {
  return hd_type_integer(q->context, hd_type_bits(q->quant.storage), q->quant.is_signed ? HD_SIGNLESS : HD_UNSIGNED);
}

/* A number per slice of the quantized dim, or one for all, in the shape of |like|. */
static hd_value *parameter(hd_builder *b, hd_type q, hd_value *like, const double *values) {
  if (!q->quant.per_axis) return hd_hlo_float_like(b, like, values[0]);
  int64_t count = q->quant.count, axis = q->quant.axis;
  hd_type type = hd_type_tensor(hd_type_element(like->type), &count, 1, NULL);
  hd_attr dense = hd_attr_dense(type, values, (size_t)count * sizeof *values, false);
  return hd_hlo_broadcast_like(b, hd_build_hlo_constant(b, dense), like, &axis);
}

static hd_value *scale(hd_builder *b, hd_type q, hd_value *like) { return parameter(b, q, like, q->quant.scales); }

static hd_value *zero_point(hd_builder *b, hd_type q, hd_value *like) {
  double *values = hd_new_array(&b->module->arena, double, q->quant.count + 1);
  for (uint32_t i = 0; i < q->quant.count; ++i) values[i] = (double)q->quant.zero_points[i];
  return parameter(b, q, like, values);
}

#define OP(name, x, y) hd_build(b, HD_OP_stablehlo_##name, (x)->type, x, y)

static hd_value *dequantized(hd_builder *b, hd_value *x, hd_type q) {
  x = hd_hlo_convert(b, x, hd_type_float(b->context, HD_F64));
  x = OP(multiply, OP(subtract, x, zero_point(b, q, x)), scale(b, q, x));
  return hd_hlo_convert(b, x, q->quant.expressed);
}

static hd_value *quantized(hd_builder *b, hd_value *x, hd_type q) {
  x = hd_hlo_convert(b, x, hd_type_float(b->context, HD_F64));
  hd_value *is_nan = hd_hlo_compare(b, "NE", x, x), *zero = zero_point(b, q, x);
  hd_value *scaled = OP(divide, x, scale(b, q, x));
  hd_value *whole = OP(add, hd_build(b, HD_OP_stablehlo_round_nearest_even, x->type, scaled), zero);
  whole = OP(maximum, whole, hd_hlo_float_like(b, whole, (double)q->quant.storage_min));
  whole = OP(minimum, whole, hd_hlo_float_like(b, whole, (double)q->quant.storage_max));
  whole = hd_hlo_select(b, is_nan, zero, whole);
  return hd_hlo_convert(b, whole, storage_of(q));
}

static hd_type original(quantizer *z, hd_value *value) { return hd_map_get(&z->types, value); }

static bool retype(quantizer *z, hd_value *value, bool inside_reducer, hd_op *op) {
  hd_type q = quantized_element(value->type);
  if (!q) return true;
  if (q->quant.block_rank) return hd_op_error(op, "is quantized by blocks, which has no compiled path");
  hd_map_set(&z->pass->arena, &z->types, value, (void *)value->type);
  value->type = hd_type_with_element(value->type, inside_reducer ? q->quant.expressed : storage_of(q));
  return true;
}

static bool collect(hd_op *op, void *user) {
  quantizer *z = user;
  hd_vec_push(&z->pass->arena, &z->ops, op);
  return true;
}

/* Values pass through as they are stored. */
static bool passes_on(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_constant:
    case HD_OP_stablehlo_bitcast_convert:
    case HD_OP_stablehlo_while:
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_stablehlo_return:
    case HD_OP_stablehlo_optimization_barrier:
    case HD_OP_stablehlo_get_dimension_size:
    case HD_OP_stablehlo_custom_call:
    case HD_OP_func_return:
    case HD_OP_func_func:
      return true;
    default:
      return false;
  }
}

static bool moves_elements(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_dynamic_update_slice:
    case HD_OP_stablehlo_concatenate:
    case HD_OP_stablehlo_pad:
    case HD_OP_stablehlo_gather:
    case HD_OP_stablehlo_select:
      return true;
    default:
      return hd_op_has_trait(op, HD_TRAIT(MOVES_ELEMENTS));
  }
}

/* One quantized type for all, without an axis that might move. */
static bool of_one_type(quantizer *z, hd_op *op) {
  hd_type only = quantized_element(original(z, hd_result(op, 0)));
  if (!only || only->quant.per_axis) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = original(z, hd_operand(op, i));
    if (type && quantized_element(type) != only) return false;
  }
  return true;
}

static bool is_quantized(quantizer *z, hd_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= original(z, hd_operand(op, i)) != NULL;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= original(z, hd_result(op, i)) != NULL;
  return any;
}

/* The op on the expressed types. */
static void compute(quantizer *z, hd_op *op) {
  hd_builder builder = hd_builder_before(op), *b = &builder;
  b->loc = op->loc;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = original(z, hd_operand(op, i));
    if (type) hd_op_set_operand(op, i, dequantized(b, hd_operand(op, i), type->shaped.element));
  }
  builder = hd_builder_after(op);
  b->loc = op->loc;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i);
    hd_type type = original(z, result);
    if (!type) continue;
    result->type = hd_type_with_element(type, type->shaped.element->quant.expressed);
    hd_use *old = result->first_use;
    if (!old) continue;
    hd_op *first = b->before; /* what quantizes stands between the op and this one; its uses stay */
    hd_value *stored = quantized(b, result, type->shaped.element);
    for (hd_use *use = old, *next; use; use = next) {
      next = use->next;
      bool own = use->owner->block == op->block && hd_op_is_before(op, use->owner) &&
                 (!first || hd_op_is_before(use->owner, first));
      if (!own) hd_op_set_operand(use->owner, use->index, stored);
    }
    hd_map_set(&z->pass->arena, &z->types, stored, (void *)type);
  }
}

/* Is |op| inside a reducer or comparator, where values are floats? */
static bool inside_reducer(const hd_op *op) {
  const hd_op *parent = hd_op_parent(op);
  return parent && !hd_holds_program(parent);
}

static void convert_constant(hd_op *op, hd_type q, bool as_floats) {
  hd_attr value = hd_op_attr_get(op, "value");
  hd_type type = hd_result_type(op, 0);
  if (!hd_attr_is(value, HD_ATTR_DENSE)) return;
  if (!as_floats) {
    hd_op_attr_set(op, "value", hd_attr_dense(type, value->dense.data, value->dense.size, value->dense.splat));
    return;
  }
  char bytes[8]; /* in a reducer: one number */
  double number = ((double)hd_element_load(storage_of(q), value->dense.data) - (double)q->quant.zero_points[0]) *
                  q->quant.scales[0];
  hd_type element = hd_type_element(type);
  hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, number));
  hd_op_attr_set(op, "value", hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}

bool hd_expand_quantized(hd_pass *pass, hd_op *func) {
  quantizer z = {.pass = pass};
  hd_walk_pre(func, collect, &z);
  for (size_t i = 0; i < z.ops.len; ++i) {
    hd_op *op = z.ops.data[i];
    for (uint32_t k = 0; k < op->result_count; ++k)
      if (!retype(&z, hd_result(op, k), inside_reducer(op), op)) return false;
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(block, hd_op_region(op, r)) for (uint32_t k = 0; k < block->arg_count;
                                                         ++k) if (!retype(&z, block->args[k], !hd_holds_program(op),
                                                                          op)) return false;
  }
  if (!z.types.len) return true;
  for (size_t i = 0; i < z.ops.len; ++i) {
    hd_op *op = z.ops.data[i];
    if (!is_quantized(&z, op)) continue;
    bool floats = inside_reducer(op);
    if (hd_op_is(op, HD_OP_stablehlo_constant)) {
      convert_constant(op, quantized_element(original(&z, hd_result(op, 0))), floats);
      continue;
    }
    if (floats || passes_on(op)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    hd_type from = op->operand_count ? original(&z, hd_operand(op, 0)) : NULL,
            to = op->result_count ? original(&z, hd_result(op, 0)) : NULL;
    if (hd_op_is(op, HD_OP_stablehlo_uniform_quantize) || hd_op_is(op, HD_OP_stablehlo_uniform_dequantize)) {
      hd_value *x = hd_operand(op, 0);
      if (from) x = dequantized(&b, x, from->shaped.element);
      if (to) x = quantized(&b, x, to->shaped.element);
      if (to) hd_map_set(&pass->arena, &z.types, x, (void *)to);
      hd_op_replace(op, &x);
    } else if (!moves_elements(op) || !of_one_type(&z, op)) {
      compute(&z, op);
    }
  }
  hd_op_attr_set(func, "function_type", hd_attr_type(hd_expanded_signature(pass, func)));
  pass->changed = true;
  return true;
}
