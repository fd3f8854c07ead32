/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all passes, and the pipelines by target. */
#ifndef HD_DRIVER_PASSES_H_
#define HD_DRIVER_PASSES_H_

#include "heddle/compile.h"
#include "pass/pass.h"

/* Static. */
const hd_pass_table *hd_passes(void);
/* The pipeline of |target| as text; null when there is none. */
const char *hd_pipeline_of(const char *target);
/* The pipeline that |options| (hd_compile_options_known's) ask for, on |arena|: their own or their target's, whose
 * passes get the entry and the numerics as options. INVALID_ARGUMENT for a target or a pass that is not known. */
hd_status hd_pipeline_for(const hd_compile_options *options, hd_arena *arena, hd_pipeline *out_pipeline) HD_MUST_USE;
/* Gives |step| the option |name|, unless its pipeline says another |value|. Texts are lent. */
void hd_pass_step_set(hd_pass_step *step, hd_arena *arena, const char *name, const char *value);

#endif
