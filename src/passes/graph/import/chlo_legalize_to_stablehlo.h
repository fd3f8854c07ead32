/* SPDX-License-Identifier: Apache-2.0 */
/* One op of chlo. */
#ifndef HD_PASSES_GRAPH_IMPORT_CHLO_LEGALIZE_TO_STABLEHLO_H_
#define HD_PASSES_GRAPH_IMPORT_CHLO_LEGALIZE_TO_STABLEHLO_H_

#include "ir/builder.h"

/* The value that stands for |op|, made at |b|; null when the op stays as it is; |*out_failed| after an error. */
hd_value *hd_chlo_legalize_op(hd_builder *b, hd_op *op, bool *out_failed);

#endif
