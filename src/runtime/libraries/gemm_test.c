/* SPDX-License-Identifier: Apache-2.0 */
/* Products of every size class, layout, type and thread count against a slow reference, on every kernel table that this
 * machine runs. */
#include <sys/mman.h>

#include "runtime/libraries/gemm_testing.h"
#include "runtime/libraries/onednn.h"

typedef struct layout {
  int64_t batch, m, n, k;
  bool a_transposed, b_transposed, c_transposed;
  int64_t gap;    /* elements between the rows of A and B */
  int64_t a_step; /* stride of the contiguous dim of A */
  int64_t b_step; /* and of B */
  bool share_b;   /* every batch sees the same B */
  bool heads;     /* batch is inside the rows, as the heads of a [b, s, 3, h, d] buffer do */
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

static hd_gemm_library library;

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
      hd_gemm_call call = f32_call(a, b, i ? c : first, 3);
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

/* Numbers of bf16 with exponents in [low, high] and any sign, now and then a zero. */
static void fill_exponents(uint16_t *data, int64_t count, uint32_t low, uint32_t high) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t exponent = low + random_bits() % (high - low + 1);
    data[i] = (uint16_t)((random_bits() & 0x807f) | exponent << 7);
    if (random_bits() % 9 == 0) data[i] &= 0x8000;
  }
}

static int64_t count_other_bits(const float *a, const float *b, int64_t count) {
  int64_t other = 0;
  for (int64_t i = 0; i < count; ++i) other += memcmp(&a[i], &b[i], sizeof *a) && !(isnan(a[i]) && isnan(b[i]));
  return other;
}

/* Products of bf16 have the same bits by pairs as by single elements, of numbers whose products or sums are denormal
 * too, with which the instruction for pairs would not agree, wherever along k they are. */
static void test_same_bits_of_bf16(void) {
  static const struct {
    const char *name;
    uint32_t a_low, a_high, b_low, b_high;
  } ranges[] = {{"near one", 120, 130, 120, 130},     {"any", 0, 254, 0, 254},
                {"denormal factors", 0, 2, 150, 170}, {"at the bound", 71, 75, 71, 75},
                {"below the bound", 69, 72, 69, 72},  {"denormal products", 40, 60, 50, 60},
                {"overflowing", 180, 220, 170, 210},  {"not finite", 250, 255, 100, 255}};
  static const int64_t sizes[][3] = {{9, 49, 33},    {23, 97, 64},   {20, 33, 4900},
                                     {9, 50, 23000}, {150, 17, 501}, {17, 5, 31}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (size_t g = 0; g < sizeof ranges / sizeof *ranges; ++g)
      for (int bits = 0; bits < 32; bits += sizes[i][2] > 1000 ? 5 : 1) {
        bool bound = bits & 8, late = bits & 16; /* late: the range is that of a last part of k */
        layout l = {.batch = 1,
                    .m = sizes[i][0],
                    .n = sizes[i][1],
                    .k = sizes[i][2],
                    .a_transposed = bits & 1,
                    .b_transposed = bits >> 1 & 1,
                    .c_transposed = bits >> 2 & 1,
                    .a_step = 1,
                    .b_step = 1};
        int64_t a_count, b_count, c_count;
        hd_gemm_call call = call_of(&l, &a_count, &b_count, &c_count);
        uint16_t *a = malloc((size_t)a_count * 2), *b = malloc((size_t)b_count * 2);
        float *c = malloc((size_t)c_count * 4), *first = malloc((size_t)c_count * 4);
        fill_exponents(a, a_count, ranges[g].a_low, ranges[g].a_high);
        fill_exponents(b, b_count, ranges[g].b_low, ranges[g].b_high);
        for (int64_t m = 0; late && m < l.m; ++m)
          for (int64_t k = 0; k + 40 < l.k; ++k) {
            uint16_t *x = &a[m * call.dims[1].a + k * call.dims[3].a];
            *x = (uint16_t)((*x & 0x807f) | 127u << 7);
          }
        call.a_type = call.b_type = HD_ELEMENT_BF16, call.c_type = HD_ELEMENT_F32;
        call.a = a, call.b = b;
        keeping = bound;
        for (int x = 0; x < context_count; ++x) {
          hd_gemm_env env = env_of(1 + bits % 2);
          call.env = &env;
          call.c = x ? c : first;
          HD_CHECK_OK(hd_gemm(contexts[x], &call));
          int64_t other = x ? count_other_bits(c, first, c_count) : 0;
          char what[128];
          snprintf(what, sizeof what, "%s m%lld n%lld k%lld bits%d table%d: %lld differ", ranges[g].name,
                   (long long)l.m, (long long)l.n, (long long)l.k, bits, x, (long long)other);
          if (other) HD_CHECK_STR(what, "the same bits from all kernels");
          forget();
        }
        keeping = false;
        free(a), free(b), free(c), free(first);
      }
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
        hd_gemm_call call = f32_call(a, b, c, 4);
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

/* The same products by oneDNN, where it is installed. */
static void test_onednn(void) {
  if (!hd_onednn_is_there()) {
    HD_TEST_SKIP("oneDNN is not installed: tools/setup.sh check");
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
  call.dim_count = 999;
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_INVALID_ARGUMENT, "at most 128 dims, got 999");
  call.dim_count = 1;
  call.dims[0] = (hd_gemm_dim){HD_GEMM_M, -1, 0, 0, 0};
  HD_CHECK_FAILS(hd_gemm(contexts[0], &call), HD_INVALID_ARGUMENT, "dim 0 has negative size -1");
}

static void all(void) {
  test_sizes();
  test_large();
  test_layouts();
  test_types();
  test_same_bits();
  test_same_bits_of_bf16();
  test_not_finite();
  test_refused();
  test_onednn();
}

int main(void) { return hd_test_with_kernels(all); }
