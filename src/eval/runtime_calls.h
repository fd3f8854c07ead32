/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of the runtime share, and those that libraries answer. */
#ifndef HD_EVAL_RUNTIME_CALLS_H_
#define HD_EVAL_RUNTIME_CALLS_H_

#include "eval/memory.h"

/* The address in a memref, a pointer or a word. */
uint64_t hd_call_address(const hd_tensor *value);
/* |count| bytes at |address|, checked; null when |count| is 0. The second is for writing. */
hd_status hd_call_bytes(hd_eval_frame *frame, uint64_t address, size_t count, char **out) HD_MUST_USE;
hd_status hd_call_bytes_to(hd_eval_frame *frame, uint64_t address, size_t count, char **out) HD_MUST_USE;
/* A text in memory that ends with 0. */
hd_status hd_call_text(hd_eval_frame *frame, const hd_tensor *pointer, hd_str *out) HD_MUST_USE;
/* The type of an hd_element_type; null when there is none. */
hd_type hd_call_element(hd_context *context, int64_t number);

/* Kernel number |index| of the module around |from|; null when there is none. */
hd_op *hd_kernel_at(hd_op *from, int64_t index);
hd_status hd_kernel_type(hd_op *function, hd_type *out) HD_MUST_USE;
/* An argument of a kernel from the word that a launch would give it. */
hd_status hd_kernel_word(hd_eval_frame *frame, hd_type type, uint64_t word, hd_tensor *out) HD_MUST_USE;
/* An argument from the launch's operand: buffers change their form, not their place. */
hd_status hd_kernel_operand(hd_eval_frame *frame, hd_type type, const hd_tensor *value, hd_tensor *out) HD_MUST_USE;
/* Runs |kernel| over [begin, end); the last two of |args| are filled in. */
hd_status hd_kernel_run(hd_eval_frame *frame, hd_op *kernel, hd_type type, hd_tensor *args, int64_t begin,
                        int64_t end) HD_MUST_USE;

/* A struct of LLVM, which erased_calls.c has as its bytes, from and to a memref or complex number. */
bool hd_is_llvm_struct(hd_type type);
hd_status hd_eval_struct_cast(hd_eval_frame *frame, const hd_tensor *in, hd_type type, hd_tensor *out) HD_MUST_USE;

#define HD_EVAL_CALL(name) \
  hd_status hd_call_##name(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) HD_MUST_USE
/* product_calls.c */
HD_EVAL_CALL(dot_general);
HD_EVAL_CALL(convolution);
HD_EVAL_CALL(gemm);
/* library_calls.c */
HD_EVAL_CALL(cholesky);
HD_EVAL_CALL(triangular_solve);
HD_EVAL_CALL(fft);
HD_EVAL_CALL(rng_call);
HD_EVAL_CALL(custom_call);
HD_EVAL_CALL(collective);
HD_EVAL_CALL(process_id);

#endif
