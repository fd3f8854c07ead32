/* SPDX-License-Identifier: Apache-2.0 */
/* What buffer-level ops read and write, regions included, and the order that follows from it. */
#ifndef HD_ANALYSIS_BUFFER_DEPS_H_
#define HD_ANALYSIS_BUFFER_DEPS_H_

#include "base/vec.h"
#include "ir/builder.h"

typedef struct hd_access {
  hd_value *buffer; /* the allocation or argument after views */
  bool writes;      /* else reads */
  bool frees;       /* a write that nothing comes after */
} hd_access;

typedef hd_vec(hd_access) hd_accesses;

/* The allocation or argument that |buffer| is a view of. */
hd_value *hd_buffer_root(hd_value *buffer);
/* Everything |op| and the ops inside it access, appended to |out|. Buffers allocated inside are left out. */
void hd_buffer_accesses(hd_op *op, hd_arena *arena, hd_accesses *out);
/* The op of |block|, |last| or a later one, after which |value|, what is seen through it and words that hold its
 * address are not used any more; |*escapes| is set when the value leaves by a terminator. */
hd_op *hd_buffer_last_use(hd_block *block, hd_value *value, hd_op *last, bool *escapes);

#endif
