/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions as a RAL API.
 *
 * ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void
 *   (ctx, stream, input, kernel, out, types, facts, fact_count, epilogue, words, word_count)
 *   input, kernel, out   address of element 0; out is not used when there is an epilogue
 *   types                hd_element_type of input | of kernel << 8 | of out << 16
 *   facts                12 i64: batch (of the output), input features of a group (the kernel's input-feature dim),
 * output features, feature groups, batch groups; steps in elements of input batch, input feature, kernel input feature,
 * kernel output feature, output batch, output feature; the number of spatial dims; then 11 for each spatial dim: sizes
 * of input, output and kernel, stride, low padding, input dilation, kernel dilation, reversed (0 or 1), steps of input,
 * kernel and output epilogue             index of a kernel of the artifact with the form of gemm_abi.h, or -1; m counts
 * (batch, output positions) words                the epilogue's own arguments, word_count of them */
#include "runtime/libraries/conv.h"
#include "runtime/libraries/gemm_ral.h"
#include "runtime/ral_api.h"

enum { head_facts = 12, window_facts = 11 };

static void convolution(hd_ral_context *ctx, void *stream, void *input, void *kernel, void *out, int64_t types,
                        void *facts, int64_t fact_count, int64_t epilogue, void *words, int64_t word_count) {
  (void)stream;
  const int64_t *f = facts;
  if (fact_count < head_facts || f[11] < 0 || f[11] > HD_CONV_MAX_SPATIAL ||
      fact_count != head_facts + window_facts * f[11] || word_count < 0 || word_count > HD_GEMM_EPILOGUE_OWN_WORDS) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT,
                                    "convolution: expected 12 facts, 11 for each of at most 3 spatial dims, and at "
                                    "most %d words, got %lld and %lld",
                                    HD_GEMM_EPILOGUE_OWN_WORDS, (long long)fact_count, (long long)word_count));
    return;
  }
  hd_conv_call call = {.input_type = (hd_element_type)(types & 255),
                       .kernel_type = (hd_element_type)(types >> 8 & 255),
                       .output_type = (hd_element_type)(types >> 16 & 255),
                       .input = input,
                       .kernel = kernel,
                       .output = out,
                       .batch = f[0],
                       .input_features = f[1],
                       .output_features = f[2],
                       .feature_groups = f[3],
                       .batch_groups = f[4],
                       .input_batch_step = f[5],
                       .input_feature_step = f[6],
                       .kernel_input_step = f[7],
                       .kernel_output_step = f[8],
                       .output_batch_step = f[9],
                       .output_feature_step = f[10],
                       .spatial = (int32_t)f[11]};
  f += head_facts;
  for (int32_t i = 0; i < call.spatial; ++i, f += window_facts)
    call.window[i] = (hd_conv_window){f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7] != 0, f[8], f[9], f[10]};
  if (epilogue >= 0) {
    call.epilogue = hd_ral_kernel(ctx, epilogue);
    if (!call.epilogue) return;
    call.epilogue_words = words;
    call.epilogue_word_count = (int32_t)word_count;
  }
  if (!hd_ral_go_on(ctx)) return;
  hd_ral_describe(ctx, epilogue, "%s x %s, batch %lld, features %lld to %lld", hd_element_text(call.input_type),
                  hd_element_text(call.kernel_type), (long long)call.batch, (long long)call.input_features,
                  (long long)call.output_features);
  hd_gemm_context *context = hd_gemm_ral_context(ctx);
  if (!context) return;
  hd_gemm_env env = hd_gemm_ral_env(ctx);
  call.env = &env;
  hd_status status = hd_conv(context, &call);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}
HD_RAL_LIBRARY("ral_convolution", convolution, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64, i64, pvoid, i64)

HD_RAL_TABLE(conv, convolution)
