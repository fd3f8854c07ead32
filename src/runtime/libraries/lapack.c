/* SPDX-License-Identifier: Apache-2.0 */
/* A target is lapack_, a letter for the element type (s, d, c, z), the routine, _ffi. A row says which tensors it takes
 * and gives; a function calls the routine on one matrix.
 *
 * Routines follow Fortran's convention: every argument by address, lengths of strings behind them. All are called
 * through one type of function with more arguments than any of them has; what a callee does not know of, it does not
 * read. */
#include "runtime/libraries/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "runtime/libraries/lapack_check.h"

typedef void (*routine)(const void *, const void *, const void *, const void *, const void *, const void *,
                        const void *, const void *, const void *, const void *, const void *, const void *,
                        const void *, const void *, const void *, const void *, const void *, const void *,
                        const void *, const void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void open_library(void) {
  static const char *const names[] = {"liblapack.so.3", "libopenblas.so.0", "libmkl_rt.so.2", "liblapack.so",
                                      "libopenblas.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; ++i)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
}

enum { MAX_TENSORS = 6 };

/* One call on one matrix of a batch. */
typedef struct lapack {
  const hd_custom_call *call;
  routine fn;
  const char *letter;
  bool is_complex;
  size_t element, real; /* bytes */
  int32_t m, n;         /* of the first input */
  char *in[MAX_TENSORS], *out[MAX_TENSORS];
  void *scratch[4];
  int32_t info;
} lapack;

static char letter_of(const lapack *l, const char *name, char otherwise) {
  return (char)hd_lapack_attribute(l->call, name, otherwise);
}

static int32_t last_dim(const hd_custom_tensor *t, int32_t back) {
  return t->rank >= back ? (int32_t)t->dims[t->rank - back] : 1;
}

static int32_t lead(int32_t rows) { return rows > 1 ? rows : 1; }

/* ---- workspaces ---- */

/* Memory for the rest of this matrix's call; null when there is none. */
static void *take(lapack *l, int slot, size_t bytes) {
  free(l->scratch[slot]);
  return l->scratch[slot] = calloc(bytes ? bytes : 1, 1);
}

/* The size that a query left in the first element. */
static int32_t wanted(const lapack *l, const void *element) {
  double size;
  if (l->real == 4) {
    float narrow;
    memcpy(&narrow, element, 4);
    size = narrow;
  } else {
    memcpy(&size, element, 8);
  }
  return size < 1 ? 1 : size > INT32_MAX ? INT32_MAX : (int32_t)size;
}

#define NONE NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
#define ONE ((const void *)(uintptr_t)1) /* the length of a string */

/* Calls twice: for the size of the workspace, then with it. |work| and |size| stand for them in |arguments|. */
#define WITH_WORK(l, ...)                           \
  do {                                              \
    char first[16] = {0};                           \
    int32_t size = -1;                              \
    void *work = first;                             \
    (l)->fn(__VA_ARGS__);                           \
    size = wanted(l, first);                        \
    work = take(l, 0, (size_t)size * (l)->element); \
    if (!work) return false;                        \
    (l)->fn(__VA_ARGS__);                           \
  } while (0)

/* ---- the routines on one matrix; false when memory is short ---- */

static bool potrf(lapack *l) {
  char uplo = letter_of(l, "uplo", 'L');
  int32_t lda = lead(l->n);
  l->fn(&uplo, &l->n, l->out[0], &lda, &l->info, ONE, NONE, NULL, NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool trsm(lapack *l) {
  char side = letter_of(l, "side", 'L'), uplo = letter_of(l, "uplo", 'L'), trans = letter_of(l, "trans_x", 'N'),
       diag = letter_of(l, "diag", 'N');
  const hd_custom_tensor *b = &l->call->inputs[1];
  int32_t m = last_dim(b, 2), n = last_dim(b, 1), lda = lead(l->m), ldb = lead(m);
  double alpha[2] = {1, 0};
  float narrow[2] = {1, 0};
  l->fn(&side, &uplo, &trans, &diag, &m, &n, l->real == 4 ? (void *)narrow : alpha, l->in[0], &lda, l->out[0], &ldb,
        ONE, ONE, ONE, ONE, NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool getrf(lapack *l) {
  int32_t lda = lead(l->m);
  l->fn(&l->m, &l->n, l->out[0], &lda, l->out[1], &l->info, NONE, NULL, NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool geqrf(lapack *l) {
  int32_t lda = lead(l->m);
  WITH_WORK(l, &l->m, &l->n, l->out[0], &lda, l->out[1], work, &size, &l->info, NONE, NULL, NULL, NULL, NULL);
  return true;
}

static bool geqp3(lapack *l) {
  int32_t lda = lead(l->m);
  void *real = take(l, 1, 2 * (size_t)l->n * l->real);
  if (!real) return false;
  if (l->is_complex)
    WITH_WORK(l, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], work, &size, real, &l->info, NONE, NULL, NULL);
  else
    WITH_WORK(l, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], work, &size, &l->info, NONE, NULL, NULL, NULL);
  return true;
}

static bool orgqr(lapack *l) {
  int32_t lda = lead(l->m), k = last_dim(&l->call->inputs[1], 1);
  WITH_WORK(l, &l->m, &l->n, &k, l->out[0], &lda, l->in[1], work, &size, &l->info, NONE, NULL, NULL, NULL);
  return true;
}

static bool ormqr(lapack *l) {
  char left = letter_of(l, "side", 'L'), trans = letter_of(l, "trans", 'N');
  const hd_custom_tensor *c = &l->call->inputs[2];
  int32_t lda = lead(l->m), k = last_dim(&l->call->inputs[1], 1), m = last_dim(c, 2), n = last_dim(c, 1), ldc = lead(m);
  WITH_WORK(l, &left, &trans, &m, &n, &k, l->in[0], &lda, l->in[1], l->out[0], &ldc, work, &size, &l->info, ONE, ONE,
            NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool syevd(lapack *l) {
  char job = letter_of(l, "mode", 'V'), uplo = letter_of(l, "uplo", 'L');
  int32_t lda = lead(l->n), integers = 3 + 5 * l->n, reals = -1;
  double wide = 0;
  void *ints = take(l, 1, 4 * (size_t)integers), *real = &wide;
  if (!ints) return false;
  if (!l->is_complex) {
    WITH_WORK(l, &job, &uplo, &l->n, l->out[0], &lda, l->out[1], work, &size, ints, &integers, &l->info, ONE, ONE, NULL,
              NULL, NULL, NULL, NULL, NULL, NULL);
    return true;
  }
  reals = 1 + 5 * l->n + 2 * l->n * l->n;
  if (!(real = take(l, 2, (size_t)reals * l->real))) return false;
  WITH_WORK(l, &job, &uplo, &l->n, l->out[0], &lda, l->out[1], work, &size, real, &reals, ints, &integers, &l->info,
            ONE, ONE, NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool gesdd(lapack *l) {
  char job = letter_of(l, "mode", 'A');
  int32_t lda = lead(l->m), ldu = lead(l->m), rows = last_dim(&l->call->outputs[3], 2), ldv = lead(rows);
  size_t least = (size_t)(l->m < l->n ? l->m : l->n), most = (size_t)(l->m < l->n ? l->n : l->m);
  void *ints = take(l, 1, 8 * 4 * (least + 1));
  size_t reals = least * (5 * least + 7 > 2 * most + 2 * least + 1 ? 5 * least + 7 : 2 * most + 2 * least + 1) + 1;
  void *real = take(l, 2, reals * l->real);
  if (!ints || !real) return false;
  if (l->is_complex)
    WITH_WORK(l, &job, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], &ldu, l->out[3], &ldv, work, &size, real,
              ints, &l->info, ONE, NULL, NULL, NULL, NULL);
  else
    WITH_WORK(l, &job, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], &ldu, l->out[3], &ldv, work, &size, ints,
              &l->info, ONE, NULL, NULL, NULL, NULL, NULL);
  return true;
}

static bool gesvd(lapack *l) {
  char job = letter_of(l, "mode", 'A');
  int32_t lda = lead(l->m), ldu = lead(l->m), rows = last_dim(&l->call->outputs[3], 2), ldv = lead(rows);
  void *real = take(l, 1, 5 * (size_t)(l->m < l->n ? l->m : l->n) * l->real);
  if (!real) return false;
  if (l->is_complex)
    WITH_WORK(l, &job, &job, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], &ldu, l->out[3], &ldv, work, &size,
              real, &l->info, ONE, ONE, NULL, NULL, NULL);
  else
    WITH_WORK(l, &job, &job, &l->m, &l->n, l->out[0], &lda, l->out[1], l->out[2], &ldu, l->out[3], &ldv, work, &size,
              &l->info, ONE, ONE, NULL, NULL, NULL, NULL);
  return true;
}

/* Vectors of a real matrix as complex ones: a conjugate pair of eigenvalues has real and imaginary parts side by side.
 */
static void unpack_vectors(const lapack *l, const char *imaginary, const char *from, char *to) {
  size_t n = (size_t)l->n, bytes = l->real;
  char zero[8] = {0};
  for (size_t j = 0; j < n; ++j) {
    bool pair;
    if (bytes == 4) {
      float value;
      memcpy(&value, imaginary + 4 * j, 4);
      pair = j + 1 < n && value != 0;
    } else {
      double value;
      memcpy(&value, imaginary + 8 * j, 8);
      pair = j + 1 < n && value != 0;
    }
    for (size_t i = 0; i < n; ++i) {
      const char *re = from + (j * n + i) * bytes, *im = pair ? re + n * bytes : zero;
      char *a = to + 2 * (j * n + i) * bytes, *b = a + 2 * n * bytes;
      memcpy(a, re, bytes);
      memcpy(a + bytes, im, bytes);
      if (!pair) continue;
      memcpy(b, re, bytes);
      if (bytes == 4) {
        float value;
        memcpy(&value, im, 4);
        value = -value;
        memcpy(b + 4, &value, 4);
      } else {
        double value;
        memcpy(&value, im, 8);
        value = -value;
        memcpy(b + 8, &value, 8);
      }
    }
    if (pair) ++j;
  }
}

static bool geev(lapack *l) {
  char left = letter_of(l, "compute_left", 'N'), right = letter_of(l, "compute_right", 'V');
  size_t n = (size_t)l->n, matrix = n * n * l->element;
  int32_t lda = lead(l->n);
  char *a = take(l, 1, matrix);
  char *more = take(l, 2, l->is_complex ? 2 * n * l->real : 2 * matrix);
  if (!a || !more) return false;
  memcpy(a, l->in[0], matrix);
  if (l->is_complex) {
    WITH_WORK(l, &left, &right, &l->n, a, &lda, l->out[0], l->out[1], &lda, l->out[2], &lda, work, &size, more,
              &l->info, ONE, ONE, NULL, NULL, NULL, NULL);
    return true;
  }
  char *vl = more, *vr = more + matrix;
  WITH_WORK(l, &left, &right, &l->n, a, &lda, l->out[0], l->out[1], vl, &lda, vr, &lda, work, &size, &l->info, ONE, ONE,
            NULL, NULL, NULL, NULL);
  if (left == 'V') unpack_vectors(l, l->out[1], vl, l->out[2]);
  if (right == 'V') unpack_vectors(l, l->out[1], vr, l->out[3]);
  return true;
}

static bool gees(lapack *l) {
  char job = letter_of(l, "mode", 'V'), sort = 'N';
  int32_t lda = lead(l->n);
  void *logical = take(l, 1, 4 * (size_t)l->n), *real = take(l, 2, (size_t)l->n * l->real);
  if (!logical || !real) return false;
  if (l->is_complex)
    WITH_WORK(l, &job, &sort, NULL, &l->n, l->out[0], &lda, l->out[3], l->out[2], l->out[1], &lda, work, &size, real,
              logical, &l->info, ONE, ONE, NULL, NULL, NULL);
  else
    WITH_WORK(l, &job, &sort, NULL, &l->n, l->out[0], &lda, l->out[4], l->out[2], l->out[3], l->out[1], &lda, work,
              &size, logical, &l->info, ONE, ONE, NULL, NULL, NULL);
  return true;
}

static bool gehrd(lapack *l) {
  int32_t low = (int32_t)hd_lapack_attribute(l->call, "low", 1),
          high = (int32_t)hd_lapack_attribute(l->call, "high", l->n), lda = lead(l->n);
  WITH_WORK(l, &l->n, &low, &high, l->out[0], &lda, l->out[1], work, &size, &l->info, NONE, NULL, NULL, NULL);
  return true;
}

static bool sytrd(lapack *l) {
  char uplo = letter_of(l, "uplo", 'L');
  int32_t lda = lead(l->n);
  WITH_WORK(l, &uplo, &l->n, l->out[0], &lda, l->out[1], l->out[2], l->out[3], work, &size, &l->info, ONE, NONE, NULL);
  return true;
}

/* The lower diagonal has an element before its first one, as the upper has one behind its last. */
static bool gtsv(lapack *l) {
  const hd_custom_tensor *b = &l->call->inputs[3];
  int32_t n = last_dim(b, 2), lines = last_dim(b, 1), ldb = lead(n);
  l->fn(&n, &lines, l->out[0] + l->element, l->out[1], l->out[2], l->out[3], &ldb, &l->info, NONE, NULL, NULL, NULL,
        NULL);
  return true;
}

/* ---- the table ---- */

typedef struct row {
  const char *name;
  bool (*run)(lapack *l);
  const char *ins, *outs, *rules; /* as lapack_check.h has them */
  int8_t copies[MAX_TENSORS];     /* output k starts as input copies[k], -1 for none */
  int8_t info;                    /* the output that gets the code; -1: none */
} row;

static const row rows[] = {
    {"potrf", potrf, "nn", "nn i:", "uplo=LU", {0, -1}, 1},
    {"trsm", trsm, "ss mn", "mn", "side=LR uplo=LU trans_x=NTC diag=NU", {1}, -1},
    {"getrf", getrf, "mn", "mn i:k i:", "", {0, -1, -1}, 2},
    {"geqrf", geqrf, "mn", "mn k", "", {0, -1}, -1},
    {"geqp3", geqp3, "mn i:n", "mn i:n k", "", {0, 1, -1}, -1},
    {"orgqr", orgqr, "mn t", "mn", "m>=n n>=t", {0}, -1},
    {"ungqr", orgqr, "mn t", "mn", "m>=n n>=t", {0}, -1},
    {"ormqr", ormqr, "sa t mn", "mn", "side=LR trans=NT s>=t a>=t", {2}, -1},
    {"unmqr", ormqr, "sa t mn", "mn", "side=LR trans=NC s>=t a>=t", {2}, -1},
    {"syevd", syevd, "nn", "nn r:n i:", "mode=VN uplo=LU 32766>=n", {0, -1, -1}, 2},
    {"heevd", syevd, "nn", "nn r:n i:", "mode=VN uplo=LU 32766>=n", {0, -1, -1}, 2},
    {"gesdd", gesdd, "mn", "mn r:k mu vn i:", "mode=ASN 20000>=k", {0, -1, -1, -1, -1}, 4},
    {"gesvd", gesvd, "mn", "mn r:k mu vn i:", "mode=ASN 20000>=k", {0, -1, -1, -1, -1}, 4},
    {"geev", geev, "nn", "n n c:nn c:nn i:", "compute_left=NV compute_right=VN", {-1, -1, -1, -1, -1}, 4},
    {"gees", gees, "nn", "nn nn n n i: i:", "mode=VN", {0, -1, -1, -1, -1, -1}, 5},
    {"gehrd", gehrd, "nn", "nn j i:", "low>=1 w>=low high>=y n>=high", {0, -1, -1}, 2},
    {"sytrd", sytrd, "nn", "nn r:n r:j j i:", "uplo=LU", {0, -1, -1, -1, -1}, 4},
    {"hetrd", sytrd, "nn", "nn r:n r:j j i:", "uplo=LU", {0, -1, -1, -1, -1}, 4},
    {"gtsv", gtsv, "n n n nm", "n n n nm i:", "", {0, 1, 2, 3, -1}, 4},
};

/* Complex eigenvalues are one output where real ones are two. */
static const row complex_rows[] = {
    {"geev", geev, "nn", "n nn nn i:", "compute_left=NV compute_right=VN", {-1, -1, -1, -1}, 3},
    {"gees", gees, "nn", "nn nn n i: i:", "mode=VN", {0, -1, -1, -1, -1}, 4},
};

static const row *row_of(const char *name, size_t size, char *out_letter) {
  if (size < 13 || memcmp(name, "lapack_", 7) || memcmp(name + size - 4, "_ffi", 4) || !strchr("sdcz", name[7]))
    return NULL;
  *out_letter = name[7];
  const char *routine_name = name + 8;
  size_t length = size - 12;
  bool is_complex = *out_letter == 'c' || *out_letter == 'z';
  for (size_t i = 0; i < sizeof complex_rows / sizeof *complex_rows && is_complex; ++i)
    if (strlen(complex_rows[i].name) == length && !memcmp(complex_rows[i].name, routine_name, length))
      return &complex_rows[i];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strlen(rows[i].name) == length && !memcmp(rows[i].name, routine_name, length)) return &rows[i];
  return NULL;
}

bool hd_lapack_knows(const char *name, size_t size) {
  char letter;
  return row_of(name, size, &letter) != NULL;
}

static size_t step_of(const hd_custom_tensor *t, int kind) {
  size_t step = hd_element_bytes(t->type);
  for (int32_t d = t->rank - kind; d < t->rank; ++d) step *= (size_t)t->dims[d];
  return step;
}

/* Where there is nothing to write, there is nothing to do, however large the batch. */
static bool writes_nothing(const row *r, const hd_custom_call *call) {
  for (int32_t k = 0; k < call->output_count; ++k)
    if (step_of(&call->outputs[k], hd_lapack_rank(r->outs, (size_t)k))) return false;
  return true;
}

hd_status hd_lapack_call(const char *target, const hd_custom_call *call) {
  char letter = 0, name[24];
  const row *r = row_of(target, strlen(target), &letter);
  int64_t batch = 0;
  if (!r) return hd_make_status(HD_NOT_FOUND, "%s: no such routine of LAPACK", target);
  HD_TRY(hd_lapack_check(target, letter, r->ins, r->outs, r->rules, call, &batch));
  if (writes_nothing(r, call)) return HD_STATUS_OK;
  pthread_once(&once, open_library);
  if (!library)
    return hd_make_status(HD_UNAVAILABLE, "%s: there is no LAPACK here: expected liblapack.so.3 or libopenblas.so.0",
                          target);
  size_t length = strlen(target) - 11;
  memcpy(name, target + 7, length);
  name[length] = '_';
  name[length + 1] = 0;
  void *symbol = dlsym(library, name);
  if (!symbol) return hd_make_status(HD_UNAVAILABLE, "%s: this LAPACK has no %s", target, name);
  lapack l = {.call = call, .is_complex = letter == 'c' || letter == 'z'};
  memcpy(&l.fn, &symbol, sizeof symbol);
  l.element = hd_element_bytes(call->inputs[0].type);
  l.real = l.is_complex ? l.element / 2 : l.element;
  l.m = last_dim(&call->inputs[0], 2);
  l.n = last_dim(&call->inputs[0], 1);
  hd_status status = HD_STATUS_OK;
  for (int64_t i = 0; i < batch && hd_is_ok(status); ++i) {
    for (int32_t k = 0; k < call->input_count; ++k)
      l.in[k] = (char *)call->inputs[k].data + (size_t)i * step_of(&call->inputs[k], hd_lapack_rank(r->ins, (size_t)k));
    for (int32_t k = 0; k < call->output_count; ++k) {
      size_t step = step_of(&call->outputs[k], hd_lapack_rank(r->outs, (size_t)k));
      l.out[k] = (char *)call->outputs[k].data + (size_t)i * step;
      if (r->copies[k] >= 0 && l.out[k] != l.in[(int)r->copies[k]]) memcpy(l.out[k], l.in[(int)r->copies[k]], step);
      if (r->copies[k] < 0) memset(l.out[k], 0, step);
    }
    l.info = 0;
    if (!r->run(&l)) status = hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", target);
    if (r->info >= 0) memcpy(l.out[(int)r->info], &l.info, sizeof l.info);
    for (int k = 0; k < 4; ++k) {
      free(l.scratch[k]);
      l.scratch[k] = NULL;
    }
  }
  return status;
}
