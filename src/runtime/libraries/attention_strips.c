/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/attention_strips.h"

#include <string.h>

static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

/* The row kernel over rows [begin, end), whose |limit| first keys count; scores and weights are
 * at the addresses that row 0 would have. */
void hd_attention_run_rows(const hd_attention_call *call, uintptr_t scores, uintptr_t weights, int64_t limit,
                           int64_t begin, int64_t end) {
  struct {
    hd_attention_row_descriptor leading;
    uint64_t own[HD_ATTENTION_ROW_WORDS];
  } args;
  args.leading = (hd_attention_row_descriptor){.keys = limit};
  for (int32_t i = 0; i < call->row_word_count; ++i) args.own[i] = call->row_words[i];
  args.own[call->row_scores] = (uint64_t)scores;
  args.own[call->row_weights] = (uint64_t)weights;
  call->row((const uint64_t *)(const void *)&args, begin, end);
}

/* The product of |rows| rows by the first |keys| keys. */
hd_gemm_call hd_attention_first(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows,
                                int64_t keys) {
  const hd_gemm_call *all = &r->call->first;
  const hd_gemm_dim *n = hd_attention_dim(all, HD_GEMM_N), *k = hd_attention_dim(all, HD_GEMM_K);
  hd_gemm_call part = *all;
  part.a = u->a + m0 * r->inner.a * (int64_t)hd_element_bytes(all->a_type);
  part.b = u->b;
  part.dim_count = 3;
  part.dims[0] = (hd_gemm_dim){HD_GEMM_M, rows, r->inner.a, 0, r->keys};
  part.dims[1] = (hd_gemm_dim){HD_GEMM_N, keys, 0, n->b, 1};
  part.dims[2] = (hd_gemm_dim){HD_GEMM_K, k->size, k->a, k->b, 0};
  part.first_batch = (u->row + m0) / r->rows_of_batch;
  part.first_m = (u->row + m0) % r->rows_of_batch;
  part.env = NULL;
  return part;
}

hd_gemm_call hd_attention_second(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows,
                                 int64_t keys) {
  const hd_gemm_call *all = &r->call->second;
  const hd_gemm_dim *n = hd_attention_dim(all, HD_GEMM_N), *k = hd_attention_dim(all, HD_GEMM_K);
  hd_gemm_call part = *all;
  part.a = u->scratch + r->weights_at;
  part.b = u->d;
  part.c = u->c + m0 * r->inner.c * (int64_t)hd_element_bytes(all->c_type);
  part.dim_count = 3;
  part.dims[0] = (hd_gemm_dim){HD_GEMM_M, rows, r->keys, 0, r->inner.c};
  part.dims[1] = (hd_gemm_dim){HD_GEMM_N, n->size, 0, n->b, n->c};
  part.dims[2] = (hd_gemm_dim){HD_GEMM_K, keys, 1, k->b, 0};
  part.env = NULL;
  return part;
}

static hd_status run_part(const hd_attention_plan *r, const hd_gemm_call *part, const hd_gemm_packed *packed) {
  hd_gemm_problem problem;
  hd_gemm_block *copy_a, *copy_b;
  HD_TRY(hd_gemm_problem_make(r->context, part, &problem, &copy_a, &copy_b));
  hd_status status = hd_gemm_run(r->context, &problem, packed->data ? packed : NULL, NULL);
  hd_gemm_block_release(r->context, copy_a);
  hd_gemm_block_release(r->context, copy_b);
  return status;
}

/* The row kernel's number of |row|: its weights are where the second product reads them. */
static int64_t row_of_kernel(const hd_attention_plan *r, int64_t row) {
  int64_t out = 0;
  for (int32_t i = r->call->row_dims - 1; i >= 0; --i) {
    const hd_gemm_dim *d = &r->call->second.dims[i];
    out += row % d->size * (d->a / r->keys);
    row /= d->size;
  }
  return out;
}

/* Rows [m0, m0 + rows) of the unit with their first |keys| keys. */
static hd_status do_strip(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows,
                          int64_t keys) {
  const hd_attention_call *call = r->call;
  int64_t row = u->row + m0;
  char *scores = u->scratch + r->scores_at, *weights = u->scratch + r->weights_at;
  /* Where row 0 would be: what kernels compute from their indices is the strip. */
  uintptr_t scores_0 = (uintptr_t)scores - (uintptr_t)(row * r->keys) * r->score_bytes;
  uintptr_t weights_0 = (uintptr_t)weights - (uintptr_t)(row * r->keys) * r->weight_bytes;
  uint64_t words[HD_GEMM_EPILOGUE_OWN_WORDS];
  hd_gemm_call first = hd_attention_first(r, u, m0, rows, keys);
  first.c = scores;
  if (first.epilogue) {
    memcpy(words, first.epilogue_words, (size_t)first.epilogue_word_count * sizeof *words);
    words[call->epilogue_scores] = (uint64_t)scores_0;
    first.epilogue_words = words;
  }
  HD_TRY(run_part(r, &first, &u->first));
  if (r->in_order) hd_attention_run_rows(call, scores_0, weights_0, keys, row, row + rows);
  for (int64_t i = 0; i < rows && !r->in_order; ++i) {
    int64_t other = row_of_kernel(r, row + i);
    uintptr_t from = (uintptr_t)weights - (uintptr_t)((other - i) * r->keys) * r->weight_bytes;
    hd_attention_run_rows(call, scores_0, from, keys, other, other + 1);
  }
  hd_gemm_call second = hd_attention_second(r, u, m0, rows, keys);
  return run_part(r, &second, &u->second);
}

static bool is_finite(const char *at, hd_element_type type) {
  uint64_t bits = 0, exponent = type == HD_ELEMENT_F64    ? 0x7ff0000000000000
                                : type == HD_ELEMENT_F32  ? 0x7f800000
                                : type == HD_ELEMENT_BF16 ? 0x7f80
                                                          : 0x7c00;
  memcpy(&bits, at, hd_element_bytes(type)); /* little-endian, as the kernels are */
  return (bits & exponent) != exponent;
}

/* The first row of D from which on all are finite. */
static int64_t finite_from(const hd_attention_plan *r, const hd_attention_unit *u) {
  const hd_gemm_call *all = &r->call->second;
  const hd_gemm_dim *n = hd_attention_dim(all, HD_GEMM_N), *k = hd_attention_dim(all, HD_GEMM_K);
  int64_t bytes = (int64_t)hd_element_bytes(all->b_type), from = r->keys;
  for (; from > 0; --from) {
    const char *row = u->d + (from - 1) * k->b * bytes;
    bool finite = true;
    for (int64_t j = 0; j < n->size; ++j) finite &= is_finite(row + j * n->b * bytes, all->b_type);
    if (!finite) break;
  }
  return from;
}

/* How many keys rows [m0, m0 + rows) of the unit need, one of those that they do not read included: as many as whole
 * panels of the first product have, and whole vectors of the row kernel. */
static int64_t keys_of(const hd_attention_plan *r, const hd_attention_unit *u, int64_t m0, int64_t rows) {
  const hd_attention_call *call = r->call;
  if (!r->key_step) return r->keys;
  int64_t first = (u->row + m0) / r->query_step, last = (u->row + m0 + rows - 1) / r->query_step, needed;
  int64_t queries = call->first.dims[call->query].size;
  if (first / queries != last / queries || __builtin_add_overflow(last % queries, call->unread, &needed))
    return r->keys;
  needed = max64(needed, 0);
  if (needed >= r->most_keys) return r->keys;
  needed = round_up(needed + 1, r->key_step);
  return needed <= r->most_keys ? needed : r->keys;
}

/* Is the last of the |keys| keys, which no row reads, of no weight? */
static bool unread_weigh_nothing(const hd_attention_plan *r, const hd_attention_unit *u, int64_t rows, int64_t keys) {
  const char *at = u->scratch + r->weights_at + (size_t)(keys - 1) * r->weight_bytes;
  bool nothing = true;
  for (int64_t i = 0; i < rows; ++i, at += (size_t)r->keys * r->weight_bytes) {
    uint64_t bits = 0;
    memcpy(&bits, at, r->weight_bytes);
    nothing &= bits == 0;
  }
  return nothing;
}

hd_status hd_attention_strips(const hd_attention_plan *r, hd_attention_unit *u, int64_t m0, int64_t m1) {
  for (int64_t m = m0; m < m1;) {
    int64_t rows = min64(r->strip_rows, m1 - m), keys = keys_of(r, u, m, rows);
    HD_TRY(do_strip(r, u, m, rows, keys));
    if (keys < r->keys) {
      if (u->finite_from < 0) u->finite_from = finite_from(r, u);
      if (u->finite_from > keys || !unread_weigh_nothing(r, u, rows, keys)) HD_TRY(do_strip(r, u, m, rows, r->keys));
    }
    m += rows;
  }
  return HD_STATUS_OK;
}
