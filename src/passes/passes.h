/* SPDX-License-Identifier: Apache-2.0 */
/* The entry of every pass, from the rows of passes/passes.def, and the table of them. */
#ifndef HD_PASSES_PASSES_H_
#define HD_PASSES_PASSES_H_

#include "pass/pass.h"

#define PASS(function, ...) bool hd_pass_##function(hd_pass *pass, hd_op *op);
#include "passes/passes.def"
#undef PASS

/* Static. */
const hd_pass_table *hd_passes(void);

#endif
