/* SPDX-License-Identifier: Apache-2.0 */
/* From a call with any number of dims to loops around one m x n x k product.
 *
 *   1. dims of size 1 go; contracting dims are put in an order in which an operand is one run of k; neighbours of one
 *      role whose strides continue each other in both operands become one.
 *   2. k must be one dim: an operand whose k dims do not continue each other is copied to dense memory first. So is one
 *      that splits m or n into many short pieces.
 *   3. the innermost m and n are the product's; other m and n dims, and all batch dims, become outer loops. */
#include "runtime/libraries/gemm_problem.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A dim with its place in the linear index of its role. */
typedef struct dim {
  hd_gemm_role role;
  int64_t size, a, b, c, linear;
} dim;

typedef struct dim_list {
  int32_t count;
  dim dims[HD_GEMM_MAX_DIMS];
} dim_list;

enum { short_run = 16 }; /* a piece of m or n below this many elements is better copied than looped over */

static hd_element_type canonical_type(hd_element_type type, hd_gemm_compute compute) {
  switch (type) {
    case HD_ELEMENT_I1:
    case HD_ELEMENT_UI2:
    case HD_ELEMENT_UI4:
      return HD_ELEMENT_UI8;
    case HD_ELEMENT_I2:
    case HD_ELEMENT_I4:
    case HD_ELEMENT_SI2:
    case HD_ELEMENT_SI4:
    case HD_ELEMENT_SI8:
      return HD_ELEMENT_I8;
    case HD_ELEMENT_SI16:
      return HD_ELEMENT_I16;
    case HD_ELEMENT_SI32:
      return HD_ELEMENT_I32;
    case HD_ELEMENT_UI32:
      return compute == HD_GEMM_I32 ? HD_ELEMENT_I32 : HD_ELEMENT_UI32;
    case HD_ELEMENT_SI64:
    case HD_ELEMENT_UI64:
      return HD_ELEMENT_I64;
    default:
      return type;
  }
}

/* Of results: what is stored depends on the width alone, but for i1. */
static hd_element_type canonical_result(hd_element_type type, hd_gemm_compute compute) {
  switch (type) {
    case HD_ELEMENT_I1:
      return HD_ELEMENT_I1;
    case HD_ELEMENT_UI8:
      return HD_ELEMENT_I8;
    case HD_ELEMENT_UI16:
      return HD_ELEMENT_I16;
    case HD_ELEMENT_UI32:
      return HD_ELEMENT_I32;
    case HD_ELEMENT_I2:
    case HD_ELEMENT_I4:
    case HD_ELEMENT_SI2:
    case HD_ELEMENT_SI4:
    case HD_ELEMENT_UI2:
    case HD_ELEMENT_UI4:
      return HD_ELEMENT_INVALID;
    default:
      return canonical_type(type, compute);
  }
}

/* 1 for f16, bf16 and f32, 2 for f64, 3 for integers up to 32 bits, 4 for 64 bits, 0 for the rest. */
static int type_class(hd_element_type type) {
  switch (type) {
    case HD_ELEMENT_F16:
    case HD_ELEMENT_BF16:
    case HD_ELEMENT_F32:
      return 1;
    case HD_ELEMENT_F64:
      return 2;
    case HD_ELEMENT_I64:
    case HD_ELEMENT_UI64:
    case HD_ELEMENT_SI64:
      return 4;
    default:
      return type >= HD_ELEMENT_I1 && type <= HD_ELEMENT_SI32 ? 3 : 0;
  }
}

static bool choose_compute(const hd_gemm_call *call, hd_gemm_compute *out) {
  int a = type_class(call->a_type), b = type_class(call->b_type);
  int c = type_class(call->c_type); /* with an epilogue that of the product itself, in which its tile is */
  if (!c && call->epilogue) c = a;
  if (!a || !b || !c || (a <= 2) != (b <= 2) || (a <= 2) != (c <= 2)) return false;
  int widest = a > b ? a : b;
  if (c > widest) widest = c;
  static const hd_gemm_compute of_class[] = {0, HD_GEMM_F32, HD_GEMM_F64, HD_GEMM_I32, HD_GEMM_I64};
  *out = of_class[widest];
  return true;
}

static void gather_dims(const hd_gemm_call *call, dim_list *out) {
  out->count = 0;
  int64_t linear[4] = {1, 1, 1, 1};
  for (int32_t i = call->dim_count - 1; i >= 0; --i) {
    const hd_gemm_dim *from = &call->dims[i];
    if (from->size != 1)
      out->dims[out->count++] = (dim){from->role, from->size, from->a, from->b, from->c, linear[from->role]};
    linear[from->role] *= from->size;
  }
  for (int32_t i = 0; i < out->count / 2; ++i) { /* outer first again */
    dim swap = out->dims[i];
    out->dims[i] = out->dims[out->count - 1 - i];
    out->dims[out->count - 1 - i] = swap;
  }
}

/* Is there a pair of neighbours of |role| that operand a (or b) keeps from being one dim? */
static bool splits(const dim_list *list, hd_gemm_role role, bool is_a) {
  const dim *outer = NULL;
  for (int32_t i = 0; i < list->count; ++i) {
    const dim *d = &list->dims[i];
    if (d->role != role) continue;
    if (outer && (is_a ? outer->a != d->a * d->size : outer->b != d->b * d->size)) return true;
    outer = d;
  }
  return false;
}

/* The order in which contracting dims are summed is free. That of B's memory, outer first, lets B be
 * one run of k without a copy; where it is no run in any order, that of A's. (JAX writes bhle,hed->bld
 * with contracting dims [3, 1] x [1, 0].) */
static void sort_contracting(dim_list *list, bool by_a) {
  for (int32_t i = 1; i < list->count; ++i)
    for (int32_t k = i; k > 0; --k) {
      dim *outer = &list->dims[k - 1], *inner = &list->dims[k];
      if (outer->role != HD_GEMM_K || inner->role != HD_GEMM_K) break;
      if (by_a ? llabs(outer->a) >= llabs(inner->a) : llabs(outer->b) >= llabs(inner->b)) break;
      dim swap = *outer;
      *outer = *inner;
      *inner = swap;
    }
}

static void order_contracting(dim_list *list) {
  sort_contracting(list, false);
  if (splits(list, HD_GEMM_K, false)) sort_contracting(list, true);
}

/* Joins neighbours of one role whose strides continue each other. */
static void merge_dims(dim_list *list) {
  dim merged[HD_GEMM_MAX_DIMS];
  int32_t count = 0;
  for (int role = 0; role < 4; ++role) {
    int32_t first = count;
    for (int32_t i = 0; i < list->count; ++i) {
      const dim *d = &list->dims[i];
      if ((int)d->role != role) continue;
      dim *outer = count > first ? &merged[count - 1] : NULL;
      if (outer && outer->a == d->a * d->size && outer->b == d->b * d->size && outer->c == d->c * d->size) {
        *outer = (dim){d->role, outer->size * d->size, d->a, d->b, d->c, d->linear};
      } else {
        merged[count++] = *d;
      }
    }
  }
  for (int32_t i = 0; i < count; ++i) list->dims[i] = merged[i];
  list->count = count;
}

static int32_t count_role(const dim_list *list, hd_gemm_role role, int64_t *out_inner) {
  int32_t count = 0;
  *out_inner = 1;
  for (int32_t i = 0; i < list->count; ++i) {
    if (list->dims[i].role != role) continue;
    ++count;
    *out_inner = list->dims[i].size;
  }
  return count;
}

/* Copies operand a (or b) to dense memory, [batch][m or n][k], and points the strides there. */
static hd_status densify(hd_gemm_context *context, dim_list *list, bool is_a, size_t size, const char **data,
                         hd_gemm_block **out_block) {
  dim *used[HD_GEMM_MAX_DIMS];
  int32_t count = 0;
  int64_t total = 1;
  for (int32_t i = 0; i < list->count; ++i) {
    dim *d = &list->dims[i];
    if (d->role == (is_a ? HD_GEMM_N : HD_GEMM_M)) continue;
    if ((is_a ? d->a : d->b) == 0 && d->role == HD_GEMM_BATCH) continue; /* every step sees the same data */
    used[count++] = d;
    if (__builtin_mul_overflow(total, d->size, &total))
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: an operand has more than 2^63 elements");
  }
  size_t bytes;
  if (__builtin_mul_overflow((size_t)total, size, &bytes))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: an operand has more than 2^63 bytes");
  hd_gemm_block *block = hd_gemm_block_acquire(context, bytes + 64);
  if (!block) return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: no memory for %zu bytes of a dense operand", bytes);
  int64_t position[HD_GEMM_MAX_DIMS] = {0};
  const char *from = *data;
  char *to = block->data;
  /* The last two dims are copied by hd_gemm_gather, the others are counted through. */
  int32_t outer = count > 2 ? count - 2 : 0;
  int64_t columns = count ? used[count - 1]->size : 1;
  int64_t column = count ? (is_a ? used[count - 1]->a : used[count - 1]->b) : 0;
  int64_t rows = count > 1 ? used[count - 2]->size : 1;
  int64_t row = count > 1 ? (is_a ? used[count - 2]->a : used[count - 2]->b) : 0;
  for (;;) {
    hd_gemm_gather(from, row, column, rows, columns, size, to);
    to += (size_t)(rows * columns) * size;
    int32_t i = outer - 1;
    for (; i >= 0; --i) {
      int64_t stride = is_a ? used[i]->a : used[i]->b;
      from += stride * (int64_t)size;
      if (++position[i] < used[i]->size) break;
      from -= stride * used[i]->size * (int64_t)size;
      position[i] = 0;
    }
    if (i < 0) break;
  }
  int64_t stride = 1;
  for (int32_t i = count - 1; i >= 0; --i) {
    *(is_a ? &used[i]->a : &used[i]->b) = stride;
    stride *= used[i]->size;
  }
  *data = block->data;
  *out_block = block;
  return NULL;
}

#define SWAP(x, y)              \
  do {                          \
    __typeof__(x) before = (x); \
    (x) = (y), (y) = before;    \
  } while (0)

static void swap_operands(hd_gemm_problem *p) {
  p->swapped = true;
  SWAP(p->a, p->b);
  SWAP(p->a_type, p->b_type);
  SWAP(p->a_size, p->b_size);
  SWAP(p->m, p->n);
  SWAP(p->a_m, p->b_n);
  SWAP(p->a_k, p->b_k);
  SWAP(p->c_m, p->c_n);
  for (int32_t i = 0; i < p->loop_count; ++i) SWAP(p->loops[i].a, p->loops[i].b);
}

hd_status hd_gemm_problem_make(hd_gemm_context *context, const hd_gemm_call *call, hd_gemm_problem *p,
                               hd_gemm_block **out_copy_a, hd_gemm_block **out_copy_b) {
  *out_copy_a = *out_copy_b = NULL;
  memset(p, 0, offsetof(hd_gemm_problem, loops));
  if (call->dim_count < 0 || call->dim_count > HD_GEMM_MAX_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "gemm: expected at most %d dims, got %d", HD_GEMM_MAX_DIMS,
                          call->dim_count);
  for (int32_t i = 0; i < call->dim_count; ++i) {
    if (call->dims[i].size < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "gemm: dim %d has negative size %lld", i,
                            (long long)call->dims[i].size);
  }
  if (call->epilogue && (call->epilogue_word_count < 0 || call->epilogue_word_count > HD_GEMM_EPILOGUE_OWN_WORDS))
    return hd_make_status(HD_INVALID_ARGUMENT, "gemm: expected at most %d words for the epilogue, got %d",
                          HD_GEMM_EPILOGUE_OWN_WORDS, call->epilogue_word_count);
  const hd_gemm_kernels *kernels = context->kernels;
  hd_gemm_compute compute;
  if (!choose_compute(call, &compute))
    return hd_make_status(HD_UNIMPLEMENTED, "gemm: no kernels for %s times %s to %s", hd_element_text(call->a_type),
                          hd_element_text(call->b_type), hd_element_text(call->c_type));
  p->kernels = kernels, p->compute = compute;
  p->a = call->a, p->b = call->b, p->c = call->c;
  p->a_type = canonical_type(call->a_type, compute);
  p->b_type = canonical_type(call->b_type, compute);
  static const hd_element_type of_compute[] = {HD_ELEMENT_F32, HD_ELEMENT_F64, HD_ELEMENT_I32, HD_ELEMENT_I64};
  if (p->a_type == HD_ELEMENT_BF16 && p->b_type == HD_ELEMENT_BF16 && compute == HD_GEMM_F32) p->pairs = context->pairs;
  p->c_type = call->epilogue ? of_compute[compute] : canonical_result(call->c_type, compute);
  if (!kernels->copy[p->a_type][compute] || !kernels->copy[p->b_type][compute] || p->c_type == HD_ELEMENT_INVALID ||
      !kernels->store[compute][p->c_type])
    return hd_make_status(HD_UNIMPLEMENTED, "gemm: no kernels for %s times %s to %s", hd_element_text(call->a_type),
                          hd_element_text(call->b_type), hd_element_text(call->c_type));
  p->a_size = hd_element_bytes(p->a_type);
  p->b_size = hd_element_bytes(p->b_type);
  p->c_size = hd_element_bytes(p->c_type);
  p->size = hd_element_bytes(of_compute[compute]);
  p->epilogue = call->epilogue;
  p->epilogue_words = call->epilogue_words;
  p->epilogue_word_count = call->epilogue_word_count;
  p->first_batch = call->first_batch;
  p->first_m = call->first_m;

  dim_list list;
  gather_dims(call, &list);
  bool empty = false;
  for (int32_t i = 0; i < list.count; ++i) empty |= list.dims[i].size == 0;
  merge_dims(&list); /* by role */
  order_contracting(&list);
  merge_dims(&list);
  if (!empty) {
    int64_t inner_m, inner_n, inner_k;
    int32_t m_count = count_role(&list, HD_GEMM_M, &inner_m), n_count = count_role(&list, HD_GEMM_N, &inner_n);
    int32_t k_count = count_role(&list, HD_GEMM_K, &inner_k);
    bool k_split = k_count > 1;
    if ((k_split && splits(&list, HD_GEMM_K, true)) ||
        (m_count > 1 && inner_m < short_run && splits(&list, HD_GEMM_M, true)))
      HD_TRY(densify(context, &list, true, p->a_size, &p->a, out_copy_a));
    if ((k_split && splits(&list, HD_GEMM_K, false)) ||
        (n_count > 1 && inner_n < short_run && splits(&list, HD_GEMM_N, false))) {
      hd_status status = densify(context, &list, false, p->b_size, &p->b, out_copy_b);
      if (!hd_is_ok(status)) {
        hd_gemm_block_release(context, *out_copy_a);
        *out_copy_a = NULL;
        return status;
      }
    }
    merge_dims(&list);
  }
  p->m = p->n = p->k = 1;
  p->a_m = p->a_k = p->b_k = p->b_n = p->c_m = p->c_n = 1;
  p->loop_total = 1;
  bool zero_k = false;
  for (int32_t i = 0; i < list.count; ++i) {
    const dim *d = &list.dims[i];
    bool last = i + 1 == list.count || list.dims[i + 1].role != d->role;
    if (d->role == HD_GEMM_K) {
      zero_k |= d->size == 0;
      if (last) p->k = d->size, p->a_k = d->a, p->b_k = d->b;
    } else if (last && d->role == HD_GEMM_M) {
      p->m = d->size, p->a_m = d->a, p->c_m = d->c;
    } else if (last && d->role == HD_GEMM_N) {
      p->n = d->size, p->b_n = d->b, p->c_n = d->c;
    } else {
      p->loops[p->loop_count++] = (hd_gemm_loop){.size = d->size,
                                                 .a = d->a,
                                                 .b = d->b,
                                                 .c = d->c,
                                                 .batch_linear = d->role == HD_GEMM_BATCH ? d->linear : 0,
                                                 .m_linear = d->role == HD_GEMM_M ? d->linear : 0,
                                                 .n_linear = d->role == HD_GEMM_N ? d->linear : 0};
      if (__builtin_mul_overflow(p->loop_total, d->size, &p->loop_total)) p->loop_total = INT64_MAX;
    }
  }
  if (zero_k) p->k = 0;
  /* Few columns and many rows: the other way round the rows are the vectors. */
  if (p->n <= HD_GEMM_SMALL_ROWS && p->m > 2 * p->n && call->library == HD_GEMM_GENERATED) swap_operands(p);
  return NULL;
}

hd_gemm_point hd_gemm_problem_point(const hd_gemm_problem *p, int64_t step) {
  hd_gemm_point point = {.a = p->a, .b = p->b, .c = p->c, .index = step, .batch = p->first_batch, .m = p->first_m};
  for (int32_t i = p->loop_count - 1; i >= 0 && step; --i) {
    const hd_gemm_loop *loop = &p->loops[i];
    int64_t at = step % loop->size;
    step /= loop->size;
    point.a += at * loop->a * (int64_t)p->a_size;
    point.b += at * loop->b * (int64_t)p->b_size;
    point.c += at * loop->c * (int64_t)p->c_size;
    point.batch += at * loop->batch_linear;
    point.m += at * loop->m_linear;
    point.n += at * loop->n_linear;
  }
  return point;
}
