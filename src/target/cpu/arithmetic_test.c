/* SPDX-License-Identifier: Apache-2.0 */
/* Every integer and float op on every element type, as scalars and as vectors of 4, 8 and 16 lanes, for AVX2 and
 * AVX-512, against plain C: edge values, NaN, infinities, both zeros, subnormals. */
#include <math.h>

#include "ir/number.h"
#include "ir/testing.h"
#include "ir/testing_integers.h"
#include "target/cpu/kernel_testing.h"

enum { N = 64 };
static const int64_t widths[] = {0, 4, 8, 16};
static uint64_t random_state = 12345;
static uint64_t next_random(void) { return hd_test_random(&random_state); }

static hd_value *op_with(rig *r, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count, hd_name attr,
                         int64_t value) {
  hd_attr_arg arg = {attr, attr ? hd_attr_i64(r->c, value) : NULL};
  return hd_build_one_(&r->b, opcode, type, operands, count, &arg, attr ? 1 : 0);
}

/* ---- integers ---- */

typedef struct int_op {
  hd_opcode opcode;
  char second; /* b: any value, d: a divisor, s: a shift, 1: no second operand, c: compares */
  int predicate;
} int_op;

/* op, what its second operand is, and what it gives of a, b and their patterns ua, ub */
#define INTEGER_OPS(X)                                  \
  HD_TEST_BINARY_INTEGERS(X)                            \
  X(math_absi, '1', a < 0 ? -(uint64_t)a : (uint64_t)a) \
  X(math_ctlz, '1', leading_zeros(ua, width))           \
  X(math_cttz, '1', trailing_zeros(ua, width))          \
  X(math_ctpop, '1', (uint64_t)__builtin_popcountll(ua))

static const int_op int_ops[] = {
#define ROW(op, second, value) {HD_OP_##op, second, 0},
    INTEGER_OPS(ROW)
#undef ROW
        {HD_OP_arith_cmpi, 'c', 0},
    {HD_OP_arith_cmpi, 'c', 1},
    {HD_OP_arith_cmpi, 'c', 2},
    {HD_OP_arith_cmpi, 'c', 3},
    {HD_OP_arith_cmpi, 'c', 4},
    {HD_OP_arith_cmpi, 'c', 5},
    {HD_OP_arith_cmpi, 'c', 6},
    {HD_OP_arith_cmpi, 'c', 7},
    {HD_OP_arith_cmpi, 'c', 8},
    {HD_OP_arith_cmpi, 'c', 9}};
enum { INT_OPS = sizeof int_ops / sizeof *int_ops };

static uint64_t leading_zeros(uint64_t x, uint32_t width) {
  uint64_t n = 0;
  while (n < width && !(x >> (width - 1 - n) & 1)) ++n;
  return n;
}

static uint64_t trailing_zeros(uint64_t x, uint32_t width) {
  uint64_t n = 0;
  while (n < width && !(x >> n & 1)) ++n;
  return n;
}

static int64_t int_reference(const int_op *op, hd_type type, int64_t a, int64_t b) {
  uint32_t width = hd_type_is(type, HD_TYPE_INDEX) ? 64 : type->integer.width;
  uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1, ua = (uint64_t)a & mask, ub = (uint64_t)b & mask, r = 0;
  if (width == 1) a = -a, b = -b; /* as a signed number, true is -1 */
  switch (op->opcode) {
#define ROW(op, second, value) \
  case HD_OP_##op:             \
    r = value;                 \
    break;
    INTEGER_OPS(ROW)
#undef ROW
    default: {
      bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub, ua >= ub};
      return results[op->predicate];
    }
  }
  return hd_type_is(type, HD_TYPE_INDEX) ? (int64_t)r : hd_integer_wrap(type, (int64_t)(r & mask));
}

static void test_ints(hd_context *c, hd_type type, int64_t lanes, const char *machine) {
  uint32_t width = hd_type_is(type, HD_TYPE_INDEX) ? 64 : type->integer.width;
  size_t bytes = hd_type_element_bytes(type);
  hd_type memref = rig_memref(type), bools = rig_memref(hd_i1(c));
  hd_type types[] = {memref, memref, memref, memref, memref, bools};
  rig r = rig_begin(c, types, 6);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *in[4];
  for (int k = 0; k < 4; ++k) in[k] = rig_load(&r, r.args[k], i, lanes);
  for (int k = 0; k < INT_OPS; ++k) {
    const int_op *op = &int_ops[k];
    hd_value *second = op->second == 'd' ? in[2] : op->second == 's' ? in[3] : in[1], *operands[] = {in[0], second};
    bool compares = op->second == 'c';
    hd_value *x = op_with(&r, op->opcode, rig_vector(compares ? hd_i1(c) : type, lanes), operands,
                          op->second == '1' ? 1 : 2, compares ? HD_NAME_predicate : HD_NAME_NONE, op->predicate);
    hd_value *at = hd_build(&r.b, HD_OP_arith_addi, hd_type_index(c), i, hd_build_index(&r.b, k * N));
    rig_store(&r, x, r.args[compares ? 5 : 4], at);
  }
  compiled k;
  if (!rig_compile(&r, machine, &k) || !k.fn) goto done;
  static char data[4][N * 8], out[INT_OPS * N * 8], flags[INT_OPS * N];
  int64_t low = width == 64 ? INT64_MIN : -(1ll << (width - 1)), high = -(low + 1);
  int64_t edges[] = {0, 1, -1, 2, -2, low, high, low + 1, high - 1, 3, 7, -7};
  for (int e = 0; e < N; ++e) {
    int64_t a = e < 24 ? edges[e % 12] : (int64_t)next_random(),
            b = e < 24 ? edges[(e * 5 + e / 12) % 12] : (int64_t)next_random();
    if (e >= 40) b = a; /* equal operands too */
    hd_element_store(type, data[0] + (size_t)e * bytes, a);
    hd_element_store(type, data[1] + (size_t)e * bytes, b);
    hd_element_store(type, data[2] + (size_t)e * bytes, b);
    int64_t a_is = hd_element_load(type, data[0] + (size_t)e * bytes),
            d = hd_element_load(type, data[2] + (size_t)e * bytes);
    if (d == 0 || width == 1 || (d == -1 && a_is == low))
      hd_element_store(type, data[2] + (size_t)e * bytes, width == 1 ? 1 : 3);
    hd_element_store(type, data[3] + (size_t)e * bytes, (int64_t)(next_random() % width));
  }
  uint64_t words[] = {WORD(data[0]), WORD(data[1]), WORD(data[2]), WORD(data[3]), WORD(out), WORD(flags)};
  k.fn(words, 0, 32);
  k.fn(words, 32, N);
  for (int o = 0; o < INT_OPS; ++o)
    for (int e = 0; e < N; ++e) {
      const int_op *op = &int_ops[o];
      int64_t a = hd_element_load(type, data[0] + (size_t)e * bytes);
      int64_t b = hd_element_load(type, data[op->second == 'd' ? 2 : op->second == 's' ? 3 : 1] + (size_t)e * bytes);
      int64_t want = int_reference(op, type, a, b);
      int64_t got = op->second == 'c' ? flags[o * N + e] : hd_element_load(type, out + (size_t)(o * N + e) * bytes);
      if (got != want)
        hd_test_check_(false, __FILE__, __LINE__,
                       "%s %s predicate %d, i%u x %lld: (%lld, %lld) gives %lld, expected %lld", machine,
                       hd_op_info_of(op->opcode)->name, op->predicate, width, (long long)lanes, (long long)a,
                       (long long)b, (long long)got, (long long)want);
      else
        HD_CHECK(true);
    }
done:
  compiled_free(&k);
  hd_module_free(r.module);
}

/* ---- floats ---- */

typedef struct float_op {
  hd_opcode opcode;
  int operands; /* 4: compares */
  int predicate;
  bool exact_bits; /* signs of NaN count too */
} float_op;

/* op, its operands, and what it gives of a, b and c in the machine format: f64 for f64, f32 for all others. Sums,
 * products and quotients in f64, rounded, are right for f32 as well. */
#define MACHINE(e) (wide ? (double)(e) : (double)(float)(e))
#define FLOAT_ARITHMETIC(X)                                        \
  X(arith_addf, 2, MACHINE(a + b))                                 \
  X(arith_subf, 2, MACHINE(a - b))                                 \
  X(arith_mulf, 2, MACHINE(a *b))                                  \
  X(arith_divf, 2, MACHINE(a / b))                                 \
  X(arith_minimumf, 2, minimum(a, b))                              \
  X(arith_maximumf, 2, -minimum(-a, -b))                           \
  X(arith_minnumf, 2, isnan(a) ? b : isnan(b) ? a : a < b ? a : b) \
  X(arith_maxnumf, 2, isnan(a) ? b : isnan(b) ? a : a > b ? a : b) \
  X(math_floor, 1, floor(a))                                       \
  X(math_ceil, 1, ceil(a))                                         \
  X(math_trunc, 1, trunc(a))                                       \
  X(math_round, 1, round(a))                                       \
  X(math_roundeven, 1, nearbyint(a))                               \
  X(math_sqrt, 1, MACHINE(sqrt(a)))                                \
  X(math_fma, 3, wide ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c))

static const float_op float_ops[] = {
#define ROW(op, operands, value) {HD_OP_##op, operands, 0, false},
    FLOAT_ARITHMETIC(ROW)
#undef ROW
        {HD_OP_arith_negf, 1, 0, true},
    {HD_OP_math_absf, 1, 0, true},
    {HD_OP_math_copysign, 2, 0, true},
    {HD_OP_math_isnan, 5, 0, false},
    {HD_OP_math_isinf, 5, 0, false},
    {HD_OP_math_isfinite, 5, 0, false},
    {HD_OP_arith_cmpf, 4, 0, false},
    {HD_OP_arith_cmpf, 4, 1, false},
    {HD_OP_arith_cmpf, 4, 2, false},
    {HD_OP_arith_cmpf, 4, 3, false},
    {HD_OP_arith_cmpf, 4, 4, false},
    {HD_OP_arith_cmpf, 4, 5, false},
    {HD_OP_arith_cmpf, 4, 6, false},
    {HD_OP_arith_cmpf, 4, 7, false},
    {HD_OP_arith_cmpf, 4, 8, false},
    {HD_OP_arith_cmpf, 4, 9, false},
    {HD_OP_arith_cmpf, 4, 10, false},
    {HD_OP_arith_cmpf, 4, 11, false},
    {HD_OP_arith_cmpf, 4, 12, false},
    {HD_OP_arith_cmpf, 4, 13, false},
    {HD_OP_arith_cmpf, 4, 14, false},
    {HD_OP_arith_cmpf, 4, 15, false},
};
enum { FLOAT_OPS = sizeof float_ops / sizeof *float_ops };

static double minimum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  if (a == 0 && b == 0) return signbit(a) ? a : b;
  return a < b ? a : b;
}

static double float_reference(const float_op *op, bool wide, double a, double b, double c) {
  switch (op->opcode) {
#define ROW(op, operands, value) \
  case HD_OP_##op:               \
    return value;
    FLOAT_ARITHMETIC(ROW)
#undef ROW
    default:
      return NAN;
  }
}

static bool compare_reference(int predicate, double a, double b) {
  bool uno = isnan(a) || isnan(b);
  bool ordered[] = {false, a == b, a > b, a >= b, a < b, a <= b, !uno && a != b, !uno};
  bool unordered[] = {uno || a == b, uno || a > b,  uno || a >= b, uno || a < b,
                      uno || a <= b, uno || a != b, uno,           true};
  return predicate < 8 ? ordered[predicate] : unordered[predicate - 8];
}

static uint64_t sign_reference(const hd_float_format *f, hd_opcode opcode, uint64_t a, uint64_t b) {
  uint64_t sign = 1ull << (f->bits - 1);
  if (f->special == HD_FLOAT_FNUZ && (a == sign || a == 0)) return a;
  if (opcode == HD_OP_arith_negf) return a ^ sign;
  if (opcode == HD_OP_math_absf) return a & ~sign;
  return (a & ~sign) | (b & sign);
}

static void test_floats(hd_context *c, hd_float_kind kind, int64_t lanes, const char *machine) {
  const hd_float_format *f = &hd_float_formats[kind];
  hd_type type = hd_type_float(c, kind);
  size_t bytes = hd_type_element_bytes(type);
  hd_type memref = rig_memref(type), bools = rig_memref(hd_i1(c)), types[] = {memref, memref, memref, memref, bools};
  rig r = rig_begin(c, types, 5);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *in[3];
  for (int k = 0; k < 3; ++k) in[k] = rig_load(&r, r.args[k], i, lanes);
  for (int k = 0; k < FLOAT_OPS; ++k) {
    const float_op *op = &float_ops[k];
    bool flag = op->operands > 3;
    hd_value *x = op_with(&r, op->opcode, rig_vector(flag ? hd_i1(c) : type, lanes), in,
                          op->operands == 4   ? 2
                          : op->operands == 5 ? 1
                                              : (size_t)op->operands,
                          op->operands == 4 ? HD_NAME_predicate : HD_NAME_NONE, op->predicate);
    hd_value *at = hd_build(&r.b, HD_OP_arith_addi, hd_type_index(c), i, hd_build_index(&r.b, k * N));
    rig_store(&r, x, r.args[flag ? 4 : 3], at);
  }
  compiled k;
  if (!rig_compile(&r, machine, &k) || !k.fn) goto done;
  static char data[3][N * 8], out[FLOAT_OPS * N * 8], flags[FLOAT_OPS * N];
  uint64_t top = ((1ull << f->exponent_bits) - 1) << f->mantissa_bits, sign = 1ull << (f->bits - 1),
           ones = f->bits == 64 ? ~0ull : (1ull << f->bits) - 1;
  uint64_t one = hd_float_encode(kind, 1.0), half = hd_float_encode(kind, 2.5);
  uint64_t edges[] = {0,
                      sign,
                      1,
                      sign | 1,
                      top,
                      sign | top,
                      top | 1,
                      ones,
                      top - 1,
                      one,
                      sign | one,
                      one + 1,
                      half,
                      sign | half,
                      hd_float_encode(kind, 0.5),
                      top | 1ull << (f->mantissa_bits - 1)};
  for (int e = 0; e < N; ++e)
    for (int o = 0; o < 3; ++o) {
      uint64_t bits = e < 32 ? edges[(e * (o == 0 ? 1 : o == 1 ? 7 : 3) + (e / 16) * 5) % 16] : next_random() & ones;
      if (e >= 44) bits = hd_float_encode(kind, (double)(int64_t)(next_random() % 4001 - 2000) / (o == 2 ? 64 : 128));
      if (e >= 60 && o == 1) memcpy(&bits, data[0] + (size_t)e * bytes, bytes);
      memcpy(data[o] + (size_t)e * bytes, &bits, bytes);
    }
  uint64_t words[] = {WORD(data[0]), WORD(data[1]), WORD(data[2]), WORD(out), WORD(flags)};
  k.fn(words, 0, 16);
  k.fn(words, 16, N);
  for (int o = 0; o < FLOAT_OPS; ++o)
    for (int e = 0; e < N; ++e) {
      const float_op *op = &float_ops[o];
      uint64_t bits[3] = {0}, got = 0, want;
      double x[3];
      for (int q = 0; q < 3; ++q) {
        memcpy(&bits[q], data[q] + (size_t)e * bytes, bytes);
        x[q] = hd_float_decode(kind, bits[q]);
      }
      memcpy(&got, out + (size_t)(o * N + e) * bytes, bytes);
      bool same;
      if (op->operands > 3) {
        got = (uint64_t)flags[o * N + e];
        want = op->operands == 4                ? compare_reference(op->predicate, x[0], x[1])
               : op->opcode == HD_OP_math_isnan ? isnan(x[0]) != 0
               : op->opcode == HD_OP_math_isinf ? isinf(x[0]) != 0
                                                : isfinite(x[0]) != 0;
        same = got == want;
      } else if (op->exact_bits) {
        want = sign_reference(f, op->opcode, bits[0], bits[1]);
        same = got == want;
      } else {
        double value = float_reference(op, kind == HD_F64, x[0], x[1], x[2]);
        want = hd_float_encode(kind, value);
        bool zero_of_any_sign = (op->opcode == HD_OP_arith_minnumf || op->opcode == HD_OP_arith_maxnumf) && value == 0;
        same = got == want || (isnan(hd_float_decode(kind, got)) && isnan(value)) ||
               (zero_of_any_sign && hd_float_decode(kind, got) == 0);
        if (isnan(value) && f->special == HD_FLOAT_FINITE_NO_NAN) same = (got & ~sign) == (want & ~sign);
      }
      if (!same)
        hd_test_check_(false, __FILE__, __LINE__,
                       "%s %s predicate %d, %s x %lld: (%a, %a, %a) gives %#llx, expected %#llx", machine,
                       hd_op_info_of(op->opcode)->name, op->predicate, f->name, (long long)lanes, x[0], x[1], x[2],
                       (unsigned long long)got, (unsigned long long)want);
      else
        HD_CHECK(true);
    }
done:
  compiled_free(&k);
  hd_module_free(r.module);
}

static hd_status all(void *user) {
  hd_context *c = user;
  static const uint32_t int_widths[] = {1, 2, 4, 8, 16, 32, 64};
  for (int m = 0; m < 2; ++m)
    for (int w = 0; w < 4; ++w) {
      for (int t = 0; t < 7; ++t)
        test_ints(c, hd_type_integer(c, int_widths[t], HD_SIGNLESS), widths[w], rig_machines[m]);
      test_ints(c, hd_type_index(c), widths[w], rig_machines[m]);
      for (int kind = 0; kind < HD_FLOAT_KIND_COUNT; ++kind)
        if (kind != HD_TF32 && kind != HD_F8E8M0FNU && hd_float_formats[kind].bits <= 64)
          test_floats(c, (hd_float_kind)kind, widths[w], rig_machines[m]);
    }
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
