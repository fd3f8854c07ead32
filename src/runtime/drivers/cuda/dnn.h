/* SPDX-License-Identifier: Apache-2.0 */
/* What is used of cuDNN (the public ABI of its graphs of descriptors, 8.5 and
 * later): handles, numbers and functions. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_DNN_H_
#define HD_RUNTIME_DRIVERS_CUDA_DNN_H_

#include "runtime/drivers/cuda/api.h"

typedef struct hd_dnn_handle *dnn_handle;
typedef void *dnn_descriptor;

enum {
  /* Types of elements */
  DNN_F32 = 0,
  DNN_F64 = 1,
  DNN_F16 = 2,
  DNN_BF16 = 9,
  /* Modes of convolutions: read from the kernel's end, or as it is */
  DNN_REVERSED = 0,
  DNN_PLAIN = 1,
  /* Heuristics */
  DNN_FIND_FALLBACK = 2,
  DNN_FIND_BEST = 3,
  /* Kinds of descriptors */
  DNN_CONVOLUTION = 1,
  DNN_ENGINE = 2,
  DNN_CONFIG = 3,
  DNN_HEURISTICS = 4,
  DNN_PLAN = 5,
  DNN_FORWARD = 10,
  DNN_BACKWARD_FILTER = 11,
  DNN_BACKWARD_DATA = 12,
  DNN_GRAPH = 15,
  DNN_ARGUMENTS = 16,
  DNN_TENSOR = 17,
  /* Types of attributes */
  DNN_AS_HANDLE = 0,
  DNN_AS_ELEMENT_TYPE = 1,
  DNN_AS_I64 = 3,
  DNN_AS_F32 = 4,
  DNN_AS_F64 = 5,
  DNN_AS_POINTER = 6,
  DNN_AS_CONVOLUTION_MODE = 7,
  DNN_AS_HEURISTICS_MODE = 8,
  DNN_AS_NUMERICAL_NOTE = 11,
  DNN_AS_DESCRIPTOR = 15,
  DNN_AS_BEHAVIOR_NOTE = 19,
  /* Attributes */
  DNN_CONVOLUTION_SUM_TYPE = 100,
  DNN_CONVOLUTION_MODE = 101,
  DNN_CONVOLUTION_DILATIONS = 102,
  DNN_CONVOLUTION_STRIDES = 103,
  DNN_CONVOLUTION_POST_PADDINGS = 104,
  DNN_CONVOLUTION_PRE_PADDINGS = 105,
  DNN_CONVOLUTION_SPATIAL = 106,
  DNN_HEURISTICS_MODE = 200,
  DNN_HEURISTICS_GRAPH = 201,
  DNN_HEURISTICS_RESULTS = 202,
  DNN_CONFIG_ENGINE = 300,
  DNN_PLAN_HANDLE = 400,
  DNN_PLAN_CONFIG = 401,
  DNN_PLAN_WORKSPACE = 402,
  /* Of an op: the factor; then the factor of what was there, the convolution, kernel, input and output. */
  DNN_FORWARD_FIRST = 700,
  DNN_BACKWARD_DATA_FIRST = 706,
  DNN_BACKWARD_FILTER_FIRST = 712,
  DNN_GRAPH_HANDLE = 800,
  DNN_GRAPH_OPS = 801,
  DNN_TENSOR_ALIGNMENT = 900,
  DNN_TENSOR_TYPE = 901,
  DNN_TENSOR_DIMS = 902,
  DNN_TENSOR_STRIDES = 903,
  DNN_TENSOR_ID = 906,
  DNN_ARGUMENTS_IDS = 1000,
  DNN_ARGUMENTS_POINTERS = 1001,
  DNN_ARGUMENTS_WORKSPACE = 1003,
  DNN_ENGINE_NUMERICAL_NOTES = 1303,
  DNN_ENGINE_BEHAVIOR_NOTES = 1305,
  /* Notes of engines */
  DNN_NOTE_TENSOR_CORE = 0,
  DNN_NOTE_NARROWS_INPUTS = 1,
  DNN_NOTE_NARROWS_SUMS = 2,
  DNN_NOTE_FFT = 3,
  DNN_NOTE_NONDETERMINISTIC = 4,
  DNN_NOTE_WINOGRAD = 5,
  DNN_NOTE_COMPILES = 0, /* of its behavior */
};

typedef struct hd_dnn_api {
#define DNN(result, name, symbol, parameters) result(*name) parameters;
#include "runtime/drivers/cuda/dnn.def"
} hd_dnn_api;

/* The functions of libcudnn.so, opened once for the process. UNAVAILABLE, with the reason,
 * where it is missing or too old. Thread-safe. */
hd_status hd_dnn_open(const hd_dnn_api **out_api) HD_MUST_USE;
/* "9.20" */
void hd_dnn_version_text(size_t version, char out[16]);

#endif
