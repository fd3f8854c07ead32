/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between every pair of float formats (all patterns of the small ones), and between integers and floats,
 * each rounded once; scalars and vectors, AVX2 and AVX-512. */
#include <math.h>

#include "ir/number.h"
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

static const int64_t widths[] = {0, 8, 16};

static uint64_t random_state = 99;
static uint64_t next_random(void) { return hd_test_random(&random_state); }

static hd_value *convert(rig *r, hd_value *x, hd_type to, int64_t lanes, bool is_signed) {
  hd_type from = hd_type_element(x->type);
  hd_opcode opcode;
  if (from->kind == HD_TYPE_FLOAT && to->kind == HD_TYPE_FLOAT) {
    /* extf and truncf say the direction; between formats of one width, a detour over f64 is exact. */
    uint32_t a = hd_type_bits(from), b = hd_type_bits(to);
    if (a == b) return convert(r, convert(r, x, hd_type_float(r->c, HD_F64), lanes, true), to, lanes, true);
    opcode = a < b ? HD_OP_arith_extf : HD_OP_arith_truncf;
  } else if (from->kind == HD_TYPE_FLOAT) {
    opcode = is_signed ? HD_OP_arith_fptosi : HD_OP_arith_fptoui;
  } else {
    opcode = is_signed ? HD_OP_arith_sitofp : HD_OP_arith_uitofp;
  }
  return hd_build(&r->b, opcode, rig_vector(to, lanes), x);
}

static bool is_tested(hd_float_kind kind) { return kind != HD_TF32 && hd_float_formats[kind].bits <= 64; }

static void test_from_float(hd_context *c, hd_float_kind from, int64_t lanes, const char *machine) {
  enum { COUNT = 1 << 14 };
  hd_type from_type = hd_type_float(c, from), types[HD_FLOAT_KIND_COUNT + 1];
  size_t from_bytes = hd_type_element_bytes(from_type);
  int count = 0;
  hd_float_kind to[HD_FLOAT_KIND_COUNT];
  for (int kind = 0; kind < HD_FLOAT_KIND_COUNT; ++kind)
    if (is_tested((hd_float_kind)kind) && kind != (int)from) to[count++] = (hd_float_kind)kind;
  types[0] = rig_memref(from_type);
  for (int k = 0; k < count; ++k) types[k + 1] = rig_memref(hd_type_float(c, to[k]));
  rig r = rig_begin(c, types, (uint32_t)count + 1);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *x = rig_load(&r, r.args[0], i, lanes);
  for (int k = 0; k < count; ++k) rig_store(&r, convert(&r, x, hd_type_float(c, to[k]), lanes, true), r.args[k + 1], i);
  compiled k;
  if (!rig_compile(&r, machine, &k) || !k.fn) goto done;
  static char in[COUNT * 8], out[HD_FLOAT_KIND_COUNT][COUNT * 8];
  const hd_float_format *f = &hd_float_formats[from];
  int bits = f->bits;
  for (int e = 0; e < COUNT; ++e) {
    uint64_t pattern = (uint64_t)e;
    if (bits == 16) pattern = (uint64_t)e * 4 + (e & 3); /* a quarter of all, every exponent */
    if (bits > 16) {
      /* Halves: near the formats' own numbers, where ties and boundaries are; random patterns. */
      hd_float_kind near = to[e % count];
      uint64_t small =
          next_random() & ((1ull << (hd_float_formats[near].bits > 31 ? 31 : hd_float_formats[near].bits)) - 1);
      double value = hd_float_decode(near, small), up = hd_float_decode(near, small + 1);
      double choices[] = {value, (value + up) / 2, nextafter((value + up) / 2, INFINITY),
                          nextafter((value + up) / 2, 0), up};
      pattern = e % 4 == 3 ? next_random() : hd_float_encode(from, choices[e / 4 % 5]);
    }
    if (bits < 8) pattern &= (1ull << bits) - 1;
    memcpy(in + (size_t)e * from_bytes, &pattern, from_bytes);
  }
  uint64_t words[HD_FLOAT_KIND_COUNT + 1] = {WORD(in)};
  for (int o = 0; o < count; ++o) words[o + 1] = WORD(out[o]);
  k.fn(words, 0, COUNT);
  for (int o = 0; o < count; ++o) {
    const hd_float_format *g = &hd_float_formats[to[o]];
    size_t bytes = hd_type_element_bytes(hd_type_float(c, to[o]));
    int wrong = 0;
    for (int e = 0; e < COUNT; ++e) {
      uint64_t pattern = 0, got = 0;
      memcpy(&pattern, in + (size_t)e * from_bytes, from_bytes);
      memcpy(&got, out[o] + (size_t)e * bytes, bytes);
      double value = hd_float_decode(from, pattern);
      uint64_t want = hd_float_encode(to[o], value);
      bool same = got == want || (isnan(hd_float_decode(to[o], got)) && isnan(value));
      if (isnan(value) && g->special == HD_FLOAT_FINITE_NO_NAN)
        same = (got & ~(1ull << (g->bits - 1))) == (want & ~(1ull << (g->bits - 1)));
      if (!same && ++wrong <= 3)
        hd_test_check_(false, __FILE__, __LINE__, "%s %s to %s x %lld: %a (%#llx) gives %#llx, expected %#llx", machine,
                       f->name, g->name, (long long)lanes, value, (unsigned long long)pattern, (unsigned long long)got,
                       (unsigned long long)want);
    }
    HD_CHECK_INT(wrong, 0);
  }
done:
  compiled_free(&k);
  hd_module_free(r.module);
}

/* x as a double whose last bit is set when it is inexact: rounding it further rounds x. */
static double odd_double(long double x) {
  double d = (double)x;
  uint64_t bits;
  memcpy(&bits, &d, 8);
  if ((long double)d == x || bits & 1) return d;
  return nextafter(d, (long double)d < x ? INFINITY : -INFINITY);
}

static void test_ints(hd_context *c, uint32_t width, bool is_signed, int64_t lanes, const char *machine) {
  enum { COUNT = 512 };
  static const hd_float_kind kinds[] = {HD_BF16, HD_F16, HD_F32, HD_F64, HD_F8E4M3FN, HD_F8E5M2};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  hd_type type = hd_type_integer(c, width, HD_SIGNLESS), types[KINDS + 1] = {rig_memref(type)};
  size_t bytes = hd_type_element_bytes(type);
  for (int k = 0; k < KINDS; ++k) types[1 + k] = rig_memref(hd_type_float(c, kinds[k]));
  rig r = rig_begin(c, types, KINDS + 1);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *x = rig_load(&r, r.args[0], i, lanes);
  for (int k = 0; k < KINDS; ++k)
    rig_store(&r, convert(&r, x, hd_type_float(c, kinds[k]), lanes, is_signed), r.args[1 + k], i);
  compiled k;
  if (!rig_compile(&r, machine, &k) || !k.fn) goto done;
  static char in[COUNT * 8], out[KINDS][COUNT * 8];
  for (int e = 0; e < COUNT; ++e) {
    uint64_t value = next_random();
    int shift = (int)(next_random() % width);
    if (e % 3 == 0) value = 1ull << shift;                           /* powers of two */
    if (e % 3 == 1) value = (3ull << shift) + (uint64_t)(e % 5) - 2; /* around ties */
    if (e % 7 == 0) value = -value;
    hd_element_store(type, in + (size_t)e * bytes, (int64_t)value);
  }
  uint64_t words[KINDS + 1] = {WORD(in)};
  for (int o = 0; o < KINDS; ++o) words[o + 1] = WORD(out[o]);
  k.fn(words, 0, COUNT);
  for (int o = 0; o < KINDS; ++o) {
    size_t float_bytes = hd_type_element_bytes(hd_type_float(c, kinds[o]));
    for (int e = 0; e < COUNT; ++e) {
      int64_t value = hd_element_load(type, in + (size_t)e * bytes);
      if (width == 1) value = is_signed ? -value : value;
      uint64_t magnitude = width == 64 ? (uint64_t)value : (uint64_t)value & ((1ull << width) - 1), got = 0;
      long double exact = is_signed ? (long double)value : (long double)magnitude;
      uint64_t want =
          kinds[o] == HD_F64 ? hd_float_encode(HD_F64, (double)exact) : hd_float_encode(kinds[o], odd_double(exact));
      memcpy(&got, out[o] + (size_t)e * float_bytes, float_bytes);
      if (got != want)
        hd_test_check_(false, __FILE__, __LINE__, "%s %ci%u %Lg to %s x %lld gives %#llx, expected %#llx", machine,
                       is_signed ? 's' : 'u', width, exact, hd_float_formats[kinds[o]].name, (long long)lanes,
                       (unsigned long long)got, (unsigned long long)want);
      else
        HD_CHECK(true);
    }
  }
done:
  compiled_free(&k);
  hd_module_free(r.module);
}

/* Floats to integers, values in range: truncation. */
static void test_to_int(hd_context *c, hd_float_kind kind, uint32_t width, bool is_signed, int64_t lanes,
                        const char *machine) {
  enum { COUNT = 128 };
  hd_type from = hd_type_float(c, kind), to = hd_type_integer(c, width, HD_SIGNLESS),
          types[] = {rig_memref(from), rig_memref(to)};
  rig r = rig_begin(c, types, 2);
  hd_value *i = rig_loop(&r, lanes ? lanes : 1), *x = rig_load(&r, r.args[0], i, lanes);
  rig_store(&r, convert(&r, x, to, lanes, is_signed), r.args[1], i);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn) {
    static char in[COUNT * 8], out[COUNT * 8];
    size_t from_bytes = hd_type_element_bytes(from), to_bytes = hd_type_element_bytes(to);
    double largest = ldexp(1, (int)width - (is_signed ? 1 : 0)) * 0.9;
    while (!isfinite(hd_float_decode(kind, hd_float_encode(kind, largest)))) largest /= 2;
    for (int e = 0; e < COUNT; ++e) {
      double value =
          ldexp((double)(next_random() % 100000) / 100000, (int)(next_random() % 64)) * (is_signed && e % 2 ? -1 : 1);
      if (fabs(value) > largest) value = fmod(value, largest);
      uint64_t bits = hd_float_encode(kind, value);
      memcpy(in + (size_t)e * from_bytes, &bits, from_bytes);
    }
    uint64_t words[] = {WORD(in), WORD(out)};
    k.fn(words, 0, COUNT);
    for (int e = 0; e < COUNT; ++e) {
      uint64_t bits = 0, got = 0, want;
      memcpy(&bits, in + (size_t)e * from_bytes, from_bytes);
      memcpy(&got, out + (size_t)e * to_bytes, to_bytes);
      double value = trunc(hd_float_decode(kind, bits));
      want = is_signed ? (uint64_t)(int64_t)value : (uint64_t)value;
      if (to_bytes < 8) want &= (1ull << (8 * to_bytes)) - 1;
      if (got != want)
        hd_test_check_(false, __FILE__, __LINE__, "%s %s %a to %ci%u x %lld gives %#llx, expected %#llx", machine,
                       hd_float_formats[kind].name, value, is_signed ? 's' : 'u', width, (long long)lanes,
                       (unsigned long long)got, (unsigned long long)want);
      else
        HD_CHECK(true);
    }
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

static hd_status all(void *user) {
  hd_context *c = user;
  static const uint32_t int_widths[] = {1, 4, 8, 16, 32, 64};
  for (int m = 0; m < 2; ++m)
    for (int w = 0; w < 3; ++w) {
      for (int kind = 0; kind < HD_FLOAT_KIND_COUNT; ++kind)
        if (is_tested((hd_float_kind)kind)) test_from_float(c, (hd_float_kind)kind, widths[w], rig_machines[m]);
      for (int t = 0; t < 6; ++t)
        for (int s = 0; s < 2; ++s) test_ints(c, int_widths[t], s, widths[w], rig_machines[m]);
      static const hd_float_kind kinds[] = {HD_BF16, HD_F16, HD_F32, HD_F64, HD_F8E4M3FN};
      for (int t = 2; t < 6; ++t)
        for (int f = 0; f < 5; ++f)
          for (int s = 0; s < 2; ++s) test_to_int(c, kinds[f], int_widths[t], s, widths[w], rig_machines[m]);
    }
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
