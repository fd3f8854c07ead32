/* SPDX-License-Identifier: Apache-2.0 */
/* codegen/math's conversions and integer arithmetic through the CPU back end: every pattern of the small formats
 * widened, f32 and f64 narrowed at every representable number, every midpoint and beside them and over all exponents,
 * against ir/number.h; 8-bit integer arithmetic for all pairs. */
#include "codegen/math/convert.h"
#include "codegen/math/integer.h"
#include "ir/number.h"
#include "target/cpu/kernel_testing.h"

enum { N = 1 << 16 };

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/* The value of pattern |bits| as bits of |wide|, one NaN standing for all. */
static bool same_number(hd_float_kind kind, uint64_t a, uint64_t b) {
  return a == b || (hd_float_bits_are_nan(kind, a) && hd_float_bits_are_nan(kind, b));
}

typedef struct pair {
  compiled widen, narrow; /* patterns in i16 to |wide|, and back */
} pair;

static bool compile_pair(hd_context *c, hd_float_kind small, hd_float_kind wide, pair *out) {
  int64_t lanes = 8;
  hd_type i8 = hd_type_integer(c, 8, HD_SIGNLESS), i16 = hd_type_integer(c, 16, HD_SIGNLESS);
  hd_type wide_type = hd_type_float(c, wide), types[] = {rig_memref(i16), rig_memref(wide_type)};
  bool whole = hd_float_formats[small].bits == 16;
  bool done = true;
  for (int narrow = 0; narrow < 2; ++narrow) {
    rig r = rig_begin(c, types, 2);
    hd_value *i = rig_loop(&r, lanes), *value = rig_load(&r, r.args[narrow], i, lanes);
    if (!narrow && !whole) value = hd_build(&r.b, HD_OP_arith_trunci, rig_vector(i8, lanes), value);
    value =
        narrow ? hd_convert_emit_pattern(&r.b, value, wide, small) : hd_convert_emit_pattern(&r.b, value, small, wide);
    if (!HD_CHECK(value != NULL)) return false;
    if (narrow && !whole) value = hd_build(&r.b, HD_OP_arith_extui, rig_vector(i16, lanes), value);
    rig_store(&r, value, r.args[!narrow], i);
    done = rig_compile(&r, "x86-64-v3", narrow ? &out->narrow : &out->widen) && done;
    hd_module_free(r.module);
  }
  return done;
}

static uint64_t wide_bits(hd_float_kind wide, const void *data, int i) {
  if (wide == HD_F64) return ((const uint64_t *)data)[i];
  return ((const uint32_t *)data)[i];
}

static int check_narrow(hd_float_kind small, hd_float_kind wide, const pair *p, const double *inputs, int count) {
  static float floats[N];
  static uint16_t out[N];
  int wrong = 0;
  for (int i = 0; i < N; ++i) floats[i] = i < count ? (float)inputs[i] : 0;
  uint64_t words[] = {WORD(out), wide == HD_F64 ? WORD(inputs) : WORD(floats)};
  p->narrow.fn(words, 0, (count + 7) / 8 * 8);
  for (int i = 0; i < count; ++i) {
    double input = wide == HD_F64 ? inputs[i] : floats[i];
    uint64_t want = hd_float_encode(small, input);
    if (!same_number(small, out[i], want) && wrong++ < 3)
      fprintf(stderr, "%s of %a: expected 0x%llx, got 0x%x\n", hd_float_formats[small].name, input,
              (unsigned long long)want, out[i]);
  }
  return wrong;
}

static void test_format(hd_context *c, hd_float_kind small, hd_float_kind wide) {
  static uint16_t patterns[N];
  static double out[N], inputs[N];
  pair p = {0};
  if (!HD_CHECK(compile_pair(c, small, wide, &p)) || !p.widen.fn || !p.narrow.fn) return;
  int count = 1 << hd_float_formats[small].bits, wrong = 0;
  for (int i = 0; i < N; ++i) patterns[i] = (uint16_t)(i % count);
  uint64_t words[] = {WORD(patterns), WORD(out)};
  p.widen.fn(words, 0, N);
  for (int i = 0; i < count; ++i) {
    uint64_t got = wide_bits(wide, out, i), want = hd_float_encode(wide, hd_float_decode(small, (uint64_t)i));
    if (!same_number(wide, got, want) && wrong++ < 3)
      fprintf(stderr, "%s 0x%x: expected 0x%llx, got 0x%llx\n", hd_float_formats[small].name, i,
              (unsigned long long)want, (unsigned long long)got);
  }
  HD_CHECK_INT(wrong, 0);
  /* representable numbers, the midpoints above them, and what lies beside both */
  wrong = 0;
  for (int shape = 0; shape < 6; ++shape) {
    for (int i = 0; i < count; ++i) {
      double a = hd_float_decode(small, (uint64_t)i), b = hd_float_decode(small, (uint64_t)(i + 1) % (uint64_t)count);
      double v = shape < 3 ? a : (a + b) / 2;
      if (wide == HD_F64) {
        if (shape % 3) v = nextafter(v, shape % 3 == 1 ? INFINITY : -INFINITY);
      } else if (shape % 3) {
        v = nextafterf((float)v, shape % 3 == 1 ? INFINITY : -INFINITY);
      }
      inputs[i] = v;
    }
    wrong += check_narrow(small, wide, &p, inputs, count);
  }
  for (int block = 0; block < 8; ++block) { /* random patterns, and the specials first */
    static const double special[] = {0,     -0.0,     INFINITY,  -INFINITY, NAN,        1e30,      -1e30,
                                     1e300, 0x1p-149, 0x1p-1074, 0x1p-127,  0x1.8p-127, 0x1.8p-128};
    for (int i = 0; i < N; ++i) {
      uint64_t u = mix((uint64_t)(block * N + i));
      float f;
      memcpy(&f, &u, 4);
      inputs[i] = f;
      if (wide == HD_F64 && i % 2) memcpy(&inputs[i], &u, 8);
    }
    memcpy(inputs, special, sizeof special);
    wrong += check_narrow(small, wide, &p, inputs, N);
  }
  HD_CHECK_INT(wrong, 0);
  compiled_free(&p.widen);
  compiled_free(&p.narrow);
}

/* hd_convert_emit between small types: bf16 -> f16 -> bf16 in one kernel each way. */
static void test_typed(hd_context *c) {
  hd_type bf16 = hd_type_float(c, HD_BF16), f16 = hd_type_float(c, HD_F16),
          types[] = {rig_memref(bf16), rig_memref(f16)};
  rig r = rig_begin(c, types, 2);
  hd_value *i = rig_loop(&r, 8), *value = rig_load(&r, r.args[0], i, 8);
  HD_CHECK(hd_convert_emit(&r.b, value, bf16) == NULL); /* another shape */
  value = hd_convert_emit(&r.b, value, rig_vector(f16, 8));
  compiled k;
  static uint16_t in[N], out[N];
  for (int j = 0; j < N; ++j) in[j] = (uint16_t)j;
  if (HD_CHECK(value != NULL)) rig_store(&r, value, r.args[1], i);
  if (rig_compile(&r, "x86-64-v3", &k) && k.fn) {
    uint64_t words[] = {WORD(in), WORD(out)};
    k.fn(words, 0, N);
    int wrong = 0;
    for (int j = 0; j < N; ++j)
      wrong += !same_number(HD_F16, out[j], hd_float_encode(HD_F16, hd_float_decode(HD_BF16, in[j])));
    HD_CHECK_INT(wrong, 0);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

enum { DIVIDE, REMAINDER, POWER, LEFT, LOGICAL, ARITHMETIC, INTEGER_OPS };

static int reference(int op, bool is_signed, int x, int y) {
  if (op >= LEFT) {
    unsigned amount = (uint8_t)y;
    if (op == ARITHMETIC) return (int8_t)x >> (amount > 7 ? 7 : amount);
    if (amount > 7) return 0;
    return op == LEFT ? (int)((unsigned)x << amount) : (uint8_t)x >> amount;
  }
  if (op == POWER) {
    if (is_signed && y < 0) return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : x == 0 ? -1 : 0;
    unsigned power = 1;
    for (int k = 0; k < y; ++k) power *= (unsigned)x;
    return (int)power;
  }
  if (y == 0) return op == DIVIDE ? -1 : x;
  return op == DIVIDE ? x / y : x % y;
}

static void test_integer(hd_context *c, int op, bool is_signed) {
  hd_type i8 = hd_type_integer(c, 8, HD_SIGNLESS), memref = rig_memref(i8), types[] = {memref, memref, memref};
  rig r = rig_begin(c, types, 3);
  hd_value *i = rig_loop(&r, 16), *x = rig_load(&r, r.args[0], i, 16), *y = rig_load(&r, r.args[1], i, 16), *value;
  if (op == DIVIDE)
    value = hd_integer_divide_emit(&r.b, x, y, is_signed);
  else if (op == REMAINDER)
    value = hd_integer_remainder_emit(&r.b, x, y, is_signed);
  else if (op == POWER)
    value = hd_integer_power_emit(&r.b, x, y, is_signed);
  else
    value = hd_integer_shift_emit(&r.b, x, y, (hd_shift)(op - LEFT));
  rig_store(&r, value, r.args[2], i);
  compiled k;
  static uint8_t a[N], b[N], out[N];
  for (int j = 0; j < N; ++j) a[j] = (uint8_t)j, b[j] = (uint8_t)(j >> 8);
  if (rig_compile(&r, "x86-64-v3", &k) && k.fn) {
    uint64_t words[] = {WORD(a), WORD(b), WORD(out)};
    k.fn(words, 0, N);
    int wrong = 0;
    for (int j = 0; j < N; ++j) {
      int p = is_signed ? (int8_t)a[j] : a[j], q = is_signed ? (int8_t)b[j] : b[j],
          want = reference(op, is_signed, p, q);
      if (out[j] != (uint8_t)want && wrong++ < 3)
        fprintf(stderr, "op %d of %d, %d: expected %d, got %d\n", op, p, q, (uint8_t)want, out[j]);
    }
    HD_CHECK_INT(wrong, 0);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  for (int small = 0; small < HD_TF32; ++small) {
    test_format(c, (hd_float_kind)small, HD_F32);
    test_format(c, (hd_float_kind)small, HD_F64);
  }
  test_typed(c);
  for (int op = 0; op < INTEGER_OPS; ++op) {
    test_integer(c, op, true);
    test_integer(c, op, false);
  }
  hd_context_release(c);
  return HD_TEST_RESULT();
}
