/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-lower-to-buffer-alias: lower_to_buffer_alias.c has copies and updates, alias_reshape.c reshapes. */
#ifndef HD_PASSES_BUFFER_ALIASING_H_
#define HD_PASSES_BUFFER_ALIASING_H_

#include "passes/passes.h"

typedef struct hd_aliasing {
  hd_pass *pass;
  hd_op *func;
} hd_aliasing;

/* Is |value| memory of this function that |block| may write over: an allocation, or what a loop of this block that
 * took over one gives back? */
bool hd_is_owned(hd_value *value, hd_block *block);
/* |other| in place of |value|, an allocation, which goes. */
void hd_buffer_become(hd_value *value, hd_value *other);

/* Does |op| say where the elements are, in the order of memory? */
bool hd_keeps_elements(hd_op *op);
/* A reshape that no kernel reads through shows the elements where they are, if neither buffer is written any more. What
 * leaves the block must not do so under two names; nor is memory freed under two. */
bool hd_alias_reshape(hd_aliasing *a, hd_op *reshape);

#endif
