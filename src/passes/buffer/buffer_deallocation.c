/* SPDX-License-Identifier: Apache-2.0 */
/* disc-buffer-deallocation: every allocation is freed after its last use.
 *
 *   %t = memref.alloc(...)            %t = memref.alloc(...)
 *   hd.launch @k args(%x, %t)    ->   hd.launch @k args(%x, %t)
 *   hd.launch @l args(%t, %y)         hd.launch @l args(%t, %y)
 *                                     memref.dealloc %t
 *
 * In regions of one block the last use is the last op of the allocation's own block that uses it or a view of it,
 * directly or inside its regions. In a function of several blocks it is freed on every path (free_on_paths.c). What the
 * function returns is not freed.
 *
 * A loop takes over the buffers that it starts with: its body yields them in another order, so which of them a result
 * is only the run tells. Its results are freed in their place, when they are of one block. */
#include "analysis/buffer_deps.h"
#include "passes/buffer/free_on_paths.h"
#include "passes/passes.h"

typedef struct frees {
  hd_pass *pass;
  hd_region *paths; /* of several blocks; null: there is none */
  hd_vec(hd_value *) on_paths;
  hd_vec(hd_value *) buffers;
  hd_vec(hd_op *) after;
} frees;

static bool is_taken_over(hd_value *buffer) {
  hd_block *block = hd_value_block(buffer);
  hd_for_each_use(use, buffer) if (hd_op_is(use->owner, HD_OP_scf_while) && use->owner->block == block) return true;
  return false;
}

/* Does |loop| give back what was allocated in its own block, by itself or by a loop before it? */
static bool owns_result(hd_op *loop, uint32_t i) {
  for (hd_op *start = loop;; loop = start) {
    start = hd_value_op(hd_operand(loop, i));
    if (!start || start->block != loop->block) return false;
    if (hd_op_is(start, HD_OP_memref_alloc)) return true;
    if (!hd_op_is(start, HD_OP_scf_while)) return false;
    i = hd_operand(loop, i)->index;
  }
}

/* The op by which |buffer| is one of several values, of which only the run tells which; null when it is none. */
static hd_op *choice_of(hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    hd_op *op = use->owner, *parent = hd_op_parent(op);
    if (hd_op_is(op, HD_OP_arith_select)) return op;
    if (hd_op_is(op, HD_OP_scf_yield) && (hd_op_is(parent, HD_OP_scf_if) || hd_op_is(parent, HD_OP_scf_index_switch)))
      return parent;
    for (uint32_t r = 0; r < op->result_count; ++r)
      if (hd_type_is(hd_result_type(op, r), HD_TYPE_MEMREF) && !hd_op_is(op, HD_OP_scf_while)) {
        hd_op *choice = choice_of(hd_result(op, r));
        if (choice) return choice;
      }
  }
  return NULL;
}

static bool free_after_last_use(frees *f, hd_op *op, hd_value *buffer) {
  hd_for_each_use(use, buffer) if (hd_op_is(use->owner, HD_OP_memref_dealloc)) return true;
  if (f->paths && op->block->region == f->paths) {
    hd_vec_push(&f->pass->arena, &f->on_paths, buffer);
    return true;
  }
  bool escapes = false;
  hd_op *last = hd_buffer_last_use(op->block, buffer, op, &escapes);
  hd_op *choice = escapes ? choice_of(buffer) : NULL;
  if (choice)
    return hd_op_error(choice,
                       "disc-buffer-deallocation: gives a buffer that is to be freed when it gives another one: "
                       "expected a copy");
  if (escapes) return true;
  hd_vec_push(&f->pass->arena, &f->buffers, buffer);
  hd_vec_push(&f->pass->arena, &f->after, last);
  return true;
}

static bool visit(hd_op *op, void *user) {
  frees *f = user;
  bool alloc = hd_op_is(op, HD_OP_memref_alloc), loop = hd_op_is(op, HD_OP_scf_while);
  for (uint32_t i = 0; (alloc || loop) && i < op->result_count; ++i)
    if ((alloc || owns_result(op, i)) && !is_taken_over(hd_result(op, i)) &&
        !free_after_last_use(f, op, hd_result(op, i)))
      return false;
  return true;
}

bool hd_pass_buffer_deallocation(hd_pass *pass, hd_op *func) {
  if (hd_op_attr_get(func, "hd.kernel")) return true;
  /* All last uses are found before the first op is inserted: insertion would make positions be counted again. */
  hd_region *body = hd_op_region(func, 0);
  frees f = {.pass = pass, .paths = body->first != body->last ? body : NULL};
  if (!hd_walk_pre(func, visit, &f)) return false;
  for (size_t i = 0; i < f.buffers.len; ++i) {
    hd_builder b = hd_builder_after(f.after.data[i]);
    b.loc = hd_value_op(f.buffers.data[i])->loc;
    hd_build0(&b, HD_OP_memref_dealloc, f.buffers.data[i]);
  }
  pass->changed |= f.buffers.len > 0;
  return !f.paths || hd_free_on_paths(pass, f.paths, f.on_paths.data, f.on_paths.len);
}
