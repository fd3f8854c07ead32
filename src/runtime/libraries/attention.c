/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/attention.h"

#include <string.h>

#include "runtime/libraries/attention_strips.h"

enum {
  whole_bytes = 128 << 10, /* scores and weights up to this are computed at once: there is nothing to keep small */
  most_whole_bytes = 8 << 20,
  most_strip_rows = 96,
  least_chunk_rows = 256, /* for which a unit packs both right-hand sides anew */
};

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t round_up(int64_t n, int64_t to) { return ceil_div(n, to) * to; }

static int32_t count_of(const hd_gemm_call *call, hd_gemm_role role) {
  int32_t count = 0;
  for (int32_t i = 0; i < call->dim_count; ++i) count += call->dims[i].role == role;
  return count;
}

/* ---- all rows at once ------------------------------------------------------------------------------------------- */

typedef struct all_rows {
  const hd_attention_call *call;
  uintptr_t scores, weights;
  int64_t keys;
} all_rows;

static void do_rows(void *argument, int64_t begin, int64_t end) {
  const all_rows *all = argument;
  hd_attention_run_rows(all->call, all->scores, all->weights, all->keys, begin, end);
}

static hd_status whole(hd_attention_plan *r) {
  const hd_attention_call *call = r->call;
  size_t elements, score_bytes, weight_bytes;
  if (__builtin_mul_overflow((size_t)r->rows, (size_t)r->keys, &elements) ||
      __builtin_mul_overflow(elements, r->score_bytes, &score_bytes) ||
      __builtin_mul_overflow(elements, r->weight_bytes, &weight_bytes) || score_bytes > SIZE_MAX / 4 ||
      weight_bytes > SIZE_MAX / 4)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: scores of more than 2^62 bytes");
  score_bytes = (score_bytes + 127) / 64 * 64;
  hd_gemm_block *block = hd_gemm_block_acquire(r->context, score_bytes + weight_bytes + 64);
  if (!block)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: no memory for %zu bytes of scores", 2 * score_bytes);
  char *scores = block->data, *weights = scores + score_bytes;
  uint64_t words[HD_GEMM_EPILOGUE_OWN_WORDS];
  hd_gemm_call first = call->first, second = call->second;
  first.c = scores;
  first.env = second.env = call->env;
  if (first.epilogue) {
    memcpy(words, first.epilogue_words, (size_t)first.epilogue_word_count * sizeof *words);
    words[call->epilogue_scores] = (uint64_t)(uintptr_t)scores;
    first.epilogue_words = words;
  }
  second.a = weights;
  hd_status status = hd_gemm(r->context, &first);
  if (hd_is_ok(status)) {
    all_rows all = {call, (uintptr_t)scores, (uintptr_t)weights, r->keys};
    int64_t grain = max64(1024 / max64(r->keys, 1), 1);
    if (call->env && call->env->for_range)
      call->env->for_range(call->env->user, r->rows, grain, do_rows, &all);
    else
      do_rows(&all, 0, r->rows);
    status = hd_gemm(r->context, &second);
  }
  hd_gemm_block_release(r->context, block);
  return status;
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

static hd_status pack(const hd_attention_plan *r, const hd_gemm_call *part, char *data, hd_gemm_packed *out) {
  hd_gemm_problem problem;
  hd_gemm_block *copy_a, *copy_b;
  HD_TRY(hd_gemm_problem_make(r->context, part, &problem, &copy_a, &copy_b));
  hd_gemm_pack_into(&problem, data, out);
  hd_gemm_block_release(r->context, copy_a);
  hd_gemm_block_release(r->context, copy_b);
  return HD_STATUS_OK;
}

static hd_status do_unit(const hd_attention_plan *r, int64_t number, char *scratch) {
  const hd_attention_call *call = r->call;
  int64_t outer = number / r->chunks, m0 = number % r->chunks * r->chunk_rows;
  hd_attention_unit u = {.a = call->first.a,
                         .b = call->first.b,
                         .d = call->second.b,
                         .c = call->second.c,
                         .row = outer * r->inner.size,
                         .finite_from = -1,
                         .scratch = scratch};
  for (int32_t i = r->outer_count - 1; i >= 0 && outer; --i) {
    const hd_attention_row_dim *dim = &r->outer[i];
    int64_t at = outer % dim->size;
    outer /= dim->size;
    u.a += at * dim->a * (int64_t)hd_element_bytes(call->first.a_type);
    u.b += at * dim->b * (int64_t)hd_element_bytes(call->first.b_type);
    u.d += at * dim->d * (int64_t)hd_element_bytes(call->second.b_type);
    u.c += at * dim->c * (int64_t)hd_element_bytes(call->second.c_type);
  }
  if (r->pack) {
    hd_gemm_call first = hd_attention_first(r, &u, 0, r->strip_rows, r->keys);
    hd_gemm_call second = hd_attention_second(r, &u, 0, r->strip_rows, r->keys);
    HD_TRY(pack(r, &first, scratch + r->first_at, &u.first));
    HD_TRY(pack(r, &second, scratch + r->second_at, &u.second));
  }
  return hd_attention_strips(r, &u, m0, min64(m0 + r->chunk_rows, r->inner.size));
}

static void fail(hd_attention_plan *r, hd_status status) {
  hd_status none = HD_STATUS_OK;
  if (!hd_is_ok(status) && !atomic_compare_exchange_strong(&r->failed, &none, status)) hd_status_ignore(status);
}

/* Does the units whose first item is in [begin, end). */
static void do_units(void *argument, int64_t begin, int64_t end) {
  hd_attention_plan *r = argument;
  int64_t number = ceil_div(begin, r->unit_items), last = ceil_div(end, r->unit_items);
  if (number >= last) return;
  hd_gemm_block *block = hd_gemm_block_acquire(r->context, r->unit_bytes);
  if (!block)
    fail(r, hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: no memory for %zu bytes of scratch", r->unit_bytes));
  for (; block && number < last && !atomic_load_explicit(&r->failed, memory_order_relaxed); ++number) {
    if (r->call->is_stopped && r->call->is_stopped(r->call->env->user)) break;
    fail(r, do_unit(r, number, block->data));
  }
  hd_gemm_block_release(r->context, block);
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

/* The rows' dims as outer ones around an inner run whose rows are a fixed step apart. */
static void plan_rows(hd_attention_plan *r) {
  const hd_attention_call *call = r->call;
  int32_t i = call->row_dims;
  r->inner = (hd_attention_row_dim){.size = 1};
  for (; i > 0; --i) {
    const hd_gemm_dim *f = &call->first.dims[i - 1], *s = &call->second.dims[i - 1];
    if (f->size == 1) continue;
    if (f->role != HD_GEMM_M) break;
    if (r->inner.size == 1)
      r->inner = (hd_attention_row_dim){f->size, f->a, 0, 0, s->c};
    else if (f->a == r->inner.a * r->inner.size && s->c == r->inner.c * r->inner.size)
      r->inner.size *= f->size;
    else
      break;
  }
  int64_t step = r->keys;
  r->in_order = true;
  for (int32_t d = call->row_dims - 1; d >= 0; --d) {
    r->in_order &= call->second.dims[d].size == 1 || call->second.dims[d].a == step;
    r->in_order &= !__builtin_mul_overflow(step, call->second.dims[d].size, &step);
  }
  r->outer_total = 1;
  for (int32_t o = 0; o < i; ++o) {
    const hd_gemm_dim *f = &call->first.dims[o], *s = &call->second.dims[o];
    r->outer[r->outer_count++] = (hd_attention_row_dim){f->size, f->a, f->b, s->b, s->c};
    r->outer_total *= f->size; /* the number of rows does not overflow */
  }
}

/* Which parts of the keys the products and the row kernel can take alone. */
static void plan_keys(hd_attention_plan *r, const hd_gemm_problem *first) {
  enum { LANES = 16 }; /* of row kernels */
  const hd_attention_call *call = r->call;
  if (call->query < 0) return;
  r->query_step = 1;
  for (int32_t i = call->query + 1; i < call->row_dims; ++i) r->query_step *= call->first.dims[i].size;
  hd_gemm_panels panels = hd_gemm_panels_of(first, hd_gemm_packed_slot(first), r->keys);
  r->key_step = panels.width;
  while (r->key_step % LANES) r->key_step += panels.width;
  r->most_keys = (panels.count - 1) * panels.width / r->key_step * r->key_step;
}

#define PLACE(member, bytes) (r->member = at, at += ((size_t)(bytes) + 191) / 64 * 64)
static hd_status plan_strips(hd_attention_plan *r) {
  int64_t size = (int64_t)(r->score_bytes + r->weight_bytes), tile = hd_gemm_context_kernels(r->context)->rows;
  int64_t fit = r->context->caches.l2 / 2 / max64(r->keys * size, 1) / tile * tile;
  r->strip_rows = min64(max64(fit, tile), round_up(most_strip_rows, tile));
  r->pack = r->inner.size > HD_GEMM_SMALL_ROWS;
  int64_t threads = r->call->env && r->call->env->for_range ? r->call->env->threads : 1;
  int64_t wanted = threads == 1 ? 1 : ceil_div(4 * threads, r->outer_total);
  int64_t chunks = min64(wanted, max64(r->inner.size / least_chunk_rows, 1));
  r->chunk_rows = round_up(ceil_div(r->inner.size, chunks), r->strip_rows);
  if (!r->pack) r->strip_rows = r->chunk_rows = r->inner.size;
  r->chunks = ceil_div(r->inner.size, r->chunk_rows);
  if (__builtin_mul_overflow(r->outer_total, r->chunks, &r->units))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: more than 2^63 strips");
  size_t at = 0, first_bytes = 0, second_bytes = 0, strip;
  hd_attention_unit u = {.a = r->call->first.a, .b = r->call->first.b, .d = r->call->second.b, .c = r->call->second.c};
  if (r->pack) {
    hd_gemm_call first = hd_attention_first(r, &u, 0, r->strip_rows, r->keys);
    hd_gemm_call second = hd_attention_second(r, &u, 0, r->strip_rows, r->keys);
    hd_gemm_problem problem;
    hd_gemm_block *copy_a, *copy_b; /* none: k is one dim */
    HD_TRY(hd_gemm_problem_make(r->context, &first, &problem, &copy_a, &copy_b));
    first_bytes = hd_gemm_packed_bytes(&problem);
    plan_keys(r, &problem);
    HD_TRY(hd_gemm_problem_make(r->context, &second, &problem, &copy_a, &copy_b));
    second_bytes = hd_gemm_packed_bytes(&problem);
    if (!first_bytes || !second_bytes) r->key_step = 0;
  }
  if (__builtin_mul_overflow((size_t)r->strip_rows, (size_t)r->keys, &strip) || strip > SIZE_MAX / 64 ||
      first_bytes > SIZE_MAX / 8 || second_bytes > SIZE_MAX / 8)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: a strip of more than 2^58 elements");
  PLACE(scores_at, strip * r->score_bytes);
  PLACE(weights_at, strip * r->weight_bytes);
  PLACE(first_at, first_bytes);
  PLACE(second_at, second_bytes);
  r->unit_bytes = at;
  return HD_STATUS_OK;
}
#undef PLACE

static hd_status strips(hd_attention_plan *r) {
  const hd_attention_call *call = r->call;
  HD_TRY(plan_strips(r));
  double terms = (double)hd_attention_dim(&call->first, HD_GEMM_K)->size +
                 (double)hd_attention_dim(&call->second, HD_GEMM_N)->size;
  double work = 2 * (double)min64(r->chunk_rows, r->inner.size) * (double)r->keys * terms / HD_GEMM_FLOPS_PER_GRAIN;
  r->unit_items = work > 1 ? min64((int64_t)(work < 1e9 ? work : 1e9), max64(INT64_MAX / r->units, 1)) : 1;
  int64_t grain = work < 1 ? (int64_t)(1 / (work > 1e-6 ? work : 1e-6)) : 1;
  if (call->env && call->env->for_range)
    call->env->for_range(call->env->user, r->units * r->unit_items, grain, do_units, r);
  else
    do_units(r, 0, r->units * r->unit_items);
  return atomic_load(&r->failed);
}

/* Do strips of rows pay, and is each product one of matrices? */
static bool has_strips(const hd_attention_plan *r) {
  const hd_gemm_call *first = &r->call->first, *second = &r->call->second;
  if (count_of(first, HD_GEMM_N) != 1 || count_of(first, HD_GEMM_K) != 1 || count_of(second, HD_GEMM_N) != 1 ||
      count_of(second, HD_GEMM_K) != 1)
    return false;
  /* Few columns are the rows of another product, whose sums have another order where there are few of both. */
  if (r->keys <= HD_GEMM_SMALL_ROWS || hd_attention_dim(second, HD_GEMM_N)->size <= HD_GEMM_SMALL_ROWS) return false;
  /* A unit packs both right-hand sides, which is little beside many rows. Few
   * rows, as in decoding, are no faster alone. */
  double wide = (double)hd_attention_dim(first, HD_GEMM_K)->size + (double)hd_attention_dim(second, HD_GEMM_N)->size;
  double bytes = (double)r->rows * (double)r->keys * (double)(r->score_bytes + r->weight_bytes);
  return bytes > most_whole_bytes || (bytes > whole_bytes && (double)r->inner.size >= wide / 4);
}

/* Do the dims of the rows come first in both products, and are they the same? */
static bool rows_agree(hd_attention_plan *r) {
  const hd_gemm_call *first = &r->call->first, *second = &r->call->second;
  int32_t rows = 0;
  for (int32_t i = 0; i < first->dim_count; ++i) {
    const hd_gemm_dim *f = &first->dims[i], *s = &second->dims[i];
    if (f->role == HD_GEMM_N && __builtin_mul_overflow(r->keys, f->size, &r->keys)) return false;
    if (f->role != HD_GEMM_BATCH && f->role != HD_GEMM_M) continue;
    if (i >= r->call->row_dims || i >= second->dim_count || s->role != f->role || s->size != f->size || f->size < 0 ||
        __builtin_mul_overflow(r->rows, f->size, &r->rows))
      return false;
    if (f->role == HD_GEMM_M) r->rows_of_batch *= f->size;
    ++rows;
  }
  return rows == r->call->row_dims;
}

hd_status hd_attention_run(hd_gemm_context *context, const hd_attention_call *call) {
  hd_attention_plan r = {.context = context, .call = call, .rows = 1, .rows_of_batch = 1, .keys = 1};
  r.score_bytes = hd_element_bytes(call->scores_type);
  r.weight_bytes = hd_element_bytes(call->second.a_type);
  int32_t words = call->row_word_count;
  bool fits = words >= 0 && words <= HD_ATTENTION_ROW_WORDS && call->row_scores >= 0 && call->row_scores < words &&
              call->row_weights >= 0 && call->row_weights < words && call->query < call->row_dims;
  if (call->first.epilogue)
    fits &= call->epilogue_scores >= 0 && call->epilogue_scores < call->first.epilogue_word_count;
  if (!fits || !rows_agree(&r))
    return hd_make_status(HD_INVALID_ARGUMENT, "attention: the products and the kernel of their rows do not fit");
  if (!r.rows) return HD_STATUS_OK;
  plan_rows(&r);
  return has_strips(&r) ? strips(&r) : whole(&r);
}
