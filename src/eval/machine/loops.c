/* SPDX-License-Identifier: Apache-2.0 */
/* Structured control flow: scf. Parallel loops run their iterations in order, or as thread blocks. */
#include <string.h>

#include "eval/core/run.h"
#include "eval/machine/gpu_launch.h"
#include "ir/ops/cf.h"
#include "ir/ops/discardable.h"
#include "ir/ops/scf.h"

static void release(hd_tensor *values, size_t count) {
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&values[i]);
}

HD_EVAL_HOOK(scf_if) {
  uint32_t region = hd_eval_int(&in[0]) ? 0 : 1;
  if (region < op->region_count && !hd_op_region(op, region)->first && !op->result_count) return HD_STATUS_OK;
  return hd_eval_region(frame, op, region, NULL, 0, out, op->result_count);
}

HD_EVAL_HOOK(scf_for) {
  hd_type type = in[0].type;
  int64_t low = hd_eval_int(&in[0]), high = hd_eval_int(&in[1]), step = hd_eval_int(&in[2]);
  bool is_unsigned = hd_scf_for_unsignedCmp_attr(op) != NULL;
  uint32_t n = op->result_count;
  if (step <= 0) return hd_make_status(HD_INVALID_ARGUMENT, "steps by %lld", (long long)step);
  hd_tensor *args;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *args, &args));
  for (uint32_t i = 0; i < n; ++i) out[i] = hd_tensor_retain(in[3 + i]);
  for (int64_t i = low; is_unsigned ? (uint64_t)i < (uint64_t)high : i < high; i += step) {
    HD_TRY(hd_eval_value(frame, type, &args[0]));
    hd_element_store(type, hd_tensor_data(&args[0]), i);
    for (uint32_t k = 0; k < n; ++k) args[1 + k] = out[k];
    hd_status status = hd_eval_region(frame, op, 0, args, n + 1, out, n);
    release(args, n + 1);
    HD_TRY(status);
    HD_TRY(hd_eval_poll(frame));
    if (i > INT64_MAX - step) break;
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(scf_while) {
  hd_block *before = hd_op_region(op, 0)->first;
  if (!before || !before->last || !hd_op_is(before->last, HD_OP_scf_condition))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a region that ends with scf.condition");
  uint32_t n = op->operand_count, passed = before->last->operand_count;
  hd_tensor *state, *next;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *state, &state));
  HD_TRY(hd_eval_temp(frame, passed + 1, sizeof *next, &next));
  for (uint32_t i = 0; i < n; ++i) state[i] = hd_tensor_retain(in[i]);
  for (;;) {
    hd_status status = hd_eval_region(frame, op, 0, state, n, next, passed);
    release(state, n);
    HD_TRY(status);
    bool go_on = hd_eval_int(&next[0]) != 0;
    hd_tensor_release(&next[0]);
    if (!go_on) break;
    status = hd_eval_region(frame, op, 1, next + 1, passed - 1, state, n);
    release(next + 1, passed - 1);
    HD_TRY(status);
    status = hd_eval_poll(frame);
    if (!hd_is_ok(status)) release(state, n);
    HD_TRY(status);
  }
  for (uint32_t i = 0; i < op->result_count && i + 1 < passed; ++i) out[i] = next[1 + i];
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(scf_execute_region) { return hd_eval_region(frame, op, 0, NULL, 0, out, op->result_count); }

HD_EVAL_HOOK(scf_index_switch) {
  hd_attr cases = hd_scf_index_switch_cases(op);
  int64_t index = hd_eval_int(&in[0]);
  uint32_t region = 0;
  for (uint32_t i = 0; i < hd_attr_count(cases); ++i)
    if (hd_attr_int_at(cases, i) == index) region = i + 1;
  return hd_eval_region(frame, op, region, NULL, 0, out, op->result_count);
}

/* The reductions at the end of a parallel body: out[i] = combine(out[i], value). */
static hd_status reduce(hd_eval_frame *frame, hd_op *end, const hd_tensor *values, hd_tensor *out) {
  for (uint32_t i = 0; i < end->operand_count; ++i) {
    hd_tensor args[2] = {out[i], values[i]}, result = {0};
    HD_TRY(hd_eval_region(frame, end, i, args, 2, &result, 1));
    hd_tensor_release(&out[i]);
    out[i] = result;
  }
  return HD_STATUS_OK;
}

static hd_status parallel(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t rank = body ? body->arg_count : 0, n = op->result_count;
  if (!rank || op->operand_count < 3 * rank + n) return hd_make_status(HD_INVALID_ARGUMENT, "lacks bounds");
  int64_t *bounds, *index;
  hd_tensor *args, *values;
  HD_TRY(hd_eval_index_operands(frame, in, 3 * rank, &bounds));
  HD_TRY(hd_eval_temp(frame, rank, sizeof *index, &index));
  HD_TRY(hd_eval_temp(frame, rank, sizeof *args, &args));
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *values, &values));
  for (uint32_t i = 0; i < n; ++i) out[i] = hd_tensor_retain(in[3 * rank + i]);
  for (uint32_t d = 0; d < rank; ++d) {
    index[d] = bounds[d];
    if (bounds[2 * rank + d] <= 0) return hd_make_status(HD_INVALID_ARGUMENT, "steps by 0 or less");
    if (bounds[d] >= bounds[rank + d]) return HD_STATUS_OK;
  }
  if (hd_region_converges(hd_op_region(op, 0))) {
    if (n) return hd_make_status(HD_UNIMPLEMENTED, "gives results of iterations that work together");
    return hd_eval_parallel_block(frame, op, rank, bounds);
  }
  for (uint32_t d = rank; d > 0;) {
    for (uint32_t i = 0; i < rank; ++i) {
      HD_TRY(hd_eval_value(frame, body->args[i]->type, &args[i]));
      hd_element_store(body->args[i]->type, hd_tensor_data(&args[i]), index[i]);
    }
    hd_status status = hd_eval_region(frame, op, 0, args, rank, values, n);
    release(args, rank);
    HD_TRY(status);
    if (n) status = reduce(frame, body->last, values, out);
    release(values, n);
    HD_TRY(status);
    HD_TRY(hd_eval_poll(frame));
    for (d = rank; d > 0; --d) {
      if (!__builtin_add_overflow(index[d - 1], bounds[2 * rank + d - 1], &index[d - 1]) &&
          index[d - 1] < bounds[rank + d - 1])
        break;
      index[d - 1] = bounds[d - 1];
    }
  }
  return HD_STATUS_OK;
}

/* A loop with hd.threads is the device's. */
HD_EVAL_HOOK(scf_parallel) {
  static const hd_thread some = {.threads = {1, 1, 1}, .blocks = {1, 1, 1}};
  const hd_thread *outer = frame->thread;
  bool converges = hd_region_converges(hd_op_region(op, 0));
  if (!outer && !converges && hd_discardable_threads_attr(op)) frame->thread = &some;
  hd_status status = parallel(frame, op, in, out);
  frame->thread = outer;
  return status;
}

/* A failed assertion of the program. */
HD_EVAL_HOOK(cf_assert) {
  if (hd_eval_int(&in[0])) return HD_STATUS_OK;
  hd_str text = hd_cf_assert_msg(op);
  return hd_make_status(HD_INVALID_ARGUMENT, "assertion failed: %.*s", (int)text.len, text.data);
}
