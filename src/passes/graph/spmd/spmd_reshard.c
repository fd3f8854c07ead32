/* SPDX-License-Identifier: Apache-2.0 */
/* Values in other layouts. A dim that becomes finer is sliced, by a table of where each device's part begins; one that
 * becomes coarser is gathered from the devices that have the other parts:
 *
 *   [{"x"}, {}] -> [{}, {"x"}]     all_gather along dim 0 over "x", then a dynamic_slice of dim 1
 *
 * Axes that are free are sliced by first, so less is gathered. What a device can make its part of is not cut
 * (spmd_parts.c). */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

/* ---- collectives ----------------------------------------------------------------------------------------------- */

/* Groups of the devices that differ in |axes| alone, each in their order along |axes|; for each replica. */
static hd_attr groups_along(hd_spmd *s, hd_split axes) {
  hd_split rest = {0};
  int64_t size = hd_split_parts(s, axes), *ids = hd_new_array(s->arena, int64_t, (size_t)(s->devices * s->replicas));
  size_t count = 0;
  for (int64_t replica = 0; replica < s->replicas; ++replica)
    for (int64_t first = 0; first < s->devices; ++first) {
      if (hd_mesh_place(s, first, axes)) continue;
      size_t start = count;
      count += (size_t)size;
      for (int64_t d = 0; d < s->devices; ++d) {
        bool same = true;
        for (uint8_t a = 0; same && a < s->axis_count; ++a) {
          bool along = false;
          for (uint8_t i = 0; i < axes.count; ++i) along |= axes.axes[i] == a;
          rest = (hd_split){1, {a}};
          same = along || hd_mesh_place(s, d, rest) == hd_mesh_place(s, first, rest);
        }
        if (same) ids[start + (size_t)hd_mesh_place(s, d, axes)] = replica * s->devices + d;
      }
    }
  int64_t dims[] = {(int64_t)count / size, size};
  return hd_attr_dense(hd_type_tensor(hd_i64(s->pass->context), dims, 2, NULL), ids, count * sizeof *ids, false);
}

static hd_attr channel(hd_spmd *s) {
  hd_attr one = hd_attr_i64(s->pass->context, 1);
  return hd_attr_struct(s->pass->context, HD_STRUCT_stablehlo_channel_handle, (hd_attr[]){one, one}, 2);
}

static hd_value *gather_dim(hd_spmd *s, hd_value *x, uint32_t dim, hd_split axes) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *dims = hd_new_array(s->arena, int64_t, rank);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_type_dim(x->type, d) * (d == dim ? hd_split_parts(s, axes) : 1);
  hd_type type = hd_type_with_dims(x->type, dims, rank);
  hd_attr_arg attrs[] = {{HD_NAME_all_gather_dim, hd_attr_i64(s->pass->context, dim)},
                         {HD_NAME_replica_groups, groups_along(s, axes)},
                         {HD_NAME_channel_handle, channel(s)},
                         {HD_NAME_use_global_device_ids, hd_attr_unit(s->pass->context)}};
  return hd_result(hd_build_op(&s->b, HD_OP_stablehlo_all_gather, &x, 1, &type, 1, attrs, 4, 0), 0);
}

static hd_op *all_reduce(hd_spmd *s, hd_value *x, hd_split axes) {
  hd_attr_arg attrs[] = {{HD_NAME_replica_groups, groups_along(s, axes)},
                         {HD_NAME_channel_handle, channel(s)},
                         {HD_NAME_use_global_device_ids, hd_attr_unit(s->pass->context)}};
  return hd_build_op(&s->b, HD_OP_stablehlo_all_reduce, &x, 1, &x->type, 1, attrs, 3, 1);
}

hd_value *hd_spmd_all_reduce(hd_spmd *s, hd_value *x, hd_split axes, hd_block *computation) {
  hd_op *op = all_reduce(s, x, axes);
  hd_map map = {0};
  hd_region_clone_into(s->pass->module, computation->region, hd_op_region(op, 0), s->arena, &map);
  return hd_result(op, 0);
}

hd_value *hd_spmd_all_sum(hd_spmd *s, hd_value *x, hd_split axes) {
  hd_op *op = all_reduce(s, x, axes);
  hd_type scalar = hd_type_tensor(hd_type_element(x->type), NULL, 0, NULL);
  hd_block *block = hd_block_create(s->pass->module);
  hd_region_append(hd_op_region(op, 0), block);
  hd_value *a = hd_block_add_arg(s->pass->module, block, scalar), *c = hd_block_add_arg(s->pass->module, block, scalar);
  hd_builder b = hd_builder_at_end(s->pass->module, block);
  hd_value *sum = hd_stablehlo_add(&b, a, c);
  hd_build0(&b, HD_OP_stablehlo_return, sum);
  return hd_result(op, 0);
}

hd_value *hd_spmd_broadcast(hd_spmd *s, hd_value *x) {
  int64_t *ids = hd_new_array(s->arena, int64_t, (size_t)s->devices), dims[] = {1, s->devices};
  for (int64_t i = 0; i < s->devices; ++i) ids[i] = i;
  hd_type list = hd_type_tensor(hd_i64(s->pass->context), dims, 2, NULL);
  hd_attr_arg attrs[] = {{HD_NAME_replica_groups, hd_attr_dense(list, ids, (size_t)s->devices * sizeof *ids, false)},
                         {HD_NAME_channel_handle, channel(s)}};
  return hd_result(hd_build_op(&s->b, HD_OP_stablehlo_collective_broadcast, &x, 1, &x->type, 1, attrs, 2, 0), 0);
}

/* ---- slices ---------------------------------------------------------------------------------------------------- */

static hd_type scalar_of(hd_type element) { return hd_type_tensor(element, NULL, 0, NULL); }

static hd_value *constant_i32(hd_spmd *s, const int64_t *dims, size_t rank, const int32_t *data, size_t count) {
  hd_type type = hd_type_tensor(hd_i32(s->pass->context), dims, rank, NULL);
  return hd_build_hlo_constant(&s->b, hd_attr_dense(type, data, count * sizeof *data, false));
}

/* tensor<i32>: entry |partition_id| of |table|. */
static hd_value *look_up(hd_spmd *s, const int32_t *table) {
  hd_context *c = s->pass->context;
  hd_type u32 = scalar_of(hd_type_integer(c, 32, HD_UNSIGNED)), i32 = scalar_of(hd_i32(c));
  hd_value *id = hd_result(hd_build_op(&s->b, HD_OP_stablehlo_partition_id, NULL, 0, &u32, 1, NULL, 0, 0), 0);
  hd_value *index = hd_stablehlo_convert(&s->b, i32, id);
  hd_value *all = constant_i32(s, &s->devices, 1, table, (size_t)s->devices);
  int64_t one = 1;
  hd_value *found = hd_stablehlo_dynamic_slice(&s->b, hd_attr_i64_array(c, &one, 1), all, &index, 1);
  return hd_stablehlo_reshape(&s->b, i32, found);
}

hd_value *hd_spmd_start(hd_spmd *s, int64_t size, hd_split split) {
  int32_t *table = hd_new_array(s->arena, int32_t, (size_t)s->devices);
  for (int64_t i = 0; i < s->devices; ++i) table[i] = (int32_t)(size * hd_mesh_place(s, i, split));
  return look_up(s, table);
}

/* |x| is the sum over |axes| of what it was before. */
static bool is_sum_over(hd_spmd *s, hd_value *x, hd_split axes) {
  hd_op *op = hd_value_op(x);
  if (!hd_op_is(op, HD_OP_stablehlo_all_reduce) || op->operand_count != 1 ||
      hd_collective_like_replica_groups(op) != groups_along(s, axes))
    return false;
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *sum = body && body->last && body->last->operand_count == 1 ? hd_value_op(hd_operand(body->last, 0)) : NULL;
  return hd_op_is(sum, HD_OP_stablehlo_add) && sum->next == body->last && !sum->prev &&
         hd_operand(sum, 0) != hd_operand(sum, 1);
}

/* |x| on the devices that come first along |axes|, zero on the others: their sum is |x|. */
static hd_value *addend_of(hd_spmd *s, hd_value *x, hd_split axes) {
  if (!axes.count) return x;
  if (is_sum_over(s, x, axes)) {
    hd_vec_push(s->arena, &s->undone, hd_value_op(x));
    return hd_operand(hd_value_op(x), 0);
  }
  int32_t zero = 0;
  hd_value *place = hd_spmd_start(s, 1, axes), *none = constant_i32(s, NULL, 0, &zero, 1);
  hd_value *first = hd_stablehlo_compare(&s->b, HD_STABLEHLO_COMPARE_EQ, place, none);
  return hd_stablehlo_select(&s->b, first, x, hd_hlo_zero_like(&s->b, x));
}

/* |x| cut along |cuts|, one split per dim. */
static hd_value *slice(hd_spmd *s, hd_value *x, const hd_split *cuts) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *dims = hd_new_array(s->arena, int64_t, rank);
  hd_value **starts = hd_new_array(s->arena, hd_value *, rank + 1u);
  int32_t zero = 0;
  hd_value *none = NULL;
  for (uint32_t d = 0; d < rank; ++d) {
    dims[d] = hd_type_dim(x->type, d) / hd_split_parts(s, cuts[d]);
    if (!cuts[d].count && !none) none = constant_i32(s, NULL, 0, &zero, 1);
    starts[d] = cuts[d].count ? hd_spmd_start(s, dims[d], cuts[d]) : none;
  }
  return hd_stablehlo_dynamic_slice(&s->b, hd_attr_i64_array(s->pass->context, dims, rank), x, starts, rank);
}

static hd_value *cut(hd_spmd *s, hd_value *x, const hd_split *cuts) {
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    if (!cuts[d].count) continue;
    hd_value *part = hd_spmd_part(s, x, cuts);
    return part ? part : slice(s, x, cuts);
  }
  return x;
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static uint8_t common(hd_split a, hd_split b) {
  uint8_t n = 0;
  while (n < a.count && n < b.count && a.axes[n] == b.axes[n]) ++n;
  return n;
}

/* The axes of |split| from |first| on. */
static hd_split rest_of(hd_split split, uint8_t first) {
  hd_split rest = {0};
  for (uint8_t i = first; i < split.count; ++i) rest.axes[rest.count++] = split.axes[i];
  return rest;
}

static hd_value *reshard(hd_spmd *s, hd_value *x, hd_layout from, hd_layout to) {
  hd_layout now = hd_layout_copy(s, from);
  hd_split *cuts = hd_new_array(s->arena, hd_split, now.rank + 1);
  for (int round = 0; round < 2; ++round) {
    for (uint32_t d = 0; d < now.rank; ++d) {
      cuts[d] = (hd_split){0};
      uint8_t same = common(now.dims[d], to.dims[d]);
      bool free = same == now.dims[d].count;
      for (uint8_t i = same; free && i < to.dims[d].count; ++i) free = !hd_layout_uses(now, to.dims[d].axes[i]);
      if (free) cuts[d] = rest_of(to.dims[d], same);
    }
    for (uint32_t d = 0; d < now.rank; ++d)
      if (cuts[d].count) now.dims[d] = to.dims[d];
    x = cut(s, x, cuts);
    for (uint32_t d = 0; round == 0 && d < now.rank; ++d) {
      uint8_t same = common(now.dims[d], to.dims[d]);
      hd_split axes = rest_of(now.dims[d], same);
      if (!axes.count) continue;
      x = gather_dim(s, x, d, axes);
      now.dims[d].count = same;
    }
  }
  return x;
}

static bool all_among(hd_split split, hd_split axes) {
  for (uint8_t i = 0; i < split.count; ++i)
    if (!hd_split_has(axes, split.axes[i])) return false;
  return true;
}

hd_layout hd_layout_with_addends(hd_spmd *s, hd_layout layout, hd_layout have, hd_split axes) {
  hd_layout out = hd_layout_copy(s, layout);
  for (uint32_t d = 0; d < out.rank && d < have.rank; ++d) {
    uint8_t same = common(out.dims[d], have.dims[d]);
    if (same == out.dims[d].count && all_among(rest_of(have.dims[d], same), axes)) out.dims[d] = have.dims[d];
  }
  return out;
}

hd_value *hd_spmd_addend_as(hd_spmd *s, hd_value *old, hd_layout layout, hd_split axes) {
  hd_layout parts = hd_layout_with_addends(s, layout, hd_spmd_get(s, old)->layout, axes);
  hd_value *x = hd_spmd_as(s, old, parts);
  if (hd_layout_equal(parts, layout)) return addend_of(s, x, axes);
  hd_split left = {0};
  for (uint8_t i = 0; i < axes.count; ++i)
    if (!hd_layout_uses(parts, axes.axes[i])) left.axes[left.count++] = axes.axes[i];
  int32_t zero = 0;
  hd_value **starts = hd_new_array(s->arena, hd_value *, layout.rank + 1u);
  hd_value *addend = addend_of(s, x, left);
  hd_value *none = hd_hlo_zero(&s->b, hd_type_element(old->type));
  hd_value *all = hd_hlo_broadcast(&s->b, none, hd_layout_type(s, old->type, layout), NULL, NULL);
  for (uint32_t d = 0; d < layout.rank; ++d) {
    hd_split rest = rest_of(parts.dims[d], layout.dims[d].count);
    starts[d] = rest.count ? hd_spmd_start(s, hd_type_dim(x->type, d), rest) : constant_i32(s, NULL, 0, &zero, 1);
  }
  return hd_stablehlo_dynamic_update_slice(&s->b, all, addend, starts, layout.rank);
}

hd_placed *hd_spmd_get(hd_spmd *s, hd_value *old) { return hd_map_get(&s->values, old); }

hd_layout hd_layout_of(hd_spmd *s, hd_value *old) { return hd_layout_copy(s, hd_spmd_get(s, old)->layout); }

void hd_spmd_set(hd_spmd *s, hd_value *old, hd_value *value, hd_layout layout) {
  hd_placed *placed = hd_new(s->arena, hd_placed);
  *placed = (hd_placed){value, hd_layout_copy(s, layout), NULL};
  hd_map_set(s->arena, &s->values, old, placed);
}

hd_value *hd_spmd_as(hd_spmd *s, hd_value *old, hd_layout layout) {
  hd_placed *first = hd_spmd_get(s, old);
  for (hd_placed *p = first; p; p = p->other)
    if (hd_layout_equal(p->layout, layout)) return p->value;
  hd_value *value = reshard(s, first->value, first->layout, layout);
  if (s->b.block == hd_value_block(first->value)) {
    hd_placed *other = hd_new(s->arena, hd_placed);
    *other = (hd_placed){value, hd_layout_copy(s, layout), first->other};
    first->other = other;
  }
  return value;
}
