/* SPDX-License-Identifier: Apache-2.0 */
/* disc-specialize-fusion-with-speculation: what its files share. Those that give
 * bool give false once an error is reported. */
#ifndef HD_PASSES_GPU_SPECIALIZER_H_
#define HD_PASSES_GPU_SPECIALIZER_H_

#include "analysis/indexing/of_op.h"
#include "passes/lowering/lowering.h"

typedef struct hd_specializer {
  hd_lowering ctx;
  hd_indexing *indexing;
  const hd_gpu_target *target; /* null: the CPU */
} hd_specializer;

/* scf.if |condition| before |fusion|: the new version is given, the old one moves into the other branch. */
hd_op *hd_specialize_fork(hd_specializer *s, hd_builder *b, hd_value *condition, hd_op *fusion);
/* The first reduction of rows in |fusion|; null when it has none. */
hd_op *hd_first_row_reduction(hd_op *fusion);
/* Vectors of what a thread goes along in a loop (specialize_vectors.c). */
bool hd_specialize_vectors(hd_specializer *s, hd_op *fusion);
/* The same of a row that is reduced. |*out|: the version whose threads have them, which
 * may be |fusion|; null when there is none. */
bool hd_specialize_row_vectors(hd_specializer *s, hd_op *fusion, hd_op **out);
/* Tiles of a product by the size of its result (specialize_products.c). */
bool hd_specialize_product(hd_specializer *s, hd_op *fusion);

#endif
