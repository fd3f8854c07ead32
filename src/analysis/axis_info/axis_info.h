/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the integers and pointers of a tile along each of its dims (outermost first): how elements next to
 * each other follow on each other. Loads and stores are made as wide as it allows.
 *
 *   contiguity c     elements i to i + c - 1, i a multiple of c, are x, x + 1, ...
 *   divisibility     a power of two that divides the first element of each such run; with c = 1, every element
 *   constancy k      elements i to i + k - 1, i a multiple of k, are the same
 *   stride s, value v   elements i to i + s - 1, i a multiple of s, are x, x + v, x + 2v, ...
 *   constant         what all elements are, where that is known
 *
 * Of pointers, divisibility is in bytes, the others in elements pointed to. A scalar has one dim.
 *
 * Assumed, as in Triton: integers do not wrap, and what is divided is not negative (a run that crosses 0 has another
 * quotient on either side). Hints in the program are believed. Thread-safe. */
#ifndef HD_ANALYSIS_AXIS_INFO_AXIS_INFO_H_
#define HD_ANALYSIS_AXIS_INFO_AXIS_INFO_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "ir/integer_op.h"

enum { HD_AXIS_MAX_RANK = 8 };
/* The divisibility of 0, and of what has no value yet: more than all others. */
#define HD_AXIS_MOST ((int64_t)1 << 62)

typedef struct hd_axis_info {
  uint32_t rank; /* 0: nothing has been said yet */
  bool has_constant;
  int64_t constant;
  int64_t contiguity[HD_AXIS_MAX_RANK], divisibility[HD_AXIS_MAX_RANK], constancy[HD_AXIS_MAX_RANK];
  int64_t stride[HD_AXIS_MAX_RANK], stride_value[HD_AXIS_MAX_RANK];
} hd_axis_info;

/* Nothing is known of a value of |rank| dims. */
hd_axis_info hd_axis_unknown(uint32_t rank);
/* Anything may be said of it: of what no run gives a value. */
hd_axis_info hd_axis_any(uint32_t rank);
/* What holds of a value that is |a| in some runs and |b| in others; one that has no rank counts for nothing. Greatest
 * common divisors dim by dim; where runs get shorter, a run's length bounds the divisibility of what it begins with. */
hd_axis_info hd_axis_join(const hd_axis_info *a, const hd_axis_info *b);
bool hd_axis_equal(const hd_axis_info *a, const hd_axis_info *b);

/* "contiguity = [1, 128], divisibility = [1, 16], constancy = [1, 1], constant_value = <none>" */
void hd_axis_print(const hd_axis_info *info, hd_strbuf *out);
/* ", stride = [1, 128], stride_value = [0, 1]" */
void hd_axis_print_stride(const hd_axis_info *info, hd_strbuf *out);

/* ---- what ops give ----
 * |shape|: the result's dims; null, a scalar's. */

hd_axis_info hd_axis_constant(int64_t value, const int64_t *shape, uint32_t rank);
hd_axis_info hd_axis_range(int64_t start, int64_t end);
hd_axis_info hd_axis_splat(const hd_axis_info *a, const int64_t *shape, uint32_t rank);
hd_axis_info hd_axis_expand(const hd_axis_info *a, uint32_t dim);
hd_axis_info hd_axis_broadcast(const hd_axis_info *a, const int64_t *from, const int64_t *shape);
/* Dim i of the result is dim order[i] of |a|. */
hd_axis_info hd_axis_permute(const hd_axis_info *a, const int64_t *order);

/* |element_bytes|: of what a pointer points to, to which a number of elements is added; 1 otherwise. */
hd_axis_info hd_axis_binary(hd_integer_kind op, const hd_axis_info *a, const hd_axis_info *b, const int64_t *shape,
                            int64_t element_bytes);

typedef enum hd_axis_order { HD_AXIS_EQ, HD_AXIS_NE, HD_AXIS_LT, HD_AXIS_LE, HD_AXIS_GT, HD_AXIS_GE } hd_axis_order;
/* |is_unsigned|: of constants, negative ones are large. */
hd_axis_info hd_axis_compare(hd_axis_order order, bool is_unsigned, const hd_axis_info *a, const hd_axis_info *b,
                             const int64_t *shape);
/* |condition| of one dim and |shape| of more: one condition for all elements. */
hd_axis_info hd_axis_select(const hd_axis_info *condition, bool is_scalar, const hd_axis_info *a, const hd_axis_info *b,
                            const int64_t *shape);
/* What is loaded: nothing is known of it, but that same addresses give the same where the mask (may be null) is the
 * same;
 * |other| (may be null) is what masked elements are. */
hd_axis_info hd_axis_load(const hd_axis_info *pointer, const hd_axis_info *mask, const hd_axis_info *other);

#endif
