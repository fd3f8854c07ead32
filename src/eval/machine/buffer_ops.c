/* SPDX-License-Identifier: Apache-2.0 */
/* lmhlo ops, by the evaluators of their graph ops on the contents of their buffers. */
#include <string.h>

#include "eval/core/graph_op.h"
#include "eval/machine/memory.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

static uint32_t capture_count(const hd_op *op) { return (uint32_t)hd_discardable_captures(op); }

static hd_status ints_tensor(hd_eval_frame *frame, uint32_t rank, const int64_t *dims, const int64_t *values,
                             hd_tensor *out) {
  HD_TRY(hd_eval_tensor(frame, hd_i64(hd_frame_context(frame)), rank, dims, out));
  if (out->buffer->size) memcpy(hd_tensor_data(out), values, out->buffer->size);
  return HD_STATUS_OK;
}

/* The operands that say shapes, from index operands |scalars| after the buffers and the sizes of the output. */
static hd_status shape_values(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, uint32_t inputs,
                              const hd_tensor *scalars, uint32_t count, hd_tensor *out) {
  const hd_tensor *output = &in[inputs];
  const int64_t *sizes = hd_memref_sizes(output);
  uint32_t rank = output->type->shaped.rank;
  int64_t *values, *limits, dims[2] = {rank, 2};
  HD_TRY(hd_eval_index_operands(frame, scalars, count, &values));
  switch (op->info->derived_from) {
    case HD_OP_stablehlo_real_dynamic_slice:
      if (count != 2 * rank) break;
      HD_TRY(hd_eval_temp(frame, rank + 1, sizeof *limits, &limits));
      for (uint32_t i = 0; i < rank; ++i)
        limits[i] = sizes[i] ? values[i] + (sizes[i] - 1) * values[rank + i] + 1 : values[i];
      HD_TRY(ints_tensor(frame, 1, dims, values, &out[0]));
      HD_TRY(ints_tensor(frame, 1, dims, limits, &out[1]));
      return ints_tensor(frame, 1, dims, values + rank, &out[2]);
    case HD_OP_stablehlo_dynamic_pad:
      if (count != 3 * rank) break;
      for (uint32_t i = 0; i < 3; ++i) HD_TRY(ints_tensor(frame, 1, dims, values + i * rank, &out[i]));
      return HD_STATUS_OK;
    case HD_OP_stablehlo_dynamic_conv:
      dims[0] = count / 2;
      return ints_tensor(frame, 2, dims, values, &out[0]);
    case HD_OP_stablehlo_dynamic_gather: {
      /* Offset dims of the output say the sizes, collapsed ones are 1. */
      hd_attr numbers = hd_gather_like_dimension_numbers(op);
      hd_attr offsets = hd_attr_stablehlo_gather_offset_dims(numbers),
              collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(numbers),
              batch = hd_attr_stablehlo_gather_operand_batching_dims(numbers);
      uint32_t operand_rank = in[0].type->shaped.rank, at = 0;
      HD_TRY(hd_eval_temp(frame, operand_rank + 1, sizeof *limits, &limits));
      for (uint32_t d = 0; d < operand_rank; ++d) {
        bool one = false;
        for (size_t i = 0; i < hd_attr_count(collapsed); ++i) one |= hd_attr_int_at(collapsed, i) == d;
        for (size_t i = 0; i < hd_attr_count(batch); ++i) one |= hd_attr_int_at(batch, i) == d;
        limits[d] = one ? 1 : sizes[hd_attr_int_at(offsets, at++)];
      }
      dims[0] = operand_rank;
      return ints_tensor(frame, 1, dims, limits, &out[0]);
    }
    default:
      return ints_tensor(frame, 1, dims, sizes, &out[0]);
  }
  return hd_make_status(HD_INVALID_ARGUMENT, "expected other index operands, got %u", count);
}

/* The buffer forms of control flow write their results where the regions say; the last buffer of a while is its
 * condition. */
static hd_status control(hd_eval_frame *frame, hd_op *op, const hd_tensor *in) {
  uint32_t buffers = hd_op_buffer_count(op);
  hd_tensor first = {0};
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) return hd_eval_region(frame, op, 0, NULL, 0, NULL, 0);
  if (hd_op_is(op, HD_OP_lmhlo_while)) {
    for (;;) {
      HD_TRY(hd_eval_region(frame, op, 0, NULL, 0, NULL, 0));
      HD_TRY(hd_memref_read(frame, &in[buffers - 1], &first));
      bool go_on = hd_int_at(hd_tensor_element(&first), hd_tensor_data(&first), 0) != 0;
      hd_tensor_release(&first);
      if (!go_on) return HD_STATUS_OK;
      HD_TRY(hd_eval_region(frame, op, 1, NULL, 0, NULL, 0));
      HD_TRY(hd_eval_poll(frame));
    }
  }
  HD_TRY(hd_memref_read(frame, &in[0], &first));
  int64_t value = hd_int_at(hd_tensor_element(&first), hd_tensor_data(&first), 0);
  hd_tensor_release(&first);
  if (hd_op_is(op, HD_OP_lmhlo_if)) value = value ? 0 : 1;
  if (value < 0 || value >= (int64_t)op->region_count) value = (int64_t)op->region_count - 1;
  return hd_eval_region(frame, op, (uint32_t)value, NULL, 0, NULL, 0);
}

HD_EVAL_HOOK(lmhlo) {
  hd_op *graph_op = hd_frame_graph_op(frame, op);
  if (!graph_op) return control(frame, op, in);
  if (!hd_eval_hook_of(graph_op->info->opcode)) return hd_make_status(HD_UNIMPLEMENTED, "has no evaluator");
  uint32_t buffers = hd_op_buffer_count(op), outputs = buffers - graph_op->result_count, captures = capture_count(op),
           first;
  uint32_t inputs = outputs - captures;
  uint32_t shapes = hd_opcode_shape_operands(op->info->derived_from, &first);
  hd_tensor *values, *results;
  HD_TRY(hd_eval_temp(frame, graph_op->operand_count + 1, sizeof *values, &values));
  HD_TRY(hd_eval_temp(frame, graph_op->result_count + 1, sizeof *results, &results));
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < inputs && hd_is_ok(status); ++i) status = hd_memref_read(frame, &in[i], &values[i]);
  if (hd_is_ok(status) && shapes)
    status = shape_values(frame, op, in, outputs, in + buffers, op->operand_count - buffers, values + inputs);
  for (uint32_t i = 0; i < captures && hd_is_ok(status); ++i)
    status = hd_memref_read(frame, &in[inputs + i], hd_frame_place(frame, hd_buffer_graph_op_capture(graph_op, i)));
  if (hd_is_ok(status)) status = hd_eval_run_graph_op(frame, graph_op, values, results);
  for (uint32_t i = 0; i < captures; ++i)
    hd_tensor_release(hd_frame_place(frame, hd_buffer_graph_op_capture(graph_op, i)));
  for (uint32_t i = 0; i < graph_op->result_count && hd_is_ok(status); ++i)
    status = hd_memref_write(frame, &in[outputs + i], &results[i]);
  for (uint32_t i = 0; i < graph_op->operand_count; ++i) hd_tensor_release(&values[i]);
  for (uint32_t i = 0; i < graph_op->result_count; ++i) hd_tensor_release(&results[i]);
  return status;
}
