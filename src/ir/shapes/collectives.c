/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of ops that pass their operands on, alone or between processes. */
#include "ir/shapes/shape_function.h"

/* Result i is as operand i is, in the element type that a reducing computation gives. */
static bool passed_on(hd_shape_context *c, uint32_t count) {
  if (!hd_check_result_count(c->state, count)) return false;
  hd_type yielded = c->state->region_count ? hd_state_yielded(c->state, 0, 0) : NULL;
  for (uint32_t i = 0; i < count; ++i) {
    bool promoted = yielded && hd_type_is_tensor(yielded) && hd_type_is_tensor(hd_state_type(c->state, i));
    hd_shape_result_like(c, i, i, promoted ? hd_type_element(yielded) : NULL);
  }
  return true;
}

bool hd_shape_of_pairwise(hd_shape_context *c) {
  uint32_t count = (uint32_t)c->state->operand_count;
  if (!hd_check_result_count(c->state, count)) return false;
  for (uint32_t i = 0; i < count; ++i) hd_shape_result_like(c, i, i, NULL);
  return true;
}

bool hd_shape_of_all_reduce(hd_shape_context *c) { return passed_on(c, (uint32_t)c->state->operand_count); }

/* The last operand may say the roots of the others. */
bool hd_shape_of_collective_root(hd_shape_context *c) {
  size_t operands = c->state->operand_count;
  return passed_on(c, (uint32_t)(operands - (operands && hd_state_attr(c->state, HD_NAME_has_dynamic_root))));
}

/* Of |dim|, which |count| must divide, the part of one of |count| members. */
static hd_extent part_of(hd_shape_context *c, uint32_t operand, hd_extent dim, hd_extent count) {
  hd_extent rest = hd_extent_mod(c, dim, count);
  hd_require_equal(c, hd_extent_named(rest, "the remainder by the members of dim", operand, dim.place.dim),
                   hd_extent_number(c, 0));
  return hd_extent_floordiv(c, dim, count);
}

/* Each result has a part of the split dim, and as many times as much of the joined one. */
bool hd_shape_of_all_to_all(hd_shape_context *c) {
  int64_t split = hd_state_int(c->state, HD_NAME_split_dimension, 0),
          join = hd_state_int(c->state, HD_NAME_concat_dimension, 0),
          parts = hd_state_int(c->state, HD_NAME_split_count, 1);
  if (parts < 1) return hd_shape_error(c, "expects a split_count of 1 or more, got %lld", (long long)parts);
  if (!hd_check_result_count(c->state, c->state->operand_count)) return false;
  for (uint32_t i = 0; i < c->state->operand_count; ++i) {
    hd_extents shape;
    if (!hd_extents_of(c, i, &shape)) {
      hd_shape_result_like(c, i, i, NULL);
      continue;
    }
    if (split < 0 || split >= shape.rank || join < 0 || join >= shape.rank)
      return hd_shape_error(c, "expects split and concat dimensions in [0, %u)", shape.rank);
    hd_extent count = hd_extent_number(c, parts), part = part_of(c, i, shape.at[split], count);
    if (split != join) {
      shape.at[split] = part;
      shape.at[join] = hd_extent_mul(c, shape.at[join], count);
    }
    hd_shape_result(c, i, hd_shape_element_type(c, i), &shape);
  }
  return true;
}

/* How many members groups have; 0 where the program does not say. */
static int64_t group_size(hd_shape_context *c) {
  hd_attr groups = hd_state_attr(c->state, HD_NAME_replica_groups);
  bool listed = hd_attr_is(groups, HD_ATTR_DENSE) && hd_type_has_rank(groups->type) && groups->type->shaped.rank == 2;
  return hd_state_int(c->state, HD_NAME_hd_members, listed ? groups->type->shaped.dims[1] : 0);
}

/* Results are as the operands are but along one dim, where the larger one holds the smaller one of each member of a
 * group. How many those are, the groups say together with the number of processes, which types do not know. */
static bool scaled(hd_shape_context *c, hd_name axis_name, bool grows) {
  int64_t axis = hd_state_int(c->state, axis_name, 0), members = c->domain->at_run_time ? group_size(c) : 0;
  if (!hd_check_result_count(c->state, c->state->operand_count)) return false;
  for (uint32_t i = 0; i < c->state->operand_count; ++i) {
    hd_type hint = hd_state_hint(c->state, i), element = hd_shape_element_type(c, i);
    hd_extents shape;
    if (!hint) return false;
    if (c->state->region_count) element = hd_type_element(hint); /* a reducing computation may promote */
    if (!hd_extents_of(c, i, &shape)) {
      if (c->failed || !hd_shape_result_unranked(c, i, element)) return false;
      continue;
    }
    if (axis < 0 || axis >= shape.rank)
      return hd_shape_error(c, "expects '%s' in [0, %u), got %lld", hd_name_text(axis_name), shape.rank,
                            (long long)axis);
    hd_extent count = hd_extent_number(c, members), *dim = &shape.at[axis];
    int64_t a = HD_DYNAMIC, b = hd_is_ranked(hint) && axis < hint->shaped.rank ? hint->shaped.dims[axis] : HD_DYNAMIC;
    if (!c->domain->at_run_time && hd_extent_known(c, *dim, &a) && b != HD_DYNAMIC) {
      int64_t less = grows ? a : b, more = grows ? b : a;
      if (less ? more % less : more)
        return hd_shape_error(c, "result dim %lld of size %lld does not fit operand dim of size %lld", (long long)axis,
                              (long long)b, (long long)a);
    }
    *dim = members < 1 ? hd_extent_unknown(c) : grows ? hd_extent_mul(c, *dim, count) : part_of(c, i, *dim, count);
    hd_shape_result(c, i, element, &shape);
  }
  return true;
}

bool hd_shape_of_all_gather(hd_shape_context *c) { return scaled(c, HD_NAME_all_gather_dim, true); }
bool hd_shape_of_reduce_scatter(hd_shape_context *c) { return scaled(c, HD_NAME_scatter_dimension, false); }
