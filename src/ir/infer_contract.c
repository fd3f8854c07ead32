/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of dots and convolutions. The element type is the hint's where there is one: products may widen. */
#include "ir/infer.h"
#include "ir/ragged_dot.h"

static hd_type result_element(const hd_op_state *state) {
  hd_type hint = hd_state_hint(state, 0);
  return hd_type_element(hint ? hint : hd_state_type(state, 0));
}

static bool unranked(const hd_op_state *state, hd_type *out) {
  *out = hd_type_unranked_tensor(result_element(state));
  return true;
}

static bool load_both(const hd_op_state *state, hd_sketch *lhs, hd_sketch *rhs) {
  return hd_sketch_of(state, hd_state_type(state, 0), lhs) && hd_sketch_of(state, hd_state_type(state, 1), rhs);
}

static bool both_ranked(const hd_op_state *state) {
  return hd_is_ranked(hd_state_type(state, 0)) && hd_is_ranked(hd_state_type(state, 1));
}

bool hd_infer_dot(const hd_op_state *state, hd_type *out) {
  hd_sketch lhs, rhs;
  if (!both_ranked(state)) return unranked(state, out);
  if (!load_both(state, &lhs, &rhs)) return false;
  if (lhs.rank < 1 || lhs.rank > 2 || rhs.rank < 1 || rhs.rank > 2)
    return hd_infer_error(state, "expects vectors or matrices, got rank %u and rank %u", lhs.rank, rhs.rank);
  int64_t a = lhs.dims[lhs.rank - 1], b = rhs.dims[0];
  if (a != HD_DYNAMIC && b != HD_DYNAMIC && a != b)
    return hd_infer_error(state, "contracting dims differ: lhs has %lld, rhs has %lld", (long long)a, (long long)b);
  hd_sketch result = hd_sketch_unknown(lhs.rank + rhs.rank - 2);
  if (lhs.rank == 2) hd_sketch_copy_dim(&result, 0, &lhs, 0);
  if (rhs.rank == 2) hd_sketch_copy_dim(&result, lhs.rank - 1, &rhs, 1);
  *out = hd_sketch_type(state, result_element(state), &result);
  return true;
}

/* The dims of a parameter of the dot attribute. */
static bool dot_dims(const hd_op_state *state, hd_attr numbers, hd_name name, uint32_t rank, int64_t *out,
                     uint32_t *count) {
  hd_attr attr = hd_struct_get(numbers, name);
  *count = 0;
  if (hd_attr_count(attr) > HD_MAX_RANK)
    return hd_infer_error(state, "expects at most %d %s", HD_MAX_RANK, hd_name_text(name));
  for (size_t i = 0; i < hd_attr_count(attr); ++i) out[(*count)++] = hd_attr_int_at(attr, i);
  return hd_check_dims(state, hd_name_text(name), out, *count, rank);
}

static bool in(const int64_t *dims, uint32_t count, int64_t value) {
  for (uint32_t i = 0; i < count; ++i)
    if (dims[i] == value) return true;
  return false;
}

/* The dims of a product by the lists that |numbers| has; |group| is a dim of rhs that results lack, or -1. */
static bool product(const hd_op_state *state, hd_attr numbers, int64_t group, hd_sketch *out) {
  hd_sketch lhs, rhs;
  if (!load_both(state, &lhs, &rhs)) return false;
  int64_t lb[HD_MAX_RANK], rb[HD_MAX_RANK], lc[HD_MAX_RANK], rc[HD_MAX_RANK];
  uint32_t lbn, rbn, lcn, rcn;
  if (!dot_dims(state, numbers, HD_NAME_lhs_batching_dimensions, lhs.rank, lb, &lbn) ||
      !dot_dims(state, numbers, HD_NAME_rhs_batching_dimensions, rhs.rank, rb, &rbn) ||
      !dot_dims(state, numbers, HD_NAME_lhs_contracting_dimensions, lhs.rank, lc, &lcn) ||
      !dot_dims(state, numbers, HD_NAME_rhs_contracting_dimensions, rhs.rank, rc, &rcn))
    return false;
  if (lbn != rbn)
    return hd_infer_error(state, "expects as many batching dims of lhs as of rhs, got %u and %u", lbn, rbn);
  if (lcn != rcn)
    return hd_infer_error(state, "expects as many contracting dims of lhs as of rhs, got %u and %u", lcn, rcn);
  for (uint32_t i = 0; i < lcn; ++i) {
    if (in(lb, lbn, lc[i]))
      return hd_infer_error(state, "lhs dim %lld is both batching and contracting", (long long)lc[i]);
    if (in(rb, rbn, rc[i]))
      return hd_infer_error(state, "rhs dim %lld is both batching and contracting", (long long)rc[i]);
    int64_t a = lhs.dims[lc[i]], b = rhs.dims[rc[i]];
    if (a != HD_DYNAMIC && b != HD_DYNAMIC && a != b)
      return hd_infer_error(state, "contracting dims differ: lhs has %lld, rhs has %lld", (long long)a, (long long)b);
  }
  uint32_t rank = lbn + (lhs.rank - lbn - lcn) + (rhs.rank - rbn - rcn) - (group >= 0);
  if (rank > HD_MAX_RANK)
    return hd_infer_error(state, "expects a result of rank %d at most, got %u", HD_MAX_RANK, rank);
  hd_sketch result = hd_sketch_unknown(rank);
  uint32_t at = 0;
  for (uint32_t i = 0; i < lbn; ++i) {
    hd_sketch_copy_dim(&result, at, &lhs, (uint32_t)lb[i]);
    if (!hd_sketch_meet_dim(&result, at++, &rhs, (uint32_t)rb[i]))
      return hd_infer_error(state, "batching dims differ: lhs has %s, rhs has %s", hd_dim_text(lhs.dims[lb[i]]),
                            hd_dim_text(rhs.dims[rb[i]]));
  }
  for (uint32_t i = 0; i < lhs.rank; ++i)
    if (!in(lb, lbn, i) && !in(lc, lcn, i)) hd_sketch_copy_dim(&result, at++, &lhs, i);
  for (uint32_t i = 0; i < rhs.rank; ++i)
    if (!in(rb, rbn, i) && !in(rc, rcn, i) && i != group) hd_sketch_copy_dim(&result, at++, &rhs, i);
  *out = result;
  return true;
}

bool hd_infer_dot_general(const hd_op_state *state, hd_type *out) {
  hd_sketch result;
  if (!both_ranked(state)) return unranked(state, out);
  hd_attr numbers = hd_state_attr(state, HD_NAME_dot_dimension_numbers);
  if (!hd_attr_is(numbers, HD_ATTR_STRUCT)) return hd_infer_error(state, "expects 'dot_dimension_numbers'");
  if (!product(state, numbers, -1, &result)) return false;
  *out = hd_sketch_type(state, result_element(state), &result);
  return true;
}

/* Sizes of groups: one list, or one for each index of the dims along which they may differ. */
static bool check_groups(const hd_op_state *state, const hd_ragged_dot *dot, const hd_sketch *lhs, const hd_sketch *rhs,
                         hd_sketch *sizes) {
  if (sizes->rank != 1 && sizes->rank != dot->lhs_prefix.count + 1)
    return hd_infer_error(state, "expects group sizes of rank 1 or %u, got %u", dot->lhs_prefix.count + 1, sizes->rank);
  for (uint32_t i = 0; i + 1 < sizes->rank; ++i)
    if (!hd_sketch_meet_dim(sizes, i, lhs, (uint32_t)dot->lhs_prefix.at[i]))
      return hd_infer_error(state, "dim %u of the group sizes differs from dim %lld of lhs", i,
                            (long long)dot->lhs_prefix.at[i]);
  if (dot->group >= 0 && !hd_sketch_meet_dim(sizes, sizes->rank - 1, rhs, (uint32_t)dot->group))
    return hd_infer_error(state, "expects as many group sizes as groups of rhs, got %s and %s",
                          hd_dim_text(sizes->dims[sizes->rank - 1]), hd_dim_text(rhs->dims[dot->group]));
  return true;
}

bool hd_infer_ragged_dot(const hd_op_state *state, hd_type *out) {
  hd_sketch lhs, rhs, sizes, made, result;
  hd_ragged_dot dot;
  if (!both_ranked(state) || !hd_is_ranked(hd_state_type(state, 2))) return unranked(state, out);
  if (!load_both(state, &lhs, &rhs) || !hd_sketch_of(state, hd_state_type(state, 2), &sizes)) return false;
  hd_attr numbers = hd_state_attr(state, HD_NAME_ragged_dot_dimension_numbers);
  const char *wrong = hd_ragged_dot_read(numbers, lhs.rank, rhs.rank, &dot);
  if (wrong) return hd_infer_error(state, "%s", wrong);
  if (!check_groups(state, &dot, &lhs, &rhs, &sizes) || !product(state, numbers, dot.group, &made)) return false;
  bool grouped = dot.kind == HD_RAGGED_CONTRACTING;
  if (made.rank + grouped > HD_MAX_RANK) return hd_infer_error(state, "expects a result of a smaller rank");
  result = hd_sketch_unknown(made.rank + grouped);
  if (grouped) hd_sketch_copy_dim(&result, 0, &sizes, sizes.rank - 1);
  for (uint32_t i = 0; i < made.rank; ++i) hd_sketch_copy_dim(&result, i + grouped, &made, i);
  *out = hd_sketch_type(state, result_element(state), &result);
  return true;
}

/* The size of the output along a spatial dim, HD_DYNAMIC when it is not known, -1 when it overflows. */
static int64_t windows(int64_t in, int64_t kernel, int64_t stride, int64_t low, int64_t high, int64_t base_dilation,
                       int64_t window_dilation) {
  if (in == HD_DYNAMIC || kernel == HD_DYNAMIC || low == HD_DYNAMIC || high == HD_DYNAMIC) return HD_DYNAMIC;
  int64_t base, span;
  if (in == 0 || kernel == 0) {
    base = in == 0 ? 0 : in;
    span = kernel;
    if (in && (__builtin_mul_overflow(in - 1, base_dilation, &base) || __builtin_add_overflow(base, 1, &base)))
      return -1;
    if (kernel &&
        (__builtin_mul_overflow(kernel - 1, window_dilation, &span) || __builtin_add_overflow(span, 1, &span)))
      return -1;
  } else if (__builtin_mul_overflow(in - 1, base_dilation, &base) || __builtin_add_overflow(base, 1, &base) ||
             __builtin_mul_overflow(kernel - 1, window_dilation, &span) || __builtin_add_overflow(span, 1, &span)) {
    return -1;
  }
  if (__builtin_add_overflow(base, low, &base) || __builtin_add_overflow(base, high, &base)) return -1;
  return base <= 0 || span > base ? 0 : (base - span) / stride + 1;
}

static int64_t number(hd_attr numbers, hd_name name) {
  hd_attr attr = hd_struct_get(numbers, name);
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : -1;
}

/* Batch, feature and spatial dims of one of the three tensors: a permutation of its dims. */
static bool conv_dims(const hd_op_state *state, hd_attr numbers, const char *what, hd_name batch, hd_name feature,
                      hd_name spatial, uint32_t rank, int64_t *out) {
  hd_attr list = hd_struct_get(numbers, spatial);
  if (hd_attr_count(list) + 2 != rank)
    return hd_infer_error(state, "expects %u spatial dims of the %s, got %zu", rank - 2, what, hd_attr_count(list));
  out[0] = number(numbers, batch);
  out[1] = number(numbers, feature);
  for (uint32_t i = 0; i + 2 < rank; ++i) out[2 + i] = hd_attr_int_at(list, i);
  return hd_check_dims(state, what, out, rank, rank);
}

/* |pads| holds low and high per spatial dim. */
static bool convolution(const hd_op_state *state, const int64_t *pads, hd_type *out) {
  hd_sketch lhs, rhs;
  if (!both_ranked(state)) return unranked(state, out);
  if (!load_both(state, &lhs, &rhs)) return false;
  uint32_t rank = lhs.rank;
  if (rank < 2 || rank != rhs.rank)
    return hd_infer_error(state, "expects operands of one rank of 2 or more, got %u and %u", rank, rhs.rank);
  hd_attr numbers = hd_state_attr(state, HD_NAME_dimension_numbers);
  if (!hd_attr_is(numbers, HD_ATTR_STRUCT)) return hd_infer_error(state, "expects 'dimension_numbers'");
  int64_t in[HD_MAX_RANK], kernel[HD_MAX_RANK], to[HD_MAX_RANK];
  int64_t strides[HD_MAX_RANK], base[HD_MAX_RANK], dilation[HD_MAX_RANK], reversal[HD_MAX_RANK];
  if (!conv_dims(state, numbers, "input", HD_NAME_input_batch_dimension, HD_NAME_input_feature_dimension,
                 HD_NAME_input_spatial_dimensions, rank, in) ||
      !conv_dims(state, numbers, "kernel", HD_NAME_kernel_input_feature_dimension,
                 HD_NAME_kernel_output_feature_dimension, HD_NAME_kernel_spatial_dimensions, rank, kernel) ||
      !conv_dims(state, numbers, "output", HD_NAME_output_batch_dimension, HD_NAME_output_feature_dimension,
                 HD_NAME_output_spatial_dimensions, rank, to) ||
      !hd_state_ints(state, HD_NAME_window_strides, rank - 2, 1, strides) ||
      !hd_state_ints(state, HD_NAME_lhs_dilation, rank - 2, 1, base) ||
      !hd_state_ints(state, HD_NAME_rhs_dilation, rank - 2, 1, dilation) ||
      !hd_state_ints(state, HD_NAME_window_reversal, rank - 2, 0, reversal))
    return false;
  int64_t groups = hd_state_int(state, HD_NAME_feature_group_count, 1),
          batches = hd_state_int(state, HD_NAME_batch_group_count, 1);
  if (groups < 1 || batches < 1)
    return hd_infer_error(state, "expects group counts of 1 or more, got %lld and %lld", (long long)groups,
                          (long long)batches);
  if (groups > 1 && batches > 1)
    return hd_infer_error(state, "expects feature_group_count or batch_group_count to be 1");
  int64_t batch = lhs.dims[in[0]], feature = lhs.dims[in[1]], kernel_in = rhs.dims[kernel[0]],
          kernel_out = rhs.dims[kernel[1]];
  if (batch != HD_DYNAMIC && batch % batches)
    return hd_infer_error(state, "expects a batch that batch_group_count %lld divides, got %lld", (long long)batches,
                          (long long)batch);
  if (feature != HD_DYNAMIC && feature % groups)
    return hd_infer_error(state, "expects input features that feature_group_count %lld divides, got %lld",
                          (long long)groups, (long long)feature);
  if (feature != HD_DYNAMIC && kernel_in != HD_DYNAMIC && feature / groups != kernel_in)
    return hd_infer_error(state, "expects a kernel of %lld input features, got %lld", (long long)(feature / groups),
                          (long long)kernel_in);
  if (kernel_out != HD_DYNAMIC && (kernel_out % groups || kernel_out % batches))
    return hd_infer_error(state, "expects output features that the group counts divide, got %lld",
                          (long long)kernel_out);
  hd_sketch result = hd_sketch_unknown(rank);
  result.dims[to[0]] = batch == HD_DYNAMIC ? HD_DYNAMIC : batch / batches;
  if (batch == HD_DYNAMIC && lhs.bounds[in[0]] != HD_DYNAMIC) result.bounds[to[0]] = lhs.bounds[in[0]] / batches;
  hd_sketch_copy_dim(&result, (uint32_t)to[1], &rhs, (uint32_t)kernel[1]);
  for (uint32_t i = 0; i + 2 < rank; ++i) {
    if (strides[i] < 1 || base[i] < 1 || dilation[i] < 1)
      return hd_infer_error(state, "expects strides and dilations of 1 or more in spatial dim %u", i);
    if (reversal[i] != 0 && reversal[i] != 1) return hd_infer_error(state, "expects 'window_reversal' of booleans");
    int64_t size = windows(lhs.dims[in[2 + i]], rhs.dims[kernel[2 + i]], strides[i], pads ? pads[2 * i] : HD_DYNAMIC,
                           pads ? pads[2 * i + 1] : HD_DYNAMIC, base[i], dilation[i]);
    if (size == -1) return hd_infer_error(state, "the window of spatial dim %u overflows", i);
    result.dims[to[2 + i]] = size;
  }
  *out = hd_sketch_type(state, result_element(state), &result);
  return true;
}

bool hd_infer_convolution(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t pads[2 * HD_MAX_RANK];
  if (!hd_is_ranked(type)) return unranked(state, out);
  uint32_t rank = type->shaped.rank;
  return hd_state_ints(state, HD_NAME_padding, rank >= 2 && rank <= HD_MAX_RANK ? 2 * (rank - 2) : 0, 0, pads) &&
         convolution(state, pads, out);
}

bool hd_infer_dynamic_conv(const hd_op_state *state, hd_type *out) {
  hd_type type = hd_state_type(state, 0);
  int64_t pads[2 * HD_MAX_RANK];
  bool known = hd_is_ranked(type) && type->shaped.rank >= 2 && type->shaped.rank <= HD_MAX_RANK &&
               hd_state_constant(state, 2, 2 * (type->shaped.rank - 2), pads);
  return convolution(state, known ? pads : NULL, out);
}
