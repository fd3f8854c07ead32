/* SPDX-License-Identifier: Apache-2.0 */
/* disc-remove-dead-buffer: buffers that only kernels' insides had named go.
 *
 *   %t = memref.alloc() : memref<4xf32>      ->      (nothing)
 *   memref.dealloc %t
 *
 * What a fusion computes for itself never reaches memory; its allocation is left without a reader or writer when the
 * fusion has become a kernel. */
#include "passes/passes.h"

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_op_is(op, HD_OP_memref_alloc) && !hd_op_is(op, HD_OP_memref_alloca)) return true;
  hd_for_each_use(use, hd_result(op, 0)) if (!hd_op_is(use->owner, HD_OP_memref_dealloc)) return true;
  while (hd_result(op, 0)->first_use) hd_op_erase(hd_result(op, 0)->first_use->owner);
  hd_op_erase(op);
  pass->changed = true;
  return true;
}

bool hd_pass_remove_dead_buffer(hd_pass *pass, hd_op *func) {
  hd_walk_post(func, visit, pass);
  return true;
}
