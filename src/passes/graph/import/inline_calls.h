/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of inline: composites that are named after ops, and custom calls that name a computation. */
#ifndef HD_PASSES_GRAPH_IMPORT_INLINE_CALLS_H_
#define HD_PASSES_GRAPH_IMPORT_INLINE_CALLS_H_

#include "passes/graph/hlo_build.h"

/* Puts the op that a composite is named after in its place; false when there is none that takes the same. */
bool hd_replace_composite(hd_module *module, hd_op *composite);

/* A dynamic_reduce_window that is a scan (recognize_scans.h). */
typedef struct hd_prefix {
  hd_op *call;
  uint32_t axis;
  bool reverse;
} hd_prefix;

/* Makes at |b| what stands for |call|, a custom call whose computation is |callee|, a function of one block without
 * calls: one value per result. results[0] is null when the target is not known. |prefix|: null, or what is known of it.
 * False with an error reported. */
bool hd_expand_called(hd_builder *b, hd_op *call, hd_op *callee, const hd_prefix *prefix, hd_value **results);

#endif
