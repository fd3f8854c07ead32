/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges, ops that move dims, comparisons and choices. */
#include "analysis/axis_info/lattice.h"

#define gcd hd_axis_gcd

hd_axis_info hd_axis_range(int64_t start, int64_t end) {
  hd_axis_info info = hd_axis_unknown(1);
  info.contiguity[0] = end > start ? end - start : 1;
  /* 0 counts as a number of 32 bits, which it is. */
  info.divisibility[0] = start ? hd_axis_divisor(start) : (int64_t)1 << 30;
  hd_axis_raise_strides(&info);
  return info;
}

static void keep_constant(const hd_axis_info *a, hd_axis_info *out) {
  out->has_constant = a->has_constant;
  out->constant = a->constant;
}

hd_axis_info hd_axis_splat(const hd_axis_info *a, const int64_t *shape, uint32_t rank) {
  hd_axis_info out = hd_axis_unknown(rank);
  for (uint32_t d = 0; d < rank; ++d) {
    out.divisibility[d] = a->divisibility[0];
    out.constancy[d] = shape[d];
  }
  keep_constant(a, &out);
  hd_axis_raise_strides(&out);
  return out;
}

static void copy_dim(const hd_axis_info *a, uint32_t from, hd_axis_info *out, uint32_t to) {
  out->contiguity[to] = a->contiguity[from];
  out->divisibility[to] = a->divisibility[from];
  out->constancy[to] = a->constancy[from];
  hd_axis_set_stride(out, to, a->stride[from], a->stride_value[from]);
}

/* Along the new dim each element is a run of its own, so what divides the first ones of runs does not count. */
hd_axis_info hd_axis_expand(const hd_axis_info *a, uint32_t dim) {
  hd_axis_info out = hd_axis_unknown(a->rank + 1);
  int64_t all = 0;
  for (uint32_t d = 0; d < a->rank; ++d) {
    all = gcd(all, a->contiguity[d] > 1 ? 1 : a->divisibility[d]);
    copy_dim(a, d, &out, d + (d >= dim));
  }
  out.divisibility[dim] = a->has_constant ? hd_axis_divisor(a->constant) : all ? all : 1;
  keep_constant(a, &out);
  return out;
}

hd_axis_info hd_axis_broadcast(const hd_axis_info *a, const int64_t *from, const int64_t *shape) {
  hd_axis_info out = *a;
  for (uint32_t d = 0; d < a->rank; ++d) {
    if (from[d] != 1) continue;
    out.contiguity[d] = 1;
    out.constancy[d] = shape[d];
    hd_axis_set_stride(&out, d, shape[d], 0);
  }
  return out;
}

hd_axis_info hd_axis_permute(const hd_axis_info *a, const int64_t *order) {
  hd_axis_info out = {.rank = a->rank};
  for (uint32_t d = 0; d < a->rank; ++d) copy_dim(a, (uint32_t)order[d], &out, d);
  keep_constant(a, &out);
  return out;
}

/* ---- comparisons ---- */

static bool holds(hd_axis_order order, bool is_unsigned, int64_t a, int64_t b) {
  bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
  switch (order) {
    case HD_AXIS_EQ:
      return a == b;
    case HD_AXIS_NE:
      return a != b;
    case HD_AXIS_LT:
      return less;
    case HD_AXIS_LE:
      return less || a == b;
    case HD_AXIS_GT:
      return !less && a != b;
    default:
      return !less;
  }
}

static bool is_constant(const hd_axis_info *a, const int64_t *shape, uint32_t d) { return a->constancy[d] == shape[d]; }

/* Where both sides are multiples of n, a run of n from there on is below the other as a whole, or not at all. */
static int64_t constancy_of_order(hd_axis_order order, const hd_axis_info *a, const hd_axis_info *b,
                                  const int64_t *shape, uint32_t d) {
  int64_t both = gcd(a->constancy[d], b->constancy[d]), divisor = gcd(a->divisibility[d], b->divisibility[d]), run = 1;
  if ((order == HD_AXIS_GT || order == HD_AXIS_LE) && is_constant(a, shape, d))
    run = gcd(b->contiguity[d], divisor);
  else if ((order == HD_AXIS_LT || order == HD_AXIS_GE) && is_constant(b, shape, d))
    run = gcd(a->contiguity[d], divisor);
  return run > both ? run : both;
}

hd_axis_info hd_axis_compare(hd_axis_order order, bool is_unsigned, const hd_axis_info *a, const hd_axis_info *b,
                             const int64_t *shape) {
  hd_axis_info out = hd_axis_unknown(a->rank);
  out.has_constant = a->has_constant && b->has_constant;
  out.constant = out.has_constant && holds(order, is_unsigned, a->constant, b->constant);
  for (uint32_t d = 0; d < a->rank && shape; ++d)
    out.constancy[d] = out.has_constant ? shape[d] : constancy_of_order(order, a, b, shape, d);
  hd_axis_raise_strides(&out);
  return out;
}

/* ---- choices ---- */

hd_axis_info hd_axis_select(const hd_axis_info *condition, bool is_scalar, const hd_axis_info *a, const hd_axis_info *b,
                            const int64_t *shape) {
  if (condition->has_constant) return condition->constant ? *a : *b;
  hd_axis_info out = hd_axis_join(a, b);
  if (out.has_constant) {
    for (uint32_t d = 0; d < out.rank; ++d) out.constancy[d] = shape ? shape[d] : 1;
    hd_axis_raise_strides(&out);
    if (is_scalar) return out;
  }
  for (uint32_t d = 0; d < out.rank && !is_scalar; ++d) {
    int64_t run = gcd(out.contiguity[d], condition->constancy[d]);
    /* What was one run may begin anew with each change of the condition. */
    if (run < out.contiguity[d]) out.divisibility[d] = gcd(out.divisibility[d], run);
    out.contiguity[d] = run;
    if (out.has_constant) continue;
    out.constancy[d] = gcd(out.constancy[d], condition->constancy[d]);
    hd_axis_set_stride(&out, d, gcd(out.stride[d], condition->constancy[d]), out.stride_value[d]);
  }
  hd_axis_raise_strides(&out);
  return out;
}

hd_axis_info hd_axis_load(const hd_axis_info *pointer, const hd_axis_info *mask, const hd_axis_info *other) {
  hd_axis_info out = hd_axis_unknown(pointer->rank);
  for (uint32_t d = 0; d < out.rank; ++d) {
    out.constancy[d] = gcd(pointer->constancy[d], mask ? mask->constancy[d] : 0);
    if (other) out.constancy[d] = gcd(out.constancy[d], other->constancy[d]);
  }
  hd_axis_raise_strides(&out);
  return out;
}
