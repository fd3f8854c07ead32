/* SPDX-License-Identifier: Apache-2.0 */
/* The types in which dots and convolutions add up. */
#ifndef HD_EVAL_GRAPH_ACCUMULATE_H_
#define HD_EVAL_GRAPH_ACCUMULATE_H_

#include "eval/core/frame.h"

typedef enum hd_accumulator {
  HD_ACCUMULATE_NONE,
  HD_ACCUMULATE_F32,
  HD_ACCUMULATE_F64,
  HD_ACCUMULATE_INT, /* 64 bits, wrapping */
  HD_ACCUMULATE_C64,
  HD_ACCUMULATE_C128,
} hd_accumulator;

/* The accumulator for products of two tensors with results of |element|. */
hd_accumulator hd_accumulator_of_product(const hd_tensor *lhs, const hd_tensor *rhs, hd_type element);
size_t hd_accumulator_bytes(hd_accumulator kind); /* 0 for none */
/* The elements of |tensor| as accumulators, for the time of the op; its own memory when it has that type already. */
hd_status hd_eval_widened(hd_eval_frame *frame, const hd_tensor *tensor, hd_accumulator kind,
                          void *out_pointer) HD_MUST_USE;
/* Rounds |count| accumulators to elements. */
void hd_narrow(hd_accumulator kind, const void *wide, hd_type element, void *out, size_t count);

/* Complex products by the definition, which has no recovery of infinities; others as C has them. */
static inline float complex hd_product_c64(float complex x, float complex y) {
  float a = crealf(x), b = cimagf(x), c = crealf(y), d = cimagf(y);
  return __builtin_complex(a * c - b * d, a * d + b * c);
}
static inline double complex hd_product_c128(double complex x, double complex y) {
  double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
  return __builtin_complex(a * c - b * d, a * d + b * c);
}
#define HD_PRODUCT(x, y) ((x) * (y))

#endif
