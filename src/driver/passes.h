/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all passes, and the pipelines by target. */
#ifndef HD_DRIVER_PASSES_H_
#define HD_DRIVER_PASSES_H_

#include "pass/pass.h"

/* Static. */
const hd_pass_table *hd_passes(void);
/* The pipeline of |target| as text; null when there is none. */
const char *hd_pipeline_of(const char *target);

#endif
