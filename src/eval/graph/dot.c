/* SPDX-License-Identifier: Apache-2.0 */
/* dot_general, dot, dynamic_dot... by definition: operands are brought to [batch, m, k] and [batch, k, n], and each
 * result element is the sum over k, in order, in one accumulator: f32 for floats up to f32 (one rounding per step, the
 * narrow types rounded once at the end), f64 for f64, 64-bit wrapping integers, complex of f32 or f64. */
#include <string.h>

#include "eval/graph/accumulate.h"
#include "eval/graph/shape_ops.h"
#include "ir/ops/stablehlo.h"

static void put_axes(int64_t *permutation, uint32_t *at, const hd_eval_ints *axes) {
  for (size_t i = 0; i < axes->count; ++i) permutation[(*at)++] = axes->data[i];
}

static void put_rest(int64_t *permutation, uint32_t *at, uint32_t rank, uint64_t used) {
  for (uint32_t i = 0; i < rank; ++i)
    if (!(used >> i & 1)) permutation[(*at)++] = i;
}

static uint64_t mask_of(const hd_eval_ints *axes) {
  uint64_t mask = 0;
  for (size_t i = 0; i < axes->count; ++i) mask |= UINT64_C(1) << axes->data[i];
  return mask;
}

static int64_t product_of(const hd_tensor *tensor, const int64_t *axes, size_t count) {
  int64_t product = 1;
  for (size_t i = 0; i < count; ++i) product *= hd_tensor_dims(tensor)[axes[i]];
  return product;
}

static hd_status check_both(const hd_tensor *lhs, const hd_tensor *rhs, const hd_eval_ints *a, const hd_eval_ints *b,
                            const char *what) {
  if (a->count != b->count)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s dims: lhs has %zu, rhs has %zu", what, a->count, b->count);
  for (size_t i = 0; i < a->count; ++i)
    if (hd_tensor_dims(lhs)[a->data[i]] != hd_tensor_dims(rhs)[b->data[i]])
      return hd_make_status(HD_INVALID_ARGUMENT, "%s dims differ: lhs has %lld, rhs has %lld", what,
                            (long long)hd_tensor_dims(lhs)[a->data[i]], (long long)hd_tensor_dims(rhs)[b->data[i]]);
  return HD_STATUS_OK;
}

typedef struct axes_of_dot {
  hd_eval_ints lhs_batch, rhs_batch, lhs_contract, rhs_contract;
} axes_of_dot;

/* One batch: c[m, n] += a[m, k] * b[k, n]; each c accumulates in the order of k. */
#define MATMUL(name, T, PRODUCT)                                                                                      \
  static hd_status name(hd_eval_frame *frame, int64_t batch, int64_t m, int64_t k, int64_t n, const T *a, const T *b, \
                        T *c) {                                                                                       \
    for (int64_t g = 0; g < batch; ++g)                                                                               \
      for (int64_t i = 0; i < m; ++i) {                                                                               \
        HD_TRY(hd_eval_poll(frame));                                                                                  \
        T *row = c + (g * m + i) * n;                                                                                 \
        for (int64_t p = 0; p < k; ++p) {                                                                             \
          T x = a[(g * m + i) * k + p];                                                                               \
          const T *line = b + (g * k + p) * n;                                                                        \
          for (int64_t j = 0; j < n; ++j) row[j] += PRODUCT(x, line[j]);                                              \
        }                                                                                                             \
      }                                                                                                               \
    return HD_STATUS_OK;                                                                                              \
  }
MATMUL(matmul_f32, float, HD_PRODUCT)
MATMUL(matmul_f64, double, HD_PRODUCT)
MATMUL(matmul_int, uint64_t, HD_PRODUCT)
MATMUL(matmul_c64, float complex, hd_product_c64)
MATMUL(matmul_c128, double complex, hd_product_c128)

static hd_status matmul(hd_eval_frame *frame, hd_accumulator kind, int64_t batch, int64_t m, int64_t k, int64_t n,
                        const void *a, const void *b, void *c) {
  switch (kind) {
    case HD_ACCUMULATE_F32:
      return matmul_f32(frame, batch, m, k, n, a, b, c);
    case HD_ACCUMULATE_F64:
      return matmul_f64(frame, batch, m, k, n, a, b, c);
    case HD_ACCUMULATE_INT:
      return matmul_int(frame, batch, m, k, n, a, b, c);
    case HD_ACCUMULATE_C64:
      return matmul_c64(frame, batch, m, k, n, a, b, c);
    case HD_ACCUMULATE_C128:
      return matmul_c128(frame, batch, m, k, n, a, b, c);
    default:
      return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  }
}

static hd_status dot_general(hd_eval_frame *frame, hd_op *op, const hd_tensor *lhs, const hd_tensor *rhs,
                             const axes_of_dot *axes, hd_tensor *out) {
  uint32_t lhs_rank = hd_tensor_rank(lhs), rhs_rank = hd_tensor_rank(rhs), at = 0;
  hd_eval_ints lhs_all = {0}, rhs_all = {0};
  int64_t lhs_axes[2 * HD_MAX_RANK], rhs_axes[2 * HD_MAX_RANK];
  HD_TRY(hd_eval_check_axes(&axes->lhs_batch, lhs_rank, hd_name_text(HD_NAME_lhs_batching_dimensions)));
  HD_TRY(hd_eval_check_axes(&axes->lhs_contract, lhs_rank, hd_name_text(HD_NAME_lhs_contracting_dimensions)));
  HD_TRY(hd_eval_check_axes(&axes->rhs_batch, rhs_rank, hd_name_text(HD_NAME_rhs_batching_dimensions)));
  HD_TRY(hd_eval_check_axes(&axes->rhs_contract, rhs_rank, hd_name_text(HD_NAME_rhs_contracting_dimensions)));
  put_axes(lhs_axes, &at, &axes->lhs_batch);
  put_axes(lhs_axes, &at, &axes->lhs_contract);
  lhs_all = (hd_eval_ints){at, lhs_axes};
  at = 0;
  put_axes(rhs_axes, &at, &axes->rhs_batch);
  put_axes(rhs_axes, &at, &axes->rhs_contract);
  rhs_all = (hd_eval_ints){at, rhs_axes};
  HD_TRY(hd_eval_check_axes(&lhs_all, lhs_rank, "lhs dims"));
  HD_TRY(hd_eval_check_axes(&rhs_all, rhs_rank, "rhs dims"));
  HD_TRY(check_both(lhs, rhs, &axes->lhs_batch, &axes->rhs_batch, "batching"));
  HD_TRY(check_both(lhs, rhs, &axes->lhs_contract, &axes->rhs_contract, "contracting"));

  size_t batches = axes->lhs_batch.count, contracts = axes->lhs_contract.count;
  size_t lhs_free = lhs_rank - batches - contracts, rhs_free = rhs_rank - batches - contracts;
  int64_t lhs_permutation[HD_MAX_RANK], rhs_permutation[HD_MAX_RANK];
  at = 0;
  put_axes(lhs_permutation, &at, &axes->lhs_batch);
  put_rest(lhs_permutation, &at, lhs_rank, mask_of(&lhs_all));
  put_axes(lhs_permutation, &at, &axes->lhs_contract);
  at = 0;
  put_axes(rhs_permutation, &at, &axes->rhs_batch);
  put_axes(rhs_permutation, &at, &axes->rhs_contract);
  put_rest(rhs_permutation, &at, rhs_rank, mask_of(&rhs_all));

  if (batches + lhs_free + rhs_free > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank is above the limit");
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = 0;
  for (size_t i = 0; i < batches + lhs_free; ++i) dims[rank++] = hd_tensor_dims(lhs)[lhs_permutation[i]];
  for (size_t i = 0; i < rhs_free; ++i) dims[rank++] = hd_tensor_dims(rhs)[rhs_permutation[batches + contracts + i]];
  HD_TRY(hd_eval_result(frame, op, 0, rank, dims, out));
  if (!hd_tensor_count(out)) return HD_STATUS_OK;

  hd_type element = hd_tensor_element(out);
  hd_accumulator kind = hd_accumulator_of_product(lhs, rhs, element);
  size_t wide = hd_accumulator_bytes(kind);
  if (!wide) return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  int64_t batch = product_of(lhs, lhs_permutation, batches), m = product_of(lhs, lhs_permutation + batches, lhs_free);
  int64_t k = product_of(lhs, lhs_permutation + batches + lhs_free, contracts);
  int64_t n = product_of(rhs, rhs_permutation + batches + contracts, rhs_free);
  hd_tensor a = {0}, b = {0};
  HD_TRY(hd_eval_transposed(frame, lhs, lhs_permutation, &a));
  hd_status status = hd_eval_transposed(frame, rhs, rhs_permutation, &b);
  void *wide_a = NULL, *wide_b = NULL, *wide_c = NULL;
  if (hd_is_ok(status)) status = hd_eval_widened(frame, &a, kind, &wide_a);
  if (hd_is_ok(status)) status = hd_eval_widened(frame, &b, kind, &wide_b);
  if (hd_is_ok(status)) status = hd_eval_temp(frame, hd_tensor_count(out), wide, &wide_c);
  if (hd_is_ok(status)) status = matmul(frame, kind, batch, m, k, n, wide_a, wide_b, wide_c);
  if (hd_is_ok(status)) hd_narrow(kind, wide_c, element, hd_tensor_data(out), hd_tensor_count(out));
  hd_tensor_release(&a);
  hd_tensor_release(&b);
  return status;
}

HD_EVAL_HOOK(dot_general) {
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(op);
  axes_of_dot axes;
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers), &axes.lhs_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_dot_rhs_batching_dimensions(numbers), &axes.rhs_batch));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers), &axes.lhs_contract));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers), &axes.rhs_contract));
  return dot_general(frame, op, &in[0], &in[1], &axes, out);
}

/* The last dim of lhs with the first of rhs. */
HD_EVAL_HOOK(dot) {
  uint32_t rank = hd_tensor_rank(&in[0]);
  if (!rank || !hd_tensor_rank(&in[1])) return hd_make_status(HD_INVALID_ARGUMENT, "expected vectors or matrices");
  int64_t last = rank - 1, first = 0;
  axes_of_dot axes = {.lhs_contract = {1, &last}, .rhs_contract = {1, &first}};
  return dot_general(frame, op, &in[0], &in[1], &axes, out);
}
