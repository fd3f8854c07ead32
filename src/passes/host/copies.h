/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host and device, from the placements that ops have. */
#ifndef HD_PASSES_HOST_COPIES_H_
#define HD_PASSES_HOST_COPIES_H_

#include "pass/pass.h"

/* Every graph op of |func| reads values in the memory of its device: a value that is elsewhere is copied once for all
 * such uses, a constant is made again. What a region on elements uses from outside is read by its op. */
void hd_insert_copies(hd_pass *pass, hd_op *func);

#endif
