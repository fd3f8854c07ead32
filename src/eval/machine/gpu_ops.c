/* SPDX-License-Identifier: Apache-2.0 */
/* The gpu dialect inside of launches and beside them: where a thread is, memory, tokens. */
#include <string.h>

#include "eval/machine/gpu_launch.h"
#include "eval/machine/thread_block.h"
#include "ir/grid_number.h"

/* ---- where a thread is ---- */

/* A launch without clusters has clusters of one block. */
static int64_t number_for(const hd_thread *t, hd_grid_number number) {
  const int64_t *n = t->threads;
  uint32_t d = number.dim;
  switch (number.what) {
    case HD_GRID_BLOCK:
      return t->block[d];
    case HD_GRID_THREAD:
      return t->id[d];
    case HD_GRID_GRID_DIM:
      return t->blocks[d];
    case HD_GRID_BLOCK_DIM:
      return t->threads[d];
    case HD_GRID_GLOBAL:
      return t->block[d] * t->threads[d] + t->id[d];
    case HD_GRID_LANE:
      return t->linear % HD_SUBGROUP_SIZE;
    case HD_GRID_SUBGROUP:
      return t->linear / HD_SUBGROUP_SIZE;
    case HD_GRID_SUBGROUPS:
      return (n[0] * n[1] * n[2] + HD_SUBGROUP_SIZE - 1) / HD_SUBGROUP_SIZE;
    case HD_GRID_CLUSTER_BLOCK:
      return 0;
    case HD_GRID_CLUSTER_BLOCKS:
      return 1;
    default:
      return HD_SUBGROUP_SIZE;
  }
}

HD_EVAL_HOOK(grid_number) {
  if (!frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  return hd_eval_int_result(frame, op, 0, number_for(frame->thread, hd_grid_number_of(op)), out);
}

/* What a thread block does together, reached by a thread alone: in a function that a kernel calls, or outside of a
 * launch. */
HD_EVAL_HOOK(alone) {
  if (!frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  return hd_make_status(HD_UNIMPLEMENTED,
                        "is in a function that a kernel calls, where the evaluator runs threads alone");
}

/* ---- memory ---- */

HD_EVAL_HOOK(gpu_dynamic_shared_memory) {
  hd_type type = hd_result_type(op, 0);
  const hd_tensor *memory = frame->thread ? frame->thread->dynamic : NULL;
  if (!frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  if (!memory) return hd_make_status(HD_INVALID_ARGUMENT, "is memory that the launch gives no bytes of");
  if (type->shaped.rank != 1 || !hd_type_is_integer(type->shaped.element, 8))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected memory of i8 of one dim");
  HD_TRY(hd_memref_at(frame, type, (uint64_t)(uintptr_t)hd_memref_of(memory)->base, hd_memref_sizes(memory), out));
  return hd_memref_check(out);
}

HD_EVAL_HOOK(gpu_alloc) {
  hd_eval_give_token(op, out);
  hd_type type = hd_result_type(op, 0);
  if (type->shaped.rank > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit", type->shaped.rank);
  int64_t sizes[HD_MAX_RANK];
  uint32_t used, count;
  hd_op_operand_range(op, 1, &used, &count);
  for (uint32_t d = 0; d < type->shaped.rank && d < HD_MAX_RANK; ++d)
    sizes[d] = type->shaped.dims[d] == HD_DYNAMIC ? hd_eval_int(&in[used++]) : type->shaped.dims[d];
  return hd_memref_allocate(frame, type, sizes, op, false, out);
}

HD_EVAL_HOOK(gpu_dealloc) {
  hd_eval_give_token(op, out);
  return hd_storage_free(frame, hd_memref_of(&in[op->operand_count - 1])->storage);
}

HD_EVAL_HOOK(gpu_memcpy) {
  hd_eval_give_token(op, out);
  const hd_tensor *to = in + op->operand_count - 2, *from = to + 1;
  hd_tensor all = {0};
  HD_TRY(hd_memref_read(frame, from, &all));
  hd_status status = hd_memref_write(frame, to, &all);
  hd_tensor_release(&all);
  return status;
}

HD_EVAL_HOOK(gpu_memset) {
  hd_eval_give_token(op, out);
  const hd_tensor *to = in + op->operand_count - 2, *value = to + 1;
  hd_tensor all = {0};
  HD_TRY(hd_memref_read(frame, to, &all));
  size_t bytes = value->buffer ? value->buffer->size : 0;
  if (bytes != hd_tensor_element_bytes(&all))
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a value of the memory's element type");
  for (size_t at = 0; bytes && at + bytes <= all.buffer->size; at += bytes)
    memcpy((char *)hd_tensor_data(&all) + at, hd_tensor_data(value), bytes);
  hd_status status = hd_memref_write(frame, to, &all);
  hd_tensor_release(&all);
  return status;
}

HD_EVAL_HOOK(gpu_wait) {
  hd_eval_give_token(op, out);
  return HD_STATUS_OK;
}
