/* SPDX-License-Identifier: Apache-2.0 */
/* disc-hlo-legalize-to-lhlo: which ops get buffers. Ops that only compute shapes are left out where the sizes are known
 * as expressions over dims: those are written where they are used. */
#include "analysis/captures.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/buffer/legalizer.h"

bool hd_legalize_is_assertion(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_custom_call) &&
         hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "shape_assertion");
}

bool hd_legalize_is_on_device(const hd_op *op) {
  hd_attr places = hd_placement_entries(op);
  return hd_attr_is(places, HD_ATTR_ARRAY) && places->array.count &&
         hd_placement_of_attr(places->array.items[0]) == HD_PLACEMENT_DEVICE;
}

bool hd_legalize_is_known(hd_legalizer *ctx, hd_op *op) {
  if (hd_legalize_is_on_device(op)) return false;
  if (op->result_count != 1 || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || op->region_count) return false;
  if (!hd_type_has_rank(hd_result_type(op, 0)) || hd_type_rank(hd_result_type(op, 0)) > 1) return false;
  if (hd_shapes_may_wrap(ctx->shapes, hd_result(op, 0))) return false;
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, hd_result(op, 0));
  bool symbolic = false;
  for (uint32_t e = 0; e < shape->element_count; ++e) {
    hd_dim element = hd_shapes_element(ctx->shapes, hd_result(op, 0), e);
    bool reads = hd_dim_reads_elements(element) && !hd_op_is(op, HD_OP_stablehlo_get_dimension_size);
    if (!element || reads) return false;
    symbolic = true;
  }
  return symbolic;
}

/* Are all elements of a shape operand known as expressions? */
static bool elements_known(hd_legalizer *ctx, hd_value *value) {
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, value);
  for (uint32_t e = 0; e < shape->element_count; ++e)
    if (!hd_shapes_element(ctx->shapes, value, e)) return false;
  return shape->element_count > 0 || hd_type_num_elements(value->type) == 0;
}

typedef struct needed_ops {
  hd_legalizer *ctx;
  hd_vec(hd_op *) pending;
} needed_ops;

static void push_needed_op(needed_ops *needed, hd_op *op) {
  hd_legalizer *ctx = needed->ctx;
  if (!op || hd_map_get(&ctx->needed, op)) return;
  hd_map_set(&ctx->pass->arena, &ctx->needed, op, op);
  hd_vec_push(&ctx->pass->arena, &needed->pending, op);
}

static void push_needed(void *user, hd_value *value) { push_needed_op(user, hd_value_op(value)); }

static void push_needed_origin(void *user, const hd_symbol_origin *origin) { push_needed(user, origin->value); }

/* The elements of |value| are written from their expressions; what those read must be in memory. */
static void push_needed_elements(needed_ops *needed, hd_value *value) {
  hd_shapes *shapes = needed->ctx->shapes;
  uint32_t count = hd_shapes_get(shapes, value)->element_count;
  for (uint32_t e = 0; e < count; ++e)
    hd_dim_visit_symbols(hd_shapes_element(shapes, value, e), push_needed_origin, needed);
}

/* A stack of its own, no recursion: chains are as long as the program. */
void hd_legalize_need_op(hd_legalizer *ctx, hd_op *first) {
  needed_ops needed = {.ctx = ctx};
  push_needed_op(&needed, first);
  while (needed.pending.len) {
    hd_op *op = needed.pending.data[--needed.pending.len];
    if (hd_legalize_is_known(ctx, op)) {
      push_needed_elements(&needed, hd_result(op, 0));
      continue;
    }
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (hd_op_is_shape_operand(op, i) && elements_known(ctx, hd_operand(op, i)))
        push_needed_elements(&needed, hd_operand(op, i));
      else
        push_needed(&needed, hd_operand(op, i));
    if (hd_has_element_regions(op)) {
      hd_captures captures = {0};
      hd_captures_find(op, &ctx->pass->arena, &captures);
      for (size_t i = 0; i < captures.len; ++i) push_needed(&needed, captures.data[i]);
      continue;
    }
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(block, hd_op_region(op, r))
        hd_for_each_op(inner, block) {
          bool root = hd_op_has_trait(inner, HD_TRAIT(TERMINATOR)) || !hd_op_is_pure(inner);
          if (!root || hd_legalize_is_assertion(inner)) continue;
          push_needed_op(&needed, inner);
        }
  }
}

void hd_legalize_need(hd_legalizer *ctx, hd_value *value) { hd_legalize_need_op(ctx, hd_value_op(value)); }
