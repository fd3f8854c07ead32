/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_dot by definition: an element of the result is the sum over the contracted indices, in order, in one
 * accumulator, of what the groups (ir/ragged_dot.h) let meet. */
#include "ir/ragged_dot.h"

#include <complex.h>

#include "eval/graph/accumulate.h"
#include "ir/ops/interfaces.h"

typedef struct product {
  hd_eval_frame *frame;
  hd_ragged_dot dot;
  const hd_tensor *lhs, *rhs, *sizes;
  hd_accumulator kind;
  const void *a, *b;
  int64_t lhs_strides[HD_MAX_RANK], rhs_strides[HD_MAX_RANK];
  int64_t l[HD_MAX_RANK], r[HD_MAX_RANK]; /* the indices that meet */
  int64_t *bounds;                        /* groups + 1 ends for each index of the prefix */
  int64_t groups;
} product;

static void add(hd_accumulator kind, void *c, const void *a, const void *b, size_t at, size_t bt) {
  switch (kind) {
    case HD_ACCUMULATE_F32:
      *(float *)c += ((const float *)a)[at] * ((const float *)b)[bt];
      break;
    case HD_ACCUMULATE_F64:
      *(double *)c += ((const double *)a)[at] * ((const double *)b)[bt];
      break;
    case HD_ACCUMULATE_INT:
      *(uint64_t *)c += ((const uint64_t *)a)[at] * ((const uint64_t *)b)[bt];
      break;
    case HD_ACCUMULATE_C64:
      *(float complex *)c += ((const float complex *)a)[at] * ((const float complex *)b)[bt];
      break;
    case HD_ACCUMULATE_C128:
      *(double complex *)c += ((const double complex *)a)[at] * ((const double complex *)b)[bt];
      break;
    default:
      break;
  }
}

static hd_status read_bounds(product *p) {
  uint32_t rank = hd_tensor_rank(p->sizes);
  p->groups = hd_tensor_dims(p->sizes)[rank - 1];
  size_t lists = p->groups ? hd_tensor_count(p->sizes) / (size_t)p->groups : 0;
  HD_TRY(hd_eval_temp(p->frame, lists * ((size_t)p->groups + 1) + 1, sizeof(int64_t), &p->bounds));
  for (size_t k = 0, from = 0; k < lists; ++k) {
    uint64_t end = 0;
    for (int64_t g = 0; g < p->groups; ++g) {
      end += (uint64_t)hd_int_at(hd_tensor_element(p->sizes), hd_tensor_data(p->sizes), from++);
      p->bounds[k * ((size_t)p->groups + 1) + (size_t)g + 1] = (int64_t)end;
    }
  }
  return HD_STATUS_OK;
}

/* Is the ragged index in |group|? */
static bool is_in(const product *p, int64_t group) {
  int64_t list = 0;
  for (uint32_t i = 0; i + 1 < hd_tensor_rank(p->sizes); ++i)
    list = list * hd_tensor_dims(p->sizes)[i] + p->l[p->dot.lhs_prefix.at[i]];
  const int64_t *bounds = p->bounds + list * (p->groups + 1) + group;
  return bounds[0] <= p->l[p->dot.ragged] && p->l[p->dot.ragged] < bounds[1];
}

/* Adds to |c| what meets at the indices that are set; of the contracted dim only |group|, -1: all. */
static void sum(product *p, int64_t group, void *c) {
  int64_t sizes[HD_MAX_RANK], index[HD_MAX_RANK] = {0};
  const hd_ragged_dims *lc = &p->dot.lhs_contract, *rc = &p->dot.rhs_contract;
  for (uint32_t i = 0; i < lc->count; ++i)
    if (!(sizes[i] = hd_tensor_dims(p->lhs)[lc->at[i]])) return;
  do {
    size_t at = 0, bt = 0;
    for (uint32_t i = 0; i < lc->count; ++i) p->l[lc->at[i]] = p->r[rc->at[i]] = index[i];
    if (group >= 0 && !is_in(p, group)) continue;
    for (uint32_t d = 0; d < hd_tensor_rank(p->lhs); ++d) at += (size_t)(p->l[d] * p->lhs_strides[d]);
    for (uint32_t d = 0; d < hd_tensor_rank(p->rhs); ++d) bt += (size_t)(p->r[d] * p->rhs_strides[d]);
    add(p->kind, c, p->a, p->b, at, bt);
  } while (hd_index_next(lc->count, sizes, index));
}

/* The element of the result at |index|. */
static void element(product *p, const int64_t *index, void *c) {
  const hd_ragged_dot *d = &p->dot;
  int64_t group = d->kind == HD_RAGGED_CONTRACTING ? *index++ : -1;
  for (uint32_t i = 0; i < d->lhs_batch.count; ++i) p->l[d->lhs_batch.at[i]] = p->r[d->rhs_batch.at[i]] = *index++;
  for (uint32_t i = 0; i < d->lhs_rows.count; ++i) p->l[d->lhs_rows.at[i]] = *index++;
  for (uint32_t i = 0; i < d->rhs_columns.count; ++i) p->r[d->rhs_columns.at[i]] = *index++;
  if (d->kind != HD_RAGGED_ROWS) {
    sum(p, group, c);
    return;
  }
  for (int64_t g = 0; g < p->groups; ++g) {
    p->r[d->group] = g;
    if (is_in(p, g)) sum(p, -1, c);
  }
}

/* The dims of the result; false when the operands' dims do not agree. */
static bool result_dims(const product *p, int64_t *dims, uint32_t *rank) {
  const hd_ragged_dot *d = &p->dot;
  const int64_t *lhs = hd_tensor_dims(p->lhs), *rhs = hd_tensor_dims(p->rhs), *sizes = hd_tensor_dims(p->sizes);
  bool agree = d->group < 0 || rhs[d->group] == p->groups;
  *rank = 0;
  if (d->kind == HD_RAGGED_CONTRACTING) dims[(*rank)++] = p->groups;
  for (uint32_t i = 0; i < d->lhs_batch.count; ++i) {
    agree &= lhs[d->lhs_batch.at[i]] == rhs[d->rhs_batch.at[i]];
    dims[(*rank)++] = lhs[d->lhs_batch.at[i]];
  }
  for (uint32_t i = 0; i < d->lhs_contract.count; ++i)
    agree &= lhs[d->lhs_contract.at[i]] == rhs[d->rhs_contract.at[i]];
  for (uint32_t i = 0; i + 1 < hd_tensor_rank(p->sizes); ++i) agree &= sizes[i] == lhs[d->lhs_prefix.at[i]];
  for (uint32_t i = 0; i < d->lhs_rows.count; ++i) dims[(*rank)++] = lhs[d->lhs_rows.at[i]];
  for (uint32_t i = 0; i < d->rhs_columns.count; ++i) dims[(*rank)++] = rhs[d->rhs_columns.at[i]];
  return agree;
}

HD_EVAL_HOOK(ragged_dot) {
  product p = {.frame = frame, .lhs = &in[0], .rhs = &in[1], .sizes = &in[2]};
  const char *wrong = hd_ragged_dot_read(hd_ragged_dot_like_ragged_dot_dimension_numbers(op), hd_tensor_rank(&in[0]),
                                         hd_tensor_rank(&in[1]), &p.dot);
  if (wrong) return hd_make_status(HD_INVALID_ARGUMENT, "%s", wrong);
  uint32_t sizes_rank = hd_tensor_rank(p.sizes), rank;
  if (sizes_rank != 1 && sizes_rank != p.dot.lhs_prefix.count + 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects group sizes of rank 1 or %u, got %u",
                          p.dot.lhs_prefix.count + 1, sizes_rank);
  HD_TRY(read_bounds(&p));
  int64_t dims[2 * HD_MAX_RANK + 1], index[HD_MAX_RANK] = {0};
  if (!result_dims(&p, dims, &rank)) return hd_make_status(HD_INVALID_ARGUMENT, "dims of the operands do not agree");
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  hd_strides_of(hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), p.lhs_strides);
  hd_strides_of(hd_tensor_rank(&in[1]), hd_tensor_dims(&in[1]), p.rhs_strides);
  p.kind = hd_accumulator_of_product(&in[0], &in[1], hd_tensor_element(out));
  size_t count = hd_tensor_count(out), wide = hd_accumulator_bytes(p.kind);
  if (!wide) return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  char *sums;
  HD_TRY(hd_eval_widened(frame, &in[0], p.kind, &p.a));
  HD_TRY(hd_eval_widened(frame, &in[1], p.kind, &p.b));
  HD_TRY(hd_eval_temp(frame, count + 1, wide, &sums));
  for (size_t k = 0; k < count; ++k, hd_index_next(rank, dims, index)) {
    HD_TRY(hd_eval_poll(frame));
    element(&p, index, sums + k * wide);
  }
  hd_narrow(p.kind, sums, hd_tensor_element(out), hd_tensor_data(out), count);
  return HD_STATUS_OK;
}
