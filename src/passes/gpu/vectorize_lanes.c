/* SPDX-License-Identifier: Apache-2.0 */
/* disc-vectorize-loops: numbers that are their own in each iteration as elements of one vector.
 *
 * A device without vectors takes their elements apart at no cost; one that has them, as a CPU behind OpenCL, finds them
 * here and need not look for equal work in neighbouring threads, whose elements do not be together. */
#include "codegen/math/expand.h"
#include "passes/gpu/vectorizer.h"

hd_lane_kind hd_lane_kind_of(hd_vectorizer *ctx, hd_value *value) {
  uintptr_t kind = (uintptr_t)hd_map_get(&ctx->kinds, value);
  int64_t known;
  if (kind) return (hd_lane_kind)(kind - 1);
  return hd_value_constant_int(value, &known) && known % ctx->width == 0 ? HD_LANE_MULTIPLE : HD_LANE_SAME;
}

void hd_set_lane_kind(hd_vectorizer *ctx, hd_value *value, hd_lane_kind kind) {
  hd_map_set(&ctx->pass->arena, &ctx->kinds, value, (void *)((uintptr_t)kind + 1)); /* NOLINT */
}

void hd_set_lane(hd_vectorizer *ctx, hd_value *value, int64_t c, hd_value *own) {
  hd_map_set(&ctx->pass->arena, &ctx->lanes[c], value, own);
}

hd_value *hd_lane(hd_vectorizer *ctx, hd_value *value, int64_t c) {
  hd_value *own = hd_map_get(&ctx->lanes[c], value), *pack = hd_map_get(&ctx->packed, value);
  if (own || !pack || hd_lane_kind_of(ctx, value) != HD_LANE_OWN) return own ? own : value;
  hd_attr_arg position = {HD_NAME_static_position, hd_attr_i64_array(ctx->b.context, &c, 1)};
  own = hd_build_one_(&ctx->b, HD_OP_vector_extract, value->type, &pack, 1, &position, 1);
  hd_set_lane(ctx, value, c, own);
  return own;
}

void hd_set_lanes_packed(hd_vectorizer *ctx, hd_value *value, hd_value *vector) {
  hd_map_set(&ctx->pass->arena, &ctx->packed, value, vector);
  hd_set_lane_kind(ctx, value, HD_LANE_OWN);
}

hd_value *hd_lanes_packed(hd_vectorizer *ctx, hd_value *value) {
  hd_value *pack = hd_map_get(&ctx->packed, value), *elements[HD_LANES_MAX];
  hd_attr constant = hd_value_constant(value);
  hd_type type = hd_type_vector(value->type, &ctx->width, 1, NULL);
  if (pack) return pack;
  if (hd_attr_is(constant, HD_ATTR_FLOAT))
    return hd_build_constant(&ctx->b,
                             hd_attr_dense(type, &constant->floating.bits, hd_type_element_bytes(value->type), true));
  for (int64_t c = 0; c < ctx->width; ++c) elements[c] = hd_lane(ctx, value, c);
  pack = hd_build_one_(&ctx->b, HD_OP_vector_from_elements, type, elements, (size_t)ctx->width, NULL, 0);
  hd_map_set(&ctx->pass->arena, &ctx->packed, value, pack);
  return pack;
}

static bool is_float(hd_type type) {
  return hd_type_is_float(type, HD_F32) || hd_type_is_float(type, HD_F64) || hd_type_is_float(type, HD_F16) ||
         hd_type_is_float(type, HD_BF16);
}

static bool is_bit(hd_type type) { return type->kind == HD_TYPE_INTEGER && type->integer.width == 1; }

/* Branches of a vector would be those of its elements, one after the other. */
static bool is_packable(const hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(PURE) | HD_TRAIT(ELEMENTWISE)) && !hd_op_has_trait(op, HD_TRAIT(BY_ELEMENT)) &&
         !hd_math_branches(hd_opcode_get(op));
}

bool hd_lanes_can_pack(hd_vectorizer *ctx, hd_op *op) {
  if (!ctx->packs || !is_packable(op) || op->result_count != 1) return false;
  bool own = false, ok = is_float(hd_result_type(op, 0)) || hd_op_is(op, HD_OP_arith_cmpf);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    own |= hd_lane_kind_of(ctx, hd_operand(op, i)) == HD_LANE_OWN;
    ok &= is_float(type) || (is_bit(type) && hd_op_is(op, HD_OP_arith_select));
  }
  return ok && own;
}

void hd_lanes_pack(hd_vectorizer *ctx, hd_op *op) {
  hd_value *operands[4];
  hd_type type = hd_type_vector(hd_result_type(op, 0), &ctx->width, 1, NULL);
  HD_ASSERT(op->operand_count <= 4);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_lanes_packed(ctx, hd_operand(op, i));
  hd_op *made = hd_build_like(&ctx->b, op, hd_opcode_get(op), operands, op->operand_count, &type, 1);
  hd_set_lanes_packed(ctx, hd_result(op, 0), hd_result(made, 0));
}
