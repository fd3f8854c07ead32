/* SPDX-License-Identifier: Apache-2.0 */
/* How far two tensors are apart. */
#ifndef HD_DRIVER_COMPARE_H_
#define HD_DRIVER_COMPARE_H_

#include "eval/core/tensor.h"

typedef struct hd_difference {
  double relative; /* the largest absolute difference over the largest magnitude of |want|; infinite where only one is a
                      NaN or an infinity */
  size_t element;  /* where, row major */
  double got, want; /* there; real parts of complex elements */
} hd_difference;

/* False when shapes or element sizes differ. Elements are read by the type of |want|. */
bool hd_compare(const hd_tensor *got, const hd_tensor *want, hd_difference *out);
/* The tolerance for elements of |type| where |single| is that for f32 (base/tolerance.h); 0 for integers. */
double hd_tolerance_of(hd_type type, double single);

#endif
