/* SPDX-License-Identifier: Apache-2.0 */
/* dead-temp-buffer-removal: temporary buffers that are written but whose values nobody uses go, with what writes them.
 *
 *   %t = memref.alloc() : memref<4xf32>      ->      (nothing)
 *   memref.store %x, %t[%i]
 *   %y = memref.load %t[%i]      (unused)
 *
 * A use that may read the buffer, or give it another name, keeps it. */
#include "passes/passes.h"

/* Does |use| only write the buffer, free it, or read what is not used? */
static bool is_idle(const hd_use *use) {
  hd_op *op = use->owner;
  switch (hd_opcode_get(op)) {
    case HD_OP_memref_dealloc:
      return true;
    case HD_OP_memref_store:
    case HD_OP_vector_store:
    case HD_OP_memref_copy:
      return use->index == 1;
    case HD_OP_memref_load:
    case HD_OP_vector_load:
    case HD_OP_memref_dim:
      return !hd_result(op, 0)->first_use;
    default:
      return false;
  }
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_op_is(op, HD_OP_memref_alloc) && !hd_op_is(op, HD_OP_memref_alloca)) return true;
  hd_for_each_use(use, hd_result(op, 0)) if (!is_idle(use)) return true;
  while (hd_result(op, 0)->first_use) hd_op_erase(hd_result(op, 0)->first_use->owner);
  hd_op_erase(op);
  pass->changed = true;
  return true;
}

bool hd_pass_dead_temp_buffer_removal(hd_pass *pass, hd_op *func) {
  hd_walk_post(func, visit, pass);
  return true;
}
