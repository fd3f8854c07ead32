/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic. Why each rule holds is shown where it is not plain; axis_info_test.c enumerates. */
#include "analysis/axis_info/lattice.h"

#define gcd hd_axis_gcd

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t times(int64_t a, int64_t b) { return a > HD_AXIS_MOST / b ? HD_AXIS_MOST : a * b; }
static bool is(const hd_axis_info *a, int64_t value) { return a->has_constant && a->constant == value; }
static bool is_power_of_two(int64_t n) { return n > 0 && !(n & (n - 1)); }

typedef struct binary {
  hd_integer_kind op;
  const hd_axis_info *a, *b;
  const int64_t *shape;
  int64_t element_bytes;
} binary;

/* ---- constants ---- */

static int64_t wrapping_shift_left(int64_t a, int64_t by) { return (int64_t)((uint64_t)a << by); }

/* False: it has no value, or none that 64 bits hold. */
static bool fold(hd_integer_kind op, int64_t a, int64_t b, int64_t element_bytes, int64_t *out) {
  switch (op) {
    case HD_INTEGER_ADD:
      return !__builtin_mul_overflow(b, element_bytes, out) && !__builtin_add_overflow(a, *out, out);
    case HD_INTEGER_SUB:
      return !__builtin_sub_overflow(a, b, out);
    case HD_INTEGER_MUL:
      return !__builtin_mul_overflow(a, b, out);
    case HD_INTEGER_DIV:
    case HD_INTEGER_REM:
      if (!b || (a == INT64_MIN && b == -1)) return false;
      *out = op == HD_INTEGER_DIV ? a / b : a % b;
      return true;
    case HD_INTEGER_AND:
      *out = a & b;
      return true;
    case HD_INTEGER_OR:
      *out = a | b;
      return true;
    case HD_INTEGER_XOR:
      *out = a ^ b;
      return true;
    case HD_INTEGER_SHL:
      if (b < 0 || b > 62) return false;
      *out = wrapping_shift_left(a, b);
      return *out >> b == a;
    case HD_INTEGER_SHR:
      if (b < 0 || b > 62) return false;
      *out = a >> b;
      return true;
    case HD_INTEGER_MIN:
      *out = smaller(a, b);
      return true;
    case HD_INTEGER_MAX:
      *out = larger(a, b);
      return true;
    default:
      return false;
  }
}

static bool known(const binary *x, int64_t *out) {
  if (x->a->has_constant && x->b->has_constant)
    return fold(x->op, x->a->constant, x->b->constant, x->element_bytes, out);
  *out = 0;
  return (x->op == HD_INTEGER_MUL && (is(x->a, 0) || is(x->b, 0))) || (x->op == HD_INTEGER_REM && is(x->b, 1));
}

hd_axis_info hd_axis_constant(int64_t value, const int64_t *shape, uint32_t rank) {
  hd_axis_info info = hd_axis_unknown(rank);
  info.has_constant = true;
  info.constant = value;
  for (uint32_t d = 0; d < rank; ++d) {
    info.divisibility[d] = hd_axis_divisor(value);
    info.constancy[d] = shape ? shape[d] : 1;
  }
  hd_axis_raise_strides(&info);
  return info;
}

/* ---- contiguity ---- */

static int64_t contiguity(const binary *x, uint32_t d) {
  const hd_axis_info *a = x->a, *b = x->b;
  switch (x->op) {
    case HD_INTEGER_SUB:
      return gcd(a->contiguity[d], b->constancy[d]);
    case HD_INTEGER_ADD:
      return larger(gcd(a->constancy[d], b->contiguity[d]), gcd(a->contiguity[d], b->constancy[d]));
    case HD_INTEGER_MUL:
      return larger(is(b, 1) ? a->contiguity[d] : 1, is(a, 1) ? b->contiguity[d] : 1);
    case HD_INTEGER_DIV:
      return is(b, 1) ? a->contiguity[d] : 1;
    case HD_INTEGER_REM:
      /* A run of n from a multiple of n on, modulo a multiple of n, is as long. */
      if (!x->shape || a->contiguity[d] != x->shape[d] || b->constancy[d] != x->shape[d]) return 1;
      return gcd(a->contiguity[d], gcd(a->divisibility[d], b->divisibility[d]));
    case HD_INTEGER_SHL:
    case HD_INTEGER_SHR:
      return is(b, 0) ? a->contiguity[d] : 1;
    case HD_INTEGER_MIN:
    case HD_INTEGER_MAX:
      return gcd(a->contiguity[d], b->contiguity[d]);
    default:
      return 1;
  }
}

/* ---- divisibility ---- */

/* What divides every element of |a|, not only the first of each run. */
static int64_t of_all(const hd_axis_info *a, uint32_t d) { return a->contiguity[d] > 1 ? 1 : a->divisibility[d]; }

static int64_t divisibility_of_sum(const binary *x, uint32_t d) {
  int64_t a = x->a->divisibility[d], b = times(x->b->divisibility[d], x->element_bytes);
  bool runs_a = x->a->contiguity[d] > 1, runs_b = x->b->contiguity[d] > 1;
  if (runs_a && runs_b) { /* x + t and y + t: differences stay where the runs do, sums go by two */
    if (x->op == HD_INTEGER_SUB && x->a->contiguity[d] == x->b->contiguity[d]) return gcd(a, b);
    return a % 2 || b % 2 ? 1 : 2;
  }
  if (!runs_a && !runs_b) return gcd(a, b);
  return gcd(gcd(a, b), times(contiguity(x, d), x->element_bytes)); /* a run of the result begins inside of one */
}

static int64_t divisibility_of_quotient(const binary *x, uint32_t d) {
  if (is(x->a, 0) || is(x->b, 1)) return x->a->divisibility[d];
  int64_t by = x->b->has_constant && x->b->constant != INT64_MIN ? x->b->constant : 0;
  by = by < 0 ? -by : by;
  return is_power_of_two(by) && x->a->contiguity[d] == 1 ? larger(1, x->a->divisibility[d] / by) : 1;
}

/* a - q * b is a multiple of what divides both; runs that were longer begin between, so their length bounds it. */
static int64_t divisibility_of_rest(const binary *x, uint32_t d) {
  int64_t both = gcd(x->a->divisibility[d], x->b->divisibility[d]), run = contiguity(x, d);
  if (x->b->constancy[d] <= 1) return 1;
  return x->a->contiguity[d] > run ? gcd(both, run) : both;
}

static int64_t divisibility_of_shift(const binary *x, uint32_t d) {
  bool is_shift = x->b->has_constant && x->b->constant >= 0 && x->b->constant <= 62;
  if (is(x->b, 0)) return x->a->divisibility[d];
  if (x->op == HD_INTEGER_SHR) return is_shift ? larger(1, of_all(x->a, d) >> x->b->constant) : 1;
  return is_shift ? times(of_all(x->a, d), (int64_t)1 << x->b->constant) : of_all(x->a, d);
}

static int64_t divisibility(const binary *x, uint32_t d) {
  switch (x->op) {
    case HD_INTEGER_ADD:
    case HD_INTEGER_SUB:
      return divisibility_of_sum(x, d);
    case HD_INTEGER_MUL:
      return times(is(x->b, 1) ? x->a->divisibility[d] : of_all(x->a, d),
                   is(x->a, 1) ? x->b->divisibility[d] : of_all(x->b, d));
    case HD_INTEGER_DIV:
      return divisibility_of_quotient(x, d);
    case HD_INTEGER_REM:
      return divisibility_of_rest(x, d);
    case HD_INTEGER_SHL:
    case HD_INTEGER_SHR:
      return divisibility_of_shift(x, d);
    case HD_INTEGER_MIN:
    case HD_INTEGER_MAX:
      return hd_axis_common_divisor(x->a, x->b, d);
    default:
      return 1;
  }
}

/* ---- constancy and stride ---- */

static int64_t constancy(const binary *x, uint32_t d) {
  int64_t both = gcd(x->a->constancy[d], x->b->constancy[d]);
  if (x->op != HD_INTEGER_DIV || !x->shape) return both;
  /* A run of n from a multiple of n on has one quotient by a multiple of n. */
  if (x->a->contiguity[d] != x->shape[d] || x->b->constancy[d] != x->shape[d]) return both;
  return larger(both, gcd(x->a->contiguity[d], gcd(x->a->divisibility[d], x->b->divisibility[d])));
}

static void stride(const binary *x, uint32_t d, hd_axis_info *out) {
  const hd_axis_info *a = x->a, *b = x->b;
  int64_t run = gcd(a->stride[d], b->stride[d]), value = 0;
  bool good = false;
  switch (x->op) {
    case HD_INTEGER_ADD:
      good = !__builtin_add_overflow(a->stride_value[d], b->stride_value[d], &value);
      break;
    case HD_INTEGER_SUB:
      good = !__builtin_sub_overflow(a->stride_value[d], b->stride_value[d], &value);
      break;
    case HD_INTEGER_MUL:
      if (b->has_constant)
        good = !__builtin_mul_overflow(a->stride_value[d], b->constant, &value), run = a->stride[d];
      else if (a->has_constant)
        good = !__builtin_mul_overflow(b->stride_value[d], a->constant, &value), run = b->stride[d];
      break;
    case HD_INTEGER_SHL:
      if (b->has_constant && b->constant >= 0 && b->constant <= 62)
        good = !__builtin_mul_overflow(a->stride_value[d], (int64_t)1 << b->constant, &value), run = a->stride[d];
      break;
    default:
      break;
  }
  hd_axis_set_stride(out, d, good ? run : 1, value);
}

hd_axis_info hd_axis_binary(hd_integer_kind op, const hd_axis_info *a, const hd_axis_info *b, const int64_t *shape,
                            int64_t element_bytes) {
  binary x = {op, a, b, shape, element_bytes};
  int64_t value;
  if (known(&x, &value)) return hd_axis_constant(value, shape, a->rank);
  hd_axis_info out = {.rank = a->rank};
  for (uint32_t d = 0; d < a->rank; ++d) {
    out.contiguity[d] = contiguity(&x, d);
    out.divisibility[d] = divisibility(&x, d);
    out.constancy[d] = constancy(&x, d);
    stride(&x, d, &out);
  }
  hd_axis_raise_strides(&out);
  return out;
}
