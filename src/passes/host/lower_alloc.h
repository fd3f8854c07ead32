/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations as calls of the runtime. */
#ifndef HD_PASSES_HOST_LOWER_ALLOC_H_
#define HD_PASSES_HOST_LOWER_ALLOC_H_

#include "passes/messages.h"

/* The output of the function that |ret| returns and that |buffer| is, when it is exactly one; else -1. */
int64_t hd_alloc_output_of(const hd_op *ret, const hd_value *buffer);
/* Replaces memref.alloc |op|: ral_alloc_output where |output| is not negative, else |api|, which takes the bytes. Sizes
 * that no memory holds are refused before, at the place of |op| by |messages|. */
void hd_lower_alloc(hd_messages *messages, hd_op *op, int64_t output, const char *api);

#endif
