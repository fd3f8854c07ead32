/* SPDX-License-Identifier: Apache-2.0 */
/* What a routine of LAPACK takes: a routine trusts its arguments, writes where they say, and may end the process when
 * one is none that it knows; so all of them are checked before.
 *
 * Tensors are texts, one word for each: "nn i:" are a square matrix of the routine's own elements and a number of i32.
 * Before the colon is the element type: r the real one, c the complex one, i an i32; else the routine's own. A
 * letter is a dim of one matrix, batches come before it. Letters are equal where they are more than once; some follow
 * from others: k = min(m, n), j = max(n - 1, 0), s = m or n by the attribute side, u and v are m and n, or k, by the
 * attribute mode.
 *
 * Rules are words: "uplo=LU" an attribute, absent or one of these letters; "m>=n" a relation of letters, numbers and
 * the attributes low and high, where w = max(n, 1) and y = min(low, n).
 *
 * Thread-safe. */
#ifndef HD_RUNTIME_LIBRARIES_LAPACK_CHECK_H_
#define HD_RUNTIME_LIBRARIES_LAPACK_CHECK_H_

#include <stddef.h>

#include "heddle/runtime.h"

/* An integer of the call's attributes. */
int64_t hd_lapack_attribute(const hd_custom_call *call, const char *name, int64_t otherwise);

/* The dims of a matrix in word |i| of |tensors|; -1: there are fewer words. */
int hd_lapack_rank(const char *tensors, size_t i);

/* INVALID_ARGUMENT with |target|, the tensor and what was expected unless |call| has the tensors |ins| and |outs| and
 * keeps to |rules|. |letter| is s, d, c or z; |*out_batch| is the number of matrices. */
hd_status hd_lapack_check(const char *target, char letter, const char *ins, const char *outs, const char *rules,
                          const hd_custom_call *call, int64_t *out_batch) HD_MUST_USE;

#endif
