/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of the runtime share: addresses, bytes, kernels. */
#ifndef HD_EVAL_MACHINE_CALL_MEMORY_H_
#define HD_EVAL_MACHINE_CALL_MEMORY_H_

#include "eval/machine/memory.h"

/* The address in a memref, a pointer or a word. */
uint64_t hd_call_address(const hd_tensor *value);
/* |count| bytes at |address|, checked; null when |count| is 0. The second is for writing. */
hd_status hd_call_bytes(hd_eval_frame *frame, uint64_t address, size_t count, char **out) HD_MUST_USE;
hd_status hd_call_bytes_to(hd_eval_frame *frame, uint64_t address, size_t count, char **out) HD_MUST_USE;
/* A text in memory that ends with 0. */
hd_status hd_call_text(hd_eval_frame *frame, const hd_tensor *pointer, hd_str *out) HD_MUST_USE;
/* Bytes of a value of |type| in memory, and what its address is a multiple of; 0 for what the evaluator does not know.
 */
size_t hd_size_in_memory(hd_type type, size_t *out_align);
/* A value of |type| that is the |bytes| at |data|, or what is at |address|; |value| to |address|. */
hd_status hd_value_of_bytes(hd_eval_frame *frame, hd_type type, const void *data, size_t bytes,
                            hd_tensor *out) HD_MUST_USE;
hd_status hd_call_load(hd_eval_frame *frame, hd_type type, uint64_t address, hd_tensor *out) HD_MUST_USE;
hd_status hd_call_store(hd_eval_frame *frame, const hd_tensor *value, uint64_t address) HD_MUST_USE;
/* The type of an hd_element_type; null when there is none. */
hd_type hd_call_element(hd_context *context, int64_t number);

/* Kernel number |index| of the module around |from|; null when there is none. */
hd_op *hd_kernel_at(hd_op *from, int64_t index);
hd_status hd_kernel_type(hd_op *function, hd_type *out) HD_MUST_USE;
/* An argument of a kernel from the word that a launch would give it. */
hd_status hd_kernel_word(hd_eval_frame *frame, hd_type type, uint64_t word, hd_tensor *out) HD_MUST_USE;
/* An argument from the launch's operand: buffers change their form, not their place. */
hd_status hd_kernel_operand(hd_eval_frame *frame, hd_type type, const hd_tensor *value, hd_tensor *out) HD_MUST_USE;
enum { HD_KERNEL_RANGE_ARGS = 2 }; /* begin and end, a kernel's last arguments */
/* Runs |kernel| over [begin, end), which are filled in: the last of |args|. */
hd_status hd_kernel_run(hd_eval_frame *frame, hd_op *kernel, hd_type type, hd_tensor *args, int64_t begin,
                        int64_t end) HD_MUST_USE;

#endif
