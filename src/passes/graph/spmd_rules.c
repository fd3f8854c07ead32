/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ops: in which layouts they take their operands and give their results. */
#include <inttypes.h>
#include <string.h>

#include "ir/custom_calls.h"
#include "ir/number.h"
#include "passes/graph/spmd.h"

/* Layouts of an op's operands and results, whole until a rule says otherwise. */
typedef struct plan {
  hd_layout *operands, *results;
} plan;

static plan plan_of(hd_spmd *s, hd_op *op) {
  plan p = {hd_new_array(s->arena, hd_layout, op->operand_count + 1u),
            hd_new_array(s->arena, hd_layout, op->result_count + 1u)};
  for (uint32_t i = 0; i < op->operand_count; ++i) p.operands[i] = hd_layout_whole(s, hd_operand_type(op, i));
  for (uint32_t i = 0; i < op->result_count; ++i) p.results[i] = hd_layout_whole(s, hd_result_type(op, i));
  return p;
}

static hd_layout layout_of(hd_spmd *s, hd_value *old) { return hd_layout_copy(s, hd_spmd_get(s, old)->layout); }

static int64_t dim_of(hd_op *op, uint32_t operand, uint32_t d) { return hd_type_dim(hd_operand_type(op, operand), d); }

static bool emit(hd_spmd *s, hd_op *op, plan p) {
  hd_spmd_emit(s, op, p.operands, p.results);
  return true;
}

static bool whole(hd_spmd *s, hd_op *op) { return emit(s, op, plan_of(s, op)); }

static int64_t parts_of(const hd_spmd *s, hd_layout layout) {
  int64_t parts = 1;
  for (uint32_t d = 0; d < layout.rank; ++d) parts *= hd_split_parts(s, layout.dims[d]);
  return parts;
}

/* The layouts of all operands of |type|'s shape in one, the finest first. */
static hd_layout joined(hd_spmd *s, hd_op *op, hd_type type) {
  hd_layout out = hd_layout_whole(s, type);
  int64_t most = 1;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_placed *placed = hd_spmd_get(s, hd_operand(op, i));
    if (placed->layout.rank != out.rank || parts_of(s, placed->layout) <= most) continue;
    most = parts_of(s, placed->layout);
    out = hd_layout_copy(s, placed->layout);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    hd_layout_merge(s, &out, hd_spmd_get(s, hd_operand(op, i))->layout, type);
  return out;
}

/* Operands of the results' rank and all results in |layout|. */
static bool alike(hd_spmd *s, hd_op *op, hd_layout layout) {
  plan p = plan_of(s, op);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (p.operands[i].rank == layout.rank) p.operands[i] = layout;
  for (uint32_t i = 0; i < op->result_count; ++i) p.results[i] = layout;
  return emit(s, op, p);
}

static bool elementwise(hd_spmd *s, hd_op *op) {
  return op->result_count ? alike(s, op, joined(s, op, hd_result_type(op, 0))) : whole(s, op);
}

/* Result i is laid out like operand i. */
static bool pairwise(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  for (uint32_t i = 0; i < op->operand_count && i < op->result_count; ++i)
    if (p.results[i].rank == p.operands[i].rank) p.operands[i] = p.results[i] = layout_of(s, hd_operand(op, i));
  return emit(s, op, p);
}

/* ---- ops on dims ----------------------------------------------------------------------------------------------- */

static bool transpose(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_attr permutation = hd_op_attr_get(op, "permutation");
  p.operands[0] = layout_of(s, hd_operand(op, 0));
  for (uint32_t d = 0; d < p.results[0].rank; ++d)
    p.results[0].dims[d] = p.operands[0].dims[hd_attr_int_at(permutation, d)];
  return emit(s, op, p);
}

static bool broadcast_in_dim(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_attr axes = hd_op_attr_get(op, "broadcast_dimensions");
  p.operands[0] = layout_of(s, hd_operand(op, 0));
  for (uint32_t d = 0; d < p.operands[0].rank; ++d) p.results[0].dims[hd_attr_int_at(axes, d)] = p.operands[0].dims[d];
  return emit(s, op, p);
}

/* Dims of one product of sizes on both sides are a group; the first of a group keeps its split, where that divides the
 * first on the other side: the parts are then the same elements. */
static bool reshape(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  hd_layout have = layout_of(s, hd_operand(op, 0));
  uint32_t i = 0, k = 0;
  if (!hd_type_is_static(from) || !hd_type_is_static(to) || hd_type_num_elements(from) <= 0) return whole(s, op);
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
  return emit(s, op, p);
}

static void keep_where(hd_layout *layout, uint32_t d, bool keep) {
  if (!keep) layout->dims[d] = (hd_split){0};
}

/* Both in |layout|. */
static plan same_plan(hd_spmd *s, hd_op *op, hd_layout layout) {
  plan p = plan_of(s, op);
  p.operands[0] = p.results[0] = layout;
  return p;
}

static bool slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = layout_of(s, hd_operand(op, 0));
  hd_attr starts = hd_op_attr_get(op, "start_indices"), limits = hd_op_attr_get(op, "limit_indices"),
          strides = hd_op_attr_get(op, "strides");
  int64_t *ends = hd_new_array(s->arena, int64_t, layout.rank + 1);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    ends[d] = hd_attr_int_at(limits, d);
    keep_where(&layout, d,
               !hd_attr_int_at(starts, d) && ends[d] == dim_of(op, 0, d) && hd_attr_int_at(strides, d) == 1);
    ends[d] /= hd_split_parts(s, layout.dims[d]);
  }
  plan p = same_plan(s, op, layout);
  hd_op *made = hd_spmd_emit(s, op, p.operands, p.results);
  hd_op_attr_set(made, "limit_indices", hd_attr_i64_array(s->pass->context, ends, layout.rank));
  return true;
}

static bool dynamic_slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = layout_of(s, hd_operand(op, 0));
  hd_attr sizes = hd_op_attr_get(op, "slice_sizes");
  int64_t *local = hd_new_array(s->arena, int64_t, layout.rank + 1);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    local[d] = hd_attr_int_at(sizes, d);
    keep_where(&layout, d, local[d] == dim_of(op, 0, d));
    local[d] /= hd_split_parts(s, layout.dims[d]);
  }
  plan p = same_plan(s, op, layout);
  hd_op *made = hd_spmd_emit(s, op, p.operands, p.results);
  hd_op_attr_set(made, "slice_sizes", hd_attr_i64_array(s->pass->context, local, layout.rank));
  return true;
}

static bool dynamic_update_slice(hd_spmd *s, hd_op *op) {
  hd_layout layout = layout_of(s, hd_operand(op, 0));
  hd_layout_merge(s, &layout, hd_spmd_get(s, hd_operand(op, 1))->layout, hd_operand_type(op, 0));
  for (uint32_t d = 0; d < layout.rank; ++d) keep_where(&layout, d, dim_of(op, 0, d) == dim_of(op, 1, d));
  plan p = same_plan(s, op, layout);
  p.operands[1] = layout;
  return emit(s, op, p);
}

static bool pad(hd_spmd *s, hd_op *op) {
  hd_layout layout = layout_of(s, hd_operand(op, 0));
  hd_attr low = hd_op_attr_get(op, "edge_padding_low"), high = hd_op_attr_get(op, "edge_padding_high"),
          interior = hd_op_attr_get(op, "interior_padding");
  for (uint32_t d = 0; d < layout.rank; ++d)
    keep_where(&layout, d, !hd_attr_int_at(low, d) && !hd_attr_int_at(high, d) && !hd_attr_int_at(interior, d));
  return emit(s, op, same_plan(s, op, layout));
}

/* The result lies as the operand does. */
static bool reverse(hd_spmd *s, hd_op *op) {
  hd_layout layout = layout_of(s, hd_operand(op, 0)), have = hd_layout_copy(s, layout);
  for (uint32_t d = 0; d < layout.rank; ++d)
    keep_where(&layout, d, hd_attr_find_int(hd_op_attr_get(op, "dimensions"), d) < 0);
  if (!emit(s, op, same_plan(s, op, layout))) return false;
  hd_spmd_set(s, hd_result(op, 0), hd_spmd_as(s, hd_result(op, 0), have), have);
  return true;
}

/* All operands in one layout, whole along the dim that attribute |name| gives. */
static bool along(hd_spmd *s, hd_op *op, const char *name, int64_t otherwise) {
  hd_layout layout = joined(s, op, hd_result_type(op, 0));
  int64_t dim = hd_op_int_attr(op, name, otherwise);
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
  static const char *const steps[] = {"window_dimensions", "window_strides", "base_dilations", "window_dilations"};
  hd_attr padding = hd_op_attr_get(op, "padding");
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
  switch (hd_opcode_get(inner)) {
    case HD_OP_stablehlo_maximum:
    case HD_OP_stablehlo_minimum:
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      return true;
    case HD_OP_stablehlo_add: {
      hd_attr init = hd_value_constant(hd_operand(op, 1));
      if (!hd_attr_is(init, HD_ATTR_DENSE) || hd_attr_count(init) != 1) return false;
      const char *bytes = hd_attr_element_data(init, 0);
      size_t size = hd_type_element_bytes(hd_type_element(init->type));
      for (size_t i = 0; i < size; ++i)
        if (bytes[i]) return false;
      return true;
    }
    default:
      return false;
  }
}

static bool reduce(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_attr dims = hd_op_attr_get(op, "dimensions");
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

/* ---- control flow ---------------------------------------------------------------------------------------------- */

/* The ops of |from| in a new block of |region|, with |layouts| for its arguments. The builder stands at its end. */
static bool copy_block(hd_spmd *s, hd_block *from, hd_region *region, const hd_layout *layouts) {
  hd_block *block = hd_block_create(s->pass->module);
  hd_region_append(region, block);
  for (uint32_t i = 0; i < from->arg_count; ++i) {
    hd_value *arg = hd_block_add_arg(s->pass->module, block, hd_layout_type(s, from->args[i]->type, layouts[i]));
    arg->loc = from->args[i]->loc;
    hd_spmd_set(s, from->args[i], arg, layouts[i]);
  }
  s->b = hd_builder_at_end(s->pass->module, block);
  return hd_spmd_block(s, from);
}

static void terminate(hd_spmd *s, hd_op *end, const hd_layout *layouts) {
  hd_value **values = hd_new_array(s->arena, hd_value *, end->operand_count + 1u);
  for (uint32_t i = 0; i < end->operand_count; ++i) values[i] = hd_spmd_as(s, hd_operand(end, i), layouts[i]);
  hd_build_op(&s->b, hd_opcode_get(end), values, end->operand_count, NULL, 0, NULL, 0, 0);
}

static hd_op *empty_copy(hd_spmd *s, hd_op *op, const hd_layout *operands, const hd_layout *results) {
  hd_value **values = hd_new_array(s->arena, hd_value *, op->operand_count + 1u);
  hd_type *types = hd_new_array(s->arena, hd_type, op->result_count + 1u);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_spmd_as(s, hd_operand(op, i), operands[i]);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_layout_type(s, hd_result_type(op, i), results[i]);
  return hd_build_op(&s->b, hd_opcode_get(op), values, op->operand_count, types, op->result_count, NULL, 0,
                     op->region_count);
}

enum { LOOP_ROUNDS = 3 };

/* A carried value that begins whole and ends a step in parts is carried in those parts: as many rounds as that takes,
 * of which the last is kept. */
static bool loop(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_builder outer = s->b;
  hd_op *end = hd_op_region(op, 1)->first->last;
  for (uint32_t i = 0; i < op->operand_count; ++i) p.operands[i] = layout_of(s, hd_operand(op, i));
  for (int round = 0;; ++round) {
    s->b = outer;
    hd_op *made = empty_copy(s, op, p.operands, p.operands);
    if (!copy_block(s, hd_op_region(op, 1)->first, hd_op_region(made, 1), p.operands)) return false;
    bool changed = false;
    for (uint32_t i = 0; round + 1 < LOOP_ROUNDS && i < op->operand_count; ++i) {
      hd_layout before = hd_layout_copy(s, p.operands[i]);
      hd_layout_merge(s, &p.operands[i], hd_spmd_get(s, hd_operand(end, i))->layout, hd_operand_type(op, i));
      changed |= !hd_layout_equal(before, p.operands[i]);
    }
    if (changed) {
      hd_op_erase(made);
      continue;
    }
    terminate(s, end, p.operands);
    if (!copy_block(s, hd_op_region(op, 0)->first, hd_op_region(made, 0), p.operands)) return false;
    hd_layout one = {0};
    terminate(s, hd_op_region(op, 0)->first->last, &one);
    s->b = outer;
    for (uint32_t i = 0; i < op->result_count; ++i) hd_spmd_set(s, hd_result(op, i), hd_result(made, i), p.operands[i]);
    return true;
  }
}

/* Results lie as the first branch leaves them. */
static bool branch(hd_spmd *s, hd_op *op) {
  plan p = plan_of(s, op);
  hd_builder outer = s->b;
  hd_op *made = empty_copy(s, op, p.operands, p.results);
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *from = hd_op_region(op, r)->first;
    if (!copy_block(s, from, hd_op_region(made, r), NULL)) return false;
    for (uint32_t i = 0; !r && i < op->result_count; ++i) p.results[i] = layout_of(s, hd_operand(from->last, i));
    terminate(s, from->last, p.results);
  }
  s->b = outer;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_result(made, i)->type = hd_layout_type(s, hd_result_type(op, i), p.results[i]);
    hd_spmd_set(s, hd_result(op, i), hd_result(made, i), p.results[i]);
  }
  return true;
}

/* ---- shardings ------------------------------------------------------------------------------------------------- */

static bool constraint(hd_spmd *s, hd_op *op) {
  hd_layout layout;
  hd_value *x = hd_operand(op, 0);
  bool *open = hd_new_array(s->arena, bool, hd_type_rank(x->type) + 1u);
  if (!hd_layout_read(s, op, hd_op_attr_get(op, "sharding"), x->type, false, &layout, open)) return false;
  hd_layout have = layout_of(s, x);
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

static hd_value *zeros(hd_builder *b, hd_type type) {
  size_t bytes = hd_type_element_bytes(hd_type_element(type));
  return hd_build_hlo_constant(b, hd_attr_dense(type, hd_new_array(&b->module->arena, char, bytes + 1), bytes, true));
}

/* A side effect happens once: the first device has it, on whole operands, and the others are told what came of it. */
static bool once(hd_spmd *s, hd_op *op) {
  hd_context *c = s->pass->context;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!hd_type_is_static(hd_result_type(op, i)) || !hd_type_element_bytes(hd_type_element(hd_result_type(op, i))))
      return hd_op_error(op, "has a side effect and a result that cannot be sent to the other partitions");
  plan p = plan_of(s, op);
  hd_type u32 = hd_type_tensor(hd_type_integer(c, 32, HD_UNSIGNED), NULL, 0, NULL);
  hd_value *id = hd_result(hd_build_op(&s->b, HD_OP_stablehlo_partition_id, NULL, 0, &u32, 1, NULL, 0, 0), 0);
  hd_value *first = hd_hlo_compare(&s->b, "EQ", id, zeros(&s->b, u32));
  hd_type *types = hd_new_array(s->arena, hd_type, op->result_count + 1u);
  hd_value **values = hd_new_array(s->arena, hd_value *, op->result_count + 1u);
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  for (uint32_t i = 0; i < op->operand_count; ++i) (void)hd_spmd_as(s, hd_operand(op, i), p.operands[i]);
  hd_op *made = hd_build_op(&s->b, HD_OP_stablehlo_if, &first, 1, types, op->result_count, NULL, 0, 2);
  hd_builder outer = s->b;
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_block_create(s->pass->module);
    hd_region_append(hd_op_region(made, r), block);
    s->b = hd_builder_at_end(s->pass->module, block);
    hd_op *call = r ? NULL : hd_spmd_emit(s, op, p.operands, p.results);
    for (uint32_t i = 0; i < op->result_count; ++i) values[i] = r ? zeros(&s->b, types[i]) : hd_result(call, i);
    hd_build_op(&s->b, HD_OP_stablehlo_return, values, op->result_count, NULL, 0, NULL, 0, 0);
  }
  s->b = outer;
  for (uint32_t i = 0; i < op->result_count; ++i)
    hd_spmd_set(s, hd_result(op, i), hd_spmd_broadcast(s, hd_result(made, i)), p.results[i]);
  return true;
}

/* What an older sharding calls manual is the device's own, as all is in a manual computation. */
static bool is_own(hd_op *op) {
  hd_attr sharding = hd_op_attr_get(op, "mhlo.sharding");
  return hd_attr_is(sharding, HD_ATTR_STRING) && hd_str_is(hd_ident_str(sharding->string), "{manual}");
}

static bool custom_call(hd_spmd *s, hd_op *op) {
  hd_str target = hd_op_string_attr(op, "call_target_name");
  if (hd_str_is(target, "SPMDFullToShardShape") || hd_str_is(target, "SPMDShardToFullShape"))
    return hd_spmd_border(s, op);
  if (hd_custom_call_is_annotation(target)) return pairwise(s, op);
  hd_attr effect = hd_op_attr_get(op, "has_side_effect");
  return effect && effect->integer && !is_own(op) ? once(s, op) : whole(s, op);
}

/* ---- all ops --------------------------------------------------------------------------------------------------- */

bool hd_spmd_op(hd_spmd *s, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_transpose:
      return transpose(s, op);
    case HD_OP_stablehlo_broadcast_in_dim:
      return broadcast_in_dim(s, op);
    case HD_OP_stablehlo_reshape:
      return reshape(s, op);
    case HD_OP_stablehlo_slice:
      return slice(s, op);
    case HD_OP_stablehlo_dynamic_slice:
      return dynamic_slice(s, op);
    case HD_OP_stablehlo_dynamic_update_slice:
      return dynamic_update_slice(s, op);
    case HD_OP_stablehlo_pad:
      return pad(s, op);
    case HD_OP_stablehlo_reverse:
      return reverse(s, op);
    case HD_OP_stablehlo_concatenate:
      return along(s, op, "dimension", 0);
    case HD_OP_stablehlo_sort:
      return along(s, op, "dimension", -1);
    case HD_OP_stablehlo_all_gather:
      return along(s, op, "all_gather_dim", 0);
    case HD_OP_chlo_top_k:
      return batched(s, op, 1);
    case HD_OP_stablehlo_cholesky:
    case HD_OP_stablehlo_triangular_solve:
      return batched(s, op, 2);
    case HD_OP_stablehlo_fft:
      return batched(s, op, (uint32_t)hd_attr_count(hd_op_attr_get(op, "fft_length")));
    case HD_OP_stablehlo_reduce_window:
    case HD_OP_stablehlo_select_and_scatter:
      return windows(s, op);
    case HD_OP_stablehlo_reduce:
      return reduce(s, op);
    case HD_OP_stablehlo_dot_general:
      return hd_spmd_dot(s, op);
    case HD_OP_stablehlo_convolution:
      return hd_spmd_convolution(s, op);
    case HD_OP_stablehlo_gather:
      return hd_spmd_gather(s, op);
    case HD_OP_stablehlo_scatter:
      return hd_spmd_scatter(s, op);
    case HD_OP_stablehlo_while:
      return loop(s, op);
    case HD_OP_stablehlo_case:
    case HD_OP_stablehlo_if:
      return branch(s, op);
    case HD_OP_stablehlo_all_reduce:
    case HD_OP_stablehlo_collective_permute:
    case HD_OP_stablehlo_collective_broadcast:
    case HD_OP_stablehlo_optimization_barrier:
      return pairwise(s, op);
    case HD_OP_stablehlo_custom_call:
      return custom_call(s, op);
    case HD_OP_sdy_sharding_constraint:
    case HD_OP_sdy_reshard:
      return constraint(s, op);
    case HD_OP_sdy_propagation_barrier:
      return barrier(s, op);
    case HD_OP_sdy_sharding_group:
      return true;
    default:
      return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) ? elementwise(s, op) : whole(s, op);
  }
}
