/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host and device, from the placements that ops have. */
#ifndef HD_PASSES_HOST_COPIES_H_
#define HD_PASSES_HOST_COPIES_H_

#include "pass/pass.h"

/* True for ops that read a size off a type, and so work on data wherever it lies. */
bool hd_reads_types_only(const hd_op *op);
/* Every graph op of |func| reads what lies where it runs: a value that lies elsewhere is copied once for all such uses,
 * a constant is made again. */
void hd_insert_copies(hd_pass *pass, hd_op *func);

#endif
