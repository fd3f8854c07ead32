/* SPDX-License-Identifier: Apache-2.0 */
/* nvvm's ops of a thread alone: copies that end when they are waited for. Those that threads do together are in
 * warp_ops.c and warp_matrices.c. */
#include <string.h>

#include "eval/machine/call_memory.h"
#include "eval/machine/gpu_launch.h"
#include "eval/machine/thread_block.h"
#include "ir/ops/nvvm.h"

/* Orders accesses, or is a hint: threads run one after the other here, and what they write is there at once. */
HD_EVAL_HOOK(nvvm_orders) { return HD_STATUS_OK; }

/* ---- copies to shared memory: nothing of one is seen before the thread has waited for its group ---- */

HD_EVAL_HOOK(nvvm_cp_async_shared_global) {
  hd_thread_copies *copies = frame->thread ? frame->thread->copies : NULL;
  if (!copies) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  int64_t size = hd_nvvm_cp_async_shared_global_size(op), given = size;
  uint64_t to = hd_call_address(&in[0]), from = hd_call_address(&in[1]);
  bool only_16 = hd_nvvm_cp_async_shared_global_modifier(op) == HD_NVVM_LOAD_CACHE_MODIFIER_CG;
  if (size != 16 && (only_16 || (size != 4 && size != 8)))
    return hd_make_status(HD_INVALID_ARGUMENT, "copies %lld bytes, expected %s", (long long)size,
                          only_16 ? "16" : "4, 8 or 16");
  if (op->operand_count > 2) given = hd_eval_int(&in[2]);
  if (given < 0 || given > size)
    return hd_make_status(HD_INVALID_ARGUMENT, "takes %lld bytes of %lld", (long long)given, (long long)size);
  if (to % (uint64_t)size || from % (uint64_t)size)
    return hd_make_status(HD_INVALID_ARGUMENT, "has an address that is no multiple of %lld", (long long)size);
  char *place;
  HD_TRY(hd_call_bytes(frame, to, (size_t)size, &place));
  HD_TRY(hd_call_bytes(frame, from, (size_t)given, &place));
  hd_vec_push(hd_frame_arena(frame), &copies->list,
              (hd_thread_copy){to, from, (uint32_t)size, (uint32_t)given, copies->group});
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(nvvm_cp_async_commit_group) {
  if (!frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  ++frame->thread->copies->group;
  return HD_STATUS_OK;
}

/* All groups but the last n are there. */
HD_EVAL_HOOK(nvvm_cp_async_wait_group) {
  hd_thread_copies *copies = frame->thread ? frame->thread->copies : NULL;
  if (!copies) return hd_make_status(HD_INVALID_ARGUMENT, "is outside of a launch");
  int64_t left = hd_nvvm_cp_async_wait_group_n(op);
  size_t kept = 0;
  for (size_t i = 0; i < copies->list.len; ++i) {
    hd_thread_copy c = copies->list.data[i];
    if ((int64_t)c.group + left >= (int64_t)copies->group) {
      copies->list.data[kept++] = c;
      continue;
    }
    char *to, *from = NULL;
    HD_TRY(hd_call_bytes_to(frame, c.to, c.bytes, &to));
    HD_TRY(hd_call_bytes(frame, c.from, c.given, &from));
    memset(to, 0, c.bytes);
    if (c.given) memcpy(to, from, c.given);
  }
  copies->list.len = kept;
  return HD_STATUS_OK;
}
