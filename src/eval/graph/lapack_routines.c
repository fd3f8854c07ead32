/* SPDX-License-Identifier: Apache-2.0 */
/* The routines of LAPACK, each a row with what it takes and the algorithm that gives its results. */
#include <string.h>

#include "eval/graph/lapack_row.h"

int64_t hd_lapack_option(const hd_lapack_state *l, const char *name, int64_t missing) {
  hd_attr value = hd_dict_get_named(l->call->config, name);
  return hd_attr_is(value, HD_ATTR_INTEGER) ? value->integer : missing;
}

static char letter_of(const hd_lapack_state *l, const char *name, char missing) {
  return (char)hd_lapack_option(l, name, missing);
}

static void clear(hd_matrix a) {
  for (int64_t i = 0; i < a.rows * a.columns; ++i) a.data[i] = 0;
}

static hd_status potrf(hd_lapack_state *l) {
  l->info = hd_cholesky_factor(l->out[0], letter_of(l, "uplo", 'L') == 'L');
  return HD_STATUS_OK;
}

static hd_status trsm(hd_lapack_state *l) {
  return hd_triangular_solve(l->frame, l->in[0], l->out[0], letter_of(l, "side", 'L') == 'L',
                             letter_of(l, "uplo", 'L') == 'L', letter_of(l, "trans_x", 'N'),
                             letter_of(l, "diag", 'N') == 'U');
}

static hd_status getrf(hd_lapack_state *l) {
  l->info = hd_lu_factor(l->out[0], l->out[1].data);
  return HD_STATUS_OK;
}

static hd_status geqrf(hd_lapack_state *l) { return hd_qr_factor(l->frame, l->out[0], l->out[1].data, NULL); }
static hd_status geqp3(hd_lapack_state *l) { return hd_qr_factor(l->frame, l->out[0], l->out[2].data, l->out[1].data); }

static hd_status orgqr(hd_lapack_state *l) { return hd_qr_form(l->frame, l->out[0], l->in[1].data, l->in[1].rows); }

static hd_status ormqr(hd_lapack_state *l) {
  return hd_qr_apply(l->frame, l->in[0], l->in[1].data, l->in[1].rows, l->out[0], letter_of(l, "side", 'L') == 'L',
                     letter_of(l, "trans", 'N') != 'N');
}

static hd_status syevd(hd_lapack_state *l) {
  HD_TRY(hd_eigen_hermitian(l->frame, l->out[0], letter_of(l, "uplo", 'L') == 'L', l->out[1].data));
  if (letter_of(l, "mode", 'V') == 'N') clear(l->out[0]);
  return HD_STATUS_OK;
}

static hd_status gesdd(hd_lapack_state *l) {
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

static hd_status geev(hd_lapack_state *l) {
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

static hd_status gees(hd_lapack_state *l) {
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

static hd_status gehrd(hd_lapack_state *l) {
  return hd_hessenberg(l->frame, l->out[0], l->out[1].data, hd_lapack_option(l, "low", 1) - 1,
                       hd_lapack_option(l, "high", l->in[0].rows));
}

static hd_status sytrd(hd_lapack_state *l) {
  return hd_tridiagonalise(l->frame, l->out[0], letter_of(l, "uplo", 'L') == 'L', l->out[1].data, l->out[2].data,
                           l->out[3].data);
}

/* The lower diagonal has an element before its first one, as the upper has one after its last. */
static hd_status gtsv(hd_lapack_state *l) {
  l->info = hd_tridiagonal_solve(l->in[1].rows, l->out[0].data + 1, l->out[1].data, l->out[2].data, l->out[3]);
  return HD_STATUS_OK;
}

/* ---- what they take ---- */

static hd_status expect_letter(const hd_lapack_state *l, const char *name, const char *letters) {
  int64_t value = hd_lapack_option(l, name, *letters);
  if (value > 0 && value < 128 && strchr(letters, (int)value)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: attribute '%s': expected a letter of %s, got %lld", l->target, name,
                        letters, (long long)value);
}

static hd_status expect_at_least(const hd_lapack_state *l, const char *rule, int64_t a, int64_t b) {
  return a >= b ? HD_STATUS_OK
                : hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %s, got %lld and %lld", l->target, rule,
                                 (long long)a, (long long)b);
}

static hd_status takes_any(const hd_lapack_state *l) {
  (void)l;
  return HD_STATUS_OK;
}

static hd_status takes_triangle(const hd_lapack_state *l) { return expect_letter(l, "uplo", "LU"); }

static hd_status takes_trsm(const hd_lapack_state *l) {
  HD_TRY(expect_letter(l, "side", "LR"));
  HD_TRY(expect_letter(l, "uplo", "LU"));
  HD_TRY(expect_letter(l, "trans_x", "NTC"));
  return expect_letter(l, "diag", "NU");
}

static hd_status takes_orgqr(const hd_lapack_state *l) {
  HD_TRY(expect_at_least(l, "m>=n", l->sizes['m'], l->sizes['n']));
  return expect_at_least(l, "n>=t", l->sizes['n'], l->sizes['t']);
}

static hd_status takes_ormqr(const hd_lapack_state *l) {
  HD_TRY(expect_letter(l, "side", "LR"));
  HD_TRY(expect_letter(l, "trans", l->real ? "NT" : "NC"));
  HD_TRY(expect_at_least(l, "s>=t", l->in[0].rows, l->sizes['t']));
  return expect_at_least(l, "a>=t", l->sizes['a'], l->sizes['t']);
}

static hd_status takes_syevd(const hd_lapack_state *l) {
  HD_TRY(expect_letter(l, "mode", "VN"));
  return expect_letter(l, "uplo", "LU");
}

static hd_status takes_svd(const hd_lapack_state *l) { return expect_letter(l, "mode", "ASN"); }
static hd_status takes_schur(const hd_lapack_state *l) { return expect_letter(l, "mode", "VN"); }

static hd_status takes_eigen(const hd_lapack_state *l) {
  HD_TRY(expect_letter(l, "compute_left", "NV"));
  return expect_letter(l, "compute_right", "VN");
}

static hd_status takes_gehrd(const hd_lapack_state *l) {
  int64_t n = l->sizes['n'], low = hd_lapack_option(l, "low", 1), high = hd_lapack_option(l, "high", n);
  HD_TRY(expect_at_least(l, "low>=1", low, 1));
  HD_TRY(expect_at_least(l, "max(n, 1)>=low", n > 1 ? n : 1, low));
  HD_TRY(expect_at_least(l, "high>=min(low, n)", high, low < n ? low : n));
  return expect_at_least(l, "n>=high", n, high);
}

/* ---- the table ---- */

static const hd_lapack_row rows[] = {
    {"potrf", "sdcz", "nn", "nn i:", takes_triangle, potrf, 1, {0, -1}},
    {"trsm", "sdcz", "ss mn", "mn", takes_trsm, trsm, -1, {1}},
    {"getrf", "sdcz", "mn", "mn i:k i:", takes_any, getrf, 2, {0, -1, -1}},
    {"geqrf", "sdcz", "mn", "mn k", takes_any, geqrf, -1, {0, -1}},
    {"geqp3", "sdcz", "mn i:n", "mn i:n k", takes_any, geqp3, -1, {0, 1, -1}},
    {"orgqr", "sd", "mn t", "mn", takes_orgqr, orgqr, -1, {0}},
    {"ungqr", "cz", "mn t", "mn", takes_orgqr, orgqr, -1, {0}},
    {"ormqr", "sd", "sa t mn", "mn", takes_ormqr, ormqr, -1, {2}},
    {"unmqr", "cz", "sa t mn", "mn", takes_ormqr, ormqr, -1, {2}},
    {"syevd", "sd", "nn", "nn r:n i:", takes_syevd, syevd, 2, {0, -1, -1}},
    {"heevd", "cz", "nn", "nn r:n i:", takes_syevd, syevd, 2, {0, -1, -1}},
    {"gesdd", "sdcz", "mn", "mn r:k mu vn i:", takes_svd, gesdd, 4, {0, -1, -1, -1, -1}},
    {"gesvd", "sdcz", "mn", "mn r:k mu vn i:", takes_svd, gesdd, 4, {0, -1, -1, -1, -1}},
    {"geev", "sd", "nn", "n n c:nn c:nn i:", takes_eigen, geev, 4, {-1, -1, -1, -1, -1}},
    {"geev", "cz", "nn", "n nn nn i:", takes_eigen, geev, 3, {-1, -1, -1, -1}},
    {"gees", "sd", "nn", "nn nn n n i: i:", takes_schur, gees, 5, {0, -1, -1, -1, -1, -1}},
    {"gees", "cz", "nn", "nn nn n i: i:", takes_schur, gees, 4, {0, -1, -1, -1, -1}},
    {"gehrd", "sdcz", "nn", "nn j i:", takes_gehrd, gehrd, 2, {0, -1, -1}},
    {"sytrd", "sd", "nn", "nn r:n r:j j i:", takes_triangle, sytrd, 4, {0, -1, -1, -1, -1}},
    {"hetrd", "cz", "nn", "nn r:n r:j j i:", takes_triangle, sytrd, 4, {0, -1, -1, -1, -1}},
    {"gtsv", "sdcz", "n n n nm", "n n n nm i:", takes_any, gtsv, 4, {0, 1, 2, 3, -1}},
};

const hd_lapack_row *hd_lapack_row_of(hd_str target) {
  if (target.len < 13 || memcmp(target.data, "lapack_", 7) || memcmp(target.data + target.len - 4, "_ffi", 4))
    return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (target.data[7] && strchr(rows[i].letters, target.data[7]) &&
        hd_str_is((hd_str){target.data + 8, target.len - 12}, rows[i].name))
      return &rows[i];
  return NULL;
}

bool hd_lapack_is_evaluated(hd_str target) { return hd_lapack_row_of(target) != NULL; }
