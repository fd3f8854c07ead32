/* SPDX-License-Identifier: Apache-2.0 */
/* A libcublasLt.so for tests, on the libcuda.so.1 that stands in for CUDA's: products are work of its streams, done as
 * late as the API allows. It holds the caller to a current context, to handles that live and are given back, and to a
 * workspace of the size that the algorithm wants. HEDDLE_STAND_IN_BLAS: "old" is of a version before 11.4, "start" does
 * not start, "none" knows no algorithm, "fails" fails at the product. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum {
  SUCCESS = 0,
  NOT_INITIALIZED = 1,
  INVALID = 7,
  FAILED = 13,
  NOT_SUPPORTED = 15,
  ALIVE = 0x600d,
  MAGIC = 4711,
  WORKSPACE = 4096
};
enum { F32 = 0, F64 = 1, F16 = 2, I8 = 3, I32 = 10, BF16 = 14 };

/* Of the stand-in for CUDA's driver. */
int standInCurrent(void);
int standInEnqueue(void *stream, void (*run)(void *argument), void *argument);
char *standInPlace(uint64_t address, uint64_t bytes);

typedef struct handle {
  int state;
} handle;
typedef struct product {
  int state, sum, factor;
  int32_t left_transposed, right_transposed;
} product;
typedef struct matrix {
  int state, type;
  uint64_t rows, columns;
  int64_t step, batch_step;
  int32_t count;
} matrix;
typedef struct preference {
  int state;
  uint64_t workspace;
  uint32_t alignment[4];
} preference;
typedef struct algorithm {
  uint64_t data[8];
} algorithm;
typedef struct found {
  algorithm algorithm;
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
} found;
typedef struct work {
  product p;
  matrix m[3]; /* left, right, out */
  uint64_t at[3], workspace;
  double one, zero;
} work;

static int alive;

__attribute__((noreturn)) static void misuse(const char *what) {
  fprintf(stderr, "cuBLASLt stand-in: misuse: %s\n", what);
  abort();
}
__attribute__((destructor)) static void end(void) {
  if (alive) misuse("something that nobody destroyed");
}
static bool told(const char *what) {
  const char *setting = getenv("HEDDLE_STAND_IN_BLAS");
  return setting && !strcmp(setting, what);
}
#define LIVE(x, what) \
  if (!(x) || (x)->state != ALIVE) misuse(what ": a handle that is not alive")
#define CURRENT(what) \
  if (!standInCurrent()) misuse(what ": no context is current")

static void *make(size_t size) {
  int *made = calloc(1, size);
  *made = ALIVE;
  __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED);
  return made;
}
static int destroy(int *state) {
  if (!state || *state != ALIVE) misuse("destroys what is not alive");
  free(state);
  __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

API size_t cublasLtGetVersion(void) { return told("old") ? 100200 : 130002; }
API const char *cublasLtGetStatusName(int status) {
  return status == FAILED ? "CUBLAS_STATUS_EXECUTION_FAILED" : "CUBLAS_STATUS";
}
API int cublasLtCreate(handle **out) {
  CURRENT("cublasLtCreate");
  return told("start") ? NOT_INITIALIZED : (*out = make(sizeof **out), SUCCESS);
}
API int cublasLtDestroy(handle *h) {
  CURRENT("cublasLtDestroy");
  return destroy(&h->state);
}

API int cublasLtMatmulDescCreate(product **out, int sum, int factor) {
  *out = make(sizeof **out);
  (*out)->sum = sum, (*out)->factor = factor;
  return SUCCESS;
}
API int cublasLtMatmulDescSetAttribute(product *p, int attribute, const void *value, size_t size) {
  LIVE(p, "cublasLtMatmulDescSetAttribute");
  if (size != 4 || (attribute != 3 && attribute != 4)) misuse("cublasLtMatmulDescSetAttribute: not known here");
  memcpy(attribute == 3 ? &p->left_transposed : &p->right_transposed, value, 4);
  return SUCCESS;
}
API int cublasLtMatmulDescDestroy(product *p) { return destroy(&p->state); }

API int cublasLtMatrixLayoutCreate(matrix **out, int type, uint64_t rows, uint64_t columns, int64_t step) {
  if (!rows || !columns || step < (int64_t)rows) return INVALID;
  *out = make(sizeof **out);
  **out = (matrix){ALIVE, type, rows, columns, step, 0, 1};
  return SUCCESS;
}
API int cublasLtMatrixLayoutSetAttribute(matrix *m, int attribute, const void *value, size_t size) {
  LIVE(m, "cublasLtMatrixLayoutSetAttribute");
  if (attribute == 5 && size == 4) return memcpy(&m->count, value, 4), SUCCESS;
  if (attribute == 6 && size == 8) return memcpy(&m->batch_step, value, 8), SUCCESS;
  misuse("cublasLtMatrixLayoutSetAttribute: not known here");
}
API int cublasLtMatrixLayoutDestroy(matrix *m) { return destroy(&m->state); }

API int cublasLtMatmulPreferenceCreate(preference **out) { return *out = make(sizeof **out), SUCCESS; }
API int cublasLtMatmulPreferenceSetAttribute(preference *w, int attribute, const void *value, size_t size) {
  LIVE(w, "cublasLtMatmulPreferenceSetAttribute");
  if (attribute == 1 && size == 8) return memcpy(&w->workspace, value, 8), SUCCESS;
  if (attribute >= 5 && attribute < 9 && size == 4) return memcpy(&w->alignment[attribute - 5], value, 4), SUCCESS;
  misuse("cublasLtMatmulPreferenceSetAttribute: not known here");
}
API int cublasLtMatmulPreferenceDestroy(preference *w) { return destroy(&w->state); }

/* op(left) is (m, k), op(right) (k, n) and out (m, n), as often each. */
static bool agree(const product *p, const matrix *l, const matrix *r, const matrix *o) {
  uint64_t m = p->left_transposed ? l->columns : l->rows, k = p->left_transposed ? l->rows : l->columns;
  uint64_t k2 = p->right_transposed ? r->columns : r->rows, n = p->right_transposed ? r->rows : r->columns;
  return m == o->rows && n == o->columns && k == k2 && l->count == o->count && r->count == o->count;
}

API int cublasLtMatmulAlgoGetHeuristic(handle *h, product *p, matrix *l, matrix *r, matrix *c, matrix *d, preference *w,
                                       int wanted, found *out, int *count) {
  LIVE(h, "heuristic");
  LIVE(p, "heuristic");
  LIVE(l, "heuristic");
  LIVE(r, "heuristic");
  LIVE(c, "heuristic");
  LIVE(d, "heuristic");
  LIVE(w, "heuristic");
  CURRENT("cublasLtMatmulAlgoGetHeuristic");
  fprintf(stderr, "cuBLASLt stand-in: asked\n");
  if (wanted < 1 || !w->workspace) misuse("heuristic: no workspace is preferred");
  for (int i = 0; i < 4; ++i)
    if (!w->alignment[i] || w->alignment[i] > 256) misuse("heuristic: an alignment");
  *count = 0;
  if (told("none")) return NOT_SUPPORTED;
  if (!agree(p, l, r, d)) return INVALID;
  *out =
      (found){.algorithm = {{MAGIC, l->rows, r->rows, d->rows, w->alignment[0]}}, .workspace = WORKSPACE, .waves = 1};
  *count = 1;
  return SUCCESS;
}

static double load(const char *at, int type) {
  if (type == F32) return (double)*(const float *)(const void *)at;
  if (type == F64) return *(const double *)(const void *)at;
  if (type == I8) return *(const int8_t *)at;
  if (type != BF16) misuse("a type that is not known here");
  uint32_t bits = (uint32_t)*(const uint16_t *)(const void *)at << 16;
  float wide;
  memcpy(&wide, &bits, 4);
  return (double)wide;
}

static void store(char *at, int type, double value) {
  if (type == F32)
    *(float *)(void *)at = (float)value;
  else if (type == F64)
    *(double *)(void *)at = value;
  else if (type == I32)
    *(int32_t *)(void *)at = (int32_t)value;
  else {
    float wide = (float)value;
    uint32_t bits;
    memcpy(&bits, &wide, 4);
    bits += 0x7fff + (bits >> 16 & 1);
    *(uint16_t *)(void *)at = (uint16_t)(bits >> 16);
  }
}

static int64_t size_of(int type) { return type == F64 ? 8 : type == F32 || type == I32 ? 4 : type == I8 ? 1 : 2; }

static const char *element(const work *w, int which, bool transposed, int64_t b, int64_t i, int64_t j) {
  const matrix *m = &w->m[which];
  int64_t row = transposed ? j : i, column = transposed ? i : j;
  uint64_t at = w->at[which] + (uint64_t)((b * m->batch_step + column * m->step + row) * size_of(m->type));
  const char *place = standInPlace(at, (uint64_t)size_of(m->type));
  if (!place) misuse("a product beside an allocation");
  return place;
}

/* In the stream. */
static void multiply(void *argument) {
  work *w = argument;
  const matrix *out = &w->m[2];
  int64_t depth = (int64_t)(w->p.left_transposed ? w->m[0].rows : w->m[0].columns);
  memset(standInPlace(w->workspace, WORKSPACE), 0x77, WORKSPACE);
  for (int64_t b = 0; b < out->count; ++b)
    for (int64_t j = 0; j < (int64_t)out->columns; ++j)
      for (int64_t i = 0; i < (int64_t)out->rows; ++i) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum += load(element(w, 0, w->p.left_transposed, b, i, k), w->m[0].type) *
                 load(element(w, 1, w->p.right_transposed, b, k, j), w->m[1].type);
        store((char *)element(w, 2, false, b, i, j), out->type, w->one * sum);
      }
  free(w);
}

static double number(const void *at, int type) {
  return type == F64 ? *(const double *)at : type == I32 ? *(const int32_t *)at : (double)*(const float *)at;
}

API int cublasLtMatmul(handle *h, product *p, const void *one, const void *left, matrix *l, const void *right,
                       matrix *r, const void *zero, const void *c, matrix *cm, void *d, matrix *dm, const algorithm *a,
                       void *workspace, size_t size, void *stream) {
  LIVE(h, "cublasLtMatmul");
  LIVE(p, "cublasLtMatmul");
  LIVE(l, "cublasLtMatmul");
  LIVE(r, "cublasLtMatmul");
  LIVE(cm, "cublasLtMatmul");
  LIVE(dm, "cublasLtMatmul");
  CURRENT("cublasLtMatmul");
  if (told("fails")) return FAILED;
  if (a->data[0] != MAGIC || a->data[1] != l->rows || a->data[2] != r->rows || a->data[3] != dm->rows)
    misuse("cublasLtMatmul: an algorithm of another form");
  if (size < WORKSPACE || !workspace) misuse("cublasLtMatmul: a workspace that is too small");
  uint64_t bits = (uint64_t)(uintptr_t)left | (uint64_t)(uintptr_t)right | (uint64_t)(uintptr_t)d;
  if (bits & (a->data[4] - 1)) misuse("cublasLtMatmul: memory that is aligned less than it was said to be");
  if (c != d || number(zero, p->factor) != 0 || number(one, p->factor) != 1 || !agree(p, l, r, dm)) return INVALID;
  work *w = malloc(sizeof *w);
  *w = (work){.p = *p,
              .m = {*l, *r, *dm},
              .at = {(uint64_t)(uintptr_t)left, (uint64_t)(uintptr_t)right, (uint64_t)(uintptr_t)d},
              .workspace = (uint64_t)(uintptr_t)workspace,
              .one = 1};
  fprintf(stderr, "cuBLASLt stand-in: product\n");
  return standInEnqueue(stream, multiply, w) ? FAILED : SUCCESS;
}
