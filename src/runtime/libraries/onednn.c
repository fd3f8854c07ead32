/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/onednn.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* oneDNN's C API, version 2. Row-major. Its status is 0 when all is well. */
#define ONEDNN_SYMBOLS(X)                                                                                \
  X(int, dnnl_sgemm,                                                                                     \
    (char a_transposed, char b_transposed, int64_t m, int64_t n, int64_t k, float alpha, const float *a, \
     int64_t a_row, const float *b, int64_t b_row, float beta, float *c, int64_t c_row))                 \
  X(void, omp_set_num_threads, (int threads))

typedef struct onednn {
  void *library;
  char error[256];
#define X(result, name, arguments) result(*name) arguments;
  ONEDNN_SYMBOLS(X)
#undef X
} onednn;

static onednn dnnl;

static void open_library(void) {
  static const char *const names[] = {"libdnnl.so.2", "libdnnl.so"};
  for (size_t i = 0; i < 2 && !dnnl.library; ++i) dnnl.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!dnnl.library) {
    snprintf(dnnl.error, sizeof dnnl.error, "%s", dlerror());
    return;
  }
  /* A symbol of the OpenMP runtime is found through the library that needs it. */
#define X(result, name, arguments)                           \
  *(void **)(void *)&dnnl.name = dlsym(dnnl.library, #name); \
  if (!dnnl.name && !dnnl.error[0]) snprintf(dnnl.error, sizeof dnnl.error, "it has no %s", #name);
  ONEDNN_SYMBOLS(X)
#undef X
}

static hd_status load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return dnnl.error[0] ? hd_make_status(HD_UNAVAILABLE, "oneDNN: %s", dnnl.error) : NULL;
}

bool hd_onednn_is_there(void) {
  hd_status status = load();
  bool there = hd_is_ok(status);
  hd_status_free(status);
  return there;
}

enum { rows_at_once = 96 };

typedef struct run {
  hd_gemm_context *context;
  const hd_gemm_problem *p;
  int64_t chunks, chunk_rows;
  bool direct; /* C takes the rows as they come */
  size_t scratch;
  atomic_int failed; /* a status of oneDNN, or -1: no memory */
} run;

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static void do_rows(void *argument, int64_t begin, int64_t end) {
  run *r = argument;
  const hd_gemm_problem *p = r->p;
  hd_gemm_block *block = hd_gemm_block_acquire(r->context, r->scratch);
  if (!block) {
    atomic_store(&r->failed, -1);
    return;
  }
  dnnl.omp_set_num_threads(1);
  for (; begin < end; ++begin) {
    hd_gemm_point at = hd_gemm_problem_point(p, begin / r->chunks);
    int64_t m0 = begin % r->chunks * r->chunk_rows, rows = min64(r->chunk_rows, p->m - m0);
    if (rows <= 0) continue;
    bool a_transposed = p->a_k != 1, b_transposed = p->b_n != 1;
    const float *a = (const float *)(const void *)at.a + m0 * p->a_m;
    float *c = r->direct ? (float *)(void *)at.c + m0 * p->c_m : (float *)(void *)block->data;
    int status = dnnl.dnnl_sgemm(a_transposed ? 'T' : 'N', b_transposed ? 'T' : 'N', rows, p->n, p->k, 1.0f, a,
                                 a_transposed ? p->a_k : p->a_m, (const float *)(const void *)at.b,
                                 b_transposed ? p->b_n : p->b_k, 0.0f, c, r->direct ? p->c_m : p->n);
    if (status) {
      atomic_store(&r->failed, status);
      break;
    }
    if (p->epilogue)
      hd_gemm_apply_epilogue(p, at.batch, at.m + m0, at.m + m0 + rows, at.n, at.n + p->n, block->data, p->n);
    else if (!r->direct)
      hd_gemm_scatter(block->data, rows, p->n, p->size, at.c + m0 * p->c_m * (int64_t)p->size, p->c_m, p->c_n);
  }
  hd_gemm_block_release(r->context, block);
}

/* Can sgemm read rows x columns with these strides? |*row| is given a legal value where there is one row or column. */
static bool readable(int64_t *row_step, int64_t *column_step, int64_t rows, int64_t columns) {
  if (columns == 1) *column_step = 1;
  if (rows == 1 && *column_step == 1) *row_step = columns;
  if (columns == 1 && *row_step < 1) *row_step = 1;
  if (*column_step == 1) return *row_step >= columns;
  if (rows == 1) *row_step = 1;
  return *row_step == 1 && *column_step >= rows;
}

hd_status hd_onednn_gemm(hd_gemm_context *context, const hd_gemm_problem *problem, const hd_gemm_env *env) {
  HD_TRY(load());
  hd_gemm_problem p = *problem;
  if (p.m == 0 || p.n == 0 || p.loop_total == 0) return NULL;
  if (p.a_type != HD_ELEMENT_F32 || p.b_type != HD_ELEMENT_F32 || p.c_type != HD_ELEMENT_F32)
    return hd_make_status(HD_UNIMPLEMENTED, "oneDNN: expected a product of f32, got %s times %s",
                          hd_element_text(p.a_type), hd_element_text(p.b_type));
  if (p.swapped || p.k == 0 || !readable(&p.a_m, &p.a_k, p.m, p.k) || !readable(&p.b_k, &p.b_n, p.k, p.n))
    return hd_make_status(HD_UNIMPLEMENTED, "oneDNN: expected operands that are contiguous in one dim");
  run r = {.context = context, .p = &p, .direct = !p.epilogue && p.c_n == 1 && p.c_m >= p.n};
  int64_t threads = env && env->for_range ? env->threads : 1;
  r.chunk_rows = min64(p.m, rows_at_once); /* whatever the number of threads: the bits may depend on it */
  r.chunks = (p.m + r.chunk_rows - 1) / r.chunk_rows;
  r.scratch = (size_t)(r.direct ? 0 : min64(r.chunk_rows, p.m) * p.n) * sizeof(float) + 64;
  double work = 2.0 * (double)r.chunk_rows * (double)p.n * (double)p.k / HD_GEMM_FLOPS_PER_GRAIN;
  if (threads > 1)
    env->for_range(env->user, p.loop_total * r.chunks, work >= 1 ? 1 : (int64_t)(1 / (work > 1e-6 ? work : 1e-6)),
                   do_rows, &r);
  else
    do_rows(&r, 0, p.loop_total * r.chunks);
  int failed = atomic_load(&r.failed);
  if (failed < 0) return hd_make_status(HD_RESOURCE_EXHAUSTED, "oneDNN: no memory for %zu bytes of scratch", r.scratch);
  return failed ? hd_make_status(HD_INTERNAL, "oneDNN: sgemm answered %d", failed) : NULL;
}
