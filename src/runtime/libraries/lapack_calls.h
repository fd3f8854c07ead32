/* SPDX-License-Identifier: Apache-2.0 */
/* Included by lapack.c once per element type: T an element, R its real type, LETTER, IS_COMPLEX. Each function
 * calls its routine on one matrix; false when memory is short. */

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define NAME(routine) PASTE(routine, _, LETTER)
#define LAPACKE(routine) l->lib->PASTE(LAPACKE_, LETTER, PASTE(routine, _, work))
#define IN(k) ((const T *)(const void *)l->in[k])
#define OUT(k) ((T *)(void *)l->out[k])
#define REALS_OUT(k) ((R *)(void *)l->out[k])
#define INTS_OUT(k) ((int32_t *)(void *)l->out[k])

/* Calls twice: for the size of the workspace, then with it. |work| and |size| stand for them in the call. */
#define WITH_WORK(l, ...)                                             \
  do {                                                                \
    T first[1] = {0}, *work = first;                                  \
    int32_t size = -1;                                                \
    (l)->info = __VA_ARGS__;                                          \
    size = work_size(creal(first[0]));                                \
    if (!(work = take(l, 0, (size_t)size * sizeof(T)))) return false; \
    (l)->info = __VA_ARGS__;                                          \
  } while (0)

#if IS_COMPLEX
static bool NAME(potrf)(lapack *l) {
  l->info = LAPACKE(potrf)(HD_LAPACK_COLUMNS, letter_of(l, "uplo", 'L'), l->n, OUT(0), lead(l->n));
  return true;
}

static bool NAME(trsm)(lapack *l) {
  const hd_custom_tensor *b = &l->call->inputs[1];
  int32_t m = last_dim(b, 2), n = last_dim(b, 1);
  const T one[1] = {1};
  l->lib->PASTE(cblas_, LETTER, trsm)(HD_LAPACK_COLUMNS, cblas_side(letter_of(l, "side", 'L')),
                                      cblas_uplo(letter_of(l, "uplo", 'L')), cblas_trans(letter_of(l, "trans_x", 'N')),
                                      cblas_diag(letter_of(l, "diag", 'N')), m, n, one, IN(0), lead(l->m), OUT(0),
                                      lead(m));
  return true;
}

static bool NAME(getrf)(lapack *l) {
  l->info = LAPACKE(getrf)(HD_LAPACK_COLUMNS, l->m, l->n, OUT(0), lead(l->m), INTS_OUT(1));
  return true;
}

static bool NAME(geqrf)(lapack *l) {
  WITH_WORK(l, LAPACKE(geqrf)(HD_LAPACK_COLUMNS, l->m, l->n, OUT(0), lead(l->m), OUT(1), work, size));
  return true;
}
#else
/* The real ones are the runtime's (dense.h). An upper factor is the lower one of the transpose. */
static bool NAME(potrf)(lapack *l) {
  int64_t info = 0;
  bool lower = letter_of(l, "uplo", 'L') == 'L';
  hd_dense_matrix a = {OUT(0), lower ? 1 : l->n, lower ? l->n : 1};
  bool done = hd_dense_cholesky(&l->dense, a, l->n, &info);
  l->info = (int32_t)info;
  return done;
}

typedef struct NAME(system) {
  hd_dense_matrix a, x;
  int64_t lines;
  bool lower, unit;
} NAME(system);

/* x op(a) = b is op(a)^T x^T = b^T. */
static NAME(system) NAME(system_of)(lapack *l) {
  const hd_custom_tensor *b = &l->call->inputs[1];
  int32_t m = last_dim(b, 2), n = last_dim(b, 1);
  bool left = letter_of(l, "side", 'L') == 'L', transposed = (letter_of(l, "trans_x", 'N') == 'N') != left;
  return (NAME(system)){.a = {(void *)(uintptr_t)IN(0), transposed ? l->m : 1, transposed ? 1 : l->m},
                        .x = {OUT(0), left ? 1 : m, left ? m : 1},
                        .lines = left ? n : m,
                        .lower = (letter_of(l, "uplo", 'L') == 'L') != transposed,
                        .unit = letter_of(l, "diag", 'N') == 'U'};
}

static bool NAME(trsm)(lapack *l) {
  NAME(system) s = NAME(system_of)(l);
  return hd_dense_solve(&l->dense, s.a, l->m, s.lower, s.unit, s.x, s.lines);
}

static bool NAME(getrf)(lapack *l) {
  int64_t info = 0;
  bool done = hd_dense_lu(&l->dense, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, INTS_OUT(1), &info);
  l->info = (int32_t)info;
  return done;
}

static bool NAME(geqrf)(lapack *l) {
  return hd_dense_qr(&l->dense, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, OUT(1));
}

/* The same for |count| small matrices. */
static bool NAME(small_potrf)(lapack *l, int64_t count) {
  bool lower = letter_of(l, "uplo", 'L') == 'L';
  hd_dense_matrix a = {OUT(0), lower ? 1 : l->n, lower ? l->n : 1};
  hd_dense_small_cholesky(l->dense.type, a, l->n, count, INTS_OUT(1));
  return true;
}

static bool NAME(small_trsm)(lapack *l, int64_t count) {
  NAME(system) s = NAME(system_of)(l);
  hd_dense_small_solve(l->dense.type, s.a, l->m, s.lower, s.unit, s.x, s.lines, count);
  return true;
}

static bool NAME(small_getrf)(lapack *l, int64_t count) {
  hd_dense_small_lu(l->dense.type, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, count, INTS_OUT(1), INTS_OUT(2));
  return true;
}

static bool NAME(small_geqrf)(lapack *l, int64_t count) {
  return hd_dense_small_qr(&l->dense, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, count, OUT(1));
}

static bool NAME(small_orgqr)(lapack *l, int64_t count) {
  hd_dense_small_form_q(l->dense.type, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, IN(1),
                        last_dim(&l->call->inputs[1], 1), count);
  return true;
}
#endif

static bool NAME(geqp3)(lapack *l) {
#if IS_COMPLEX
  R *reals = take(l, 1, 2 * (size_t)l->n * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l,
            LAPACKE(geqp3)(HD_LAPACK_COLUMNS, l->m, l->n, OUT(0), lead(l->m), INTS_OUT(1), OUT(2), work, size, reals));
#else
  WITH_WORK(l, LAPACKE(geqp3)(HD_LAPACK_COLUMNS, l->m, l->n, OUT(0), lead(l->m), INTS_OUT(1), OUT(2), work, size));
#endif
  return true;
}

#if IS_COMPLEX
#define ORMQR unmqr
#define SYTRD hetrd
#else
#define ORMQR ormqr
#define SYTRD sytrd
#endif

static bool NAME(orgqr)(lapack *l) {
  int32_t k = last_dim(&l->call->inputs[1], 1);
#if IS_COMPLEX
  WITH_WORK(l, LAPACKE(ungqr)(HD_LAPACK_COLUMNS, l->m, l->n, k, OUT(0), lead(l->m), IN(1), work, size));
  return true;
#else
  return hd_dense_form_q(&l->dense, (hd_dense_matrix){OUT(0), 1, l->m}, l->m, l->n, IN(1), k);
#endif
}

static bool NAME(ormqr)(lapack *l) {
  const hd_custom_tensor *c = &l->call->inputs[2];
  int32_t k = last_dim(&l->call->inputs[1], 1), m = last_dim(c, 2), n = last_dim(c, 1);
  WITH_WORK(l, LAPACKE(ORMQR)(HD_LAPACK_COLUMNS, letter_of(l, "side", 'L'), letter_of(l, "trans", 'N'), m, n, k, IN(0),
                              lead(l->m), IN(1), OUT(0), lead(m), work, size));
  return true;
}

static bool NAME(sytrd)(lapack *l) {
  WITH_WORK(l, LAPACKE(SYTRD)(HD_LAPACK_COLUMNS, letter_of(l, "uplo", 'L'), l->n, OUT(0), lead(l->n), REALS_OUT(1),
                              REALS_OUT(2), OUT(3), work, size));
  return true;
}

static bool NAME(syevd)(lapack *l) {
  char job = letter_of(l, "mode", 'V'), uplo = letter_of(l, "uplo", 'L');
  int32_t int_size = 3 + 5 * l->n, *ints = take(l, 1, sizeof *ints * (size_t)int_size);
  if (!ints) return false;
#if IS_COMPLEX
  size_t n = (size_t)l->n, real_count = 1 + 5 * n + 2 * n * n;
  R *reals = take(l, 2, real_count * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l, LAPACKE(heevd)(HD_LAPACK_COLUMNS, job, uplo, l->n, OUT(0), lead(l->n), REALS_OUT(1), work, size, reals,
                              (int32_t)real_count, ints, int_size));
#else
  WITH_WORK(l,
            LAPACKE(syevd)(HD_LAPACK_COLUMNS, job, uplo, l->n, OUT(0), lead(l->n), OUT(1), work, size, ints, int_size));
#endif
  return true;
}

/* What a routine of singular values is called with: |a| of m x n, which it overwrites. */
typedef struct NAME(svd) {
  char job;
  int32_t m, n;
  T *a;
  R *values;
  T *u, *vt;
  int32_t ldv;
} NAME(svd);

static NAME(svd) NAME(svd_of)(lapack *l) {
  return (NAME(svd)){.job = letter_of(l, "mode", 'A'),
                     .m = l->m,
                     .n = l->n,
                     .a = OUT(0),
                     .values = REALS_OUT(1),
                     .u = OUT(2),
                     .vt = OUT(3),
                     .ldv = lead(last_dim(&l->call->outputs[3], 2))};
}

static bool NAME(call_gesdd)(lapack *l, NAME(svd) x) {
  size_t least = (size_t)(x.m < x.n ? x.m : x.n), most = (size_t)(x.m < x.n ? x.n : x.m);
  int32_t *ints = take(l, 1, sizeof *ints * 8 * (least + 1));
  if (!ints) return false;
#if IS_COMPLEX
  size_t each = 5 * least + 7 > 2 * most + 2 * least + 1 ? 5 * least + 7 : 2 * most + 2 * least + 1;
  R *reals = take(l, 2, (least * each + 1) * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l, LAPACKE(gesdd)(HD_LAPACK_COLUMNS, x.job, x.m, x.n, x.a, lead(x.m), x.values, x.u, lead(x.m), x.vt, x.ldv,
                              work, size, reals, ints));
#else
  (void)most;
  WITH_WORK(l, LAPACKE(gesdd)(HD_LAPACK_COLUMNS, x.job, x.m, x.n, x.a, lead(x.m), x.values, x.u, lead(x.m), x.vt, x.ldv,
                              work, size, ints));
#endif
  return true;
}

static bool NAME(call_gesvd)(lapack *l, NAME(svd) x) {
#if IS_COMPLEX
  R *reals = take(l, 1, 5 * (size_t)(x.m < x.n ? x.m : x.n) * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l, LAPACKE(gesvd)(HD_LAPACK_COLUMNS, x.job, x.job, x.m, x.n, x.a, lead(x.m), x.values, x.u, lead(x.m), x.vt,
                              x.ldv, work, size, reals));
#else
  WITH_WORK(l, LAPACKE(gesvd)(HD_LAPACK_COLUMNS, x.job, x.job, x.m, x.n, x.a, lead(x.m), x.values, x.u, lead(x.m), x.vt,
                              x.ldv, work, size));
#endif
  return true;
}

/* A matrix much longer one way is Q R, the singular values being those of R; the other way its transpose is. */
static bool NAME(run_svd)(lapack *l, bool (*call)(lapack *l, NAME(svd) x)) {
  NAME(svd) x = NAME(svd_of)(l);
#if !IS_COMPLEX
  if (!is_thin(l->call)) return call(l, x);
  bool tall = x.m > x.n;
  size_t rows = (size_t)(tall ? x.m : x.n), k = (size_t)(tall ? x.n : x.m);
  T *r = take(l, 2, ((tall ? 0 : rows) + 2 * k + 1) * k * sizeof(T));
  if (!r) return false;
  T *inner = r + k * k, *tau = inner + k * k, *q = tall ? x.a : tau + k;
  for (size_t j = 0; !tall && j < k; ++j)
    for (size_t i = 0; i < rows; ++i) q[j * rows + i] = x.a[i * k + j];
  hd_dense_matrix whole = {q, 1, (int64_t)rows}, small = {inner, 1, (int64_t)k};
  if (!hd_dense_qr(&l->dense, whole, (int64_t)rows, (int64_t)k, tau)) return false;
  for (size_t j = 0; j < k; ++j) /* R, or its transpose, which the matrix starts with then */
    for (size_t i = 0; i < k; ++i) r[tall ? j * k + i : i * k + j] = i <= j ? q[j * rows + i] : 0;
  NAME(svd) of_r = {x.job, (int32_t)k, (int32_t)k, r, x.values, tall ? inner : x.u, tall ? x.vt : inner, (int32_t)k};
  if (!call(l, of_r)) return false;
  if (x.job == 'N') return true;
  return hd_dense_form_q(&l->dense, whole, (int64_t)rows, (int64_t)k, tau, (int64_t)k) &&
         (tall ? hd_dense_multiply(&l->dense, whole, small, (hd_dense_matrix){x.u, 1, (int64_t)rows}, (int64_t)rows,
                                   (int64_t)k, (int64_t)k)
               : hd_dense_multiply(&l->dense, small, (hd_dense_matrix){q, (int64_t)rows, 1},
                                   (hd_dense_matrix){x.vt, 1, (int64_t)k}, (int64_t)k, (int64_t)rows, (int64_t)k));
#else
  return call(l, x);
#endif
}

static bool NAME(gesdd)(lapack *l) { return NAME(run_svd)(l, NAME(call_gesdd)); }
static bool NAME(gesvd)(lapack *l) { return NAME(run_svd)(l, NAME(call_gesvd)); }

#if !IS_COMPLEX
/* Matrices that rotations do not serve go to |each|; the others of their group do not. */
static bool NAME(small_svd)(lapack *l, int64_t count, bool (*each)(lapack *l)) {
  int64_t m = l->m, n = l->n, k = m < n ? m : n, lanes = hd_dense_lanes(l->dense.type);
  bool vectors = letter_of(l, "mode", 'A') != 'N', done = true;
  T *a = OUT(0), *values = OUT(1), *u = OUT(2), *vt = OUT(3);
  int32_t *codes = INTS_OUT(4);
  for (int64_t i = 0; i < count; i += lanes) {
    int64_t here = count - i < lanes ? count - i : lanes;
    uint32_t left = hd_dense_small_svd(l->dense.type, a + i * m * n, m, n, here, values + i * k,
                                       vectors ? u + i * m * k : NULL, vt + i * k * n);
    for (int64_t g = i; left; ++g, left >>= 1) {
      if (!(left & 1)) continue;
      l->out[0] = (char *)(a + g * m * n), l->out[1] = (char *)(values + g * k);
      if (vectors) l->out[2] = (char *)(u + g * m * k), l->out[3] = (char *)(vt + g * k * n);
      done &= each(l);
      codes[g] = code_of(l->info);
    }
  }
  return done;
}

static bool NAME(small_gesdd)(lapack *l, int64_t count) { return NAME(small_svd)(l, count, NAME(gesdd)); }
static bool NAME(small_gesvd)(lapack *l, int64_t count) { return NAME(small_svd)(l, count, NAME(gesvd)); }

/* Vectors of a real matrix as complex ones: a conjugate pair of eigenvalues has real and imaginary parts side by side.
 */
static void NAME(unpack_vectors)(size_t n, const T *imaginary, const T *from, T *to) {
  for (size_t j = 0; j < n; ++j) {
    bool pair = j + 1 < n && imaginary[j] != 0;
    for (size_t i = 0; i < n; ++i) {
      T re = from[j * n + i], im = pair ? from[(j + 1) * n + i] : 0, *at = to + 2 * (j * n + i);
      at[0] = re, at[1] = im;
      if (pair) at[2 * n] = re, at[2 * n + 1] = -im;
    }
    j += pair;
  }
}
#endif

static bool NAME(geev)(lapack *l) {
  char left = letter_of(l, "compute_left", 'N'), right = letter_of(l, "compute_right", 'V');
  size_t n = (size_t)l->n, matrix = n * n;
  int32_t lda = lead(l->n);
  T *a = take(l, 1, matrix * sizeof(T));
  if (!a) return false;
  memcpy(a, IN(0), matrix * sizeof(T));
#if IS_COMPLEX
  R *reals = take(l, 2, 2 * n * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l, LAPACKE(geev)(HD_LAPACK_COLUMNS, left, right, l->n, a, lda, OUT(0), OUT(1), lda, OUT(2), lda, work, size,
                             reals));
#else
  T *vl = take(l, 2, 2 * matrix * sizeof(T)), *vr = vl ? vl + matrix : NULL;
  if (!vl) return false;
  WITH_WORK(l,
            LAPACKE(geev)(HD_LAPACK_COLUMNS, left, right, l->n, a, lda, OUT(0), OUT(1), vl, lda, vr, lda, work, size));
  if (left == 'V') NAME(unpack_vectors)(n, OUT(1), vl, OUT(2));
  if (right == 'V') NAME(unpack_vectors)(n, OUT(1), vr, OUT(3));
#endif
  return true;
}

static bool NAME(gees)(lapack *l) {
  char job = letter_of(l, "mode", 'V');
  int32_t lda = lead(l->n), *flags = take(l, 1, sizeof *flags * (size_t)l->n);
  if (!flags) return false;
#if IS_COMPLEX
  R *reals = take(l, 2, (size_t)l->n * sizeof(R));
  if (!reals) return false;
  WITH_WORK(l, LAPACKE(gees)(HD_LAPACK_COLUMNS, job, 'N', NULL, l->n, OUT(0), lda, INTS_OUT(3), OUT(2), OUT(1), lda,
                             work, size, reals, flags));
#else
  WITH_WORK(l, LAPACKE(gees)(HD_LAPACK_COLUMNS, job, 'N', NULL, l->n, OUT(0), lda, INTS_OUT(4), OUT(2), OUT(3), OUT(1),
                             lda, work, size, flags));
#endif
  return true;
}

static bool NAME(gehrd)(lapack *l) {
  int32_t low = (int32_t)hd_lapack_attribute(l->call, "low", 1),
          high = (int32_t)hd_lapack_attribute(l->call, "high", l->n);
  WITH_WORK(l, LAPACKE(gehrd)(HD_LAPACK_COLUMNS, l->n, low, high, OUT(0), lead(l->n), OUT(1), work, size));
  return true;
}

/* The lower diagonal has an element before its first one, as the upper has one after its last. */
static bool NAME(gtsv)(lapack *l) {
  const hd_custom_tensor *b = &l->call->inputs[3];
  int32_t n = last_dim(b, 2);
  l->info = LAPACKE(gtsv)(HD_LAPACK_COLUMNS, n, last_dim(b, 1), OUT(0) + 1, OUT(1), OUT(2), OUT(3), lead(n));
  return true;
}

#undef PASTE_
#undef PASTE
#undef NAME
#undef LAPACKE
#undef IN
#undef OUT
#undef REALS_OUT
#undef INTS_OUT
#undef WITH_WORK
#undef ORMQR
#undef SYTRD
#undef T
#undef R
#undef LETTER
#undef IS_COMPLEX
