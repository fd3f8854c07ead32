/* SPDX-License-Identifier: Apache-2.0 */
/* The shorter forms of codegen/math/fast.def through the real back end: rows without instructions are within their
 * bounds, which are at most an eighth of a unit, over all numbers of their format and over f32 of all exponents; vector
 * and scalar agree in every bit. Rows with instructions have no code on a CPU: test/e2e/test_math_fast.py. */
#include "codegen/math/expand.h"
#include "ir/number.h"
#include "target/cpu/kernel_testing.h"

static double rsqrt(double x) { return 1 / sqrt(x); }

static double reference(const char *name, double x) {
  static const struct {
    const char *name;
    double (*f)(double);
  } all[] = {{"exp", exp}, {"exp2", exp2}, {"rsqrt", rsqrt}, {"tanh", tanh}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(all[i].name, name)) return all[i].f(x);
  HD_CHECK(!"a reference");
  return 0;
}

/* An eighth of the unit in the last place of |format| at |exact|; numbers beyond its range have the unit that they
 * would have. */
static double eighth(double exact, hd_float_kind format) {
  const hd_float_format *f = &hd_float_formats[format];
  int exponent = exact == 0 ? -2000 : ilogb(exact), least = 1 - f->bias;
  return ldexp(1, (exponent < least ? least : exponent) - f->mantissa_bits - 3);
}

static double error_of(double got, double exact, hd_float_kind format) {
  if (isnan(exact)) return isnan(got) ? 0 : INFINITY;
  if (isinf(got)) return signbit(got) == signbit(exact) && fabs(exact) >= 0x1.ffp127 ? 0 : INFINITY;
  if (exact == 0) return got == 0 && !signbit(got) == !signbit(exact) ? 0 : INFINITY;
  return fabs(got - exact) / eighth(exact, format);
}

static bool compile(hd_context *c, size_t row, int64_t lanes, compiled *out) {
  hd_type memref = rig_memref(hd_f32(c)), types[] = {memref, memref};
  rig r = rig_begin(c, types, 2);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *operand = rig_load(&r, r.args[0], i, lanes);
  rig_store(&r, hd_math_expand_fast_row(&r.b, row, &operand), r.args[1], i);
  bool done = rig_compile(&r, "x86-64-v3", out);
  hd_module_free(r.module);
  return done;
}

enum { BLOCK = 8192, NUMBERS = 65536, SAMPLES = 1 << 22 };

/* The numbers of |format|, then f32 whose patterns are a prime apart. */
static float point(uint64_t at, hd_float_kind format) {
  uint32_t bits = (uint32_t)((at - NUMBERS) * 1021);
  float x;
  memcpy(&x, &bits, sizeof x);
  return at < NUMBERS ? (float)hd_float_decode(format, at) : x;
}

static void test_row(hd_context *c, size_t index) {
  static float x[BLOCK], y[2][BLOCK];
  const hd_math_fast_row *row = hd_math_fast_row_at(index);
  compiled vector, scalar;
  if (!HD_CHECK(compile(c, index, 16, &vector)) || !HD_CHECK(compile(c, index, 0, &scalar)) || !vector.fn) return;
  double worst = 0, worst_x = 0;
  int differ = 0;
  for (uint64_t block = 0; block < (NUMBERS + SAMPLES) / BLOCK; ++block) {
    for (int i = 0; i < BLOCK; ++i) x[i] = point(block * BLOCK + (uint64_t)i, row->format);
    uint64_t words[] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y[0]};
    vector.fn(words, 0, BLOCK);
    words[1] = (uint64_t)(uintptr_t)y[1];
    scalar.fn(words, 0, BLOCK);
    for (int i = 0; i < BLOCK; ++i) {
      differ += memcmp(&y[0][i], &y[1][i], sizeof y[0][i]) && !(isnan(y[0][i]) && isnan(y[1][i]));
      double error = error_of(y[0][i], reference(row->name, x[i]), row->format);
      if (error > worst) worst = error, worst_x = x[i];
    }
  }
  hd_test_check_(worst <= row->bound, __FILE__, __LINE__, "%s %s: %g eighths of a unit at %a, expected at most %g",
                 row->name, hd_float_formats[row->format].name, worst, worst_x, row->bound);
  hd_test_check_(!differ, __FILE__, __LINE__, "%s: %d results of the vector differ", row->name, differ);
  compiled_free(&vector);
  compiled_free(&scalar);
}

/* From where a form says that it is 1 on, it is. */
static void test_saturation(hd_context *c) {
  for (size_t i = 0; hd_math_fast_row_at(i); ++i) {
    const hd_math_fast_row *row = hd_math_fast_row_at(i);
    compiled f;
    if (row->instructions || strcmp(row->name, "tanh") != 0 || !HD_CHECK(compile(c, i, 0, &f)) || !f.fn) continue;
    float x[] = {6, -6, 100, -100, INFINITY, -INFINITY}, y[6];
    uint64_t words[] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y};
    f.fn(words, 0, 6);
    for (int k = 0; k < 6; ++k) HD_CHECK(y[k] == (k % 2 ? -1 : 1));
    compiled_free(&f);
  }
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  for (size_t i = 0; hd_math_fast_row_at(i); ++i) {
    HD_CHECK(hd_math_fast_row_at(i)->bound <= 1);
    if (!hd_math_fast_row_at(i)->instructions) test_row(c, i);
  }
  test_saturation(c);
  hd_context_release(c);
  return HD_TEST_RESULT();
}
