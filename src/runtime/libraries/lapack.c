/* SPDX-License-Identifier: Apache-2.0 */
/* A target is lapack_, a letter for the element type (s, d, c, z), the routine, _ffi. A row says which tensors it takes
 * and gives; a function of lapack_calls.h calls the routine on one matrix: the system's, or the runtime's own
 * (dense.h). The matrices of a batch run in parallel, each on one thread; few large ones of the runtime's own routines
 * one after the other, each on all threads. */
#include "runtime/libraries/lapack.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/libraries/dense.h"
#include "runtime/libraries/lapack_check.h"
#include "runtime/libraries/lapacke.h"

enum { MAX_TENSORS = 6, SCRATCHES = 3 };

/* Calls on the matrices of a batch, one after the other. */
typedef struct lapack {
  const hd_lapacke *lib; /* null for the runtime's own routines */
  hd_dense dense;
  const hd_custom_call *call;
  int32_t m, n; /* of the first input */
  char *in[MAX_TENSORS], *out[MAX_TENSORS];
  void *scratch[SCRATCHES];
  size_t scratch_size[SCRATCHES];
  int32_t info;
} lapack;

static char letter_of(const lapack *l, const char *name, char otherwise) {
  return (char)hd_lapack_attribute(l->call, name, otherwise);
}

static int32_t last_dim(const hd_custom_tensor *t, int32_t back) {
  return t->rank >= back ? (int32_t)t->dims[t->rank - back] : 1;
}

static int32_t lead(int32_t rows) { return rows > 1 ? rows : 1; }

/* What CBLAS calls the letters that the call's rules admit. */
static int cblas_side(char letter) { return letter == 'L' ? 141 : 142; }
static int cblas_uplo(char letter) { return letter == 'U' ? 121 : 122; }
static int cblas_trans(char letter) { return letter == 'N' ? 111 : letter == 'T' ? 112 : 113; }
static int cblas_diag(char letter) { return letter == 'N' ? 131 : 132; }

/* Is a call of singular values one of a matrix at least twice as long one way as the other, without more vectors than
 * the shorter side has? */
static bool is_thin(const hd_custom_call *call) {
  int64_t m = last_dim(&call->inputs[0], 2), n = last_dim(&call->inputs[0], 1);
  return m > 0 && n > 0 && (m >= 2 * n || n >= 2 * m) && hd_lapack_attribute(call, "mode", 'A') != 'A';
}

/* Memory for this matrix, kept for those after it; what it holds is open. Null when there is none. */
static void *take(lapack *l, int slot, size_t bytes) {
  if (l->scratch[slot] && l->scratch_size[slot] >= bytes) return l->scratch[slot];
  free(l->scratch[slot]);
  l->scratch_size[slot] = bytes;
  return l->scratch[slot] = calloc(bytes ? bytes : 1, 1);
}

/* The code of a call: the number of an argument without the layout that LAPACKE has in front. */
static int32_t code_of(int32_t info) { return info < 0 ? info + 1 : info; }

/* The size that a query left in the first element. */
static int32_t work_size(double size) { return size < 1 ? 1 : size > INT32_MAX ? INT32_MAX : (int32_t)size; }

#define T float
#define R float
#define LETTER s
#define IS_COMPLEX 0
#include "runtime/libraries/lapack_calls.h"
#define T double
#define R double
#define LETTER d
#define IS_COMPLEX 0
#include "runtime/libraries/lapack_calls.h"
#define T float _Complex
#define R float
#define LETTER c
#define IS_COMPLEX 1
#include "runtime/libraries/lapack_calls.h"
#define T double _Complex
#define R double
#define LETTER z
#define IS_COMPLEX 1
#include "runtime/libraries/lapack_calls.h"

/* ---- the table ---- */

static const char letters[] = "sdcz";

typedef struct row {
  const char *name;
  bool (*run[4])(lapack *l);      /* by letter, null where the routine has another name */
  const char *ins, *outs, *rules; /* as lapack_check.h has them */
  int8_t copies[MAX_TENSORS];     /* output k starts as input copies[k], -1 for none */
  int8_t info;                    /* the output that gets the code; -1: none */
  enum { UNIQUE, FREE } results;
} row;

#define ALL(routine) {routine##_s, routine##_d, routine##_c, routine##_z}
#define REAL(routine) {routine##_s, routine##_d, NULL, NULL}
#define COMPLEX(routine) {NULL, NULL, routine##_c, routine##_z}

static const row rows[] = {
#define LAPACK(routine, LETTERS, function, RESULTS, ins, outs, rules, info, ...) \
  {#routine, LETTERS(function), ins, outs, rules, {__VA_ARGS__}, info, RESULTS},
#include "runtime/libraries/lapack_rows.def"
};

/* The runtime's own routines, and what takes some matrices of up to HD_DENSE_SMALL rows and columns at once; where
 * |lapack|, one matrix is LAPACK's. */
typedef struct own_routine {
  bool (*run)(lapack *l);
  bool (*small)(lapack *l, int64_t count);
  bool lapack;
} own_routine;

#define OWN(routine, lapack) \
  {routine##_s, small_##routine##_s, lapack}, { routine##_d, small_##routine##_d, lapack }
static const own_routine own_routines[] = {OWN(potrf, false), OWN(trsm, false), OWN(getrf, false), OWN(geqrf, false),
                                           OWN(orgqr, false), OWN(gesdd, true), OWN(gesvd, true)};

/* Null where all is LAPACK's. */
static const own_routine *own_of(bool (*run)(lapack *l)) {
  for (size_t i = 0; i < sizeof own_routines / sizeof *own_routines; ++i)
    if (own_routines[i].run == run) return &own_routines[i];
  return NULL;
}

static const row *row_of(const char *name, size_t size, int *out_letter) {
  const char *letter = size < 13 || !name[7] ? NULL : strchr(letters, name[7]);
  if (!letter || memcmp(name, "lapack_", 7) || memcmp(name + size - 4, "_ffi", 4)) return NULL;
  *out_letter = (int)(letter - letters);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].run[*out_letter] && strlen(rows[i].name) == size - 12 && !memcmp(rows[i].name, name + 8, size - 12))
      return &rows[i];
  return NULL;
}

bool hd_lapack_knows(const char *name, size_t size) {
  int letter;
  return row_of(name, size, &letter) != NULL;
}

bool hd_lapack_is_unique(const char *name, size_t size) {
  int letter;
  const row *r = row_of(name, size, &letter);
  return r && r->results == UNIQUE;
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

/* ---- batches ---- */

typedef struct batch {
  const hd_lapacke *lib;
  hd_dense dense;
  const hd_custom_call *call;
  const row *row;
  const own_routine *own; /* null: all is LAPACK's */
  int letter;
  int64_t count, lanes; /* of matrices; of those taken at once */
  int64_t grains;       /* of one matrix: about a microsecond each */
  atomic_bool no_memory;
} batch;

/* |l| at |count| matrices from |i| on, which outputs start as. */
static void take_matrices(const batch *b, lapack *l, int64_t i, int64_t count) {
  const row *r = b->row;
  for (int32_t k = 0; k < b->call->input_count; ++k) {
    const hd_custom_tensor *t = &b->call->inputs[k];
    l->in[k] = (char *)t->data + (size_t)i * step_of(t, hd_lapack_rank(r->ins, (size_t)k));
  }
  for (int32_t k = 0; k < b->call->output_count; ++k) {
    const hd_custom_tensor *t = &b->call->outputs[k];
    size_t step = step_of(t, hd_lapack_rank(r->outs, (size_t)k));
    l->out[k] = (char *)t->data + (size_t)i * step;
    if (!step) continue;
    if (r->copies[k] < 0)
      memset(l->out[k], 0, step * (size_t)count);
    else if (l->out[k] != l->in[(int)r->copies[k]])
      memcpy(l->out[k], l->in[(int)r->copies[k]], step * (size_t)count);
  }
  l->info = 0;
}

/* Matrices whose first grain is in [begin, end). */
static void run_range(void *argument, int64_t begin, int64_t end) {
  batch *b = argument;
  lapack l = {.lib = b->lib,
              .dense = b->dense,
              .call = b->call,
              .m = last_dim(&b->call->inputs[0], 2),
              .n = last_dim(&b->call->inputs[0], 1)};
  for (int64_t i = begin / b->grains + (begin % b->grains != 0); i * b->grains < end; ++i) {
    take_matrices(b, &l, i, 1);
    if (!b->row->run[b->letter](&l)) {
      atomic_store_explicit(&b->no_memory, true, memory_order_relaxed);
      break;
    }
    l.info = code_of(l.info);
    if (b->row->info >= 0) memcpy(l.out[(int)b->row->info], &l.info, sizeof l.info);
  }
  for (int k = 0; k < SCRATCHES; ++k) free(l.scratch[k]);
}

/* Groups of small matrices in [begin, end). */
static void run_groups(void *argument, int64_t begin, int64_t end) {
  batch *b = argument;
  lapack l = {.lib = b->lib,
              .dense = b->dense,
              .call = b->call,
              .m = last_dim(&b->call->inputs[0], 2),
              .n = last_dim(&b->call->inputs[0], 1)};
  enum { TOGETHER = 16 }; /* groups, which caches hold between the copy and the work */
  for (int64_t g = begin; g < end; g += TOGETHER) {
    int64_t first = g * b->lanes, last = (end - g < TOGETHER ? end : g + TOGETHER) * b->lanes;
    int64_t count = (last < b->count ? last : b->count) - first;
    take_matrices(b, &l, first, count);
    if (!b->own->small(&l, count)) atomic_store_explicit(&b->no_memory, true, memory_order_relaxed);
  }
  for (int k = 0; k < SCRATCHES; ++k) free(l.scratch[k]);
}

/* Fewer are as fast one by one; and vectors beyond those of the shorter side are LAPACK's. */
static bool are_small(const batch *b) {
  const hd_custom_tensor *t = &b->call->inputs[0],
                         *x = hd_lapack_rank(b->row->ins, 1) == 2 ? &b->call->inputs[1] : NULL;
  bool lines = !x || (last_dim(x, 2) <= HD_DENSE_SMALL_LINES && last_dim(x, 1) <= HD_DENSE_SMALL_LINES);
  if (!b->own) return false;
  bool all_vectors = b->own->lapack && hd_lapack_attribute(b->call, "mode", 'A') == 'A';
  if (all_vectors && last_dim(t, 2) != last_dim(t, 1)) return false;
  return b->count > 2 && lines && last_dim(t, 2) <= HD_DENSE_SMALL && last_dim(t, 1) <= HD_DENSE_SMALL;
}

/* Of a microsecond, about: elements are loaded and stored one by one. */
static int64_t groups_of_grain(const batch *b) {
  double m = last_dim(&b->call->inputs[0], 2), n = last_dim(&b->call->inputs[0], 1), lines = 0;
  if (hd_lapack_rank(b->row->ins, 1) == 2)
    lines = (double)last_dim(&b->call->inputs[1], 2) * last_dim(&b->call->inputs[1], 1);
  double time = (m * n * (m < n ? m : n) + 4 * m * n + 4 * lines) * (double)b->lanes / 2e4;
  return time < 0.001 ? 1000 : time > 1 ? 1 : (int64_t)(1 / time);
}

/* The factorisations of a matrix take some ten times m * n * min(m, n) operations, a few thousand a microsecond. */
static int64_t grains_of(const hd_custom_call *call, int64_t count) {
  double m = last_dim(&call->inputs[0], 2), n = last_dim(&call->inputs[0], 1);
  double work = m * n * (m < n ? m : n) / 500;
  int64_t grains = work < 1 ? 1 : work > 1 << 20 ? 1 << 20 : (int64_t)work;
  return grains < INT64_MAX / count ? grains : 1;
}

/* Would matrix by matrix on all threads keep more of them busy? */
static bool one_by_one(const batch *b, int64_t count, const hd_gemm_env *env) {
  bool whole = b->own && (!b->own->lapack || is_thin(b->call));
  return whole && env && count < 2 * (int64_t)env->threads && b->grains > 64;
}

hd_status hd_lapack_call(const char *target, const hd_custom_call *call, hd_gemm_context *gemm,
                         const hd_gemm_env *env) {
  batch b = {.call = call};
  int64_t count = 0;
  b.row = row_of(target, strlen(target), &b.letter);
  if (!b.row) return hd_make_status(HD_NOT_FOUND, "%s: no such routine of LAPACK", target);
  HD_TRY(hd_lapack_check(target, letters[b.letter], b.row->ins, b.row->outs, b.row->rules, call, &count));
  if (count <= 0 || writes_nothing(b.row, call)) return HD_STATUS_OK;
  b.own = own_of(b.row->run[b.letter]), b.count = count;
  if (b.own) b.dense = (hd_dense){.gemm = gemm, .type = b.letter ? HD_ELEMENT_F64 : HD_ELEMENT_F32};
  if (!b.own || b.own->lapack) HD_TRY_MSG(hd_lapacke_open(&b.lib), "%s", target);
  b.grains = grains_of(call, count);
  hd_gemm_env all = env ? *env : (hd_gemm_env){0};
  all.keep = NULL; /* factors are no weights */
  if (are_small(&b)) {
    b.lanes = hd_dense_lanes(b.dense.type);
    int64_t groups = (count + b.lanes - 1) / b.lanes;
    if (env && env->for_range)
      env->for_range(env->user, groups, groups_of_grain(&b), run_groups, &b);
    else
      run_groups(&b, 0, groups);
  } else if (one_by_one(&b, count, env)) {
    b.dense.env = &all;
    run_range(&b, 0, count * b.grains);
  } else if (env && env->for_range)
    env->for_range(env->user, count * b.grains, 1, run_range, &b);
  else
    run_range(&b, 0, count * b.grains);
  if (atomic_load_explicit(&b.no_memory, memory_order_relaxed))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", target);
  return HD_STATUS_OK;
}
