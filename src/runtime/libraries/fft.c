/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of the last one to three dims as a RAL API.
 *
 * ral_fft___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void
 *   (ctx, stream, in, in, out, type, descriptor, count)
 *   type    hd_element_type of the complex side: C64 or C128
 *   descriptor   hd_fft_descriptor (linalg_abi.h)
 *
 * Computed in the type of the input, real and imaginary parts apart. Lines are taken eight at a time, side by side, so
 * the innermost loop of every pass runs over neighbours; they are read from and written to where they are, by
 * transposes in registers. A real line of even length is a complex one of half the length,
 * one of odd length has passes of its own (fft_real.h). A length is split into
 * factors (Stockham: the passes sort as they go). What primes above 31 leave over is, side by side, a convolution: of
 * length n - 1, elements in the order of a generator's powers (Rader), where it is a prime and that has small factors,
 * else with a chirp (Bluestein). */
#include <math.h>
#include <stdlib.h>

#include "heddle/cpu.h"
#include "heddle/element.h"
#include "runtime/libraries/linalg_abi.h"
#include "runtime/ral_api.h"

/* Code for x86-64 has AVX2 at least. */
#if defined(__x86_64__)
#define NEEDED HD_CPU_AVX2
#define TARGET __attribute__((target("avx2")))
#define VECTOR 32
#else
#define NEEDED 0
#define TARGET
#define VECTOR 16
#endif

enum { LINES = 8, LONG_LINE = 8192, MAX_FACTORS = 64, MAX_PRIME = 31, MAX_RADER_PRIME = 13 };

/* Tells plans from what others keep with an executable. */
#define FFT_PLANS ((uint64_t)0x6666746c << 32)

/* What a line of memory is: n complex numbers; n real ones, to n / 2 + 1 complex; the other way round. */
typedef enum line_form { COMPLEX_LINE, REAL_LINE, HALF_LINE } line_form;

/* All lines along one axis of length n: dims are outer x n x inner. */
typedef struct fft_sweep {
  const void *in;
  void *out; /* may be |in| for complex lines */
  line_form form;
  bool inverse;
  bool halved; /* real lines as complex ones of half the length */
  bool odd;    /* real lines of odd length by passes of their own */
  int64_t n, inner, lines, together;
  int64_t rows; /* numbers of a line at once */
  const void *plan;
  bool failed;
} fft_sweep;

/* e^(-2 pi i k / n), the angle reduced to an eighth of the circle. */
static void root(int64_t k, int64_t n, double *re, double *im) {
  int64_t eighth = 8 * k / n;
  int64_t m = eighth & 1 ? (eighth + 1) / 2 * n - 4 * k : 4 * k - eighth / 2 * n; /* of 4n: within [0, n / 2] */
  double angle = M_PI / 2 * (double)m / (double)n, c = cos(angle), s = sin(angle);
  switch (eighth) {
    case 0:
      *re = c, *im = -s;
      break;
    case 1:
      *re = s, *im = -c;
      break;
    case 2:
      *re = -s, *im = -c;
      break;
    case 3:
      *re = -c, *im = -s;
      break;
    case 4:
      *re = -c, *im = s;
      break;
    case 5:
      *re = -s, *im = c;
      break;
    case 6:
      *re = s, *im = c;
      break;
    default:
      *re = c, *im = s;
  }
}

/* n without its factors up to |prime|. */
static int64_t without_factors(int64_t n, int prime) {
  for (int p = 2; p <= prime; ++p)
    while (n > 1 && n % p == 0) n /= p;
  return n;
}

static int64_t multiply(int64_t a, int64_t b, int64_t modulus) {
  return (int64_t)((unsigned __int128)a * (uint64_t)b % (uint64_t)modulus);
}

/* Is n a prime whose n - 1 has small factors alone? */
static bool has_generator(int64_t n) {
  if (without_factors(n - 1, MAX_RADER_PRIME) > 1) return false;
  for (int64_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return false;
  return true;
}

/* The least number whose powers are all of 1 to n - 1 modulo n, which has_generator. */
static int64_t generator_of(int64_t n) {
  for (int64_t g = 2;; ++g) {
    bool all = true;
    for (int p = 2; p <= MAX_RADER_PRIME && all; ++p) {
      if ((n - 1) % p) continue;
      int64_t power = 1, square = g;
      for (int64_t e = (n - 1) / p; e; e /= 2) {
        if (e % 2) power = multiply(power, square, n);
        square = multiply(square, square, n);
      }
      all = power != 1;
    }
    if (all) return g;
  }
}

/* The least length from |least| on that is a power of two, or 3, 5, 9 or 15 times one. */
static int64_t convolution_length(int64_t least) {
  static const int multiples[] = {1, 3, 5, 9, 15};
  int64_t best = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    int64_t n = multiples[i];
    while (n < least) n *= 2;
    if (n < best) best = n;
  }
  return best;
}

#define R float
#define PART 4
#define NAME(x) x##_f32
#define PARTS parts_f32
#define PLAN plan_f32
#include "runtime/libraries/fft_type.h"
#define R double
#define PART 8
#define NAME(x) x##_f64
#define PARTS parts_f64
#define PLAN plan_f64
#include "runtime/libraries/fft_type.h"

static bool transform_axis(hd_ral_context *ctx, const void *in, void *out, bool is_double, line_form form, bool inverse,
                           int64_t outer, int64_t n, int64_t inner) {
  if (!outer || !inner || !n || !hd_ral_go_on(ctx)) return !hd_ral_failed(ctx);
  fft_sweep s = {.in = in,
                 .out = out,
                 .form = form,
                 .inverse = inverse,
                 .halved = form != COMPLEX_LINE && n % 2 == 0,
                 .n = n,
                 .inner = inner,
                 .lines = outer * inner};
  s.rows = s.halved ? n / 2 + 1 : n;
  s.together = n > LONG_LINE && inner == 1 ? 1 : LINES;
  if (is_double)
    run_f64(ctx, &s);
  else
    run_f32(ctx, &s);
  if (s.failed)
    hd_ral_fail(ctx, hd_make_status(HD_RESOURCE_EXHAUSTED, "fft: no memory for a line of %lld", (long long)n));
  return !s.failed;
}

static void fft(hd_ral_context *ctx, void *stream, void *in, void *unused, void *out, int64_t type, void *descriptor,
                int64_t count) {
  (void)stream, (void)unused;
  const hd_fft_descriptor *f = descriptor;
  if (count != HD_WORDS(hd_fft_descriptor) || f->kind < HD_FFT_FORWARD || f->kind > HD_FFT_REAL_INVERSE ||
      f->axes < 1 || f->axes > HD_FFT_MAX_AXES || (type != HD_ELEMENT_C64 && type != HD_ELEMENT_C128)) {
    hd_ral_fail(
        ctx,
        hd_make_status(HD_INVALID_ARGUMENT, "fft: expected a descriptor of %u words of complex numbers, got %lld of %s",
                       HD_WORDS(hd_fft_descriptor), (long long)count, hd_element_text((hd_element_type)type)));
    return;
  }
  if ((hd_ral_cpu_features(ctx) & NEEDED) != NEEDED) {
    hd_ral_fail(ctx, hd_make_status(HD_UNIMPLEMENTED, "fft: expected a CPU with AVX2"));
    return;
  }
  bool is_double = type == HD_ELEMENT_C128, real_in = f->kind == HD_FFT_REAL_FORWARD,
       real_out = f->kind == HD_FFT_REAL_INVERSE;
  int64_t axes = f->axes, n = f->lengths[axes - 1], half = n / 2 + 1, rows = f->batch; /* lines of the last dim */
  for (int64_t i = 0; i + 1 < axes; ++i) rows *= f->lengths[i];
  size_t number = hd_element_bytes((hd_element_type)type), lines = (size_t)rows;
  in = hd_ral_on_host(ctx, in, lines * (size_t)(real_out ? half : n) * number / (real_in ? 2 : 1), HD_HOST_READ);
  out =
      hd_ral_on_host(ctx, out, lines * (size_t)(real_in && n ? half : n) * number / (real_out ? 2 : 1), HD_HOST_WRITE);
  if (hd_ral_failed(ctx)) return;
  if (!rows || !n) {
    size_t left = (size_t)rows * (size_t)(real_in && n ? half : n);
    memset(out, 0, left * hd_element_bytes((hd_element_type)type) / (real_out ? 2 : 1));
    return;
  }
  bool inverse = f->kind == HD_FFT_INVERSE || real_out, ok = true;
  const void *from = in;
  void *data = out;
  /* The last dim comes first, but to real numbers last; the others are transformed in place. */
  if (real_out && axes > 1)
    data = hd_ral_take_scratch(ctx, hd_element_bytes((hd_element_type)type) * (size_t)(rows * half));
  if (!data) return;
  if (!real_out) {
    ok = transform_axis(ctx, in, data, is_double, real_in ? REAL_LINE : COMPLEX_LINE, inverse, rows, n, 1);
    from = data;
  }
  int64_t outer = f->batch, inner = real_in || real_out ? half : n;
  for (int64_t i = axes - 1; i-- > 0;) inner *= f->lengths[i];
  for (int64_t i = 0; i + 1 < axes && ok; ++i) {
    inner /= f->lengths[i];
    ok = transform_axis(ctx, from, data, is_double, COMPLEX_LINE, inverse, outer, f->lengths[i], inner);
    outer *= f->lengths[i];
    from = data;
  }
  if (real_out && ok) transform_axis(ctx, from, out, is_double, HALF_LINE, true, rows, n, 1);
  if (data != out) hd_ral_give(ctx, data);
}
HD_RAL_LIBRARY("ral_fft", fft, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64)

HD_RAL_TABLE(fft, fft)
