/* SPDX-License-Identifier: Apache-2.0 */
/* Attention as a RAL API.
 *
 * ral_attention___pvoid_pvoid_pvoid_pvoid_pvoid_pvoid_pvoid_i64_i64_pvoid_i64_i64_pvoid_i64___void
 *   (ctx, stream, queries, keys, values, out, descriptor, descriptor_words, epilogue, words, word_count, row,
 *    row_words, row_word_count)
 *   queries, keys, values, out   address of element 0: operands of the first product, right-hand side of the second and
 *                                its result
 *   descriptor                   hd_attention_descriptor and the dims of both products (product_abi.h),
 *                                descriptor_words of them
 *   epilogue                     index of a kernel of the artifact with the form of gemm_abi.h, or -1
 *   words                        the epilogue's own arguments, word_count of them
 *   row                          index of a kernel over rows, whose first argument is how many of their elements count
 *   row_words                    its other arguments, row_word_count of them */
#include "runtime/libraries/attention.h"
#include "runtime/libraries/gemm_ral.h"
#include "runtime/ral_api.h"

/* |operand| 0 is lhs, 1 rhs, 2 out. */
static void *on_host(hd_ral_context *ctx, const hd_gemm_call *call, const void *data, int operand) {
  hd_element_type type = operand == 0 ? call->a_type : operand == 1 ? call->b_type : call->c_type;
  return hd_ral_on_host(ctx, (void *)(uintptr_t)data, hd_gemm_ral_bytes(call, type, operand),
                        operand == 2 ? HD_HOST_WRITE : HD_HOST_READ);
}

static hd_gemm_call product(int64_t types, const hd_dot_dim *dims, int64_t count) {
  hd_product_types t = hd_product_types_of(types);
  hd_gemm_call call = {.a_type = t.lhs, .b_type = t.rhs, .c_type = t.out, .dim_count = (int32_t)count};
  for (int64_t i = 0; i < count; ++i)
    call.dims[i] = (hd_gemm_dim){(hd_gemm_role)dims[i].role, dims[i].size, dims[i].lhs_stride, dims[i].rhs_stride,
                                 dims[i].out_stride};
  return call;
}

static bool dims_fit(const hd_attention_descriptor *f, int64_t count) {
  if (count < HD_WORDS(hd_attention_descriptor) || f->row_dims < 0 || f->first_dims < f->row_dims ||
      f->first_dims > HD_GEMM_MAX_DIMS || f->second_dims < f->row_dims || f->second_dims > HD_GEMM_MAX_DIMS)
    return false;
  int64_t dims = f->first_dims + f->second_dims;
  if (count != HD_WORDS(hd_attention_descriptor) + dims * HD_WORDS(hd_dot_dim)) return false;
  const hd_dot_dim *d = (const hd_dot_dim *)(f + 1);
  for (int64_t i = 0; i < dims; ++i)
    if (d[i].role < HD_GEMM_BATCH || d[i].role > HD_GEMM_K) return false;
  return true;
}

static void attention(hd_ral_context *ctx, void *stream, void *queries, void *keys, void *values, void *out,
                      void *descriptor, int64_t descriptor_words, int64_t epilogue, void *words, int64_t word_count,
                      int64_t row, void *row_words, int64_t row_word_count) {
  (void)stream;
  const hd_attention_descriptor *f = descriptor;
  if (!dims_fit(f, descriptor_words) || word_count < 0 || word_count > HD_GEMM_EPILOGUE_OWN_WORDS ||
      row_word_count < 0 || row_word_count > HD_ATTENTION_ROW_WORDS) {
    hd_ral_fail(
        ctx, hd_make_status(HD_INVALID_ARGUMENT,
                            "attention: expected the descriptor of two products and at most %d and %d words, got %lld, "
                            "%lld and %lld",
                            HD_GEMM_EPILOGUE_OWN_WORDS, HD_ATTENTION_ROW_WORDS, (long long)descriptor_words,
                            (long long)word_count, (long long)row_word_count));
    return;
  }
  const hd_dot_dim *dims = (const hd_dot_dim *)(f + 1);
  hd_attention_call call = {.first = product(f->first_types, dims, f->first_dims),
                            .second = product(f->second_types, dims + f->first_dims, f->second_dims),
                            .row_dims = (int32_t)f->row_dims,
                            .scores_type = (hd_element_type)f->scores_type,
                            .epilogue_scores = (int32_t)f->epilogue_scores,
                            .row = hd_ral_kernel(ctx, row),
                            .row_words = row_words,
                            .row_word_count = (int32_t)row_word_count,
                            .row_scores = (int32_t)f->row_scores,
                            .row_weights = (int32_t)f->row_weights,
                            .query = (int32_t)f->query,
                            .unread = f->unread};
  if (epilogue >= 0) {
    call.first.epilogue = hd_ral_kernel(ctx, epilogue);
    call.first.epilogue_words = words;
    call.first.epilogue_word_count = (int32_t)word_count;
  }
  if (hd_ral_failed(ctx) || !hd_ral_go_on(ctx)) return;
  int64_t sizes[4] = {1, 1, 1, 1};
  for (int32_t i = 0; i < call.first.dim_count; ++i) sizes[call.first.dims[i].role] *= call.first.dims[i].size;
  hd_ral_describe(ctx, row, "%s x %s, batch %lld, rows %lld, keys %lld, k %lld", hd_element_text(call.first.a_type),
                  hd_element_text(call.first.b_type), (long long)sizes[HD_GEMM_BATCH], (long long)sizes[HD_GEMM_M],
                  (long long)sizes[HD_GEMM_N], (long long)sizes[HD_GEMM_K]);
  call.first.a = on_host(ctx, &call.first, queries, 0);
  call.first.b = on_host(ctx, &call.first, keys, 1);
  call.second.b = on_host(ctx, &call.second, values, 1);
  call.second.c = on_host(ctx, &call.second, out, 2);
  hd_gemm_context *context = hd_ral_failed(ctx) ? NULL : hd_gemm_ral_context(ctx);
  if (!context) return;
  hd_gemm_env env = hd_gemm_ral_env(ctx);
  call.env = &env;
  call.is_stopped = hd_ral_is_stopped;
  hd_status status = hd_attention_run(context, &call);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  hd_ral_go_on(ctx);
}
HD_RAL_LIBRARY("ral_attention", attention, void, pvoid, pvoid, pvoid, pvoid, pvoid, pvoid, i64, i64, pvoid, i64, i64,
               pvoid, i64)

HD_RAL_TABLE(attention, attention)
