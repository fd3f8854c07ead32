/* SPDX-License-Identifier: Apache-2.0 */
/* What is used of cuBLASLt (its public ABI, 11.4 and later): handles, numbers, structs and functions. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_BLAS_H_
#define HD_RUNTIME_DRIVERS_CUDA_BLAS_H_

#include "runtime/drivers/cuda/api.h"

typedef struct hd_blas_handle *blas_handle;
typedef struct hd_blas_product *blas_product;
typedef struct hd_blas_matrix *blas_matrix;
typedef struct hd_blas_preference *blas_preference;

typedef struct blas_algorithm {
  uint64_t data[8];
} blas_algorithm;
typedef struct blas_found {
  blas_algorithm algorithm;
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
} blas_found;

enum {
  /* Types, of elements and of factors */
  BLAS_F32 = 0,
  BLAS_F64 = 1,
  BLAS_F16 = 2,
  BLAS_I8 = 3,
  BLAS_I32 = 10,
  BLAS_BF16 = 14,
  /* In which sums are taken */
  BLAS_SUM_F32 = 68,
  BLAS_SUM_F64 = 70,
  BLAS_SUM_I32 = 72,
  BLAS_SUM_TF32 = 77,
  /* Attributes */
  BLAS_PRODUCT_LEFT_TRANSPOSED = 3,
  BLAS_PRODUCT_RIGHT_TRANSPOSED = 4,
  BLAS_MATRIX_COUNT = 5,
  BLAS_MATRIX_STEP = 6,
  BLAS_PREFERENCE_WORKSPACE = 1,
  BLAS_PREFERENCE_ALIGNMENT = 5, /* of the left one, then the right one, what is added and the result */
};

typedef struct hd_blas_api {
#define BLAS(result, name, symbol, parameters) result(*name) parameters;
#include "runtime/drivers/cuda/blas.def"
} hd_blas_api;

/* The functions of libcublasLt.so, opened once for the process. UNAVAILABLE, with the reason,
 * where it is missing or too old. Thread-safe. */
hd_status hd_blas_open(const hd_blas_api **out_api) HD_MUST_USE;

#endif
