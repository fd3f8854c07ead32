/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions are computed element by element; what AxisInfo says of each must hold of the elements. */
#include "analysis/axis_info/lattice.h"
#include "base/testing.h"

enum { ROWS = 8, COLUMNS = 16, SIZE = ROWS * COLUMNS, VALUES = 24, PROGRAMS = 4000 };

static uint64_t seed = 5;
static int64_t below(int64_t n) { return (int64_t)(hd_test_random(&seed) % (uint64_t)n); }

typedef struct value {
  hd_axis_info info;
  int64_t at[SIZE];
} value;

static const int64_t shape[] = {ROWS, COLUMNS};

/* ---- what the words mean ---- */

static int64_t element(const value *v, uint32_t d, int64_t other, int64_t i) {
  return v->at[d ? other * COLUMNS + i : i * COLUMNS + other];
}

/* Are runs of |length| along |d| x, x + step, ..., their first elements multiples of |divisor|? */
static bool runs(const value *v, uint32_t d, int64_t length, int64_t step, int64_t divisor) {
  for (int64_t other = 0; other < shape[1 - d]; ++other)
    for (int64_t i = 0; i < shape[d]; ++i) {
      int64_t first = i / length * length, x = element(v, d, other, first);
      if (element(v, d, other, i) != x + (i - first) * step || x % divisor) return false;
    }
  return true;
}

static bool is_true(const value *v) {
  bool good = true;
  for (uint32_t d = 0; d < 2; ++d)
    good = good && runs(v, d, v->info.contiguity[d], 1, v->info.divisibility[d]) &&
           runs(v, d, v->info.constancy[d], 0, 1) && runs(v, d, v->info.stride[d], v->info.stride_value[d], 1);
  for (int i = 0; i < SIZE && v->info.has_constant; ++i) good = good && v->at[i] == v->info.constant;
  return good;
}

static void report(const char *what, const value *v) {
  hd_arena arena;
  hd_strbuf text;
  hd_arena_init(&arena, NULL);
  hd_strbuf_init(&text, &arena);
  hd_axis_print(&v->info, &text);
  hd_axis_print_stride(&v->info, &text);
  hd_test_check_(false, __FILE__, __LINE__, "%s: %s; row 0: %d %d %d %d %d %d %d %d, column 0: %d %d %d %d", what,
                 hd_strbuf_text(&text), (int)v->at[0], (int)v->at[1], (int)v->at[2], (int)v->at[3], (int)v->at[4],
                 (int)v->at[5], (int)v->at[6], (int)v->at[7], (int)v->at[0], (int)v->at[COLUMNS],
                 (int)v->at[2 * COLUMNS], (int)v->at[3 * COLUMNS]);
  hd_arena_free(&arena);
}

/* ---- leaves ---- */

/* A range along |d|, as tt.make_range, tt.expand_dims and tt.broadcast make it. */
static value range_along(uint32_t d, int64_t start) {
  value v;
  int64_t narrow[] = {d ? 1 : ROWS, d ? COLUMNS : 1};
  hd_axis_info line = hd_axis_range(start, start + shape[d]), wide = hd_axis_expand(&line, 1 - d);
  v.info = hd_axis_broadcast(&wide, narrow, shape);
  for (int64_t i = 0; i < SIZE; ++i) v.at[i] = start + (d ? i % COLUMNS : i / COLUMNS);
  return v;
}

static value splat(int64_t divisor) {
  value v;
  hd_axis_info scalar = hd_axis_unknown(1);
  int64_t x = divisor * below(20);
  scalar.divisibility[0] = divisor;
  v.info = hd_axis_splat(&scalar, shape, 2);
  for (int i = 0; i < SIZE; ++i) v.at[i] = x;
  return v;
}

static value constant(int64_t x) {
  value v = {.info = hd_axis_constant(x, shape, 2)};
  for (int i = 0; i < SIZE; ++i) v.at[i] = x;
  return v;
}

/* Elements of which hints say that rows are runs of |length| from multiples of |divisor| on, or any at all. */
static value hinted(void) {
  value v = {.info = hd_axis_unknown(2)};
  int64_t length = 1ll << below(4), divisor = 1ll << below(4), x = 0;
  v.info.contiguity[1] = length;
  v.info.divisibility[1] = divisor;
  for (int i = 0; i < SIZE; ++i) {
    if (i % length == 0) x = divisor * below(40);
    v.at[i] = x++;
  }
  hd_axis_raise_strides(&v.info);
  return v;
}

static value leaf(void) {
  switch (below(6)) {
    case 0:
      return range_along(0, below(2) ? 0 : below(40));
    case 1:
      return range_along(1, below(2) ? 0 : 8 * below(5));
    case 2:
      return splat(1ll << below(6));
    case 3:
      return constant(below(3) ? 1ll << below(6) : below(20));
    default:
      return hinted();
  }
}

/* ---- ops ---- */

/* False: Triton's assumptions do not hold (a negative dividend, a divisor of 0, a number too large). */
static bool compute(hd_integer_kind op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
    case HD_INTEGER_ADD:
      *out = a + b;
      break;
    case HD_INTEGER_SUB:
      *out = a - b;
      break;
    case HD_INTEGER_MUL:
      *out = a * b;
      break;
    case HD_INTEGER_DIV:
    case HD_INTEGER_REM:
      if (a < 0 || b <= 0) return false;
      *out = op == HD_INTEGER_DIV ? a / b : a % b;
      break;
    case HD_INTEGER_AND:
      *out = a & b;
      break;
    case HD_INTEGER_OR:
      *out = a | b;
      break;
    case HD_INTEGER_XOR:
      *out = a ^ b;
      break;
    case HD_INTEGER_SHL:
    case HD_INTEGER_SHR:
      if (b < 0 || b > 20) return false;
      *out = op == HD_INTEGER_SHL ? (int64_t)((uint64_t)a << b) : a >> b;
      break;
    case HD_INTEGER_MIN:
      *out = a < b ? a : b;
      break;
    case HD_INTEGER_MAX:
      *out = a > b ? a : b;
      break;
    default:
      return false;
  }
  return *out > -(1 << 28) && *out < 1 << 28;
}

static bool binary(const value *a, const value *b, value *out) {
  hd_integer_kind op = (hd_integer_kind)(1 + below(HD_INTEGER_MAX));
  for (int i = 0; i < SIZE; ++i)
    if (!compute(op, a->at[i], b->at[i], &out->at[i])) return false;
  out->info = hd_axis_binary(op, &a->info, &b->info, shape, 1);
  return true;
}

static bool compare(const value *a, const value *b, value *out) {
  hd_axis_order order = (hd_axis_order)below(HD_AXIS_GE + 1);
  out->info = hd_axis_compare(order, below(2), &a->info, &b->info, shape);
  for (int i = 0; i < SIZE; ++i) {
    int64_t x = a->at[i], y = b->at[i];
    bool results[] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
    if (x < 0 || y < 0) return false;
    out->at[i] = results[order];
  }
  return true;
}

static bool choose(const value *c, const value *a, const value *b, value *out) {
  bool is_scalar = below(2), first = below(2);
  hd_axis_info unknown = hd_axis_unknown(1);
  for (int i = 0; i < SIZE; ++i) {
    if (!is_scalar && c->at[i] != 0 && c->at[i] != 1) return false;
    out->at[i] = (is_scalar ? first : c->at[i]) ? a->at[i] : b->at[i];
  }
  out->info = hd_axis_select(is_scalar ? &unknown : &c->info, is_scalar, &a->info, &b->info, shape);
  return true;
}

static void test_expressions(void) {
  static value values[VALUES];
  int checked = 0;
  for (int program = 0; program < PROGRAMS; ++program) {
    int count = 0;
    while (count < 6) values[count++] = leaf();
    for (int i = 0; i < 6; ++i)
      if (!is_true(&values[i])) report("leaf", &values[i]);
    for (int tries = 0; tries < 60 && count < VALUES; ++tries) {
      const value *a = &values[below(count)], *b = &values[below(count)], *c = &values[below(count)];
      value *out = &values[count];
      if (!(below(6) ? binary(a, b, out) : below(2) ? compare(a, b, out) : choose(c, a, b, out))) continue;
      ++count;
      ++checked;
      if (is_true(out)) continue;
      report("lhs", a);
      report("rhs", b);
      report("result", out);
      return;
    }
  }
  HD_CHECK(checked > 10000);
  printf("%d expressions\n", checked);
}

/* Two runs of one value: what joins them holds of either. */
static void test_join(void) {
  for (int i = 0; i < 2000; ++i) {
    value a = leaf(), b = leaf(), from = a;
    from.info = hd_axis_join(&a.info, &b.info);
    if (!HD_CHECK(is_true(&from))) report("join", &from);
    memcpy(from.at, b.at, sizeof from.at);
    if (!HD_CHECK(is_true(&from))) report("join", &from);
    hd_axis_info any = hd_axis_any(2), joined = hd_axis_join(&any, &a.info), none = {0};
    a.info.has_constant = joined.has_constant = false;
    a.info.constant = joined.constant = 0;
    HD_CHECK(hd_axis_equal(&joined, &a.info));
    joined = hd_axis_join(&none, &b.info);
    HD_CHECK(hd_axis_equal(&joined, &b.info));
  }
}

/* Addresses count in bytes, runs in elements. */
static void test_pointers(void) {
  hd_axis_info base = hd_axis_unknown(1), offset = hd_axis_range(16, 144), at;
  int64_t line[] = {128};
  base.divisibility[0] = 16;
  base = hd_axis_splat(&base, line, 1);
  at = hd_axis_binary(HD_INTEGER_ADD, &base, &offset, line, 4);
  HD_CHECK_INT(at.contiguity[0], 128);
  HD_CHECK_INT(at.divisibility[0], 16);
  HD_CHECK_INT(at.stride_value[0], 1);
  offset = hd_axis_range(2, 130);
  at = hd_axis_binary(HD_INTEGER_ADD, &base, &offset, line, 4);
  HD_CHECK_INT(at.divisibility[0], 8);
}

/* 2D arrays and their strides: [[10, 11, 12, 13, 18, ...], [20, ...]] from a seed of ranges. */
static void test_strides(void) {
  value row = range_along(1, 0), column = range_along(0, 0), ten = constant(10), sum;
  hd_axis_info scaled = hd_axis_binary(HD_INTEGER_MUL, &column.info, &ten.info, shape, 1);
  sum.info = hd_axis_binary(HD_INTEGER_ADD, &scaled, &row.info, shape, 1);
  HD_CHECK(sum.info.stride[0] == ROWS && sum.info.stride_value[0] == 10);
  HD_CHECK(sum.info.stride[1] == COLUMNS && sum.info.stride_value[1] == 1);
}

int main(void) {
  test_expressions();
  test_join();
  test_pointers();
  test_strides();
  return HD_TEST_RESULT();
}
