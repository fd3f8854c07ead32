/* SPDX-License-Identifier: Apache-2.0 */
/* Quantized types become their storage integers; what computes on them computes on the expressed floats, as the
 * specification has it:
 *
 *   %q = stablehlo.add %a, %b : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
 *   ->
 *   x = f32(i64(%a) - 3) * 0.5, y likewise;   %q = i8(round_nearest_even(clamp(-128, (x + y) / 0.5 + 3, 127)))
 *
 * Every step is rounded to the expressed type, so that it gives the bits of eval/core/quantized.c. Ops that only move
 * elements of one quantized type move its integers, and so do those whose regions say what becomes of the elements
 * (ir/quantized.h): inside the regions each op quantizes what it computes, as anywhere else. */
#include "ir/computation.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/quantized.h"
#include "passes/graph/expand/expand_hlo.h"

typedef struct quantizer {
  hd_pass *pass;
  hd_map types; /* value -> its quantized tensor type */
} quantizer;

/* A number per slice of the quantized dim, or one for all, in the shape and type of |like|. */
static hd_value *parameter(hd_builder *b, hd_type q, hd_value *like, const int64_t *bits) {
  hd_type element = hd_type_element(like->type);
  uint32_t count = q->quant.per_axis ? q->quant.count : 1;
  size_t bytes = hd_type_element_bytes(element);
  char *data = hd_arena_alloc(&b->module->arena, count * bytes);
  for (uint32_t i = 0; i < count; ++i) hd_element_store(element, data + i * bytes, bits[i]);
  int64_t dim = count, axis = q->quant.axis;
  hd_type type = hd_type_tensor(element, &dim, q->quant.per_axis ? 1 : 0, NULL);
  hd_value *value = hd_build_hlo_constant(b, hd_attr_dense(type, data, count * bytes, false));
  return hd_hlo_broadcast_like(b, value, like, q->quant.per_axis ? &axis : NULL);
}

static int64_t float_bits(hd_value *like, double value) {
  return (int64_t)hd_float_encode(hd_type_element(like->type)->float_kind, value);
}

static hd_value *scale(hd_builder *b, hd_type q, hd_value *like) {
  int64_t *bits = hd_new_array(&b->module->arena, int64_t, q->quant.count);
  for (uint32_t i = 0; i < q->quant.count; ++i) bits[i] = float_bits(like, hd_quantized_scale(q, i));
  return parameter(b, q, like, bits);
}

/* The zero points as integers, or rounded to the expressed type. */
static hd_value *zero_point(hd_builder *b, hd_type q, hd_value *like) {
  if (hd_type_element(like->type)->kind == HD_TYPE_INTEGER) return parameter(b, q, like, q->quant.zero_points);
  int64_t *bits = hd_new_array(&b->module->arena, int64_t, q->quant.count);
  for (uint32_t i = 0; i < q->quant.count; ++i)
    bits[i] = float_bits(like, hd_quantized_round(q, (double)q->quant.zero_points[i]));
  return parameter(b, q, like, bits);
}

#define OP(name, x, y) hd_build(b, HD_OP_stablehlo_##name, (x)->type, x, y)

/* Where the expressed type is computed: itself when it is that wide, else f32, rounded after every step. */
static hd_type compute_element(hd_type q) {
  return hd_type_float(q->context, hd_type_is_float(q->quant.expressed, HD_F64) ? HD_F64 : HD_F32);
}

static hd_value *rounded(hd_builder *b, hd_type q, hd_value *x) {
  return hd_hlo_convert(b, hd_hlo_convert(b, x, q->quant.expressed), compute_element(q));
}

static hd_value *dequantized(hd_builder *b, hd_value *x, hd_type q) {
  x = hd_hlo_convert(b, x, hd_type_integer(b->context, hd_type_bits(q->quant.storage) < 31 ? 32 : 64, HD_SIGNLESS));
  x = rounded(b, q, OP(subtract, x, zero_point(b, q, x)));
  return hd_hlo_convert(b, OP(multiply, x, scale(b, q, x)), q->quant.expressed);
}

/* Does the conversion to the storage type alone give a number of its range, that of NaN too? */
static bool converts_into_range(hd_type q, double low, double high) {
  return low == (double)q->quant.storage_min && high == (double)q->quant.storage_max && low <= 0 && high >= 0;
}

/* |x| may have been computed more exactly than its type: what is quantized is a number of the expressed type. */
static hd_value *quantized(hd_builder *b, hd_value *x, hd_type q) {
  const hd_float_format *format = &hd_float_formats[q->quant.expressed->float_kind];
  if (format->bits < 32 && format->special == HD_FLOAT_IEEE)
    x = hd_stablehlo_reduce_precision(b, format->exponent_bits, format->mantissa_bits, x);
  double low, high;
  hd_quantized_bounds(q, &low, &high);
  x = hd_hlo_convert(b, x, compute_element(q));
  x = rounded(b, q, OP(divide, x, scale(b, q, x)));
  x = rounded(b, q, OP(add, x, zero_point(b, q, x)));
  x = OP(maximum, x, hd_hlo_float_like(b, x, low));
  x = OP(minimum, x, hd_hlo_float_like(b, x, high));
  x = hd_stablehlo_round_nearest_even(b, x);
  if (!converts_into_range(q, low, high)) {
    x = hd_hlo_convert(b, x, hd_i64(b->context));
    x = OP(maximum, x, hd_hlo_int_like(b, x, q->quant.storage_min));
    x = OP(minimum, x, hd_hlo_int_like(b, x, q->quant.storage_max));
  }
  return hd_hlo_convert(b, x, hd_quantized_storage(q));
}

static hd_type original(quantizer *ctx, hd_value *value) { return hd_map_get(&ctx->types, value); }

static bool retype(quantizer *ctx, hd_value *value, hd_op *op) {
  hd_type q = hd_quantized_element(value->type);
  if (!q) return true;
  if (q->quant.block_rank) return hd_op_error(op, "is quantized by blocks, which has no compiled path");
  hd_map_set(&ctx->pass->arena, &ctx->types, value, (void *)value->type);
  value->type = hd_type_with_element(value->type, hd_quantized_storage(q));
  return true;
}

static bool is_quantized(quantizer *ctx, hd_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) any |= original(ctx, hd_operand(op, i)) != NULL;
  for (uint32_t i = 0; i < op->result_count; ++i) any |= original(ctx, hd_result(op, i)) != NULL;
  return any;
}

/* The op on the expressed types. */
static void compute(quantizer *ctx, hd_op *op) {
  hd_builder builder = hd_builder_before(op), *b = &builder;
  b->loc = op->loc;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = original(ctx, hd_operand(op, i));
    if (type) hd_op_set_operand(op, i, dequantized(b, hd_operand(op, i), type->shaped.element));
  }
  builder = hd_builder_after(op);
  b->loc = op->loc;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *result = hd_result(op, i);
    hd_type type = original(ctx, result);
    if (!type) continue;
    result->type = hd_type_with_element(type, type->shaped.element->quant.expressed);
    hd_use *old = result->first_use;
    if (!old) continue;
    hd_op *first = b->before; /* what quantizes is between the op and this one; its uses stay */
    hd_value *stored = quantized(b, result, type->shaped.element);
    for (hd_use *use = old, *next; use; use = next) {
      next = use->next;
      bool own = use->owner->block == op->block && hd_op_is_before(op, use->owner) &&
                 (!first || hd_op_is_before(use->owner, first));
      if (!own) hd_op_set_operand(use->owner, use->index, stored);
    }
    hd_map_set(&ctx->pass->arena, &ctx->types, stored, (void *)type);
  }
}

/* A constant is written as the stored integers, without saying how they extend. */
static void convert_constant(hd_op *op) {
  hd_attr value = hd_stablehlo_constant_value(op);
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  if (!hd_attr_is(value, HD_ATTR_DENSE)) return;
  size_t bytes = hd_type_element_bytes(element), size = value->dense.size;
  char *data = hd_arena_copy(&op->module->arena, value->dense.data, size);
  for (size_t at = 0; at < size; at += bytes)
    hd_element_store(element, data + at, hd_integer_wrap(element, hd_element_load(element, data + at)));
  hd_stablehlo_constant_set_value(op, hd_attr_dense(type, data, size, value->dense.splat));
}

/* Operands have the types that the regions of |op| take. */
static bool meet_regions(quantizer *ctx, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *argument = hd_computation_of(op, i).argument, *x = hd_operand(op, i);
    if (!argument) continue;
    hd_type from = original(ctx, x), to = original(ctx, argument);
    if (!from && !to) continue;
    if (!from || !to)
      return hd_op_error(op, "operand #%u and the region's argument for it: one is quantized, the other is not", i);
    hd_type q = hd_quantized_element(to);
    if (hd_quantized_element(from) == q) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    x = quantized(&b, dequantized(&b, x, hd_quantized_element(from)), q);
    hd_map_set(&ctx->pass->arena, &ctx->types, x, (void *)hd_type_with_element(from, q));
    hd_op_set_operand(op, i, x);
  }
  return true;
}

bool hd_expand_quantized(hd_pass *pass, hd_op *func) {
  quantizer ctx = {.pass = pass};
  hd_map acts = {0}; /* ops on quantized values that act on what is stored; asked while types still say so */
  hd_op_list ops = hd_ops_where(func, NULL, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i)
    if (hd_op_acts_on_stored(ops.data[i])) hd_map_set(&pass->arena, &acts, ops.data[i], ops.data[i]);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    for (uint32_t k = 0; k < op->result_count; ++k)
      if (!retype(&ctx, hd_result(op, k), op)) return false;
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(block, hd_op_region(op, r))
        for (uint32_t k = 0; k < block->arg_count; ++k)
          if (!retype(&ctx, block->args[k], op)) return false;
  }
  if (!ctx.types.len) return true;
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    if (!is_quantized(&ctx, op)) continue;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    if (hd_op_is(op, HD_OP_stablehlo_constant)) {
      convert_constant(op);
    } else if (hd_op_is(op, HD_OP_stablehlo_uniform_quantize) || hd_op_is(op, HD_OP_stablehlo_uniform_dequantize)) {
      hd_value *x = hd_operand(op, 0);
      hd_type from = original(&ctx, x), to = original(&ctx, hd_result(op, 0));
      if (from) x = dequantized(&b, x, from->shaped.element);
      if (to) x = quantized(&b, x, to->shaped.element);
      if (to) hd_map_set(&pass->arena, &ctx.types, x, (void *)to);
      hd_op_replace(op, &x);
    } else if (!hd_map_get(&acts, op)) {
      compute(&ctx, op);
    } else if (!meet_regions(&ctx, op)) {
      return false;
    }
  }
  hd_function_like_set_function_type(func, hd_attr_type(hd_expanded_signature(pass, func)));
  pass->changed = true;
  return true;
}
