/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of linear algebra, Fourier transforms and batch normalisation. */
#include "ir/constraints.h"
#include "ir/shapes/shape_function.h"

bool hd_shape_of_cholesky(hd_shape_context *c) {
  if (hd_shape_is_ranked(c, 0)) {
    uint32_t rank = hd_shape_rank_of(c, 0);
    if (rank < 2) return hd_shape_error(c, "expects a matrix or batches of matrices, got rank %u", rank);
    hd_require_equal(c, hd_extent_dim(c, 0, rank - 2), hd_extent_dim(c, 0, rank - 1));
  }
  hd_shape_result_like(c, 0, 0, NULL);
  return true;
}

bool hd_shape_of_triangular_solve(hd_shape_context *c) {
  if (hd_shape_element_type(c, 0) != hd_shape_element_type(c, 1))
    return hd_shape_error(c, "expects a and b of one element type");
  hd_attr transpose = hd_state_attr(c->state, HD_NAME_transpose_a);
  if (hd_attr_is(transpose, HD_ATTR_ENUM) && transpose->enumerant.value == 0)
    return hd_shape_error(c, "expects 'transpose_a' to be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  if (hd_shape_is_ranked(c, 0) && hd_shape_is_ranked(c, 1)) {
    uint32_t rank = hd_shape_rank_of(c, 0);
    if (rank < 2 || rank != hd_shape_rank_of(c, 1))
      return hd_shape_error(c, "expects a and b of one rank of 2 or more, got %u and %u", rank, hd_shape_rank_of(c, 1));
    bool left = hd_state_int(c->state, HD_NAME_left_side, 1) != 0;
    hd_require_equal(c, hd_extent_dim(c, 0, rank - 2), hd_extent_dim(c, 0, rank - 1));
    for (uint32_t d = 0; d + 2 < rank; ++d) hd_require_equal(c, hd_extent_dim(c, 0, d), hd_extent_dim(c, 1, d));
    hd_require_equal(c, hd_extent_dim(c, 0, rank - 1), hd_extent_dim(c, 1, left ? rank - 2 : rank - 1));
  }
  hd_shape_result_like(c, 0, 1, NULL);
  return true;
}

/* The last dims are the lengths of the transform, the very last halved on the complex side of a real one. */
bool hd_shape_of_fft(hd_shape_context *c) {
  enum { FFT, IFFT, RFFT, IRFFT };
  hd_type element = hd_shape_element_type(c, 0);
  hd_attr given = hd_state_attr(c->state, HD_NAME_fft_type);
  int64_t kind = hd_attr_is(given, HD_ATTR_ENUM) ? given->enumerant.value : FFT, length[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(c->state, HD_NAME_fft_length, length, &count)) return false;
  if (count < 1 || count > 3) return hd_shape_error(c, "expects 1 to 3 entries in 'fft_length', got %u", count);
  if (kind == RFFT ? element->kind != HD_TYPE_FLOAT : element->kind != HD_TYPE_COMPLEX)
    return hd_shape_error(c, "expects %s elements", kind == RFFT ? "real" : "complex");
  if (kind == RFFT && !hd_type_is_float(element, HD_F32) && !hd_type_is_float(element, HD_F64))
    return hd_shape_error(c, "expects elements of f32 or f64");
  hd_type made = kind == RFFT ? hd_type_complex(element) : kind == IRFFT ? element->shaped.element : element;
  hd_extents shape;
  if (!hd_extents_of(c, 0, &shape)) return !c->failed && hd_shape_result_unranked(c, 0, made);
  if (shape.rank < count)
    return hd_shape_error(c, "expects an operand of rank %u or more, got rank %u", count, shape.rank);
  for (uint32_t i = 0; i < count; ++i) {
    bool halves = i + 1 == count;
    int64_t half = length[i] > 0 ? length[i] / 2 + 1 : 0;
    hd_extent *dim = &shape.at[shape.rank - count + i];
    if (length[i] < 0) return hd_shape_error(c, "expects lengths of 0 or more, got %lld", (long long)length[i]);
    hd_require_equal(c, *dim, hd_extent_number(c, kind == IRFFT && halves ? half : length[i]));
    *dim = hd_extent_number(c, kind == RFFT && halves ? half : length[i]);
  }
  hd_shape_result(c, 0, made, &shape);
  return true;
}

/* Operands [1, end) are vectors with an element for each feature; |vector| is such a shape. */
static bool features(hd_shape_context *c, uint32_t end, hd_extents *vector) {
  int64_t index = hd_state_int(c->state, HD_NAME_feature_index, 0);
  *vector = hd_extents_unknown(c, 1);
  if (hd_shape_is_ranked(c, 0)) {
    uint32_t rank = hd_shape_rank_of(c, 0);
    if (index < 0 || index >= rank)
      return hd_shape_error(c, "expects feature_index in [0, %u), got %lld", rank, (long long)index);
    vector->at[0] = hd_extent_dim(c, 0, (uint32_t)index);
  }
  for (uint32_t i = 1; i < end; ++i) {
    if (!hd_elements_compatible(hd_shape_element_type(c, i), hd_shape_element_type(c, 0)))
      return hd_shape_error(c, "expects operands of one element type, operand #%u differs", i);
    if (!hd_shape_is_ranked(c, i)) continue;
    if (hd_shape_rank_of(c, i) != 1)
      return hd_shape_error(c, "expects operand #%u of rank 1, got rank %u", i, hd_shape_rank_of(c, i));
    hd_require_equal(c, hd_extent_dim(c, i, 0), vector->at[0]);
  }
  return true;
}

/* The normalised tensor, and two vectors. */
static bool batch_norm(hd_shape_context *c, uint32_t vectors_end, bool three) {
  hd_extents vector;
  if (!features(c, vectors_end, &vector)) return false;
  hd_shape_result_like(c, 0, 0, NULL);
  for (uint32_t r = 1; three && r < 3; ++r) hd_shape_result(c, r, hd_shape_element_type(c, 0), &vector);
  return true;
}

bool hd_shape_of_batch_norm_training(hd_shape_context *c) { return batch_norm(c, 3, true); }
bool hd_shape_of_batch_norm_inference(hd_shape_context *c) { return batch_norm(c, 5, false); }
bool hd_shape_of_batch_norm_grad(hd_shape_context *c) {
  hd_extents shape;
  if (!hd_elements_compatible(hd_shape_element_type(c, 0), hd_shape_element_type(c, 4)))
    return hd_shape_error(c, "expects operand and grad_output of one element type");
  if (hd_extents_of(c, 0, &shape) && !hd_extents_meet_operand(c, 4, false, &shape)) return false;
  return batch_norm(c, 4, true);
}
