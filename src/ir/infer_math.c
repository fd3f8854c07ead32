/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of linear algebra, Fourier transforms, random bits, batch normalisation and communication. */
#include "ir/constraints.h"
#include "ir/infer.h"

bool hd_infer_cholesky(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  *out = type;
  if (!hd_is_ranked(type)) return true;
  uint32_t rank = type->shaped.rank;
  if (rank < 2) return hd_infer_error(state, "expects a matrix or batches of matrices, got rank %u", rank);
  int64_t rows = type->shaped.dims[rank - 2], columns = type->shaped.dims[rank - 1];
  if (rows != HD_DYNAMIC && columns != HD_DYNAMIC && rows != columns)
    return hd_infer_error(state, "expects square matrices, got %lld by %lld", (long long)rows, (long long)columns);
  return true;
}

bool hd_infer_triangular_solve(const hd_op_state *state, hd_type *out) {
  hd_type a = hd_state_type(state, 0), b = hd_state_type(state, 1);
  *out = b;
  if (hd_type_element(a) != hd_type_element(b)) return hd_infer_error(state, "expects a and b of one element type");
  hd_attr transpose = hd_state_attr(state, HD_NAME_transpose_a);
  if (hd_attr_is(transpose, HD_ATTR_ENUM) && transpose->enumerant.value == 0)
    return hd_infer_error(state, "expects 'transpose_a' to be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  if (!hd_is_ranked(a) || !hd_is_ranked(b)) return true;
  uint32_t rank = a->shaped.rank;
  if (rank < 2 || rank != b->shaped.rank)
    return hd_infer_error(state, "expects a and b of one rank of 2 or more, got %u and %u", rank, b->shaped.rank);
  hd_sketch x, y;
  if (!hd_sketch_of(state, a, &x) || !hd_sketch_of(state, b, &y)) return false;
  int64_t rows = x.dims[rank - 2], columns = x.dims[rank - 1];
  if (rows != HD_DYNAMIC && columns != HD_DYNAMIC && rows != columns)
    return hd_infer_error(state, "expects a of square matrices, got %lld by %lld", (long long)rows, (long long)columns);
  bool left = hd_state_int(state, HD_NAME_left_side, 1) != 0;
  int64_t other = y.dims[left ? rank - 2 : rank - 1];
  if (columns != HD_DYNAMIC && other != HD_DYNAMIC && columns != other)
    return hd_infer_error(state, "contracting dims differ: a has %lld, b has %lld", (long long)columns,
                          (long long)other);
  for (uint32_t i = 0; i + 2 < rank; ++i)
    if (!hd_sketch_meet_dim(&x, i, &y, i))
      return hd_infer_error(state, "batch dims differ: a has %s, b has %s in dim %u", hd_dim_text(a->shaped.dims[i]),
                            hd_dim_text(b->shaped.dims[i]), i);
  return true;
}

bool hd_infer_fft(const hd_op_state *state, hd_type *out) {
  enum { FFT, IFFT, RFFT, IRFFT };
  hd_type type = hd_state_type(state, 0), element = hd_type_element(type);
  hd_attr kind_attr = hd_state_attr(state, HD_NAME_fft_type);
  int64_t kind = hd_attr_is(kind_attr, HD_ATTR_ENUM) ? kind_attr->enumerant.value : FFT, length[HD_MAX_RANK];
  uint32_t count;
  if (!hd_state_list(state, HD_NAME_fft_length, length, &count)) return false;
  if (count < 1 || count > 3) return hd_infer_error(state, "expects 1 to 3 entries in 'fft_length', got %u", count);
  if (kind == RFFT ? element->kind != HD_TYPE_FLOAT : element->kind != HD_TYPE_COMPLEX)
    return hd_infer_error(state, "expects %s elements", kind == RFFT ? "real" : "complex");
  if (kind == RFFT && !hd_type_is_float(element, HD_F32) && !hd_type_is_float(element, HD_F64))
    return hd_infer_error(state, "expects elements of f32 or f64");
  hd_type made = kind == RFFT ? hd_type_complex(element) : kind == IRFFT ? element->shaped.element : element;
  if (!hd_is_ranked(type)) {
    *out = hd_type_unranked_tensor(made);
    return true;
  }
  hd_sketch shape;
  if (!hd_sketch_of(state, type, &shape)) return false;
  if (shape.rank < count)
    return hd_infer_error(state, "expects an operand of rank %u or more, got rank %u", count, shape.rank);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t d = shape.rank - count + i;
    if (length[i] < 0) return hd_infer_error(state, "expects lengths of 0 or more, got %lld", (long long)length[i]);
    int64_t wanted = kind == IRFFT && i + 1 == count ? (length[i] > 0 ? length[i] / 2 + 1 : 0) : length[i];
    if (shape.dims[d] != HD_DYNAMIC && shape.dims[d] != wanted)
      return hd_infer_error(state, "expects dim %u of size %lld for the given length, got %lld", d, (long long)wanted,
                            (long long)shape.dims[d]);
  }
  if (kind == RFFT) shape.dims[shape.rank - 1] = length[count - 1] > 0 ? length[count - 1] / 2 + 1 : 0;
  if (kind == IRFFT) shape.dims[shape.rank - 1] = length[count - 1];
  *out = hd_sketch_type(state, made, &shape);
  return true;
}

bool hd_infer_rng_bit_generator(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0), hint = hd_state_hint(state, 1);
  if (!hint) return false; /* nothing tells the shape of the bits */
  out[0] = type;
  out[1] = hint;
  return true;
}

/* The feature dim, checked; |*size| is its size or HD_DYNAMIC. */
static bool feature(const hd_op_state *state, int64_t *size, hd_type *vector) {
  hd_type type = hd_state_type(state, 0);
  int64_t index = hd_state_int(state, HD_NAME_feature_index, 0);
  *size = HD_DYNAMIC;
  hd_sketch in, result = hd_sketch_unknown(1);
  if (hd_is_ranked(type)) {
    if (!hd_sketch_of(state, type, &in)) return false;
    if (index < 0 || index >= in.rank)
      return hd_infer_error(state, "expects feature_index in [0, %u), got %lld", in.rank, (long long)index);
    hd_sketch_copy_dim(&result, 0, &in, (uint32_t)index);
    *size = in.dims[index];
  }
  *vector = hd_sketch_type(state, hd_type_element(type), &result);
  return true;
}

/* Operands [from, to) are vectors of the feature dim's size and the operand's element. */
static bool check_vectors(const hd_op_state *state, size_t from, size_t to, int64_t size) {
  for (size_t i = from; i < to; ++i) {
    hd_type type = hd_state_type(state, i);
    if (!hd_elements_compatible(hd_type_element(type), hd_type_element(hd_state_type(state, 0))))
      return hd_infer_error(state, "expects operands of one element type, operand #%zu differs", i);
    if (!hd_is_ranked(type)) continue;
    if (type->shaped.rank != 1)
      return hd_infer_error(state, "expects operand #%zu of rank 1, got rank %u", i, type->shaped.rank);
    int64_t dim = type->shaped.dims[0];
    if (dim != HD_DYNAMIC && size != HD_DYNAMIC && dim != size)
      return hd_infer_error(state, "expects operand #%zu of %lld elements, as the feature dim has, got %lld", i,
                            (long long)size, (long long)dim);
  }
  return true;
}

bool hd_infer_batch_norm_training(const hd_op_state *state, hd_type *out) {
  int64_t size;
  out[0] = hd_state_type(state, 0);
  if (!feature(state, &size, &out[1]) || !check_vectors(state, 1, 3, size)) return false;
  out[2] = out[1];
  return true;
}
bool hd_infer_batch_norm_inference(const hd_op_state *state, hd_type *out) {
  int64_t size;
  hd_type vector;
  out[0] = hd_state_type(state, 0);
  return feature(state, &size, &vector) && check_vectors(state, 1, 5, size);
}
bool hd_infer_batch_norm_grad(const hd_op_state *state, hd_type *out) {
  int64_t size;
  out[0] = hd_state_type(state, 0);
  if (!feature(state, &size, &out[1]) || !check_vectors(state, 1, 4, size)) return false;
  if (!hd_types_compatible(out[0], hd_state_type(state, 4)))
    return hd_infer_error(state, "expects operand and grad_output of compatible types");
  out[2] = out[1];
  return true;
}

bool hd_infer_all_to_all(const hd_op_state *state, hd_type *out) {
  int64_t split = hd_state_int(state, HD_NAME_split_dimension, 0),
          join = hd_state_int(state, HD_NAME_concat_dimension, 0);
  int64_t parts = hd_state_int(state, HD_NAME_split_count, 1);
  if (parts < 1) return hd_infer_error(state, "expects a split_count of 1 or more, got %lld", (long long)parts);
  if (!hd_check_result_count(state, state->operand_count)) return false;
  for (size_t i = 0; i < state->operand_count; ++i) {
    hd_type type = hd_state_type(state, i);
    hd_sketch shape;
    out[i] = type;
    if (!hd_is_ranked(type)) continue;
    if (!hd_sketch_of(state, type, &shape)) return false;
    if (split < 0 || split >= shape.rank || join < 0 || join >= shape.rank)
      return hd_infer_error(state, "expects split and concat dimensions in [0, %u)", shape.rank);
    if (shape.dims[split] != HD_DYNAMIC) {
      if (shape.dims[split] % parts)
        return hd_infer_error(state, "expects a split dim that %lld divides, got %lld", (long long)parts,
                              (long long)shape.dims[split]);
      shape.dims[split] /= parts;
    } else if (shape.bounds[split] != HD_DYNAMIC) {
      shape.bounds[split] /= parts;
    }
    int64_t *grown = shape.dims[join] != HD_DYNAMIC ? &shape.dims[join] : &shape.bounds[join];
    if (*grown != HD_DYNAMIC && __builtin_mul_overflow(*grown, parts, grown))
      return hd_infer_error(state, "the joined dim overflows");
    out[i] = hd_sketch_type(state, type->shaped.element, &shape);
  }
  return true;
}

/* The state that XLA keeps: two words. */
bool hd_infer_rng_state(const hd_op_state *state, hd_type *out) {
  hd_type hint = hd_state_hint(state, 0);
  *out = hint ? hint : hd_type_tensor(hd_type_integer(state->context, 64, HD_UNSIGNED), (int64_t[]){2}, 1, NULL);
  return true;
}

/* The types of the operands, but for the one that says the roots, in the element type that a computation gives. */
bool hd_infer_collective_root(const hd_op_state *state, hd_type *out) {
  size_t count = state->operand_count - (state->operand_count && hd_state_attr(state, HD_NAME_has_dynamic_root));
  if (!hd_check_result_count(state, count)) return false;
  hd_type yielded = state->region_count ? hd_state_yielded(state, 0, 0) : NULL;
  for (size_t i = 0; i < count; ++i) {
    hd_type type = hd_state_type(state, i);
    bool promoted = yielded && hd_type_is_tensor(yielded) && hd_type_is_tensor(type);
    out[i] = promoted ? hd_type_with_element(type, hd_type_element(yielded)) : type;
  }
  return true;
}

/* The operands' shapes, in the element type that the computation gives. */
bool hd_infer_all_reduce(const hd_op_state *state, hd_type *out) {
  if (!hd_check_result_count(state, state->operand_count)) return false;
  for (size_t i = 0; i < state->operand_count; ++i) {
    hd_type yielded = hd_state_yielded(state, 0, 0), type = hd_state_type(state, i);
    bool promoted = yielded && hd_type_is_tensor(yielded) && hd_type_is_tensor(type);
    out[i] = promoted ? hd_type_with_element(type, hd_type_element(yielded)) : type;
  }
  return true;
}
