/* SPDX-License-Identifier: Apache-2.0 */
/* Coefficients and bounds: numbers, or polynomials over sizes where a size takes part. */
#include "analysis/indexing/linear.h"

static const hd_amount unknown = {0};

hd_amount hd_amount_of_dim(hd_indexing *in, hd_dim dim) {
  int64_t value;
  if (!dim) return unknown;
  if (hd_dim_is_const(in->table, dim, &value)) return hd_amount_of(value);
  return (hd_amount){true, hd_dim_resolve(in->table, dim), 0};
}

hd_dim hd_amount_dim(hd_indexing *in, hd_amount a) {
  if (!a.known) return NULL;
  return a.dim ? a.dim : hd_dim_const(in->table, a.value);
}

hd_amount hd_amount_add(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known) return unknown;
  int64_t sum;
  if (!a.dim && !b.dim) return __builtin_add_overflow(a.value, b.value, &sum) ? unknown : hd_amount_of(sum);
  return hd_amount_of_dim(in, hd_dim_add(in->table, hd_amount_dim(in, a), hd_amount_dim(in, b)));
}

hd_amount hd_amount_sub(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known) return unknown;
  int64_t difference;
  if (!a.dim && !b.dim)
    return __builtin_sub_overflow(a.value, b.value, &difference) ? unknown : hd_amount_of(difference);
  return hd_amount_of_dim(in, hd_dim_sub(in->table, hd_amount_dim(in, a), hd_amount_dim(in, b)));
}

hd_amount hd_amount_mul(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known) return unknown;
  int64_t product;
  if (!a.dim && !b.dim) return __builtin_mul_overflow(a.value, b.value, &product) ? unknown : hd_amount_of(product);
  return hd_amount_of_dim(in, hd_dim_mul(in->table, hd_amount_dim(in, a), hd_amount_dim(in, b)));
}

hd_amount hd_amount_exact_div(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known || hd_amount_is(b, 0)) return unknown;
  if (hd_amount_is(a, 0)) return a;
  if (!a.dim && !b.dim)
    return b.value == -1       ? hd_amount_sub(in, hd_amount_of(0), a)
           : a.value % b.value ? unknown
                               : hd_amount_of(a.value / b.value);
  hd_dim dividend = hd_amount_dim(in, a), by = hd_amount_dim(in, b),
         quotient = hd_dim_cofactor(in->table, dividend, by);
  if (!quotient && !b.dim && b.value > 0 && hd_dim_divisor(in->table, dividend) % b.value == 0)
    quotient = hd_dim_floordiv(in->table, dividend, by);
  return hd_amount_of_dim(in, quotient);
}

bool hd_amount_equal(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known) return false;
  if (!a.dim && !b.dim) return a.value == b.value;
  return hd_dim_equal(in->table, hd_amount_dim(in, a), hd_amount_dim(in, b));
}

bool hd_amount_at_most(hd_indexing *in, hd_amount a, hd_amount b) {
  if (!a.known || !b.known) return false;
  if (!a.dim && !b.dim) return a.value <= b.value;
  return hd_dim_at_most(in->table, hd_amount_dim(in, a), hd_amount_dim(in, b));
}

int64_t hd_amount_lower(hd_amount a) { return !a.known ? INT64_MIN : a.dim ? hd_dim_lower(a.dim) : a.value; }
int64_t hd_amount_upper(hd_amount a) { return !a.known ? INT64_MAX : a.dim ? hd_dim_upper(a.dim) : a.value; }
