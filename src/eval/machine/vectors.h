/* SPDX-License-Identifier: Apache-2.0 */
/* What files on vectors share. */
#ifndef HD_EVAL_MACHINE_VECTORS_H_
#define HD_EVAL_MACHINE_VECTORS_H_

#include "eval/machine/memory.h"

static inline size_t hd_vector_bytes(hd_type type) { return hd_type_element_bytes(hd_type_element(type)); }
static inline char *hd_vector_lane(const hd_tensor *v, size_t i) {
  return (char *)hd_tensor_data(v) + i * hd_vector_bytes(v->type);
}

/* Sums, products and extrema of a vector's lanes in floats of less than 32 bits are taken in f32 and rounded at the
 * end, as machines take them. |type|, a vector or scalar, as what its lanes come together in: most often itself. */
hd_type hd_vector_sum_type(hd_type type);
/* The lanes of |from| as those of |type|, which has as many. */
hd_status hd_vector_convert(hd_eval_frame *frame, const hd_tensor *from, hd_type type, hd_tensor *out) HD_MUST_USE;

/* The mask of the vector.mask around the op, which the op then obeys; null: there is none. */
const hd_tensor *hd_eval_take_mask(hd_eval_frame *frame);

/* Moves rows of |vector| between it and |memref| at |start|; lanes by |mask|, null for all. Vectors of more dims take
 * the memref's last ones. */
hd_status hd_eval_move_vector(hd_eval_frame *frame, const hd_tensor *memref, const int64_t *start, hd_tensor *vector,
                              const hd_tensor *mask, bool store) HD_MUST_USE;

#endif
