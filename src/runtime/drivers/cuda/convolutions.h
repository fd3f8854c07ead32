/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution as cuDNN has it: one of three ops on tensors of batch, features and two or three spatial dims. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_CONVOLUTIONS_H_
#define HD_RUNTIME_DRIVERS_CUDA_CONVOLUTIONS_H_

#include "runtime/driver.h"

enum { HD_DNN_RANK = 2 + HD_CONV_MAX_SPATIAL };
typedef enum hd_dnn_op { HD_DNN_FORWARD, HD_DNN_DATA, HD_DNN_FILTER } hd_dnn_op;

typedef struct hd_dnn_tensor {
  int64_t dims[HD_DNN_RANK], steps[HD_DNN_RANK]; /* of the kernel: output features, input features */
} hd_dnn_tensor;

typedef struct hd_dnn_form {
  int32_t op; /* hd_dnn_op */
  int32_t type, sum, mode, spatial;
  bool narrows, any_order; /* factors of f32 may be TF32; sums may differ from run to run */
  int64_t alignment;
  hd_dnn_tensor kernel, input, output; /* of the op: its input is the larger side, which gradients of data compute */
  int64_t strides[HD_CONV_MAX_SPATIAL], dilations[HD_CONV_MAX_SPATIAL];
  int64_t pre[HD_CONV_MAX_SPATIAL], post[HD_CONV_MAX_SPATIAL]; /* padding */
} hd_dnn_form;

/* False where cuDNN has no op for it. All bytes of |*out| are set, so that forms can be compared by them. */
bool hd_dnn_form_of(const hd_device_convolution *convolution, hd_dnn_form *out);

#endif
