/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of chlo ops: operands that broadcast together, top_k. */
#include "ir/infer.h"

/* A dim of |value| beside one of |other|: equal, or one of them 1, or unknown. */
static bool join(hd_sketch *result, uint32_t i, const hd_sketch *value, uint32_t j) {
  int64_t a = result->dims[i], b = value->dims[j];
  if (a == 1) {
    hd_sketch_copy_dim(result, i, value, j);
    return true;
  }
  if (b == 1) return true;
  if (a == HD_DYNAMIC && b != HD_DYNAMIC) {
    hd_sketch_copy_dim(result, i, value, j);
    return true;
  }
  return b == HD_DYNAMIC || a == b;
}

/* Numpy's rule over the operands, or with broadcast_dimensions those of the operand of lesser rank. */
static bool broadcast(const hd_op_state *state, hd_type element, hd_type *out) {
  hd_sketch shapes[3];
  uint32_t rank = 0;
  size_t count = state->operand_count < 3 ? state->operand_count : 3;
  for (size_t i = 0; i < count; ++i) {
    if (!hd_is_ranked(hd_state_type(state, i))) {
      *out = hd_type_unranked_tensor(element);
      return true;
    }
    if (!hd_sketch_of(state, hd_state_type(state, i), &shapes[i])) return false;
    if (shapes[i].rank > rank) rank = shapes[i].rank;
  }
  hd_sketch result = hd_sketch_unknown(rank);
  for (uint32_t i = 0; i < rank; ++i) result.dims[i] = 1;
  bool mapped = hd_state_attr(state, HD_NAME_broadcast_dimensions) != NULL;
  for (size_t i = 0; i < count; ++i) {
    int64_t map[HD_MAX_RANK];
    uint32_t given = 0;
    for (uint32_t d = 0; d < shapes[i].rank; ++d) map[d] = rank - shapes[i].rank + d;
    if (mapped && shapes[i].rank < rank) {
      if (!hd_state_list(state, HD_NAME_broadcast_dimensions, map, &given)) return false;
      if (given != shapes[i].rank)
        return hd_infer_error(state, "expects %u broadcast_dimensions, got %u", shapes[i].rank, given);
      if (!hd_check_dims(state, "broadcast_dimensions", map, given, rank)) return false;
    }
    for (uint32_t d = 0; d < shapes[i].rank; ++d) {
      int64_t before = result.dims[map[d]];
      if (!join(&result, (uint32_t)map[d], &shapes[i], d))
        return hd_infer_error(state, "expects operands that broadcast, dim %lld differs: %s and %s", (long long)map[d],
                              hd_dim_text(before), hd_dim_text(shapes[i].dims[d]));
    }
  }
  *out = hd_sketch_type(state, element, &result);
  return true;
}

bool hd_infer_chlo_broadcast(const hd_op_state *state, hd_type *out) {
  hd_type element = hd_type_element(hd_state_type(state, 0));
  if (hd_type_element(hd_state_type(state, 1)) != element)
    return hd_infer_error(state, "expects operands of one element type");
  return broadcast(state, element, out);
}
bool hd_infer_chlo_broadcast_compare(const hd_op_state *state, hd_type *out) {
  if (hd_type_element(hd_state_type(state, 0)) != hd_type_element(hd_state_type(state, 1)))
    return hd_infer_error(state, "expects operands of one element type");
  return broadcast(state, hd_i1(state->context), out);
}
bool hd_infer_chlo_broadcast_complex(const hd_op_state *state, hd_type *out) {
  hd_type element = hd_type_element(hd_state_type(state, 0));
  if (element->kind != HD_TYPE_FLOAT) return hd_infer_error(state, "expects real operands");
  return broadcast(state, hd_type_complex(element), out);
}
bool hd_infer_chlo_broadcast_select(const hd_op_state *state, hd_type *out) {
  hd_type element = hd_type_element(hd_state_type(state, 1));
  if (hd_type_element(hd_state_type(state, 2)) != element)
    return hd_infer_error(state, "expects on_true and on_false of one element type");
  return broadcast(state, element, out);
}

bool hd_infer_top_k(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t k = hd_state_int(state, HD_NAME_k, -1);
  hd_sketch shape;
  if (!hd_is_ranked(type)) {
    out[0] = type;
    out[1] = hd_type_unranked_tensor(hd_i32(state->context));
    return true;
  }
  if (!hd_sketch_of(state, type, &shape)) return false;
  if (shape.rank < 1) return hd_infer_error(state, "expects an operand of rank 1 or more");
  int64_t last = shape.dims[shape.rank - 1];
  if (k < 0 || (last != HD_DYNAMIC && k > last))
    return hd_infer_error(state, "expects k in [0, %s], got %lld", hd_dim_text(last), (long long)k);
  shape.dims[shape.rank - 1] = k;
  out[0] = hd_sketch_type(state, type->shaped.element, &shape);
  out[1] = hd_sketch_type(state, hd_i32(state->context), &shape);
  return true;
}
