/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/graph/lapack_routines.h"

#include <string.h>

#include "eval/core/state.h"
#include "eval/graph/matrix.h"
#include "runtime/libraries/lapack_check.h"

enum { MAX_TENSORS = 6 };

/* One matrix of a batch. Scalars and integers are matrices of complex numbers too. */
typedef struct lapack {
  hd_eval_frame *frame;
  const hd_custom_call *call;
  bool real;
  hd_matrix in[MAX_TENSORS], out[MAX_TENSORS];
  int64_t info;
} lapack;

static char letter_of(const lapack *l, const char *name, char missing) {
  return (char)hd_lapack_attribute(l->call, name, missing);
}

static void clear(hd_matrix a) {
  for (int64_t i = 0; i < a.rows * a.columns; ++i) a.data[i] = 0;
}

static hd_status potrf(lapack *l) {
  l->info = hd_cholesky_factor(l->out[0], letter_of(l, "uplo", 'L') == 'L');
  return HD_STATUS_OK;
}

static hd_status trsm(lapack *l) {
  return hd_triangular_solve(l->frame, l->in[0], l->out[0], letter_of(l, "side", 'L') == 'L',
                             letter_of(l, "uplo", 'L') == 'L', letter_of(l, "trans_x", 'N'),
                             letter_of(l, "diag", 'N') == 'U');
}

static hd_status getrf(lapack *l) {
  l->info = hd_lu_factor(l->out[0], l->out[1].data);
  return HD_STATUS_OK;
}

static hd_status geqrf(lapack *l) { return hd_qr_factor(l->frame, l->out[0], l->out[1].data, NULL); }
static hd_status geqp3(lapack *l) { return hd_qr_factor(l->frame, l->out[0], l->out[2].data, l->out[1].data); }

static hd_status orgqr(lapack *l) { return hd_qr_form(l->frame, l->out[0], l->in[1].data, l->in[1].rows); }

static hd_status ormqr(lapack *l) {
  return hd_qr_apply(l->frame, l->in[0], l->in[1].data, l->in[1].rows, l->out[0], letter_of(l, "side", 'L') == 'L',
                     letter_of(l, "trans", 'N') != 'N');
}

static hd_status syevd(lapack *l) {
  HD_TRY(hd_eigen_hermitian(l->frame, l->out[0], letter_of(l, "uplo", 'L') == 'L', l->out[1].data));
  if (letter_of(l, "mode", 'V') == 'N') clear(l->out[0]);
  return HD_STATUS_OK;
}

static hd_status gesdd(lapack *l) {
  bool wanted = letter_of(l, "mode", 'A') != 'N';
  hd_matrix u = {.rows = l->in[0].rows}, v = {.rows = l->in[0].columns}, *vh = &l->out[3];
  if (wanted) {
    u = l->out[2];
    HD_TRY(hd_matrix_create(l->frame, vh->columns, vh->rows, &v));
  }
  HD_TRY(hd_singular_values(l->frame, l->out[0], l->out[1].data, u, v));
  for (int64_t j = 0; wanted && j < vh->columns; ++j)
    for (int64_t i = 0; i < vh->rows; ++i) *hd_matrix_at(*vh, i, j) = conjl(*hd_matrix_at(v, j, i));
  clear(l->out[0]);
  return HD_STATUS_OK;
}
static hd_status gesvd(lapack *l) { return gesdd(l); }

static hd_status geev(lapack *l) {
  int64_t n = l->in[0].rows;
  int first = l->real ? 2 : 1; /* the output of the left vectors */
  hd_matrix none = {.rows = n}, a, values;
  bool left = letter_of(l, "compute_left", 'N') == 'V', right = letter_of(l, "compute_right", 'V') == 'V';
  HD_TRY(hd_matrix_create(l->frame, n, n, &a));
  HD_TRY(hd_matrix_create(l->frame, n, 1, &values));
  hd_matrix_copy(a, l->in[0]);
  HD_TRY(hd_eigen(l->frame, a, l->real, values.data, left ? l->out[first] : none, right ? l->out[first + 1] : none));
  for (int64_t i = 0; i < n; ++i) {
    l->out[0].data[i] = l->real ? creall(values.data[i]) : values.data[i];
    if (l->real) l->out[1].data[i] = cimagl(values.data[i]);
  }
  return HD_STATUS_OK;
}

static hd_status gees(lapack *l) {
  hd_matrix a = l->out[0], z;
  HD_TRY(hd_matrix_create(l->frame, a.rows, a.rows, &z));
  HD_TRY(l->real ? hd_schur_real(l->frame, a, z) : hd_schur(l->frame, a, z));
  if (letter_of(l, "mode", 'V') == 'V') hd_matrix_copy(l->out[1], z);
  for (int64_t i = 0; i < a.rows; ++i) {
    l->out[2].data[i] = *hd_matrix_at(a, i, i);
    bool first = i + 1 < a.rows && *hd_matrix_at(a, i + 1, i) != 0, second = i > 0 && *hd_matrix_at(a, i, i - 1) != 0;
    int64_t at = second ? i - 1 : i;
    if (!l->real || !(first || second)) continue;
    long double product = creall(*hd_matrix_at(a, at, at + 1)) * creall(*hd_matrix_at(a, at + 1, at));
    l->out[3].data[i] = (second ? -1 : 1) * sqrtl(fabsl(product));
  }
  return HD_STATUS_OK;
}

static hd_status gehrd(lapack *l) {
  return hd_hessenberg(l->frame, l->out[0], l->out[1].data, hd_lapack_attribute(l->call, "low", 1) - 1,
                       hd_lapack_attribute(l->call, "high", l->in[0].rows));
}

static hd_status sytrd(lapack *l) {
  return hd_tridiagonalise(l->frame, l->out[0], letter_of(l, "uplo", 'L') == 'L', l->out[1].data, l->out[2].data,
                           l->out[3].data);
}

/* The lower diagonal has an element before its first one, as the upper has one behind its last. */
static hd_status gtsv(lapack *l) {
  l->info = hd_tridiagonal_solve(l->in[1].rows, l->out[0].data + 1, l->out[1].data, l->out[2].data, l->out[3]);
  return HD_STATUS_OK;
}

/* ---- the table ---- */

typedef struct row {
  const char *name, *letters, *ins, *outs, *rules;
  hd_status (*run)(lapack *l);
  int8_t info, copies[MAX_TENSORS];
} row;

#define ALL "sdcz"
#define REAL "sd"
#define COMPLEX "cz"
static const row rows[] = {
#define LAPACK(routine, LETTERS, function, RESULTS, ins, outs, rules, info, ...) \
  {#routine, LETTERS, ins, outs, rules, function, info, {__VA_ARGS__}},
#include "runtime/libraries/lapack_rows.def"
};

/* "lapack_", a letter, the routine, "_ffi" */
static const row *row_of(hd_str target) {
  if (target.len < 13 || memcmp(target.data, "lapack_", 7) || memcmp(target.data + target.len - 4, "_ffi", 4))
    return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (target.data[7] && strchr(rows[i].letters, target.data[7]) &&
        hd_str_is((hd_str){target.data + 8, target.len - 12}, rows[i].name))
      return &rows[i];
  return NULL;
}

bool hd_lapack_is_evaluated(hd_str target) { return row_of(target) != NULL; }

/* ---- matrices in memory ---- */

static hd_complex load(hd_element_type type, const void *data, int64_t i) {
  switch (type) {
    case HD_ELEMENT_F32:
      return ((const float *)data)[i];
    case HD_ELEMENT_F64:
      return ((const double *)data)[i];
    case HD_ELEMENT_C64:
      return ((const float _Complex *)data)[i];
    case HD_ELEMENT_C128:
      return ((const double _Complex *)data)[i];
    default:
      return ((const int32_t *)data)[i];
  }
}

static void store(hd_element_type type, void *data, int64_t i, hd_complex value) {
  switch (type) {
    case HD_ELEMENT_F32:
      ((float *)data)[i] = (float)creall(value);
      break;
    case HD_ELEMENT_F64:
      ((double *)data)[i] = (double)creall(value);
      break;
    case HD_ELEMENT_C64:
      ((float _Complex *)data)[i] = (float _Complex)value;
      break;
    case HD_ELEMENT_C128:
      ((double _Complex *)data)[i] = (double _Complex)value;
      break;
    default:
      ((int32_t *)data)[i] = (int32_t)creall(value);
  }
}

/* The matrix that the last |rank| dims of |t| are: a vector is a column, a number 1 by 1. */
static hd_status shape_of(lapack *l, const hd_custom_tensor *t, int rank, hd_matrix *out) {
  int64_t rows = rank == 2 ? t->dims[t->rank - 2] : rank == 1 ? t->dims[t->rank - 1] : 1;
  return hd_matrix_create(l->frame, rows, rank == 2 ? t->dims[t->rank - 1] : 1, out);
}

static hd_status run_matrix(lapack *l, const row *r, int64_t number) {
  const hd_custom_call *call = l->call;
  l->info = 0;
  for (int32_t k = 0; k < call->input_count; ++k) {
    const hd_custom_tensor *t = &call->inputs[k];
    int64_t count = l->in[k].rows * l->in[k].columns;
    for (int64_t i = 0; i < count; ++i) l->in[k].data[i] = load(t->type, t->data, number * count + i);
  }
  for (int32_t k = 0; k < call->output_count; ++k) {
    clear(l->out[k]);
    if (r->copies[k] >= 0) hd_matrix_copy(l->out[k], l->in[r->copies[k]]);
  }
  HD_TRY(r->run(l));
  if (r->info >= 0) l->out[r->info].data[0] = (long double)l->info;
  for (int32_t k = 0; k < call->output_count; ++k) {
    const hd_custom_tensor *t = &call->outputs[k];
    int64_t count = l->out[k].rows * l->out[k].columns;
    for (int64_t i = 0; i < count; ++i) store(t->type, t->data, number * count + i, l->out[k].data[i]);
  }
  return HD_STATUS_OK;
}

hd_status hd_lapack_evaluate(hd_eval_frame *frame, const char *target, const hd_custom_call *call) {
  const row *r = row_of(hd_str_of(target));
  int64_t count = 0;
  if (!r) return hd_make_status(HD_NOT_FOUND, "%s: no such routine of LAPACK", target);
  HD_TRY(hd_lapack_check(target, target[7], r->ins, r->outs, r->rules, call, &count));
  lapack l = {.frame = frame, .call = call, .real = target[7] == 's' || target[7] == 'd'};
  for (int32_t k = 0; k < call->input_count; ++k)
    HD_TRY(shape_of(&l, &call->inputs[k], hd_lapack_rank(r->ins, (size_t)k), &l.in[k]));
  int64_t written = 0;
  for (int32_t k = 0; k < call->output_count; ++k) {
    HD_TRY(shape_of(&l, &call->outputs[k], hd_lapack_rank(r->outs, (size_t)k), &l.out[k]));
    written |= l.out[k].rows * l.out[k].columns;
  }
  if (!written) return HD_STATUS_OK; /* however many matrices of nothing there are */
  size_t mark = frame->evaluator->temp_count;
  for (int64_t i = 0; i < count; ++i) {
    HD_TRY(hd_eval_poll(frame));
    HD_TRY(run_matrix(&l, r, i));
    hd_eval_drop_temps(frame->evaluator, mark);
  }
  return HD_STATUS_OK;
}
