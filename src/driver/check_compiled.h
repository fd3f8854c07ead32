/* SPDX-License-Identifier: Apache-2.0 */
/* Check functions on compiled code: what the check ops of a function look at becomes its results, the function is
 * compiled and run, and the check ops then judge the results. */
#ifndef HD_DRIVER_CHECK_COMPILED_H_
#define HD_DRIVER_CHECK_COMPILED_H_

#include "driver/check_observe.h"
#include "driver/session.h"

/* What compiles and runs the functions of a checked program. */
typedef struct hd_check_engine {
  hd_session *session;
  const char *name; /* of the program, in diagnostics */
  const char *target;
  const hd_compile_options *options; /* all known */
  hd_runtime *runtime;
  hd_check_observers *observers;
} hd_check_engine;

/* The function |entry| of |module|, compiled. */
hd_status hd_check_compile(const hd_check_engine *engine, hd_module *module, hd_str entry,
                           hd_executable **out_executable) HD_MUST_USE;

/* Runs |function| so on |inputs|, one per argument; expectations are counted in |evaluator|. */
hd_status hd_check_compiled(hd_session *session, hd_op *function, const char *name, const char *target,
                            const hd_compile_options *options, const hd_host_tensor *inputs, size_t input_count,
                            hd_evaluator *evaluator) HD_MUST_USE;

#endif
