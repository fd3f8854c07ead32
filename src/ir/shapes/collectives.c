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
    hd_extent count = hd_extent_number(c, parts), rest = hd_extent_mod(c, shape.at[split], count);
    hd_require_equal(c, hd_extent_named(rest, "the remainder by split_count of dim", i, (uint32_t)split),
                     hd_extent_number(c, 0));
    if (split != join) {
      shape.at[split] = hd_extent_floordiv(c, shape.at[split], count);
      shape.at[join] = hd_extent_mul(c, shape.at[join], count);
    }
    hd_shape_result(c, i, hd_shape_element_type(c, i), &shape);
  }
  return true;
}
