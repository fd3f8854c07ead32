/* SPDX-License-Identifier: Apache-2.0 */
/* Products of every size class, layout, type and thread count against a slow reference, on every kernel table that this
 * machine runs. */
#include "runtime/libraries/gemm.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/testing.h"
#include "heddle/cpu.h"
#include "runtime/libraries/onednn.h"

enum { most_threads = 3 };
static hd_pool *pools[most_threads + 1]; /* by number of threads */

static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  hd_pool_for(user, NULL, extent, grain, body, argument);
}

/* ---- bound weights: all data is, while |keeping|
 * ------------------------------------------------------------------------ */

typedef struct kept {
  const void *data;
  uint64_t use;
  void *packed;
} kept;
static kept kept_list[64];
static int kept_count, pack_count;
static bool keeping;

static const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                        void *argument) {
  (void)user;
  if (!keeping) return NULL;
  for (int i = 0; i < kept_count; ++i)
    if (kept_list[i].data == data && kept_list[i].use == use) return kept_list[i].packed;
  if (kept_count == 64) return NULL;
  kept *k = &kept_list[kept_count++];
  *k = (kept){data, use, aligned_alloc(64, (bytes + 63) / 64 * 64)};
  pack(argument, k->packed);
  ++pack_count;
  return k->packed;
}

static void forget(void) {
  while (kept_count) free(kept_list[--kept_count].packed);
}

static hd_gemm_env env_of(int threads) {
  return (hd_gemm_env){.user = pools[threads], .threads = threads, .for_range = for_range, .keep = keep};
}

/* ---- elements
 * --------------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 1;
static uint32_t random_bits(void) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(random_state >> 33);
}

static float half_to_float(uint16_t h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  double magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                     : exponent == 0 ? ldexp(mantissa, -24)
                                     : ldexp(mantissa + 1024, exponent - 25);
  return (float)(h >> 15 ? -magnitude : magnitude);
}

static double load(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_F32:
      return ((const float *)data)[i];
    case HD_ELEMENT_F64:
      return ((const double *)data)[i];
    case HD_ELEMENT_BF16: {
      uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
      float value;
      memcpy(&value, &bits, 4);
      return value;
    }
    default:
      return half_to_float(((const uint16_t *)data)[i]);
  }
}

static int64_t load_int(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_I1:
    case HD_ELEMENT_UI8:
      return ((const uint8_t *)data)[i];
    case HD_ELEMENT_I8:
      return ((const int8_t *)data)[i];
    case HD_ELEMENT_I16:
      return ((const int16_t *)data)[i];
    case HD_ELEMENT_UI16:
      return ((const uint16_t *)data)[i];
    case HD_ELEMENT_UI32:
      return ((const uint32_t *)data)[i];
    case HD_ELEMENT_I32:
      return ((const int32_t *)data)[i];
    default:
      return ((const int64_t *)data)[i];
  }
}

static bool is_float(hd_element_type type) {
  return type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64 || type == HD_ELEMENT_BF16 || type == HD_ELEMENT_F16;
}

static void fill(hd_element_type type, void *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    double value = (double)random_bits() / 2147483648.0 * 2 - 1;
    float single = (float)value;
    switch (type) {
      case HD_ELEMENT_F32:
        ((float *)data)[i] = single;
        break;
      case HD_ELEMENT_F64:
        ((double *)data)[i] = value;
        break;
      case HD_ELEMENT_BF16: {
        uint32_t bits;
        memcpy(&bits, &single, 4);
        ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
        break;
      }
      case HD_ELEMENT_F16: /* any sign, exponents around 1, some denormals */
        ((uint16_t *)data)[i] = (uint16_t)((random_bits() & 0x83ff) | (random_bits() % 15) << 10);
        break;
      case HD_ELEMENT_I1:
        ((uint8_t *)data)[i] = random_bits() & 1;
        break;
      default:
        for (size_t b = 0; b < hd_element_bytes(type); ++b)
          ((uint8_t *)data)[(size_t)i * hd_element_bytes(type) + b] = (uint8_t)random_bits();
        break;
    }
  }
}

/* ---- one product
 * ------------------------------------------------------------------------------------------------------- */

typedef struct layout {
  int64_t batch, m, n, k;
  bool a_transposed, b_transposed, c_transposed;
  int64_t gap;    /* elements between the rows of A and B */
  int64_t a_step; /* stride of the contiguous dim of A */
  int64_t b_step; /* and of B */
  bool share_b;   /* every batch sees the same B */
  bool heads;     /* batch lies inside the rows, as the heads of a [b, s, 3, h, d] buffer do */
} layout;

typedef struct buffers {
  void *a, *b;
  int64_t a_count, b_count;
  hd_gemm_call call;
} buffers;

static hd_gemm_call call_of(const layout *l, int64_t *out_a, int64_t *out_b, int64_t *out_c) {
  hd_gemm_call call = {.dim_count = 4};
  int64_t a_major = l->a_transposed ? l->k : l->m, a_minor = l->a_transposed ? l->m : l->k;
  int64_t b_major = l->b_transposed ? l->n : l->k, b_minor = l->b_transposed ? l->k : l->n;
  int64_t a_row = a_minor * l->a_step + l->gap, b_row = b_minor * l->b_step + l->gap;
  int64_t a_batch = a_major * a_row, b_batch = b_major * b_row;
  *out_a = a_batch * l->batch;
  *out_b = b_batch * (l->share_b ? 1 : l->batch);
  if (l->heads) {
    a_batch = a_row;
    a_row *= l->batch;
    if (!l->share_b) {
      b_batch = b_row;
      b_row *= l->batch;
    }
  }
  if (l->share_b) b_batch = 0;
  int64_t c_m = l->c_transposed ? 1 : l->n, c_n = l->c_transposed ? l->m : 1;
  *out_c = l->batch * l->m * l->n;
  call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, l->batch, a_batch, b_batch, l->m * l->n};
  call.dims[1] = (hd_gemm_dim){HD_GEMM_M, l->m, l->a_transposed ? l->a_step : a_row, 0, c_m};
  call.dims[2] = (hd_gemm_dim){HD_GEMM_N, l->n, 0, l->b_transposed ? b_row : l->b_step, c_n};
  call.dims[3] =
      (hd_gemm_dim){HD_GEMM_K, l->k, l->a_transposed ? a_row : l->a_step, l->b_transposed ? l->b_step : b_row, 0};
  return call;
}

static hd_gemm_context *contexts[4];
static int context_count;
static hd_gemm_library library;

/* Compares C with the reference; the check counts once. */
static void compare(const hd_gemm_call *call, const void *c, const char *what) {
  const hd_gemm_dim *d = call->dims;
  int64_t bad = 0;
  for (int64_t b = 0; b < d[0].size; ++b) {
    for (int64_t m = 0; m < d[1].size; ++m) {
      for (int64_t n = 0; n < d[2].size; ++n) {
        int64_t a_at = b * d[0].a + m * d[1].a, b_at = b * d[0].b + n * d[2].b,
                c_at = b * d[0].c + m * d[1].c + n * d[2].c;
        if (is_float(call->a_type)) {
          double sum = 0, magnitude = 0;
          for (int64_t k = 0; k < d[3].size; ++k) {
            double x = load(call->a_type, call->a, a_at + k * d[3].a) * load(call->b_type, call->b, b_at + k * d[3].b);
            sum += x;
            magnitude += fabs(x);
          }
          double eps = call->a_type == HD_ELEMENT_F64 ? 0x1p-52 : 0x1p-23;
          double tolerance = eps * magnitude * (double)(d[3].size + 2);
          if (call->c_type == HD_ELEMENT_BF16) tolerance += fabs(sum) * 0x1p-8;
          if (call->c_type == HD_ELEMENT_F16) tolerance += fabs(sum) * 0x1p-10 + 0x1p-24;
          double got = load(call->c_type, c, c_at);
          if (isnan(sum) ? !isnan(got) : isinf(sum) ? got != sum : !(fabs(got - sum) <= tolerance)) ++bad;
        } else {
          uint64_t sum = 0;
          for (int64_t k = 0; k < d[3].size; ++k)
            sum += (uint64_t)load_int(call->a_type, call->a, a_at + k * d[3].a) *
                   (uint64_t)load_int(call->b_type, call->b, b_at + k * d[3].b);
          int64_t got = load_int(call->c_type, c, c_at);
          int bits = (int)hd_element_bytes(call->c_type) * 8;
          uint64_t differs = ((uint64_t)got ^ sum) << (64 - bits);
          if (call->c_type == HD_ELEMENT_I1 ? got != (sum != 0) : differs != 0) ++bad;
        }
      }
    }
  }
  if (bad)
    HD_CHECK_STR(what, "no wrong element");
  else
    HD_CHECK(!bad);
}

/* |bytes| that end where memory ends: reading on is a crash. One of each |which| at a time. */
static char *at_the_edge(int which, size_t bytes) {
  enum { room = 64 << 20 };
  static char *ends[3];
  if (!ends[which]) {
    char *memory = mmap(NULL, room + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, room, PROT_READ | PROT_WRITE)) abort();
    ends[which] = memory + room;
  }
  if (bytes > room) abort();
  return ends[which] - bytes;
}

static void check_product(const layout *l, hd_element_type a_type, hd_element_type b_type, hd_element_type c_type,
                          bool bound) {
  int64_t a_count, b_count, c_count;
  hd_gemm_call call = call_of(l, &a_count, &b_count, &c_count);
  size_t c_bytes = (size_t)c_count * hd_element_bytes(c_type);
  void *a = at_the_edge(0, (size_t)a_count * hd_element_bytes(a_type)),
       *b = at_the_edge(1, (size_t)b_count * hd_element_bytes(b_type));
  char *c = at_the_edge(2, c_bytes), *first = malloc(c_bytes + 1);
  fill(a_type, a, a_count);
  fill(b_type, b, b_count);
  call.a_type = a_type, call.b_type = b_type, call.c_type = c_type;
  call.a = a, call.b = b, call.c = c;
  keeping = bound;
  call.library = library;
  for (int i = 0; i < context_count; ++i) {
    for (int threads = 1; threads <= most_threads; threads += 2) {
      hd_gemm_env env = env_of(threads);
      call.env = &env;
      memset(c, 0x5a, c_bytes);
      if (!HD_CHECK_OK(hd_gemm(contexts[i], &call))) continue;
      char what[256];
      snprintf(what, sizeof what,
               "%s %s*%s->%s b%lld m%lld n%lld k%lld at%d bt%d ct%d gap%lld as%lld bs%lld share%d heads%d bound%d t%d",
               hd_gemm_context_kernels(contexts[i])->name, hd_element_text(a_type), hd_element_text(b_type),
               hd_element_text(c_type), (long long)l->batch, (long long)l->m, (long long)l->n, (long long)l->k,
               l->a_transposed, l->b_transposed, l->c_transposed, (long long)l->gap, (long long)l->a_step,
               (long long)l->b_step, l->share_b, l->heads, bound, threads);
      if (threads == 1) {
        compare(&call, c, what);
        memcpy(first, c, c_bytes);
      } else if (memcmp(first, c, c_bytes)) {
        HD_CHECK_STR(what, "the same bits as on one thread");
      }
    }
    forget();
  }
  free(first);
  keeping = false;
}

static const layout plain = {.batch = 1, .a_step = 1, .b_step = 1};

static void test_sizes(void) {
  static const int64_t ms[] = {0, 1, 2, 3, 4, 5, 7, 8, 13, 47, 97}, ns[] = {0, 1, 3, 15, 16, 17, 48, 49, 65, 97, 131},
                       ks[] = {0, 1, 2, 7, 31, 64};
  for (size_t i = 0; i < sizeof ms / sizeof *ms; ++i)
    for (size_t j = 0; j < sizeof ns / sizeof *ns; ++j)
      for (size_t h = 0; h < sizeof ks / sizeof *ks; ++h)
        for (int t = 0; t < 4; ++t) {
          layout l = plain;
          l.m = ms[i], l.n = ns[j], l.k = ks[h];
          l.a_transposed = t & 1, l.b_transposed = t >> 1;
          check_product(&l, HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32, (i + j + h) % 3 == 0);
        }
}

static void test_large(void) {
  static const int64_t shapes[][3] = {{1, 300, 2000},  {3, 769, 1031},  {6, 200, 3001},  {61, 210, 1700},
                                      {530, 100, 300}, {700, 53, 800},  {257, 500, 100}, {2000, 1, 70},
                                      {900, 3, 65},    {100, 97, 13000}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
    for (int t = 0; t < 4; ++t) {
      layout l = plain;
      l.m = shapes[i][0], l.n = shapes[i][1], l.k = shapes[i][2];
      l.a_transposed = t & 1, l.b_transposed = t >> 1;
      check_product(&l, HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32, 0);
      if (i < 5) check_product(&l, HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32, 1);
    }
}

static void test_layouts(void) {
  static const int64_t sizes[][3] = {{1, 40, 33}, {2, 70, 64}, {9, 33, 20}, {37, 50, 16}, {50, 2, 40}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int bits = 0; bits < 256; ++bits) {
      layout l = {.batch = bits & 1 ? 5 : 1,
                  .a_transposed = bits >> 1 & 1,
                  .b_transposed = bits >> 2 & 1,
                  .c_transposed = bits >> 3 & 1,
                  .gap = bits & 16 ? 3 : 0,
                  .a_step = bits & 32 ? 2 : 1,
                  .b_step = bits & 32 ? 3 : 1,
                  .share_b = bits >> 6 & 1,
                  .heads = bits >> 7 & 1};
      l.m = sizes[i][0], l.n = sizes[i][1], l.k = sizes[i][2];
      check_product(&l, HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32, bits % 5 == 0);
    }
}

static void test_types(void) {
  static const hd_element_type types[][3] = {
      {HD_ELEMENT_F64, HD_ELEMENT_F64, HD_ELEMENT_F64},   {HD_ELEMENT_BF16, HD_ELEMENT_BF16, HD_ELEMENT_BF16},
      {HD_ELEMENT_BF16, HD_ELEMENT_BF16, HD_ELEMENT_F32}, {HD_ELEMENT_F16, HD_ELEMENT_F16, HD_ELEMENT_F16},
      {HD_ELEMENT_F16, HD_ELEMENT_F16, HD_ELEMENT_F32},   {HD_ELEMENT_F32, HD_ELEMENT_BF16, HD_ELEMENT_F32},
      {HD_ELEMENT_I32, HD_ELEMENT_I32, HD_ELEMENT_I32},   {HD_ELEMENT_I64, HD_ELEMENT_I64, HD_ELEMENT_I64},
      {HD_ELEMENT_I8, HD_ELEMENT_I8, HD_ELEMENT_I32},     {HD_ELEMENT_UI8, HD_ELEMENT_UI8, HD_ELEMENT_UI8},
      {HD_ELEMENT_UI8, HD_ELEMENT_I8, HD_ELEMENT_I32},    {HD_ELEMENT_I16, HD_ELEMENT_I16, HD_ELEMENT_I16},
      {HD_ELEMENT_UI16, HD_ELEMENT_UI16, HD_ELEMENT_I32}, {HD_ELEMENT_UI32, HD_ELEMENT_UI32, HD_ELEMENT_UI32},
      {HD_ELEMENT_I1, HD_ELEMENT_I1, HD_ELEMENT_I1},      {HD_ELEMENT_I8, HD_ELEMENT_I8, HD_ELEMENT_I64},
      {HD_ELEMENT_UI32, HD_ELEMENT_UI32, HD_ELEMENT_I64}, {HD_ELEMENT_I32, HD_ELEMENT_I32, HD_ELEMENT_I64},
      {HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F64}};
  static const int64_t sizes[][3] = {{1, 70, 37},  {2, 33, 65}, {4, 130, 18}, {7, 49, 30},
                                     {30, 97, 71}, {61, 8, 5},  {5, 1, 9}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; ++j)
      for (int bits = 0; bits < 16; ++bits) {
        layout l = {.batch = 1 + (bits & 1),
                    .a_transposed = bits & 1,
                    .b_transposed = bits >> 1 & 1,
                    .c_transposed = bits >> 2 & 1,
                    .a_step = bits & 8 ? 2 : 1,
                    .b_step = bits & 8 ? 2 : 1};
        l.m = sizes[j][0], l.n = sizes[j][1], l.k = sizes[j][2];
        check_product(&l, types[i][0], types[i][1], types[i][2], bits % 4 == 3);
      }
}

/* Without a transposed small product the bits do not depend on the kernel table. */
static void test_same_bits(void) {
  enum { m = 37, n = 150, k = 900 };
  float *a = malloc(m * k * 4), *b = malloc(k * n * 4), *c = malloc(m * n * 4), *first = malloc(m * n * 4);
  fill(HD_ELEMENT_F32, a, m * k);
  fill(HD_ELEMENT_F32, b, k * n);
  for (int rows = 1; rows <= m; rows += 9)
    for (int i = 0; i < context_count; ++i) {
      hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                           .b_type = HD_ELEMENT_F32,
                           .c_type = HD_ELEMENT_F32,
                           .a = a,
                           .b = b,
                           .c = i ? c : first,
                           .dim_count = 3};
      call.dims[0] = (hd_gemm_dim){HD_GEMM_M, rows, k, 0, n};
      call.dims[1] = (hd_gemm_dim){HD_GEMM_N, n, 0, 1, 1};
      call.dims[2] = (hd_gemm_dim){HD_GEMM_K, k, 1, n, 0};
      HD_CHECK_OK(hd_gemm(contexts[i], &call));
      if (i) HD_CHECK(!memcmp(c, first, (size_t)rows * n * 4));
    }
  free(a);
  free(b);
  free(c);
  free(first);
}

static void test_not_finite(void) {
  enum { m = 20, n = 60, k = 50 };
  static float a[m * k], b[k * n], c[m * n];
  for (int transposed = 0; transposed < 2; ++transposed)
    for (int rows = 1; rows <= m; rows += 19)
      for (int i = 0; i < context_count; ++i) {
        fill(HD_ELEMENT_F32, a, m * k);
        fill(HD_ELEMENT_F32, b, k * n);
        a[3] = NAN;
        if (rows > 1) a[k + 7] = INFINITY;
        hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                             .b_type = HD_ELEMENT_F32,
                             .c_type = HD_ELEMENT_F32,
                             .a = a,
                             .b = b,
                             .c = c,
                             .dim_count = 4};
        call.dims[0] = (hd_gemm_dim){HD_GEMM_BATCH, 1, 0, 0, 0};
        call.dims[1] = (hd_gemm_dim){HD_GEMM_M, rows, k, 0, n};
        call.dims[2] = (hd_gemm_dim){HD_GEMM_N, n, 0, transposed ? k : 1, 1};
        call.dims[3] = (hd_gemm_dim){HD_GEMM_K, k, 1, transposed ? 1 : n, 0};
        b[transposed ? 3 : 3 * n] = 0; /* NaN times zero stays NaN */
        HD_CHECK_OK(hd_gemm(contexts[i], &call));
        compare(&call, c, "not finite");
        HD_CHECK(isnan(c[0]));
        if (rows > 1) HD_CHECK(isinf(c[n]) && !isnan(c[2 * n]));
      }
}

/* ---- several dims of one role, and epilogues
 * ------------------------------------------------------------------------------ */

typedef struct sink {
  const float *bias;
  float *out;
  int64_t m, n;
  int64_t elements;
} sink;

/* out = 2 * x + bias[n], counting elements. */
static void scale_and_bias(const uint64_t *words, int64_t m0, int64_t m1) {
  const float *x = (const float *)(uintptr_t)words[0];
  int64_t tile_row = (int64_t)words[1], batch = (int64_t)words[2], n0 = (int64_t)words[3], n1 = (int64_t)words[4];
  sink *s = (sink *)(uintptr_t)words[5];
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
    hd_gemm_call call = {.a_type = HD_ELEMENT_F32,
                         .b_type = HD_ELEMENT_F32,
                         .c_type = HD_ELEMENT_F32,
                         .a = x,
                         .b = y,
                         .c = z,
                         .dim_count = 6};
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

/* The same products by oneDNN, where it is installed. */
static void test_onednn(void) {
  if (!hd_onednn_is_there()) {
    HD_TEST_SKIP("oneDNN is not installed");
    return;
  }
  static const int64_t sizes[][3] = {{1, 1, 1}, {1, 70, 33}, {40, 1, 9}, {33, 65, 20}, {130, 100, 64}, {5, 0, 7}};
  library = HD_GEMM_ONEDNN;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int bits = 0; bits < 64; ++bits) {
      layout l = {.batch = bits & 1 ? 3 : 1,
                  .m = sizes[i][0],
                  .n = sizes[i][1],
                  .k = sizes[i][2],
                  .a_transposed = bits >> 1 & 1,
                  .b_transposed = bits >> 2 & 1,
                  .c_transposed = bits >> 3 & 1,
                  .gap = bits & 16 ? 3 : 0,
                  .a_step = 1,
                  .b_step = 1,
                  .heads = bits >> 5 & 1};
      check_product(&l, HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32, false);
    }
  library = HD_GEMM_GENERATED;
  float x[4] = {0};
  hd_gemm_call call = {.library = HD_GEMM_ONEDNN,
                       .a_type = HD_ELEMENT_I32,
                       .b_type = HD_ELEMENT_I32,
                       .c_type = HD_ELEMENT_I32,
                       .a = x,
                       .b = x,
                       .c = x};
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_UNIMPLEMENTED, "expected a product of f32, got i32 times i32");
}

static void test_refused(void) {
  float x[4] = {0};
  hd_gemm_call call = {
      .a_type = HD_ELEMENT_F32, .b_type = HD_ELEMENT_I32, .c_type = HD_ELEMENT_F32, .a = x, .b = x, .c = x};
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_UNIMPLEMENTED, "no kernels for f32 times i32 to f32");
  call.b_type = HD_ELEMENT_F32;
  call.dim_count = 99;
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_INVALID_ARGUMENT, "at most 24 dims, got 99");
  call.dim_count = 1;
  call.dims[0] = (hd_gemm_dim){HD_GEMM_M, -1, 0, 0, 0};
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_INVALID_ARGUMENT, "dim 0 has negative size -1");
}

int main(void) {
  for (int i = 0; hd_gemm_kernels_at(i); ++i) {
    const hd_gemm_kernels *kernels = hd_gemm_kernels_at(i);
    if (kernels->features & ~hd_cpu_features()) {
      HD_TEST_SKIP("this machine has no %s", kernels->name);
      continue;
    }
    HD_CHECK_OK(hd_gemm_context_create(kernels->features, &contexts[context_count]));
    HD_CHECK(hd_gemm_context_kernels(contexts[context_count]) == kernels);
    ++context_count;
  }
  if (!context_count) {
    /* No kernels in this build, or none for this machine. */
    HD_CHECK_FAILS(hd_gemm_context_create(0, &contexts[0]), HD_UNIMPLEMENTED, "gemm");
    return HD_TEST_RESULT();
  }
  for (int threads = 1; threads <= most_threads; ++threads) HD_CHECK_OK(hd_pool_create(threads, NULL, &pools[threads]));
  test_sizes();
  test_large();
  test_layouts();
  test_types();
  test_same_bits();
  test_not_finite();
  test_many_dims();
  test_epilogues();
  test_bound();
  test_refused();
  test_onednn();
  for (int i = 0; i < context_count; ++i) hd_gemm_context_release(contexts[i]);
  for (int threads = 1; threads <= most_threads; ++threads) hd_pool_free(pools[threads]);
  return HD_TEST_RESULT();
}
