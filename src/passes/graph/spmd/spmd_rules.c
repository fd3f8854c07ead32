/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ops: in which layouts they take their operands and give their results. */
#include <string.h>

#include "ir/ops/interfaces.h"
#include "ir/ops/sdy.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

static int64_t dim_of(hd_op *op, uint32_t operand, uint32_t d) { return hd_type_dim(hd_operand_type(op, operand), d); }

/* The layouts of all operands of |type|'s shape in one, the finest first. */
static hd_layout joined(hd_spmd *s, hd_op *op, hd_type type) {
  hd_layout out = hd_layout_whole(s, type);
  int64_t most = 1;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_placed *placed = hd_spmd_get(s, hd_operand(op, i));
    if (placed->layout.rank != out.rank || hd_layout_parts(s, placed->layout) <= most) continue;
    most = hd_layout_parts(s, placed->layout);
    out = hd_layout_copy(s, placed->layout);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    hd_layout_merge(s, &out, hd_spmd_get(s, hd_operand(op, i))->layout, type);
  return out;
}

/* Operands of the results' rank and all results in |layout|. */
static bool alike(hd_spmd *s, hd_op *op, hd_layout layout) {
  hd_plan p = hd_plan_of(s, op);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (p.operands[i].rank == layout.rank) p.operands[i] = layout;
  for (uint32_t i = 0; i < op->result_count; ++i) p.results[i] = layout;
  return hd_plan_emit(s, op, p);
}

static bool elementwise(hd_spmd *s, hd_op *op) {
  return op->result_count ? alike(s, op, joined(s, op, hd_result_type(op, 0))) : hd_spmd_replicated(s, op);
}

/* Elements of another width take or give the last dim, which is whole; those of the same width are alike. */
static bool bitcast_convert(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_layout have = hd_layout_of(s, hd_operand(op, 0));
  uint32_t shared = p.results[0].rank < have.rank ? p.results[0].rank : have.rank;
  for (uint32_t d = 0; d < shared; ++d) p.operands[0].dims[d] = p.results[0].dims[d] = have.dims[d];
  return hd_plan_emit(s, op, p);
}

/* Result i is laid out like operand i. */
bool hd_spmd_pairwise(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  for (uint32_t i = 0; i < op->operand_count && i < op->result_count; ++i)
    if (p.results[i].rank == p.operands[i].rank) p.operands[i] = p.results[i] = hd_layout_of(s, hd_operand(op, i));
  return hd_plan_emit(s, op, p);
}

/* ---- ops on dims ----------------------------------------------------------------------------------------------- */

static bool transpose(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_attr permutation = hd_stablehlo_transpose_permutation(op);
  p.operands[0] = hd_layout_of(s, hd_operand(op, 0));
  for (uint32_t d = 0; d < p.results[0].rank; ++d)
    p.results[0].dims[d] = p.operands[0].dims[hd_attr_int_at(permutation, d)];
  return hd_plan_emit(s, op, p);
}

/* The operand's dims are the last ones of the result. */
static bool broadcast(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  p.operands[0] = hd_layout_of(s, hd_operand(op, 0));
  uint32_t first = p.results[0].rank - p.operands[0].rank;
  for (uint32_t d = 0; d < p.operands[0].rank; ++d) p.results[0].dims[first + d] = p.operands[0].dims[d];
  return hd_plan_emit(s, op, p);
}

static bool broadcast_in_dim(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_attr axes = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  p.operands[0] = hd_layout_of(s, hd_operand(op, 0));
  for (uint32_t d = 0; d < p.operands[0].rank; ++d) p.results[0].dims[hd_attr_int_at(axes, d)] = p.operands[0].dims[d];
  return hd_plan_emit(s, op, p);
}

/* Dims of one product of sizes on both sides are a group; the first of a group keeps its split, where that divides the
 * first on the other side: the parts are then the same elements. */
static bool reshape(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  hd_layout have = hd_layout_of(s, hd_operand(op, 0));
  uint32_t i = 0, k = 0;
  if (!hd_type_is_static(from) || !hd_type_is_static(to) || hd_type_num_elements(from) <= 0)
    return hd_spmd_replicated(s, op);
  for (;;) {
    while (i < hd_type_rank(from) && hd_type_dim(from, i) == 1) ++i;
    while (k < hd_type_rank(to) && hd_type_dim(to, k) == 1) ++k;
    if (i == hd_type_rank(from) || k == hd_type_rank(to)) break;
    hd_split split = have.dims[i];
    while (split.count && hd_type_dim(to, k) % hd_split_parts(s, split)) --split.count;
    p.operands[0].dims[i] = p.results[0].dims[k] = split;
    int64_t left = hd_type_dim(from, i++), right = hd_type_dim(to, k++);
    while (left != right) {
      if (left < right)
        left *= hd_type_dim(from, i++);
      else
        right *= hd_type_dim(to, k++);
    }
  }
  return hd_plan_emit(s, op, p);
}

static void keep_where(hd_layout *layout, uint32_t d, bool keep) {
  if (!keep) layout->dims[d] = (hd_split){0};
}

/* Both in |layout|. */
static hd_plan same_plan(hd_spmd *s, hd_op *op, hd_layout layout) {
  hd_plan p = hd_plan_of(s, op);
  p.operands[0] = p.results[0] = layout;
  return p;
}

static bool slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = hd_layout_of(s, hd_operand(op, 0));
  hd_attr starts = hd_stablehlo_slice_start_indices(op), limits = hd_stablehlo_slice_limit_indices(op),
          strides = hd_stablehlo_slice_strides(op);
  int64_t *ends = hd_new_array(s->arena, int64_t, layout.rank + 1);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    ends[d] = hd_attr_int_at(limits, d);
    keep_where(&layout, d,
               !hd_attr_int_at(starts, d) && ends[d] == dim_of(op, 0, d) && hd_attr_int_at(strides, d) == 1);
    ends[d] /= hd_split_parts(s, layout.dims[d]);
  }
  hd_plan p = same_plan(s, op, layout);
  hd_op *made = hd_spmd_emit(s, op, p.operands, p.results);
  hd_stablehlo_slice_set_limit_indices(made, hd_attr_i64_array(s->pass->context, ends, layout.rank));
  return true;
}

static bool dynamic_slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = hd_layout_of(s, hd_operand(op, 0));
  hd_attr sizes = hd_stablehlo_dynamic_slice_slice_sizes(op);
  int64_t *local = hd_new_array(s->arena, int64_t, layout.rank + 1);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    local[d] = hd_attr_int_at(sizes, d);
    keep_where(&layout, d, local[d] == dim_of(op, 0, d));
    local[d] /= hd_split_parts(s, layout.dims[d]);
  }
  hd_plan p = same_plan(s, op, layout);
  hd_op *made = hd_spmd_emit(s, op, p.operands, p.results);
  hd_stablehlo_dynamic_slice_set_slice_sizes(made, hd_attr_i64_array(s->pass->context, local, layout.rank));
  return true;
}

static bool dynamic_update_slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = hd_layout_of(s, hd_operand(op, 0));
  hd_layout_merge(s, &layout, hd_spmd_get(s, hd_operand(op, 1))->layout, hd_operand_type(op, 0));
  for (uint32_t d = 0; d < layout.rank; ++d) keep_where(&layout, d, dim_of(op, 0, d) == dim_of(op, 1, d));
  hd_plan p = same_plan(s, op, layout);
  p.operands[1] = layout;
  return hd_plan_emit(s, op, p);
}

static bool pad(hd_spmd *s, hd_op *op) {
  hd_layout layout = hd_layout_of(s, hd_operand(op, 0));
  hd_attr low = hd_stablehlo_pad_edge_padding_low(op), high = hd_stablehlo_pad_edge_padding_high(op),
          interior = hd_stablehlo_pad_interior_padding(op);
  for (uint32_t d = 0; d < layout.rank; ++d)
    keep_where(&layout, d, !hd_attr_int_at(low, d) && !hd_attr_int_at(high, d) && !hd_attr_int_at(interior, d));
  return hd_plan_emit(s, op, same_plan(s, op, layout));
}

/* The result is as the operand does. */
static bool reverse(hd_spmd *s, hd_op *op) {
  hd_layout layout = hd_layout_of(s, hd_operand(op, 0)), have = hd_layout_copy(s, layout);
  for (uint32_t d = 0; d < layout.rank; ++d)
    keep_where(&layout, d, hd_attr_find_int(hd_stablehlo_reverse_dimensions(op), d) < 0);
  if (!hd_plan_emit(s, op, same_plan(s, op, layout))) return false;
  hd_spmd_set(s, hd_result(op, 0), hd_spmd_as(s, hd_result(op, 0), have), have);
  return true;
}

/* All operands in one layout, whole along the dim that attribute |name| gives. */
static bool along(hd_spmd *s, hd_op *op, hd_name name, int64_t otherwise) {
  hd_layout layout = joined(s, op, hd_result_type(op, 0));
  int64_t dim = hd_attr_int_or(hd_op_attr_get(op, name), otherwise);
  if (dim < 0) dim += layout.rank;
  if (dim >= 0 && dim < layout.rank) layout.dims[dim] = (hd_split){0};
  return alike(s, op, layout);
}

/* Whole in the last |dims| dims. */
static bool batched(hd_spmd *s, hd_op *op, uint32_t dims) {
  hd_layout layout = joined(s, op, hd_result_type(op, 0));
  for (uint32_t d = layout.rank > dims ? layout.rank - dims : 0; d < layout.rank; ++d) layout.dims[d] = (hd_split){0};
  return alike(s, op, layout);
}

/* Dims in which a window is one element, at every place. */
static bool windows(hd_spmd *s, hd_op *op) {
  hd_layout layout = joined(s, op, hd_operand_type(op, 0));
  static const hd_name steps[] = {HD_NAME_window_dimensions, HD_NAME_window_strides, HD_NAME_base_dilations,
                                  HD_NAME_window_dilations};
  hd_attr padding = hd_window_like_padding(op);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    bool one = !padding || (!hd_attr_int_at(padding, 2 * d) && !hd_attr_int_at(padding, 2 * d + 1));
    for (int i = 0; one && i < 4; ++i) one = hd_attr_int_at_or(hd_op_attr_get(op, steps[i]), d, 1) == 1;
    keep_where(&layout, d, one);
  }
  return alike(s, op, layout);
}

/* ---- reductions ------------------------------------------------------------------------------------------------ */

/* Doing |op| with its initial value once on every device is doing it once: add with 0, or one that has no sums. */
static bool repeats(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  if (op->operand_count != 2 || !body || !body->last || body->last->operand_count != 1) return false;
  hd_op *inner = hd_value_op(hd_operand(body->last, 0));
  if (!inner || inner->prev || inner->next != body->last || inner->operand_count != 2) return false;
  for (uint32_t i = 0; i < 2; ++i)
    if (!hd_operand(inner, i)->is_block_arg || hd_operand(inner, i)->owner.block != body) return false;
  if (hd_op_has_trait(inner, HD_TRAIT(IDEMPOTENT))) return true;
  hd_attr init = hd_op_is(inner, HD_OP_stablehlo_add) ? hd_value_constant(hd_operand(op, 1)) : NULL;
  if (!hd_attr_is(init, HD_ATTR_DENSE) || hd_attr_count(init) != 1) return false;
  const char *bytes = hd_attr_element_data(init, 0);
  size_t size = hd_type_element_bytes(hd_type_element(init->type));
  for (size_t i = 0; i < size; ++i)
    if (bytes[i]) return false;
  return true;
}

static bool reduce(hd_spmd *s, hd_op *op) {
  hd_plan p = hd_plan_of(s, op);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  hd_layout layout = joined(s, op, hd_operand_type(op, 0)), result = p.results[0];
  hd_split over = {0};
  bool partial = repeats(op);
  for (uint32_t d = 0, k = 0; d < layout.rank; ++d) {
    if (hd_attr_find_int(dims, d) < 0) {
      result.dims[k++] = layout.dims[d];
      continue;
    }
    if (!partial || over.count + layout.dims[d].count > HD_SPLIT_AXES) layout.dims[d] = (hd_split){0};
    for (uint8_t i = 0; i < layout.dims[d].count; ++i) over.axes[over.count++] = layout.dims[d].axes[i];
  }
  for (uint32_t i = 0; i < op->operand_count / 2; ++i) p.operands[i] = layout;
  for (uint32_t i = 0; i < op->result_count; ++i) p.results[i] = result;
  hd_op *made = hd_spmd_emit(s, op, p.operands, p.results);
  if (over.count)
    hd_spmd_set(s, hd_result(op, 0), hd_spmd_all_reduce(s, hd_result(made, 0), over, hd_op_region(op, 0)->first),
                result);
  return true;
}

/* ---- shardings ------------------------------------------------------------------------------------------------- */

static bool constraint(hd_spmd *s, hd_op *op) {
  hd_layout layout;
  hd_value *x = hd_operand(op, 0);
  hd_attr sharding = hd_sharding_constraint_like_sharding(op);
  bool *open = hd_new_array(s->arena, bool, hd_type_rank(x->type) + 1u);
  if (!hd_layout_read(s, op, sharding, x->type, false, &layout, open)) return false;
  hd_layout have = hd_layout_of(s, x);
  hd_split sums;
  if (!hd_sharding_unreduced(s, op, sharding, &sums)) return false;
  layout = hd_layout_with_addends(s, layout, have, sums); /* parts are addends already, among zeros */
  for (uint32_t d = 0; d < layout.rank; ++d) keep_where(&have, d, open[d]);
  hd_layout_merge(s, &layout, have, x->type);
  hd_spmd_set(s, hd_result(op, 0), hd_spmd_as(s, x, layout), layout);
  return true;
}

static bool barrier(hd_spmd *s, hd_op *op) {
  hd_placed *placed = hd_spmd_get(s, hd_operand(op, 0));
  hd_spmd_set(s, hd_result(op, 0), placed->value, placed->layout);
  return true;
}

/* ---- all ops --------------------------------------------------------------------------------------------------- */

/* A graph op that is not elementwise and has no row stops the compiler here: ROW_<op> is not declared. */
enum {
#define RULE(opcode, call) ROW_##opcode,
#define REPLICATED(opcode) ROW_##opcode,
#include "passes/graph/spmd/spmd_rules.def"
};
#define OTHER(opcode) _Static_assert(ROW_##opcode >= 0, #opcode);
#include "ir/ops/graph_ops.inc"

bool hd_spmd_op(hd_spmd *s, hd_op *op) {
  switch (hd_opcode_get(op)) {
#define RULE(opcode, call) \
  case HD_OP_##opcode:     \
    return call;
#include "passes/graph/spmd/spmd_rules.def"
    default:
      return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) ? elementwise(s, op) : hd_spmd_replicated(s, op);
  }
}
