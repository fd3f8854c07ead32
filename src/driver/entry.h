/* SPDX-License-Identifier: Apache-2.0 */
/* What the artifact says of an entry: its inputs and outputs with symbolic dims, and the constraints that are checked
 * before a run. Made from the graph-level function, before bufferisation. */
#ifndef HD_DRIVER_ENTRY_H_
#define HD_DRIVER_ENTRY_H_

#include "runtime/artifact.h"
#include "shape/shapes.h"

/* The function of a module whose calls are inlined: the one that is no kernel. Null when there is none. */
hd_op *hd_entry_function(hd_module *module);

/* Fills |out| but for its symbol; memory is |arena|'s. False with errors reported: a type without runtime form, an
 * assertion that is always false or that cannot be checked before the run. */
bool hd_entry_describe(hd_op *func, hd_arena *arena, hd_artifact_entry *out);

/* How large dim |dim| of |type|, which is not known, may be (#stablehlo.bounds, HLO's "<=8"); HD_DYNAMIC where nothing
 * says. */
int64_t hd_bound_of_dim(hd_type type, uint32_t dim);

#endif
