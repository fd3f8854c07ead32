/* SPDX-License-Identifier: Apache-2.0 */
/* disc-buffer-deallocation: every allocation is freed after its last use.
 *
 *   %t = memref.alloc(...)            %t = memref.alloc(...)
 *   hd.launch @k args(%x, %t)    ->   hd.launch @k args(%x, %t)
 *   hd.launch @l args(%t, %y)         hd.launch @l args(%t, %y)
 *                                     memref.dealloc %t
 *
 * Runs on host code whose regions are structured: the last use is the last op of the allocation's own block that uses
 * it or a view of it, directly or inside its regions. What the function returns is not freed.
 *
 * A loop takes over the buffers that it starts with: its body yields them in another order, so which of them a result
 * is only the run tells. Its results are freed in their place, when they are of one block. */
#include "base/vec.h"
#include "passes/passes.h"

/* The op of |block| after which |value|, what is seen through it, and words that hold its address are not used;
 * |*escapes| when it leaves by the terminator. */
static hd_op *last_use(hd_block *block, hd_value *value, hd_op *last, bool *escapes) {
  hd_for_each_use(use, value) {
    hd_op *owner = use->owner, *at = hd_block_ancestor_op(block, owner);
    if (!at) continue;
    if (hd_op_has_trait(owner, HD_TRAIT(TERMINATOR))) *escapes = true;
    if (!last || hd_op_is_before(last, at)) last = at;
    bool address =
        hd_op_is(owner, HD_OP_memref_extract_aligned_pointer_as_index) || hd_op_is(owner, HD_OP_arith_index_cast);
    for (uint32_t r = 0; r < owner->result_count; ++r)
      if (address || hd_type_is(hd_result_type(owner, r), HD_TYPE_MEMREF))
        last = last_use(block, hd_result(owner, r), last, escapes);
    /* An address that is stored lives as long as the words that it is stored in. */
    if (hd_op_is(owner, HD_OP_memref_store) && use->index == 0)
      last = last_use(block, hd_operand(owner, 1), last, escapes);
  }
  return last;
}

typedef struct frees {
  hd_pass *pass;
  hd_vec(hd_value *) buffers;
  hd_vec(hd_op *) after;
} frees;

static bool is_taken_over(hd_op *alloc) {
  hd_for_each_use(use, hd_result(alloc, 0)) if (hd_op_is(use->owner, HD_OP_scf_while) &&
                                                use->owner->block == alloc->block) return true;
  return false;
}

static void free_after_last_use(frees *f, hd_op *op, hd_value *buffer) {
  hd_for_each_use(use, buffer) if (hd_op_is(use->owner, HD_OP_memref_dealloc)) return;
  bool escapes = false;
  hd_op *last = last_use(op->block, buffer, op, &escapes);
  if (escapes) return;
  hd_vec_push(&f->pass->arena, &f->buffers, buffer);
  hd_vec_push(&f->pass->arena, &f->after, last);
}

static bool visit(hd_op *op, void *user) {
  frees *f = user;
  if (hd_op_is(op, HD_OP_memref_alloc) && !is_taken_over(op)) free_after_last_use(f, op, hd_result(op, 0));
  if (hd_op_is(op, HD_OP_scf_while))
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_op *start = hd_value_op(hd_operand(op, i));
      if (hd_op_is(start, HD_OP_memref_alloc) && start->block == op->block)
        free_after_last_use(f, op, hd_result(op, i));
    }
  return true;
}

bool hd_pass_buffer_deallocation(hd_pass *pass, hd_op *func) {
  if (hd_op_attr_get(func, "hd.kernel")) return true;
  /* All last uses are found before the first op is inserted: insertion would make positions be counted again. */
  frees f = {.pass = pass};
  hd_walk_pre(func, visit, &f);
  for (size_t i = 0; i < f.buffers.len; ++i) {
    hd_builder b = hd_builder_after(f.after.data[i]);
    b.loc = hd_value_op(f.buffers.data[i])->loc;
    hd_build0(&b, HD_OP_memref_dealloc, f.buffers.data[i]);
  }
  pass->changed |= f.buffers.len > 0;
  return true;
}
