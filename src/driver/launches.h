/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel's machine code, or which call of a library, gives other values than the evaluator. */
#ifndef HD_DRIVER_LAUNCHES_H_
#define HD_DRIVER_LAUNCHES_H_

#include "driver/suspects.h"
#include "runtime/abi.h"

typedef struct hd_launch_search {
  hd_module *module; /* as the pipeline left it */
  hd_str entry;
  const hd_tensor *args;
  size_t arg_count, result_count;
  double tolerance; /* as in hd_tolerance_of */
  hd_eval_options limits;
  /* The machine code of a function with hd.kernel; null: that kernel is not looked at. */
  hd_kernel_fn (*code)(void *user, hd_op *kernel);
  /* Can |call| be made by itself? Makes it, on the memory as it is. Null: library calls are not looked at. */
  bool (*can_call)(void *user, const hd_eval_launch *call);
  hd_status (*call)(void *user, const hd_eval_launch *call);
  void *user;
} hd_launch_search;

/* Runs |module| by the evaluator and, at each launch and library call, the machine code on the same memory. The first
 * one whose machine code leaves other contents is |out->writer|, with the element that is furthest apart and with what
 * wrote its operands; no name: all leave the same. Every launch starts from what the evaluator has computed, so a wrong
 * kernel cannot make later ones look wrong. Texts and dims live in |arena|. */
hd_status hd_find_wrong_launch(const hd_launch_search *search, hd_arena *arena, hd_suspect *out) HD_MUST_USE;

#endif
