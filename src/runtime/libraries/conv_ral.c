/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions as a RAL API.
 *
 * ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void
 *   (ctx, stream, input, kernel, out, types, descriptor, descriptor_words, epilogue, words, word_count)
 *   input, kernel, out   address of element 0; out is not used when there is an epilogue
 *   types                hd_product_types
 *   descriptor                hd_conv_descriptor and its windows (product_abi.h), descriptor_words words
 *   epilogue             index of a kernel of the artifact with the form of gemm_abi.h, or -1; m counts (batch, output
 *                        positions)
 *   words                the epilogue's own arguments, word_count of them */
#include "runtime/libraries/conv.h"
#include "runtime/libraries/gemm_ral.h"
#include "runtime/ral_api.h"

/* Bytes from element 0 to after the last one of the input (0), the kernel (1) and the output (2). */
static size_t bytes_of(const hd_conv_call *c, hd_element_type type, int operand) {
  int64_t sizes[2 + HD_CONV_MAX_SPATIAL], steps[2 + HD_CONV_MAX_SPATIAL], last = 0;
  sizes[0] = operand == 1 ? c->input_features : operand == 0 ? c->batch * c->batch_groups : c->batch;
  sizes[1] = operand == 0 ? c->input_features * c->feature_groups : c->output_features;
  steps[0] = operand == 1 ? c->kernel_input_step : operand == 0 ? c->input_batch_step : c->output_batch_step;
  steps[1] = operand == 1 ? c->kernel_output_step : operand == 0 ? c->input_feature_step : c->output_feature_step;
  for (int32_t i = 0; i < c->spatial; ++i) {
    const hd_conv_window *w = &c->window[i];
    sizes[2 + i] = operand == 1 ? w->kernel : operand == 0 ? w->input : w->output;
    steps[2 + i] = operand == 1 ? w->kernel_step : operand == 0 ? w->input_step : w->output_step;
  }
  for (int32_t i = 0; i < 2 + c->spatial; ++i) {
    if (!sizes[i]) return 0;
    last += (sizes[i] - 1) * steps[i];
  }
  return (size_t)(last + 1) * hd_element_bytes(type);
}

static void convolution(hd_ral_context *ctx, void *stream, void *input, void *kernel, void *out, int64_t types,
                        void *descriptor, int64_t descriptor_words, int64_t epilogue, void *words, int64_t word_count) {
  (void)stream;
  const hd_conv_descriptor *f = descriptor;
  const int64_t head = HD_WORDS(hd_conv_descriptor), window = HD_WORDS(hd_conv_window_descriptor);
  if (!hd_conv_descriptor_is_complete(f, descriptor_words) || word_count < 0 ||
      word_count > HD_GEMM_EPILOGUE_OWN_WORDS) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT,
                                    "convolution: expected %lld words, %lld for each of at most %d spatial dims, and "
                                    "at most %d words, got %lld and %lld",
                                    (long long)head, (long long)window, HD_CONV_MAX_SPATIAL, HD_GEMM_EPILOGUE_OWN_WORDS,
                                    (long long)descriptor_words, (long long)word_count));
    return;
  }
  hd_product_types t = hd_product_types_of(types);
  hd_conv_call call = {.input_type = t.lhs,
                       .kernel_type = t.rhs,
                       .output_type = t.out,
                       .input = input,
                       .kernel = kernel,
                       .output = out,
                       .batch = f->batch,
                       .input_features = f->input_features,
                       .output_features = f->output_features,
                       .feature_groups = f->feature_groups,
                       .batch_groups = f->batch_groups,
                       .input_batch_step = f->input_batch_step,
                       .input_feature_step = f->input_feature_step,
                       .kernel_input_step = f->kernel_input_step,
                       .kernel_output_step = f->kernel_output_step,
                       .output_batch_step = f->output_batch_step,
                       .output_feature_step = f->output_feature_step,
                       .spatial = (int32_t)f->spatial};
  const hd_conv_window_descriptor *w = (const hd_conv_window_descriptor *)(f + 1);
  for (int32_t i = 0; i < call.spatial; ++i, ++w)
    call.window[i] = (hd_conv_window){w->input,      w->output,         w->kernel,          w->stride,
                                      w->pad_low,    w->input_dilation, w->kernel_dilation, w->reversed != 0,
                                      w->input_step, w->kernel_step,    w->output_step};
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
  hd_device_convolution on_device = {.types = t, .descriptor = f, .input = input, .kernel = kernel, .out = out};
  if (!call.epilogue && hd_conv_ral_on_device(ctx, &on_device)) return;
  call.input = hd_ral_on_host(ctx, (void *)call.input, bytes_of(&call, call.input_type, 0), HD_HOST_READ);
  call.kernel = hd_ral_on_host(ctx, (void *)call.kernel, bytes_of(&call, call.kernel_type, 1), HD_HOST_READ);
  if (!call.epilogue)
    call.output = hd_ral_on_host(ctx, call.output, bytes_of(&call, call.output_type, 2), HD_HOST_WRITE);
  hd_gemm_context *context = hd_ral_failed(ctx) ? NULL : hd_gemm_ral_context(ctx);
  if (!context) return;
  hd_gemm_env env = hd_gemm_ral_env(ctx);
  call.env = &env;
  hd_status status = hd_conv(context, &call);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}
HD_RAL_LIBRARY("ral_convolution", convolution, void, pvoid, pvoid, pvoid, pvoid, i64, pvoid, i64, i64, pvoid, i64)

HD_RAL_TABLE(conv, convolution)
