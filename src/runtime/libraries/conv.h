/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions on the CPU by the tile kernels of the GEMM library, without building the matrix of patches:
 *
 *   out[n, o, f] = sum over kernel positions p and features c of
 *                  in[n, o * stride - pad + p * dilation, c] * kernel[p, c, f]
 *
 * with o and p of one to three dims, any layout, padding (negative too), input and kernel dilation, reversal, groups of
 * features or of the batch. Types and accumulation as in gemm.h. A 1 x 1 convolution without stride is a matrix product
 * and runs as one. */
#ifndef HD_RUNTIME_LIBRARIES_CONV_H_
#define HD_RUNTIME_LIBRARIES_CONV_H_

#include "runtime/libraries/gemm.h"
#include "runtime/libraries/product_abi.h"

/* One spatial dim. Strides of memory count elements. */
typedef struct hd_conv_window {
  int64_t input, output, kernel; /* sizes; |output| is the caller's to compute */
  int64_t stride, pad_low, input_dilation, kernel_dilation;
  bool reversed; /* the kernel is read from its end */
  int64_t input_step, kernel_step, output_step;
} hd_conv_window;

typedef struct hd_conv_call {
  hd_element_type input_type, kernel_type, output_type;
  const void *input, *kernel;
  void *output;                         /* not used when there is an epilogue */
  int64_t batch;                        /* of the output; of the input batch_groups times that */
  int64_t input_features;               /* of one group: the kernel's input-feature dim */
  int64_t output_features;              /* of all groups; a multiple of feature_groups * batch_groups */
  int64_t feature_groups, batch_groups; /* at most one is not 1 */
  int64_t input_batch_step, input_feature_step, kernel_input_step, kernel_output_step, output_batch_step,
      output_feature_step;
  int32_t spatial; /* 0 to 3 */
  hd_conv_window window[HD_CONV_MAX_SPATIAL];
  /* As in hd_gemm_call: m counts the linear space of (batch, output positions), n the output features; batch is 0. */
  hd_kernel_fn epilogue;
  const uint64_t *epilogue_words;
  int32_t epilogue_word_count;
  const hd_gemm_env *env;
} hd_conv_call;

hd_status hd_conv(hd_gemm_context *context, const hd_conv_call *call) HD_MUST_USE;

#endif
