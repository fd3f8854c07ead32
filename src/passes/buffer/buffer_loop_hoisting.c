/* SPDX-License-Identifier: Apache-2.0 */
/* buffer-loop-hoisting: allocations move out of loops, so that a step allocates nothing.
 *
 *   scf.while ... do {                 %t = memref.alloc(%n)
 *     %t = memref.alloc(%n)      ->    scf.while ... do {
 *     ...                                ...
 *
 * A buffer whose size the loop does not change moves to before the loop, out of as many loops as that holds for. Every
 * step writes it before it reads it, and none outlives its step: what does is a carried buffer of the loop. Buffers of
 * one size that are not needed at the same time become one, so that a long body does not hold all of its buffers at
 * once. What the step frees itself is freed after the loop instead. */
#include "analysis/buffer_deps.h"
#include "analysis/hoist.h"
#include "ir/ops/discardable.h"
#include "passes/passes.h"

static bool same_size(const hd_op *a, const hd_op *b) {
  if (hd_result_type(a, 0) != hd_result_type(b, 0) || a->operand_count != b->operand_count) return false;
  for (uint32_t i = 0; i < a->operand_count; ++i)
    if (hd_operand(a, i) != hd_operand(b, i)) return false;
  return true;
}

typedef struct hoisted {
  hd_op *alloc, *last; /* in the loop's block */
  bool freed;          /* by the step */
} hoisted;

/* Is |alloc| freed where not every step comes by? */
static bool is_freed_at_times(hd_op *alloc) {
  hd_for_each_use(use, hd_result(alloc, 0))
    if (hd_op_is(use->owner, HD_OP_memref_dealloc) && use->owner->block != alloc->block) return true;
  return false;
}

/* Removes what frees |alloc|; true when something did. */
static bool forget_frees(hd_op *alloc) {
  bool any = false;
  for (hd_use *use = hd_result(alloc, 0)->first_use, *next; use; use = next) {
    next = use->next;
    if (!hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    hd_op_erase(use->owner);
    any = true;
  }
  return any;
}

/* The allocations of one block of |loop|, in order. */
static void hoist_block(hd_pass *pass, hd_op *loop, hd_block *block) {
  hd_vec(hoisted) moved = {0};
  hd_for_each_op_safe(op, block) {
    if (!hd_op_is(op, HD_OP_memref_alloc)) continue;
    bool can = true, escapes = false;
    for (uint32_t i = 0; i < op->operand_count; ++i) can &= hd_can_hoist(hd_operand(op, i), loop);
    if (!can) continue;
    hd_op *last = hd_buffer_last_use(block, hd_result(op, 0), op, &escapes), *free = NULL;
    if (escapes || is_freed_at_times(op)) continue;
    bool freed = forget_frees(op);
    if (freed) last = hd_buffer_last_use(block, hd_result(op, 0), op, &escapes);
    for (size_t m = 0; m < moved.len && !free; ++m) {
      if (!same_size(moved.data[m].alloc, op) || !hd_op_is_before(moved.data[m].last, op)) continue;
      free = moved.data[m].alloc;
      moved.data[m].last = last;
      moved.data[m].freed |= freed;
    }
    pass->changed = true;
    if (free) {
      hd_value_replace_uses(hd_result(op, 0), hd_result(free, 0));
      hd_op_erase(op);
    } else {
      hd_vec_push(&pass->arena, &moved, ((hoisted){op, last, freed}));
    }
  }
  hd_builder after = hd_builder_after(loop);
  for (size_t m = 0; m < moved.len; ++m) {
    hd_hoist(hd_result(moved.data[m].alloc, 0), loop);
    after.loc = moved.data[m].alloc->loc;
    if (moved.data[m].freed) hd_build0(&after, HD_OP_memref_dealloc, hd_result(moved.data[m].alloc, 0));
  }
}

static bool hoist(hd_op *op, void *user) {
  if (!hd_op_is(op, HD_OP_scf_while) && !hd_op_is(op, HD_OP_scf_for)) return true;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) hoist_block(user, op, block);
  return true;
}

bool hd_pass_buffer_loop_hoisting(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  hd_walk_post(func, hoist, pass); /* inner loops first: what leaves them may leave the next one */
  return true;
}
