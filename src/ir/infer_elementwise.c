/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of elementwise ops: the operands' shapes met, with an element type of their own. */
#include "ir/constraints.h"
#include "ir/infer.h"

/* The shape that all operands from |first| on have together, with |element|. */
static bool met(const hd_op_state *state, size_t first, hd_type element, hd_type *out) {
  hd_sketch shape = {0};
  bool have = false;
  for (size_t i = first; i < state->operand_count; ++i) {
    hd_type type = hd_state_type(state, i);
    if (!hd_is_ranked(type)) continue;
    hd_sketch other;
    if (!hd_sketch_of(state, type, &other)) return false;
    if (!have) {
      shape = other;
      have = true;
      continue;
    }
    if (other.rank != shape.rank)
      return hd_infer_error(state, "expects operands of one rank, got %u and %u", shape.rank, other.rank);
    for (uint32_t d = 0; d < shape.rank; ++d) {
      int64_t before = shape.dims[d];
      if (!hd_sketch_meet_dim(&shape, d, &other, d))
        return hd_infer_error(state, "expects operands of one shape, dim %u differs: %s and %s", d, hd_dim_text(before),
                              hd_dim_text(other.dims[d]));
    }
  }
  *out = have ? hd_sketch_type(state, element, &shape) : hd_type_unranked_tensor(element);
  return true;
}

static hd_type first_element(const hd_op_state *state) { return hd_type_element(hd_state_type(state, 0)); }

bool hd_infer_same(const hd_op_state *state, hd_type *out) {
  if (!state->operand_count) return false;
  hd_type type = hd_state_type(state, 0);
  if (!hd_type_is_tensor(type)) {
    *out = type;
    return true;
  }
  /* An encoding that is not a list of bounds belongs to the operand and is kept. */
  if (state->operand_count == 1) {
    *out = type;
    return true;
  }
  return met(state, 0, first_element(state), out);
}

bool hd_infer_pred(const hd_op_state *state, hd_type *out) { return met(state, 0, hd_i1(state->context), out); }

bool hd_infer_real_part(const hd_op_state *state, hd_type *out) {
  hd_type element = first_element(state);
  return met(state, 0, element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element, out);
}

bool hd_infer_complex(const hd_op_state *state, hd_type *out) {
  hd_type element = first_element(state);
  if (element != hd_type_element(hd_state_type(state, 1)))
    return hd_infer_error(state, "expects real and imaginary part of one element type");
  if (!hd_type_is_float(element, HD_F32) && !hd_type_is_float(element, HD_F64))
    return hd_infer_error(state, "expects parts of f32 or f64");
  return met(state, 0, hd_type_complex(element), out);
}

/* The shape of the operands, with the element that the hint has; the dims alone are inferred. */
bool hd_infer_shape_only(const hd_op_state *state, hd_type *out) {
  hd_type hint = hd_state_hint(state, 0);
  return met(state, 0, hint ? hd_type_element(hint) : first_element(state), out);
}

bool hd_infer_clamp(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 1);
  hd_sketch shape, bound;
  if (!hd_is_ranked(type)) {
    *out = type;
    return true;
  }
  if (!hd_sketch_of(state, type, &shape)) return false;
  for (size_t i = 0; i < 3; i += 2) {
    hd_type other = hd_state_type(state, i);
    if (!hd_elements_compatible(hd_type_element(other), type->shaped.element))
      return hd_infer_error(state, "expects %s to have the element type of the operand", i ? "max" : "min");
    if (!hd_is_ranked(other) || other->shaped.rank == 0) continue;
    if (!hd_sketch_of(state, other, &bound)) return false;
    if (bound.rank != shape.rank)
      return hd_infer_error(state, "expects %s to be a scalar or of rank %u, got rank %u", i ? "max" : "min",
                            shape.rank, bound.rank);
    for (uint32_t d = 0; d < shape.rank; ++d)
      if (!hd_sketch_meet_dim(&shape, d, &bound, d))
        return hd_infer_error(state, "expects %s in the shape of the operand, dim %u differs: %s and %s",
                              i ? "max" : "min", d, hd_dim_text(bound.dims[d]), hd_dim_text(shape.dims[d]));
  }
  *out = hd_sketch_type(state, type->shaped.element, &shape);
  return true;
}

bool hd_infer_select(const hd_op_state *state, hd_type *out) {
  hd_type pred = hd_state_type(state, 0), a = hd_state_type(state, 1), b = hd_state_type(state, 2);
  hd_sketch shape, other;
  if (!hd_types_compatible(a, b) && !hd_types_compatible(b, a))
    return hd_infer_error(state, "expects on_true and on_false of compatible types");
  if (!met(state, 1, hd_type_element(a), out)) return false;
  if (!hd_is_ranked(*out) || !hd_is_ranked(pred) || pred->shaped.rank == 0) return true;
  if (!hd_sketch_of(state, *out, &shape) || !hd_sketch_of(state, pred, &other)) return false;
  if (other.rank != shape.rank)
    return hd_infer_error(state, "expects pred to be a scalar or of rank %u, got rank %u", shape.rank, other.rank);
  for (uint32_t d = 0; d < shape.rank; ++d)
    if (!hd_sketch_meet_dim(&shape, d, &other, d))
      return hd_infer_error(state, "expects pred in the shape of the branches, dim %u differs: %s and %s", d,
                            hd_dim_text(other.dims[d]), hd_dim_text(shape.dims[d]));
  *out = hd_sketch_type(state, hd_type_element(a), &shape);
  return true;
}

bool hd_infer_constant(const hd_op_state *state, hd_type *out) {
  hd_attr value = hd_state_attr(state, HD_NAME_value);
  if (!value || !value->type) return hd_infer_error(state, "expects a typed 'value'");
  *out = value->type;
  return true;
}

bool hd_infer_constant_like(const hd_op_state *state, hd_type *out) {
  hd_attr value = hd_state_attr(state, HD_NAME_value);
  if (!value || !value->type) return hd_infer_error(state, "expects a typed 'value'");
  hd_type type = hd_state_type(state, 0);
  *out = hd_type_is_shaped(type) ? hd_type_with_element(type, value->type) : NULL;
  return *out != NULL;
}
