/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of dots and convolutions. The element type is the declared one where there is one: products may
 * widen. */
#include "ir/ragged_dot.h"
#include "ir/shapes/shape_function.h"

static hd_type result_element(const hd_shape_context *c) {
  hd_type hint = hd_state_hint(c->state, 0);
  return hd_type_element(hint ? hint : hd_state_type(c->state, 0));
}

/* The dims of both sides. When it returns false, the result was set to an unranked one, or an error was reported. */
static bool load(hd_shape_context *c, hd_extents *lhs, hd_extents *rhs) {
  if (hd_extents_of(c, 0, lhs) && hd_extents_of(c, 1, rhs)) return true;
  hd_shape_result_unranked(c, 0, result_element(c));
  return false;
}

bool hd_shape_of_dot(hd_shape_context *c) {
  hd_extents lhs, rhs, out;
  out.rank = 0;
  if (!load(c, &lhs, &rhs)) return !c->failed;
  if (lhs.rank < 1 || lhs.rank > 2 || rhs.rank < 1 || rhs.rank > 2)
    return hd_shape_error(c, "expects vectors or matrices, got rank %u and rank %u", lhs.rank, rhs.rank);
  hd_require_equal(c, lhs.at[lhs.rank - 1], rhs.at[0]);
  if (lhs.rank == 2) out.at[out.rank++] = lhs.at[0];
  if (rhs.rank == 2) out.at[out.rank++] = rhs.at[1];
  hd_shape_result(c, 0, result_element(c), &out);
  return true;
}

/* A list of dims of a side, and which dims it has. */
typedef struct dim_list {
  uint32_t count;
  int64_t at[HD_MAX_RANK];
  uint64_t set;
} dim_list;

static bool dot_dims(hd_shape_context *c, hd_attr numbers, hd_name name, uint32_t rank, dim_list *out) {
  hd_attr attr = hd_struct_get(numbers, name);
  *out = (dim_list){.count = (uint32_t)hd_attr_count(attr)};
  if (hd_attr_count(attr) > HD_MAX_RANK)
    return hd_shape_error(c, "expects at most %d %s", HD_MAX_RANK, hd_name_text(name));
  for (uint32_t i = 0; i < out->count; ++i) out->at[i] = hd_attr_int_at(attr, i);
  if (!hd_check_dims(c->state, hd_name_text(name), out->at, out->count, rank)) return false;
  for (uint32_t i = 0; i < out->count; ++i) out->set |= 1ull << out->at[i];
  return true;
}

static bool disjoint(hd_shape_context *c, const char *side, const dim_list *batch, const dim_list *contract) {
  for (uint32_t i = 0; i < contract->count; ++i)
    if (batch->set >> contract->at[i] & 1)
      return hd_shape_error(c, "%s dim %lld is both batching and contracting", side, (long long)contract->at[i]);
  return true;
}

/* The dims of a product by the lists that |numbers| has, after those of |out|: batching dims, the others of lhs, the
 * others of rhs; |group| is a dim of rhs that results lack, or -1. */
static bool product(hd_shape_context *c, hd_attr numbers, int64_t group, const hd_extents *lhs, const hd_extents *rhs,
                    hd_extents *out) {
  dim_list lb, rb, lc, rc;
  if (!dot_dims(c, numbers, HD_NAME_lhs_batching_dimensions, lhs->rank, &lb) ||
      !dot_dims(c, numbers, HD_NAME_rhs_batching_dimensions, rhs->rank, &rb) ||
      !dot_dims(c, numbers, HD_NAME_lhs_contracting_dimensions, lhs->rank, &lc) ||
      !dot_dims(c, numbers, HD_NAME_rhs_contracting_dimensions, rhs->rank, &rc))
    return false;
  if (lb.count != rb.count)
    return hd_shape_error(c, "expects as many batching dims of lhs as of rhs, got %u and %u", lb.count, rb.count);
  if (lc.count != rc.count)
    return hd_shape_error(c, "expects as many contracting dims of lhs as of rhs, got %u and %u", lc.count, rc.count);
  if (!disjoint(c, "lhs", &lb, &lc) || !disjoint(c, "rhs", &rb, &rc)) return false;
  uint32_t rank = out->rank + lhs->rank + rhs->rank - lb.count - 2 * lc.count - (group >= 0);
  if (rank > HD_MAX_RANK) return hd_shape_error(c, "expects a result of rank %d at most, got %u", HD_MAX_RANK, rank);
  for (uint32_t i = 0; i < lb.count; ++i) {
    hd_extent a = lhs->at[lb.at[i]], b = rhs->at[rb.at[i]];
    hd_require_equal(c, a, b);
    out->at[out->rank++] = hd_extent_meet(c, a, b);
  }
  for (uint32_t i = 0; i < lc.count; ++i) hd_require_equal(c, lhs->at[lc.at[i]], rhs->at[rc.at[i]]);
  for (uint32_t d = 0; d < lhs->rank; ++d)
    if (!((lb.set | lc.set) >> d & 1)) out->at[out->rank++] = lhs->at[d];
  for (uint32_t d = 0; d < rhs->rank; ++d)
    if (!((rb.set | rc.set) >> d & 1) && d != group) out->at[out->rank++] = rhs->at[d];
  return true;
}

bool hd_shape_of_dot_general(hd_shape_context *c) {
  hd_extents lhs, rhs, out;
  out.rank = 0;
  if (!load(c, &lhs, &rhs)) return !c->failed;
  hd_attr numbers = hd_state_attr(c->state, HD_NAME_dot_dimension_numbers);
  if (!hd_attr_is(numbers, HD_ATTR_STRUCT)) return hd_shape_error(c, "expects 'dot_dimension_numbers'");
  if (!product(c, numbers, -1, &lhs, &rhs, &out)) return false;
  hd_shape_result(c, 0, result_element(c), &out);
  return true;
}

/* Sizes of groups: one list, or one for each index of the dims along which they may differ. */
static bool check_groups(hd_shape_context *c, const hd_ragged_dot *dot, const hd_extents *lhs, const hd_extents *rhs,
                         const hd_extents *sizes) {
  if (sizes->rank != 1 && sizes->rank != dot->lhs_prefix.count + 1)
    return hd_shape_error(c, "expects group sizes of rank 1 or %u, got %u", dot->lhs_prefix.count + 1, sizes->rank);
  for (uint32_t i = 0; i + 1 < sizes->rank; ++i) hd_require_equal(c, sizes->at[i], lhs->at[dot->lhs_prefix.at[i]]);
  if (dot->group >= 0) hd_require_equal(c, sizes->at[sizes->rank - 1], rhs->at[dot->group]);
  return true;
}

bool hd_shape_of_ragged_dot(hd_shape_context *c) {
  hd_extents lhs, rhs, sizes, out;
  out.rank = 0;
  hd_ragged_dot dot;
  if (!load(c, &lhs, &rhs)) return !c->failed;
  if (!hd_extents_of(c, 2, &sizes)) return !c->failed && hd_shape_result_unranked(c, 0, result_element(c));
  hd_attr numbers = hd_state_attr(c->state, HD_NAME_ragged_dot_dimension_numbers);
  const char *wrong = hd_ragged_dot_read(numbers, lhs.rank, rhs.rank, &dot);
  if (wrong) return hd_shape_error(c, "%s", wrong);
  if (!check_groups(c, &dot, &lhs, &rhs, &sizes)) return false;
  if (dot.kind == HD_RAGGED_CONTRACTING) out.at[out.rank++] = sizes.at[sizes.rank - 1];
  if (!product(c, numbers, dot.group, &lhs, &rhs, &out)) return false;
  hd_shape_result(c, 0, result_element(c), &out);
  return true;
}

static int64_t number(hd_attr numbers, hd_name name) {
  hd_attr attr = hd_struct_get(numbers, name);
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : -1;
}

/* Batch, feature and spatial dims of one of the three tensors: a permutation of its dims. */
static bool conv_dims(hd_shape_context *c, hd_attr numbers, const char *what, hd_name batch, hd_name feature,
                      hd_name spatial, uint32_t rank, int64_t *out) {
  hd_attr list = hd_struct_get(numbers, spatial);
  if (hd_attr_count(list) + 2 != rank)
    return hd_shape_error(c, "expects %u spatial dims of the %s, got %zu", rank - 2, what, hd_attr_count(list));
  out[0] = number(numbers, batch);
  out[1] = number(numbers, feature);
  for (uint32_t i = 0; i + 2 < rank; ++i) out[2 + i] = hd_attr_int_at(list, i);
  return hd_check_dims(c->state, what, out, rank, rank);
}

/* The three tensors' dims in the order batch, feature, spatial; those of the kernel: input feature, output feature,
 * spatial. */
typedef struct conv {
  int64_t in[HD_MAX_RANK], kernel[HD_MAX_RANK], out[HD_MAX_RANK];
  int64_t groups, batches;
} conv;

static bool conv_read(hd_shape_context *c, uint32_t rank, conv *n) {
  hd_attr numbers = hd_state_attr(c->state, HD_NAME_dimension_numbers);
  if (!hd_attr_is(numbers, HD_ATTR_STRUCT)) return hd_shape_error(c, "expects 'dimension_numbers'");
  if (!conv_dims(c, numbers, "input", HD_NAME_input_batch_dimension, HD_NAME_input_feature_dimension,
                 HD_NAME_input_spatial_dimensions, rank, n->in) ||
      !conv_dims(c, numbers, "kernel", HD_NAME_kernel_input_feature_dimension, HD_NAME_kernel_output_feature_dimension,
                 HD_NAME_kernel_spatial_dimensions, rank, n->kernel) ||
      !conv_dims(c, numbers, "output", HD_NAME_output_batch_dimension, HD_NAME_output_feature_dimension,
                 HD_NAME_output_spatial_dimensions, rank, n->out))
    return false;
  n->groups = hd_state_int(c->state, HD_NAME_feature_group_count, 1);
  n->batches = hd_state_int(c->state, HD_NAME_batch_group_count, 1);
  if (n->groups < 1 || n->batches < 1)
    return hd_shape_error(c, "expects group counts of 1 or more, got %lld and %lld", (long long)n->groups,
                          (long long)n->batches);
  return (n->groups == 1 || n->batches == 1) ||
         hd_shape_error(c, "expects feature_group_count or batch_group_count to be 1");
}

/* |n| divides |size|. */
static void divides(hd_shape_context *c, int64_t n, hd_extent size) {
  if (n < 2) return;
  hd_extent rest = hd_extent_mod(c, size, hd_extent_number(c, n));
  rest = hd_extent_named(rest, "the remainder by the groups of dim", (uint32_t)size.place.operand, size.place.dim);
  hd_require_equal(c, rest, hd_extent_number(c, 0));
}

static void check_features(hd_shape_context *c, const conv *n, const hd_extents *lhs, const hd_extents *rhs) {
  hd_extent features = lhs->at[n->in[1]], in = rhs->at[n->kernel[0]], out = rhs->at[n->kernel[1]], taken = in;
  if (!c->domain->at_run_time) divides(c, n->groups, features); /* as follows from the next, once all is known */
  if (n->groups > 1)
    taken = hd_extent_named(hd_extent_mul(c, in, hd_extent_number(c, n->groups)), "feature_group_count times dim", 1,
                            in.place.dim);
  hd_require_equal(c, features, taken);
  divides(c, n->batches, lhs->at[n->in[0]]);
  divides(c, n->groups, out);
  divides(c, n->batches, out);
}

/* |pads| holds low and high per spatial dim. */
static bool convolution(hd_shape_context *c, const hd_extent *pads) {
  hd_extents lhs, rhs, shape;
  conv n;
  if (!load(c, &lhs, &rhs)) return !c->failed;
  uint32_t rank = lhs.rank;
  if (rank < 2 || rank != rhs.rank)
    return hd_shape_error(c, "expects operands of one rank of 2 or more, got %u and %u", rank, rhs.rank);
  int64_t strides[HD_MAX_RANK], base[HD_MAX_RANK], dilation[HD_MAX_RANK], reversal[HD_MAX_RANK];
  if (!conv_read(c, rank, &n) || !hd_state_ints(c->state, HD_NAME_window_strides, rank - 2, 1, strides) ||
      !hd_state_ints(c->state, HD_NAME_lhs_dilation, rank - 2, 1, base) ||
      !hd_state_ints(c->state, HD_NAME_rhs_dilation, rank - 2, 1, dilation) ||
      !hd_state_ints(c->state, HD_NAME_window_reversal, rank - 2, 0, reversal))
    return false;
  check_features(c, &n, &lhs, &rhs);
  shape.rank = rank;
  shape.at[n.out[0]] = hd_extent_floordiv(c, lhs.at[n.in[0]], hd_extent_number(c, n.batches));
  shape.at[n.out[1]] = rhs.at[n.kernel[1]];
  for (uint32_t i = 0; i + 2 < rank; ++i) {
    if (strides[i] < 1 || base[i] < 1 || dilation[i] < 1)
      return hd_shape_error(c, "expects strides and dilations of 1 or more in spatial dim %u", i);
    if (reversal[i] != 0 && reversal[i] != 1) return hd_shape_error(c, "expects 'window_reversal' of booleans");
    shape.at[n.out[2 + i]] = hd_extent_windows(c, lhs.at[n.in[2 + i]], rhs.at[n.kernel[2 + i]], pads[2 * i],
                                               pads[2 * i + 1], (hd_window_numbers){strides[i], base[i], dilation[i]});
  }
  hd_shape_result(c, 0, result_element(c), &shape);
  return true;
}

static uint32_t pad_count(const hd_shape_context *c) {
  uint32_t rank = hd_shape_is_ranked(c, 0) ? hd_shape_rank_of(c, 0) : 0;
  return rank >= 2 && rank <= HD_MAX_RANK ? 2 * (rank - 2) : 0;
}

bool hd_shape_of_convolution(hd_shape_context *c) {
  int64_t given[2 * HD_MAX_RANK];
  hd_extent pads[2 * HD_MAX_RANK];
  uint32_t count = pad_count(c);
  if (!hd_state_ints(c->state, HD_NAME_padding, count, 0, given)) return false;
  for (uint32_t i = 0; i < count; ++i) pads[i] = hd_extent_number(c, given[i]);
  return convolution(c, pads);
}

bool hd_shape_of_dynamic_conv(hd_shape_context *c) {
  hd_extent pads[2 * HD_MAX_RANK];
  for (uint32_t i = 0; i < pad_count(c); ++i) pads[i] = hd_extent_element(c, 2, i);
  return convolution(c, pads);
}
