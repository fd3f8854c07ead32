/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of a program that runs alone: every group is this one process. */
#include <string.h>

#include "ir/eval/frame.h"

/* Groups must have one member each, process 0. */
static hd_status check_alone(hd_op *op) {
  hd_attr groups = hd_op_attr_get(op, "replica_groups");
  if (!hd_attr_is(groups, HD_ATTR_DENSE)) return HD_STATUS_OK;
  for (size_t i = 0, count = hd_attr_count(groups); i < count; ++i) {
    int64_t id = hd_attr_int_at(groups, i);
    if (id > 0)
      return hd_make_status(HD_UNIMPLEMENTED, "needs process %lld; the evaluator runs one process", (long long)id);
  }
  return HD_STATUS_OK;
}

static hd_status same(hd_op *op, const hd_tensor *in, hd_tensor *out) {
  HD_TRY(check_alone(op));
  if (op->result_count > op->operand_count) return hd_make_status(HD_INVALID_ARGUMENT, "expected as many results as operands");
  for (uint32_t i = 0; i < op->result_count; ++i) out[i] = hd_tensor_retain(in[i]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(all_gather) { return same(op, in, out); }
HD_EVAL_HOOK(all_reduce) { return same(op, in, out); }
HD_EVAL_HOOK(all_to_all) { return same(op, in, out); }
HD_EVAL_HOOK(collective_broadcast) { return same(op, in, out); }
HD_EVAL_HOOK(cross_replica_sum) { return same(op, in, out); }
HD_EVAL_HOOK(reduce_scatter) { return same(op, in, out); }

/* What no pair sends here is zero. */
HD_EVAL_HOOK(collective_permute) {
  hd_attr pairs = hd_op_attr_get(op, "source_target_pairs");
  bool received = false;
  for (size_t i = 0, count = hd_attr_count(pairs); i + 1 < count; i += 2) {
    int64_t source = hd_attr_int_at(pairs, i), target = hd_attr_int_at(pairs, i + 1);
    if (source || target)
      return hd_make_status(HD_UNIMPLEMENTED, "needs process %lld; the evaluator runs one process",
                            (long long)(source ? source : target));
    received = true;
  }
  if (received) {
    out[0] = hd_tensor_retain(in[0]);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_eval_tensor(frame, hd_tensor_element(&in[0]), hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0]), out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

/* The number of this process among replicas or partitions. */
static hd_status zero(hd_eval_frame *frame, hd_op *op, hd_tensor *out) {
  HD_TRY(hd_eval_result(frame, op, 0, 0, NULL, out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(replica_id) { return zero(frame, op, out); }
HD_EVAL_HOOK(partition_id) { return zero(frame, op, out); }
