/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products as RAL APIs.
 *
 * ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void
 *   (ctx, stream, lhs, rhs, out, types, dims, dim_count, epilogue, words, word_count)
 *   lhs, rhs, out   address of element 0; out is not used when there is an epilogue
 *   types           hd_product_types
 *   dims            dim_count rows, hd_dot_dim (product_abi.h)
 *   epilogue        index of a kernel of the artifact with the form of gemm_abi.h, or -1
 *   words           the epilogue's own arguments, word_count of them
 *
 * ral_gemm___pvoid_pvoid_m{R}d{T}_m{R}d{T}_m{R}d{T}_i1_i1___void      R 2 to 4, T f32 f64 bf16 f16 i8 i16 i32 i64
 *   (ctx, stream, lhs, rhs, out, lhs_transposed, rhs_transposed): the last two dims are the product's, the
 *   others batch
 *
 * A right-hand side that is in a bound argument or a constant is packed once for each layout it is used in. */
#include "runtime/libraries/gemm_ral.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "runtime/libraries/product_abi.h"
#include "runtime/ral_api.h"

/* One context per kernel table, with and without pairs, for the process: they hold
 * scratch memory and no data of programs. */
hd_gemm_context *hd_gemm_ral_context(hd_ral_context *ctx) {
  enum { TABLES = 3 }; /* with the missing one */
  static _Atomic(hd_gemm_context *) contexts[2 * TABLES];
  const hd_gemm_kernels *kernels = hd_gemm_kernels_find(hd_ral_cpu_features(ctx));
  int at = 0;
  while (hd_gemm_kernels_at(at) && hd_gemm_kernels_at(at) != kernels) ++at;
  if (hd_gemm_pairs_find(hd_ral_cpu_features(ctx))) at += TABLES;
  hd_gemm_context *context = atomic_load_explicit(&contexts[at], memory_order_acquire);
  if (context) return context;
  hd_status status = hd_gemm_context_create(hd_ral_cpu_features(ctx), &context);
  if (!hd_is_ok(status)) {
    hd_ral_fail(ctx, status);
    return NULL;
  }
  hd_gemm_context *first = NULL;
  if (atomic_compare_exchange_strong(&contexts[at], &first, context)) return context;
  hd_gemm_context_release(context);
  return first;
}

static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  hd_ral_for(user, extent, grain, body, argument);
}

static const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                        void *argument) {
  return hd_ral_packed(user, data, use, bytes, pack, argument);
}

hd_gemm_env hd_gemm_ral_env(hd_ral_context *ctx) {
  return (hd_gemm_env){.user = ctx, .threads = hd_ral_threads(ctx), .for_range = for_range, .keep = keep};
}

size_t hd_gemm_ral_bytes(const hd_gemm_call *call, hd_element_type type, int operand) {
  int64_t last = 0;
  for (int32_t i = 0; i < call->dim_count; ++i) {
    const hd_gemm_dim *d = &call->dims[i];
    int64_t stride = operand == 0 ? d->a : operand == 1 ? d->b : d->c;
    if (stride && !d->size) return 0;
    last += stride * (d->size - 1) * (stride != 0);
  }
  return (size_t)(last + 1) * hd_element_bytes(type);
}

/* |epilogue|: the kernel that the call has as one, or -1. By the device's library, else on the host, with
 * copies where the device's memory is its own. */
static void run(hd_ral_context *ctx, hd_gemm_call *call, int64_t epilogue, bool tf32) {
  int64_t sizes[4] = {1, 1, 1, 1};
  if (!hd_ral_go_on(ctx)) return;
  for (int32_t i = 0; i < call->dim_count; ++i) sizes[call->dims[i].role] *= call->dims[i].size;
  hd_ral_describe(ctx, epilogue, "%s x %s, batch %lld, m %lld, n %lld, k %lld", hd_element_text(call->a_type),
                  hd_element_text(call->b_type), (long long)sizes[HD_GEMM_BATCH], (long long)sizes[HD_GEMM_M],
                  (long long)sizes[HD_GEMM_N], (long long)sizes[HD_GEMM_K]);
  if (hd_gemm_ral_on_device(ctx, call, tf32)) return;
  call->a = hd_ral_on_host(ctx, (void *)call->a, hd_gemm_ral_bytes(call, call->a_type, 0), HD_HOST_READ);
  call->b = hd_ral_on_host(ctx, (void *)call->b, hd_gemm_ral_bytes(call, call->b_type, 1), HD_HOST_READ);
  if (!call->epilogue) call->c = hd_ral_on_host(ctx, call->c, hd_gemm_ral_bytes(call, call->c_type, 2), HD_HOST_WRITE);
  hd_gemm_context *context = hd_ral_failed(ctx) ? NULL : hd_gemm_ral_context(ctx);
  if (!context) return;
  hd_gemm_env env = hd_gemm_ral_env(ctx);
  call->env = &env;
  hd_status status = hd_gemm(context, call);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

static void dot_general(hd_ral_context *ctx, void *stream, void *lhs, void *rhs, void *out, int64_t types, void *dims,
                        int64_t dim_count, int64_t epilogue, void *words, int64_t word_count) {
  (void)stream;
  hd_product_types t = hd_product_types_of(types);
  hd_gemm_call call; /* without zeros in dims, which would take as long as a small product */
  memset(&call, 0, offsetof(hd_gemm_call, dims));
  call.library = t.library == HD_GEMM_ONEDNN ? HD_GEMM_ONEDNN : HD_GEMM_GENERATED;
  call.a_type = t.lhs, call.b_type = t.rhs, call.c_type = t.out;
  call.a = lhs, call.b = rhs, call.c = out;
  if (dim_count < 0 || dim_count > HD_GEMM_MAX_DIMS || word_count < 0 || word_count > HD_GEMM_EPILOGUE_OWN_WORDS) {
    hd_ral_fail(ctx, hd_make_status(
                         HD_INVALID_ARGUMENT, "dot_general: expected at most %d dims and %d words, got %lld and %lld",
                         HD_GEMM_MAX_DIMS, HD_GEMM_EPILOGUE_OWN_WORDS, (long long)dim_count, (long long)word_count));
    return;
  }
  call.dim_count = (int32_t)dim_count;
  const hd_dot_dim *row = dims;
  for (int64_t i = 0; i < dim_count; ++i, ++row) {
    if (row->role < HD_GEMM_BATCH || row->role > HD_GEMM_K) {
      hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "dot_general: dim %lld has role %lld, expected 0 to 3",
                                      (long long)i, (long long)row->role));
      return;
    }
    call.dims[i] = (hd_gemm_dim){(hd_gemm_role)row->role, row->size, row->lhs_stride, row->rhs_stride, row->out_stride};
  }
  if (epilogue >= 0) {
    call.epilogue = hd_ral_kernel(ctx, epilogue);
    if (!call.epilogue) return;
    call.epilogue_words = words;
    call.epilogue_word_count = (int32_t)word_count;
  }
  run(ctx, &call, epilogue, t.tf32);
}
HD_RAL_LIBRARY("ral_dot_general", dot_general, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64, i64, pvoid, i64)

/* The form with descriptors. |sizes| and |strides| have |rank| entries. */
typedef struct operand {
  const char *data;
  const int64_t *sizes, *strides;
} operand;

static void gemm(hd_ral_context *ctx, hd_element_type type, int32_t rank, operand lhs, operand rhs, operand out,
                 bool lhs_transposed, bool rhs_transposed) {
  int32_t m = rank - 2, n = rank - 1;
  int32_t lhs_m = lhs_transposed ? n : m, lhs_k = lhs_transposed ? m : n;
  int32_t rhs_n = rhs_transposed ? m : n, rhs_k = rhs_transposed ? n : m;
  bool agree =
      lhs.sizes[lhs_k] == rhs.sizes[rhs_k] && lhs.sizes[lhs_m] == out.sizes[m] && rhs.sizes[rhs_n] == out.sizes[n];
  for (int32_t i = 0; i < m; ++i) agree &= lhs.sizes[i] == out.sizes[i] && rhs.sizes[i] == out.sizes[i];
  if (!agree) {
    hd_ral_fail(ctx,
                hd_make_status(HD_INVALID_ARGUMENT, "gemm: %lld x %lld times %lld x %lld to %lld x %lld: sizes differ",
                               (long long)lhs.sizes[lhs_m], (long long)lhs.sizes[lhs_k], (long long)rhs.sizes[rhs_k],
                               (long long)rhs.sizes[rhs_n], (long long)out.sizes[m], (long long)out.sizes[n]));
    return;
  }
  hd_gemm_call call = {
      .a_type = type, .b_type = type, .c_type = type, .a = lhs.data, .b = rhs.data, .c = (char *)out.data};
  for (int32_t i = 0; i < m; ++i)
    call.dims[call.dim_count++] =
        (hd_gemm_dim){HD_GEMM_BATCH, out.sizes[i], lhs.strides[i], rhs.strides[i], out.strides[i]};
  call.dims[call.dim_count++] = (hd_gemm_dim){HD_GEMM_M, out.sizes[m], lhs.strides[lhs_m], 0, out.strides[m]};
  call.dims[call.dim_count++] = (hd_gemm_dim){HD_GEMM_N, out.sizes[n], 0, rhs.strides[rhs_n], out.strides[n]};
  call.dims[call.dim_count++] = (hd_gemm_dim){HD_GEMM_K, lhs.sizes[lhs_k], lhs.strides[lhs_k], rhs.strides[rhs_k], 0};
  run(ctx, &call, -1, false);
}

#define OPERAND(x, bytes) \
  ((operand){(const char *)(x)->aligned + (x)->offset * (int64_t)(bytes), (x)->sizes, (x)->strides})
#define GEMM(R, T, TYPE)                                                                                               \
  static void gemm_##T##_##R(hd_ral_context *ctx, void *stream, const hd_memref##R *lhs, const hd_memref##R *rhs,      \
                             const hd_memref##R *out, bool lhs_transposed, bool rhs_transposed) {                      \
    size_t bytes = hd_element_bytes(TYPE);                                                                             \
    (void)stream;                                                                                                      \
    gemm(ctx, TYPE, R, OPERAND(lhs, bytes), OPERAND(rhs, bytes), OPERAND(out, bytes), lhs_transposed, rhs_transposed); \
  }                                                                                                                    \
  HD_RAL_LIBRARY("ral_gemm", gemm_##T##_##R, void, pvoid, memref(R, T), memref(R, T), memref(R, T), i1, i1)
#define GEMMS(T, TYPE) GEMM(2, T, TYPE) GEMM(3, T, TYPE) GEMM(4, T, TYPE)
GEMMS(f32, HD_ELEMENT_F32)
GEMMS(f64, HD_ELEMENT_F64)
GEMMS(bf16, HD_ELEMENT_BF16)
GEMMS(f16, HD_ELEMENT_F16)
GEMMS(i8, HD_ELEMENT_I8)
GEMMS(i16, HD_ELEMENT_I16)
GEMMS(i32, HD_ELEMENT_I32)
GEMMS(i64, HD_ELEMENT_I64)

HD_RAL_TABLE(gemm, dot_general, gemm_f32_2, gemm_f32_3, gemm_f32_4, gemm_f64_2, gemm_f64_3, gemm_f64_4, gemm_bf16_2,
             gemm_bf16_3, gemm_bf16_4, gemm_f16_2, gemm_f16_3, gemm_f16_4, gemm_i8_2, gemm_i8_3, gemm_i8_4)
HD_RAL_TABLE(gemm_integer, gemm_i16_2, gemm_i16_3, gemm_i16_4, gemm_i32_2, gemm_i32_3, gemm_i32_4, gemm_i64_2,
             gemm_i64_3, gemm_i64_4)
