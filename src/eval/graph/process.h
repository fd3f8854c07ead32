/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run side by side (interpreter.run_parallel) and meet in collectives. A process is a pair of replica
 * and partition. Each runs on a thread of its own, one at a time: whoever runs holds the group's lock, and lets go of
 * it only while waiting for others, so the context and the heap are never used by two at once. When all wait, none can
 * go on: that is reported instead of hanging. */
#ifndef HD_EVAL_GRAPH_PROCESS_H_
#define HD_EVAL_GRAPH_PROCESS_H_

#include "eval/core/state.h"

/* The process that |frame| belongs to. */
const hd_process *hd_frame_process(hd_eval_frame *frame);

uint32_t hd_process_replicas(const hd_process *process);
uint32_t hd_process_partitions(const hd_process *process);

/* Waits until each of the |count| |members| (ids replica * partitions + partition, this process among them) has come
 * with its |value_count| values to the rendezvous of this |op| kind and |channel|; then gives all of them, member by
 * member, owned by the caller, in |out_values| (count * value_count). */
hd_status hd_process_meet(hd_eval_frame *frame, hd_op *op, int64_t channel, const uint32_t *members, size_t count,
                          const hd_tensor *values, size_t value_count, hd_tensor *out_values) HD_MUST_USE;

enum { HD_PROCESS_ANY = -1 };
/* Values sent over |channel|, in order, to process |to| or from process |from| (HD_PROCESS_ANY: whoever does the
 * other); receiving waits for one. |values| are copied by reference; the received are owned by the caller. */
hd_status hd_process_send(hd_eval_frame *frame, int64_t channel, int64_t to, const hd_tensor *values,
                          size_t count) HD_MUST_USE;
hd_status hd_process_receive(hd_eval_frame *frame, int64_t channel, int64_t from, hd_tensor *out_values,
                             size_t count) HD_MUST_USE;

/* The next function of the infeed; null when there is none left. */
hd_op *hd_process_next_infeed(hd_eval_frame *frame);

#endif
