/* SPDX-License-Identifier: Apache-2.0 */
/* The pipelines that are run of the passes. */
#ifndef HD_DRIVER_PASSES_H_
#define HD_DRIVER_PASSES_H_

#include "heddle/compile.h"
#include "pass/pass.h"
#include "passes/passes.h"

/* The pipeline that |options| (hd_compile_options_read's) ask for, on |arena|: their own or their target's for what the
 * entry of |program| reaches (null: for tensors), whose passes get the entry and the numerics as options.
 * INVALID_ARGUMENT for a target or a pass that is not known, and, at the launch, for a program that launches kernels
 * where the target is no device. */
hd_status hd_pipeline_for(const hd_compile_options *options, hd_module *program, hd_arena *arena,
                          hd_pipeline *out_pipeline) HD_MUST_USE;
/* The step of |pipeline| that is |pass|, by its name; their count when none is. */
size_t hd_pipeline_find(const hd_pipeline *pipeline, const char *pass);
/* The pass before which every target's pipeline works on tensors, and after which on buffers. */
#define HD_PASS_TO_BUFFERS "disc-hlo-legalize-to-lhlo"
/* The step of |pipeline| that a program's arguments and results are described before: that pass, or, of programs on
 * buffers, the one that makes their launches calls of the runtime. */
size_t hd_pipeline_buffers(const hd_pipeline *pipeline);
/* Leaves out the graph passes that only make programs faster (FASTER in passes/passes.def). */
void hd_pipeline_drop_graph_passes(hd_pipeline *pipeline);
/* Steps [from, to) of |whole|, which lends them. */
hd_pipeline hd_pipeline_part(const hd_pipeline *whole, size_t from, size_t to);
/* Gives |step| |options|, which hold where its pipeline says nothing else, or with
 * |override| whatever it says. Texts are lent. */
void hd_pass_step_set(hd_pass_step *step, hd_arena *arena, const hd_pass_option *options, size_t count, bool override);

#endif
