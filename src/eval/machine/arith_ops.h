/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on scalars and vectors, for other dialects. */
#ifndef HD_EVAL_MACHINE_ARITH_OPS_H_
#define HD_EVAL_MACHINE_ARITH_OPS_H_

#include "eval/core/scalar.h"
#include "eval/graph/elementwise.h"
#include "ir/ops/arith.h"
#include "ir/ops/vector.h"

/* |kernel| over the elements of operands of one type, to result 0. */
hd_status hd_eval_lanes(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                        hd_tensor *out) HD_MUST_USE;
/* *to = a combined with b by |op|, an op of two operands of arith, for elements of |element|. */
hd_status hd_eval_combine(hd_opcode op, hd_type element, const void *a, const void *b, void *to) HD_MUST_USE;
/* The op of arith that a case of an enum stands for, for elements of |element| where the case alone does not say it;
 * UNREGISTERED for those that replace and for what has no op. */
hd_opcode hd_arith_op_of_vector_kind(hd_enum_vector_kind kind, hd_type element);
hd_opcode hd_arith_op_of_atomic_rmw(hd_enum_arith_atomic_rmw_kind kind);

/* INVALID_ARGUMENT unless each of |count| |values| has |lanes| elements: types with unknown dims agree where their
 * values need not. */
hd_status hd_eval_check_lanes(const hd_tensor *values, uint32_t count, size_t lanes) HD_MUST_USE;

/* Integers as elements are loaded: sign-extended, but i1 as 0 or 1. */
static inline uint32_t hd_int_width(hd_type element) {
  return element->kind == HD_TYPE_INTEGER ? element->integer.width : 64;
}
/* The unsigned value of |x| in its own width. */
static inline uint64_t hd_int_bits(int64_t x, hd_type element) {
  uint32_t width = hd_int_width(element);
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((1ull << width) - 1);
}
/* The signed value. */
static inline int64_t hd_int_signed(int64_t x, hd_type element) {
  uint32_t width = hd_int_width(element);
  return width >= 64 ? x : (int64_t)((uint64_t)x << (64 - width)) >> (64 - width);
}

#endif
