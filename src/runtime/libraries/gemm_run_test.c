/* SPDX-License-Identifier: Apache-2.0 */
/* What a product is run with: several dims of one role, epilogues, bound weights. */
#include "runtime/libraries/gemm_testing.h"

typedef struct sink {
  const float *bias;
  float *out;
  int64_t m, n;
  int64_t elements;
} sink;

/* out = 2 * x + bias[n], counting elements. */
static void scale_and_bias(const uint64_t *words, int64_t m0, int64_t m1) {
  const hd_gemm_epilogue *args = (const hd_gemm_epilogue *)(const void *)words;
  const float *x = args->tile;
  int64_t tile_row = args->tile_row, batch = args->batch, n0 = args->n0, n1 = args->n1;
  sink *s = (sink *)(uintptr_t)*(const uint64_t *)(args + 1);
  for (int64_t i = m0; i < m1; ++i)
    for (int64_t j = n0; j < n1; ++j)
      s->out[(batch * s->m + i) * s->n + j] = 2 * x[(i - m0) * tile_row + j - n0] + s->bias[j];
  __atomic_fetch_add(&s->elements, (m1 - m0) * (n1 - n0), __ATOMIC_RELAXED);
}

/* q and k^T straight from a [b, s, 3, h, d] buffer, to [b, h, s, s]; then k split in two dims, m split by a slice. */
static void test_many_dims(void) {
  enum { b = 2, s = 19, h = 3, d = 8, row = 3 * h * d };
  static float qkv[b * s * row], out[b * h * s * s], want[b * h * s * s], bias[64 * 64], got[b * h * s * s];
  fill(HD_ELEMENT_F32, qkv, b * s * row);
  fill(HD_ELEMENT_F32, bias, 64 * 64);
  for (int ib = 0; ib < b; ++ib)
    for (int ih = 0; ih < h; ++ih)
      for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j) {
          double sum = 0;
          for (int x = 0; x < d; ++x)
            sum += (double)qkv[(ib * s + i) * row + ih * d + x] * (double)qkv[(ib * s + j) * row + h * d + ih * d + x];
          want[((ib * h + ih) * s + i) * s + j] = (float)sum;
        }
  for (int i = 0; i < context_count; ++i)
    for (int threads = 1; threads <= most_threads; ++threads)
      for (int epilogue = 0; epilogue < 2; ++epilogue) {
        hd_gemm_env env = env_of(threads);
        sink to = {.bias = bias, .out = got, .m = s, .n = s};
        uint64_t words[] = {(uint64_t)(uintptr_t)&to};
        hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                             .b_type = HD_ELEMENT_F32,
                             .c_type = HD_ELEMENT_F32,
                             .a = qkv,
                             .b = qkv + h * d,
                             .c = out,
                             .dim_count = 6,
                             .env = &env};
        if (epilogue) call.epilogue = scale_and_bias, call.epilogue_words = words, call.epilogue_word_count = 1;
        call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, b, s * row, s * row, h * s * s};
        call.dims[1] = (hd_gemm_dim){HD_GEMM_BATCH, h, d, d, s * s};
        call.dims[2] = (hd_gemm_dim){HD_GEMM_M, s, row, 0, s};
        call.dims[3] = (hd_gemm_dim){HD_GEMM_N, s, 0, row, 1};
        call.dims[4] = (hd_gemm_dim){HD_GEMM_K, 2, d / 2, d / 2, 0};
        call.dims[5] = (hd_gemm_dim){HD_GEMM_K, d / 2, 1, 1, 0};
        HD_CHECK_OK(hd_gemm(contexts[i], &call));
        double worst = 0;
        for (int e = 0; e < b * h * s * s; ++e)
          worst = fmax(worst, fabs(epilogue ? (double)got[e] - (2.0 * (double)want[e] + (double)bias[e % s])
                                            : (double)out[e] - (double)want[e]));
        HD_CHECK_NEAR(worst, 0, 1e-5);
        if (epilogue) HD_CHECK_INT(to.elements, b * h * s * s);
      }
  /* k that does not continue itself, m of short pieces, n of two dims: copies and loops. */
  static float x[4096], y[4096], z[4096];
  fill(HD_ELEMENT_F32, x, 4096);
  fill(HD_ELEMENT_F32, y, 4096);
  for (int i = 0; i < context_count; ++i) {
    hd_gemm_call call = f32_call(x, y, z, 6);
    call.dims[0] = (hd_gemm_dim){HD_GEMM_M, 5, 200, 0, 3 * 14};
    call.dims[1] = (hd_gemm_dim){HD_GEMM_M, 3, 7, 0, 14};
    call.dims[2] = (hd_gemm_dim){HD_GEMM_N, 2, 0, 500, 7};
    call.dims[3] = (hd_gemm_dim){HD_GEMM_N, 7, 0, 3, 1};
    call.dims[4] = (hd_gemm_dim){HD_GEMM_K, 4, 23, 101, 0};
    call.dims[5] = (hd_gemm_dim){HD_GEMM_K, 5, 2, 25, 0};
    HD_CHECK_OK(hd_gemm(contexts[i], &call));
    double worst = 0;
    for (int m = 0; m < 15; ++m)
      for (int n = 0; n < 14; ++n) {
        double sum = 0;
        for (int k = 0; k < 20; ++k)
          sum += (double)x[m / 3 * 200 + m % 3 * 7 + k / 5 * 23 + k % 5 * 2] *
                 (double)y[n / 7 * 500 + n % 7 * 3 + k / 5 * 101 + k % 5 * 25];
        worst = fmax(worst, fabs(sum - (double)z[m * 14 + n]));
      }
    HD_CHECK_NEAR(worst, 0, 1e-5);
  }
}

/* Every path with an epilogue: few rows, transposed few rows, tiles, few columns (where tiles are turned round). */
static void test_epilogues(void) {
  static const int64_t sizes[][3] = {{1, 100, 40}, {3, 57, 33}, {40, 100, 70}, {100, 3, 50}, {64, 1, 20}, {9, 20, 0}};
  static float a[8192], b[8192], bias[128], got[4096];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int bits = 0; bits < 4; ++bits)
      for (int at = 0; at < context_count; ++at) {
        int64_t m = sizes[i][0], n = sizes[i][1], k = sizes[i][2];
        fill(HD_ELEMENT_F32, a, m * k);
        fill(HD_ELEMENT_F32, b, k * n);
        fill(HD_ELEMENT_F32, bias, n);
        sink to = {.bias = bias, .out = got, .m = m, .n = n};
        uint64_t words[] = {(uint64_t)(uintptr_t)&to};
        hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                             .b_type = HD_ELEMENT_F32,
                             .c_type = HD_ELEMENT_F32,
                             .a = a,
                             .b = b,
                             .dim_count = 3,
                             .epilogue = scale_and_bias,
                             .epilogue_words = words,
                             .epilogue_word_count = 1};
        call.dims[0] = (hd_gemm_dim){HD_GEMM_M, m, bits & 1 ? 1 : k, 0, 0};
        call.dims[1] = (hd_gemm_dim){HD_GEMM_N, n, 0, bits & 2 ? k : 1, 0};
        call.dims[2] = (hd_gemm_dim){HD_GEMM_K, k, bits & 1 ? m : 1, bits & 2 ? 1 : n, 0};
        HD_CHECK_OK(hd_gemm(contexts[at], &call));
        HD_CHECK_INT(to.elements, m * n);
        double worst = 0;
        for (int64_t r = 0; r < m; ++r)
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t x = 0; x < k; ++x)
              sum += (double)a[r * call.dims[0].a + x * call.dims[2].a] *
                     (double)b[j * call.dims[1].b + x * call.dims[2].b];
            worst = fmax(worst, fabs(2 * sum + (double)bias[j] - (double)got[r * n + j]));
          }
        HD_CHECK_NEAR(worst, 0, 2e-5);
      }
}

/* A weight is packed once for all m, and again when it was forgotten. */
static void test_bound(void) {
  static float a[8 * 64], b[64 * 70], c[8 * 70];
  fill(HD_ELEMENT_F32, a, 8 * 64);
  fill(HD_ELEMENT_F32, b, 64 * 70);
  hd_gemm_env env = env_of(1);
  keeping = true;
  for (int i = 0; i < context_count; ++i) {
    hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                         .b_type = HD_ELEMENT_F32,
                         .c_type = HD_ELEMENT_F32,
                         .a = a,
                         .b = b,
                         .c = c,
                         .dim_count = 4,
                         .env = &env};
    call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, 1, 0, 0, 0};
    call.dims[1] = (hd_gemm_dim){HD_GEMM_M, 8, 64, 0, 70};
    call.dims[2] = (hd_gemm_dim){HD_GEMM_N, 70, 0, 1, 1};
    call.dims[3] = (hd_gemm_dim){HD_GEMM_K, 64, 1, 70, 0};
    pack_count = 0;
    for (int64_t m = 1; m <= 8; ++m) {
      call.dims[1].size = m;
      HD_CHECK_OK(hd_gemm(contexts[i], &call));
      compare(&call, c, "bound");
    }
    HD_CHECK_INT(pack_count, 1);
    b[0] += 1; /* what is bound is not read again */
    float old = c[0];
    HD_CHECK_OK(hd_gemm(contexts[i], &call));
    HD_CHECK(c[0] == old);
    forget();
    HD_CHECK_OK(hd_gemm(contexts[i], &call));
    compare(&call, c, "bound again");
    forget();
  }
  keeping = false;
}

static void all(void) {
  test_many_dims();
  test_epilogues();
  test_bound();
}

int main(void) { return hd_test_with_kernels(all); }
