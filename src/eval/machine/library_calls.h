/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime that libraries answer, for the table in ral_calls.c. */
#ifndef HD_EVAL_MACHINE_LIBRARY_CALLS_H_
#define HD_EVAL_MACHINE_LIBRARY_CALLS_H_

#include "eval/machine/call_memory.h"

#define HD_EVAL_CALL(name) \
  hd_status hd_call_##name(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) HD_MUST_USE
/* product_calls.c */
HD_EVAL_CALL(dot_general);
HD_EVAL_CALL(convolution);
HD_EVAL_CALL(gemm);
/* attention_call.c */
HD_EVAL_CALL(attention);
/* library_calls.c */
HD_EVAL_CALL(cholesky);
HD_EVAL_CALL(triangular_solve);
HD_EVAL_CALL(fft);
HD_EVAL_CALL(rng_call);
HD_EVAL_CALL(custom_call);
HD_EVAL_CALL(collective);
HD_EVAL_CALL(process_id);
/* sort_calls.c */
HD_EVAL_CALL(sort);
#undef HD_EVAL_CALL

#endif
