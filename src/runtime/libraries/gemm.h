/* SPDX-License-Identifier: Apache-2.0 */
/* General matrix products on the CPU: C[batch, m, n] = sum over k of A[batch, m, k] * B[batch, k, n], each of batch, m,
 * n and k being any number of dims with any strides, so that transposed operands and slices of larger buffers are read
 * where they are. The machine code is in generated kernels (gemm_abi.h); this is the blocking around them.
 *
 * Types: f32, bf16 and f16 accumulate in f32; f64 in f64; integers wrap in i32, or in i64 when A, B or C is 64 bits
 * wide; i1 is multiplied and added as integers and stored as "not zero". A and B may differ in type.
 *
 * Results are the same bits for any thread count and any CPU level, small products with a transposed B apart, which
 * are the same for any thread count. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_H_
#define HD_RUNTIME_LIBRARIES_GEMM_H_

#include "base/status.h"
#include "heddle/element.h"
#include "runtime/libraries/gemm_abi.h"
#include "runtime/libraries/product_abi.h"
#include "runtime/threads.h"

enum { HD_GEMM_MAX_DIMS = 2 * HD_MAX_RANK };

/* One dim of the product. Strides count elements; of operands that do not have the dim they are 0 (A of n, B of m, C of
 * k). */
typedef struct hd_gemm_dim {
  hd_gemm_role role;
  int64_t size;
  int64_t a, b, c;
} hd_gemm_dim;

/* Prepared for one machine: kernels, cache sizes and scratch memory. Thread-safe: several products may run at once. */
typedef struct hd_gemm_context hd_gemm_context;

/* |cpu_features| as heddle/cpu.h has them, 0 for this machine's. Fails with UNIMPLEMENTED where no kernel table fits.
 */
hd_status hd_gemm_context_create(uint64_t cpu_features, hd_gemm_context **out_context) HD_MUST_USE;
/* Null is allowed. No product may be running. */
void hd_gemm_context_release(hd_gemm_context *context);
const hd_gemm_kernels *hd_gemm_context_kernels(const hd_gemm_context *context);

/* What a product has from its surroundings. */
typedef struct hd_gemm_env {
  void *user;
  int32_t threads; /* that for_range uses, the caller included */
  /* As hd_pool_for. Null: everything on the caller. */
  void (*for_range)(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument);
  /* Memory for the packed form of the weight at |data|, if the weight is bound: the first call for (|data|, |use|)
   * gives |bytes| that |pack| has filled, later calls the same. Null: not bound, or no memory. A null function: nothing
   * is bound. */
  const void *(*keep)(void *user, const void *data, uint64_t use, size_t bytes,
                      void (*pack)(void *argument, void *packed), void *argument);
} hd_gemm_env;

/* What computes a product. */
typedef enum hd_gemm_library { HD_GEMM_GENERATED, HD_GEMM_ONEDNN } hd_gemm_library;

typedef struct hd_gemm_call {
  hd_gemm_library library;
  hd_element_type a_type, b_type, c_type;
  const void *a, *b;
  void *c; /* not used when there is an epilogue */
  int32_t dim_count;
  int64_t first_batch, first_m;   /* the epilogue's indices of the first element: of a part of a larger product */
  hd_kernel_fn epilogue;          /* gemm_abi.h; null: the sums are stored to C, rounded to its type */
  const uint64_t *epilogue_words; /* its own arguments */
  int32_t epilogue_word_count;
  const hd_gemm_env *env; /* null: serial, nothing bound */
  /* Dims in any order; those of one role from outer to inner, which orders the linear indices that the epilogue
   * sees. Only the first dim_count are read. */
  hd_gemm_dim dims[HD_GEMM_MAX_DIMS];
} hd_gemm_call;

hd_status hd_gemm(hd_gemm_context *context, const hd_gemm_call *call) HD_MUST_USE;

#endif
