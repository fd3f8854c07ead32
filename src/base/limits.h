/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that the compiler, the evaluator and the runtime have in common. */
#ifndef HD_BASE_LIMITS_H_
#define HD_BASE_LIMITS_H_

#include <stdint.h>

enum {
  HD_MAX_RANK = 64
}; /* of a tensor: in the IR, compiled, at run time and in files; above it is an error, not a crash */

/* No address has more bits: tensors and products of sizes stay within 2^HD_ADDRESS_BITS, either way, so that sizes,
 * strides and what is rounded up from them fit 63. */
enum { HD_ADDRESS_BITS = 56 };
#define HD_MAX_EXTENT (INT64_C(1) << HD_ADDRESS_BITS)

#endif
