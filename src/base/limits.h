/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that the compiler, the evaluator and the runtime have in common. */
#ifndef HD_BASE_LIMITS_H_
#define HD_BASE_LIMITS_H_

enum {
  HD_MAX_RANK = 64
}; /* of a tensor: in the IR, compiled, at run time and in files; above it is an error, not a crash */

#endif
