/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of arguments that the caller may donate (tf.aliasing_output, jax.buffer_donor), for
 * disc-lower-to-buffer-alias: an allocation with `hd.donor = i` is in the memory of argument i in runs to which the
 * caller gives it away (ral_alloc_donated). Each argument has one such allocation at most. Thread-compatible. */
#ifndef HD_PASSES_BUFFER_DONORS_H_
#define HD_PASSES_BUFFER_DONORS_H_

#include "passes/passes.h"

/* No op sees |value|'s memory by another name. */
bool hd_has_no_views(const hd_value *value);

/* Every use of |value| but |at|'s own is before (or, |after|, after) |at| in its block, or inside an op that does.
 * Terminators count as uses unless |but_terminator|. */
bool hd_used_only(const hd_value *value, hd_op *at, bool after, bool but_terminator);

/* May the caller give |value|, an argument of |func|, away? */
bool hd_is_donor(hd_op *func, const hd_value *value);

/* |op|, which reads |from| where it writes |to| or after copying it there, is the last op on |from| and the first on
 * |to|: where |from| is an argument of |func| that may be donated, |to| is marked. True when it is. */
bool hd_mark_donor(hd_op *func, hd_op *op, hd_value *from, hd_value *to);

/* Marks results of |func| whose first kernel comes after the last op on an argument of their type that may be donated,
 * or is it and reads the argument only at the index that it writes. tf.aliasing_output chooses the result first. True
 * when one is marked. */
bool hd_donate_to_results(hd_op *func, hd_arena *arena);

#endif
