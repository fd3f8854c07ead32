/* SPDX-License-Identifier: Apache-2.0 */
/* What the hooks of ops use: results, attributes, regions, memory for the time of one op.
 *
 * A hook borrows |in| (one tensor per operand), fills |out| (one per result, zeroed before) and returns a plain status;
 * the frame reports a failure at the op, releases |out| then, and checks types of results against the declared ones. */
#ifndef HD_EVAL_CORE_FRAME_H_
#define HD_EVAL_CORE_FRAME_H_

#include "eval/core/elements.h"
#include "eval/core/hooks.h"
#include "eval/core/options.h"

#define HD_EVAL_HOOK(name)                                                                                  \
  hd_status hd_eval_##name(hd_eval_frame *frame __attribute__((unused)), hd_op *op __attribute__((unused)), \
                           const hd_tensor *in __attribute__((unused)), hd_tensor *out __attribute__((unused)))

hd_heap *hd_frame_heap(hd_eval_frame *frame);
hd_context *hd_frame_context(hd_eval_frame *frame);
/* Lives as long as the evaluator. */
hd_arena *hd_frame_arena(hd_eval_frame *frame);
/* The graph op by which buffer op |op| is evaluated (buffer_ops.h); null when there is none. */
hd_op *hd_frame_graph_op(hd_eval_frame *frame, hd_op *op);
/* Where |value|, one of the function that runs, is kept. */
hd_tensor *hd_frame_place(hd_eval_frame *frame, const hd_value *value);
/* Runs a graph op that is in no block. */
hd_status hd_eval_run_graph_op(hd_eval_frame *frame, hd_op *graph_op, const hd_tensor *in, hd_tensor *out) HD_MUST_USE;
/* True while the op computes on expressed types: a quantized result type stands for its expressed one. */
bool hd_frame_is_expressing(hd_eval_frame *frame);
const hd_eval_options *hd_frame_options(hd_eval_frame *frame);

/* A tensor of the given dims whose element type is that of result |i| of |op|, uninitialised. */
hd_status hd_eval_result(hd_eval_frame *frame, hd_op *op, uint32_t i, uint32_t rank, const int64_t *dims,
                         hd_tensor *out) HD_MUST_USE;
/* The same with an element type of its own. */
hd_status hd_eval_tensor(hd_eval_frame *frame, hd_type element, uint32_t rank, const int64_t *dims,
                         hd_tensor *out) HD_MUST_USE;
/* |count| * |size| bytes, zeroed, freed when the op is done. */
hd_status hd_eval_temp(hd_eval_frame *frame, size_t count, size_t size, void *out_pointer_to_pointer) HD_MUST_USE;
/* |tensor| with other dims of the same number of elements; shares the data. */
hd_status hd_eval_reshaped(hd_eval_frame *frame, const hd_tensor *tensor, hd_type element, uint32_t rank,
                           const int64_t *dims, hd_tensor *out) HD_MUST_USE;

/* A list of integers in an attribute. */
typedef struct hd_eval_ints {
  size_t count;
  const int64_t *data;
} hd_eval_ints;
/* Attribute |name| as integers; an absent one is an empty list. */
hd_status hd_eval_ints_attr(hd_eval_frame *frame, hd_op *op, hd_name name, hd_eval_ints *out) HD_MUST_USE;
/* The same for |attr| itself, null being empty. */
hd_status hd_eval_ints_of(hd_eval_frame *frame, hd_attr attr, hd_eval_ints *out) HD_MUST_USE;
/* The same, where an absent list means |count| times |otherwise|; another count is an error. */
hd_status hd_eval_ints_attr_or(hd_eval_frame *frame, hd_op *op, hd_name name, size_t count, int64_t otherwise,
                               hd_eval_ints *out) HD_MUST_USE;
/* INVALID_ARGUMENT unless every entry is in [0, rank) and each occurs once. */
hd_status hd_eval_check_axes(const hd_eval_ints *axes, uint32_t rank, const char *what) HD_MUST_USE;
/* The elements of a 1-D (or 0-D) integer operand; negative values are allowed here. */
hd_status hd_eval_operand_ints(hd_eval_frame *frame, const hd_tensor *tensor, const char *what,
                               hd_eval_ints *out) HD_MUST_USE;

/* INVALID_ARGUMENT that names both shapes unless they are equal. */
hd_status hd_eval_same_dims(const hd_tensor *a, const hd_tensor *b) HD_MUST_USE;
/* "2x?x3" of dims, in one of a few static buffers per thread. */
const char *hd_dims_text(uint32_t rank, const int64_t *dims);

/* Runs region |region| of |op|; |results| takes the |result_count| operands of its terminator, owned by the caller. */
hd_status hd_eval_region(hd_eval_frame *frame, hd_op *op, uint32_t region, const hd_tensor *args, size_t arg_count,
                         hd_tensor *results, size_t result_count) HD_MUST_USE;
/* Calls a function. */
hd_status hd_eval_call(hd_eval_frame *frame, hd_op *function, const hd_tensor *args, size_t arg_count,
                       hd_tensor *results) HD_MUST_USE;

/* A custom call by |target|; UNIMPLEMENTED for what is not known. */
hd_status hd_eval_known_custom_call(hd_eval_frame *frame, hd_op *op, hd_str target, const hd_tensor *in,
                                    hd_tensor *out) HD_MUST_USE;

/* rng_bit_generator with an output of the given dims. */
hd_status hd_eval_random_bits(hd_eval_frame *frame, hd_op *op, const hd_tensor *state, uint32_t rank,
                              const int64_t *dims, hd_tensor *out) HD_MUST_USE;

/* To be called now and then in long loops: limits of time, cancellation. */
hd_status hd_eval_poll(hd_eval_frame *frame) HD_MUST_USE;

/* 0, 1, 2, ... over a run: the number of this random call. */
uint64_t hd_eval_next_call(hd_eval_frame *frame);

/* Counts an expectation that did not hold, and reports it at |op|. */
void hd_eval_check_failed(hd_eval_frame *frame, hd_op *op, const char *format, ...) HD_PRINTF(3, 4);

/* Number of results of a function-like op. */
size_t hd_function_result_count(const hd_op *function);

#endif
