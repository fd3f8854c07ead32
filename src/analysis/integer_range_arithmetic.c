/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/integer_range_arithmetic.h"

typedef hd_integer_range range;
typedef __int128 wide;

hd_integer_range hd_integer_range_all(uint32_t width) {
  if (width == 1) return (range){0, 1};
  return (range){INT64_MIN >> (64 - width), INT64_MAX >> (64 - width)};
}

/* [lower, upper] if a number of |width| bits holds them, else all. */
static range fitting(wide lower, wide upper, uint32_t width) {
  range all = hd_integer_range_all(width);
  return lower >= all.lower && upper <= all.upper ? (range){(int64_t)lower, (int64_t)upper} : all;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static bool is_natural(range a) { return a.lower >= 0; }

/* ---- arithmetic: of operands' ranges, for results of |width| bits ---- */

static range add(range a, range b, uint32_t width) {
  return fitting((wide)a.lower + b.lower, (wide)a.upper + b.upper, width);
}
static range subtract(range a, range b, uint32_t width) {
  return fitting((wide)a.lower - b.upper, (wide)a.upper - b.lower, width);
}

/* The least and greatest of |f| at the corners. */
static range at_corners(range a, range b, uint32_t width, wide (*f)(wide, wide)) {
  wide corners[] = {f(a.lower, b.lower), f(a.lower, b.upper), f(a.upper, b.lower), f(a.upper, b.upper)};
  wide least = corners[0], most = corners[0];
  for (int i = 1; i < 4; ++i) {
    least = corners[i] < least ? corners[i] : least;
    most = corners[i] > most ? corners[i] : most;
  }
  return fitting(least, most, width);
}

static wide times(wide a, wide b) { return a * b; }
static wide quotient(wide a, wide b) { return a / b; }
static wide floor_quotient(wide a, wide b) { return a / b - (a % b < 0); }
static wide ceil_quotient(wide a, wide b) { return a / b + (a % b > 0); }

static range multiply(range a, range b, uint32_t width) { return at_corners(a, b, width, times); }
static range divide(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, quotient) : hd_integer_range_all(width);
}
static range divide_floor(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, floor_quotient) : hd_integer_range_all(width);
}
static range divide_ceil(range a, range b, uint32_t width) {
  return b.lower >= 1 ? at_corners(a, b, width, ceil_quotient) : hd_integer_range_all(width);
}
static range rest(range a, range b, uint32_t width) {
  if (b.lower < 1) return hd_integer_range_all(width);
  if (is_natural(a) && a.upper < b.lower) return a;
  return (range){a.lower < 0 ? larger(a.lower, 1 - b.upper) : 0, a.upper > 0 ? smaller(a.upper, b.upper - 1) : 0};
}
static range rest_of_any(range a, range b, uint32_t width) {
  (void)a;
  return b.lower < 1 ? hd_integer_range_all(width) : (range){0, b.upper - 1};
}
static range minimum(range a, range b, uint32_t width) {
  (void)width;
  return (range){smaller(a.lower, b.lower), smaller(a.upper, b.upper)};
}
static range maximum(range a, range b, uint32_t width) {
  (void)width;
  return (range){larger(a.lower, b.lower), larger(a.upper, b.upper)};
}
static range minimum_of_any(range a, range b, uint32_t width) {
  if (!is_natural(a) && !is_natural(b)) return hd_integer_range_all(width);
  return (range){0, is_natural(a) ? a.upper : b.upper};
}
static range bits_of_both(range a, range b, uint32_t width) {
  if (!is_natural(a) && !is_natural(b)) return hd_integer_range_all(width);
  int64_t x = is_natural(a) ? a.upper : INT64_MAX, y = is_natural(b) ? b.upper : INT64_MAX;
  return (range){0, smaller(x, y)};
}
static bool is_shift(range b, uint32_t width) { return b.lower == b.upper && b.lower >= 0 && b.lower < (int64_t)width; }
static range shift_left(range a, range b, uint32_t width) {
  range factor = {1, 1};
  if (!is_shift(b, width) || b.lower > 62) return hd_integer_range_all(width);
  factor.lower = factor.upper = (int64_t)1 << b.lower;
  return multiply(a, factor, width);
}
static range shift_right(range a, range b, uint32_t width) {
  return is_shift(b, width) ? (range){a.lower >> b.lower, a.upper >> b.lower} : hd_integer_range_all(width);
}
/* Conversions: |a| as a result of |width| bits. */
static range convert(range a, range b, uint32_t width) {
  (void)b;
  return fitting(a.lower, a.upper, width);
}

typedef range (*transfer)(range a, range b, uint32_t width);

/* Of numbers with a sign, and of any numbers that are read without one; those of 0 or more are the same to both. */
static const struct {
  transfer with_sign, of_any;
} transfers[HD_INTEGER_KINDS] = {
    [HD_INTEGER_ADD] = {add},
    [HD_INTEGER_SUB] = {subtract},
    [HD_INTEGER_MUL] = {multiply},
    [HD_INTEGER_DIV] = {divide},
    [HD_INTEGER_FLOORDIV] = {divide_floor},
    [HD_INTEGER_CEILDIV] = {divide_ceil},
    [HD_INTEGER_REM] = {rest, rest_of_any},
    [HD_INTEGER_MIN] = {minimum, minimum_of_any},
    [HD_INTEGER_MAX] = {maximum},
    [HD_INTEGER_AND] = {bits_of_both},
    [HD_INTEGER_SHL] = {shift_left},
    [HD_INTEGER_SHR] = {shift_right},
    [HD_INTEGER_CAST] = {convert},
};

hd_integer_range hd_integer_range_of_op(hd_integer_op op, range a, range b, uint32_t width) {
  bool same = !op.is_unsigned || (is_natural(a) && is_natural(b));
  transfer f = same ? transfers[op.kind].with_sign : transfers[op.kind].of_any;
  return f ? f(a, b, width) : hd_integer_range_all(width);
}
