/* SPDX-License-Identifier: Apache-2.0 */
/* Check functions on compiled code: what the check ops of a function look at becomes its results, the function is
 * compiled and run, and the check ops then judge the results. */
#ifndef HD_DRIVER_CHECK_COMPILED_H_
#define HD_DRIVER_CHECK_COMPILED_H_

#include "driver/session.h"
#include "ir/eval/eval.h"

/* Runs |function| of |module| (without arguments) so; expectations are counted in |evaluator|. */
hd_status hd_check_compiled(hd_session *session, hd_module *module, hd_op *function, const char *name,
                            const char *target, const hd_compile_options *options, hd_evaluator *evaluator) HD_MUST_USE;

#endif
