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
 * is only the run tells. Its results are freed in their place, when they are of one block. What the body takes and does
 * not yield is freed in it, what it yields instead it has allocated. A branch gives a buffer away when each of its arms
 * gives one that it has allocated. */
#include "analysis/buffer_deps.h"
#include "ir/ops/discardable.h"
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
  hd_for_each_use(use, buffer)
    if (hd_op_is(use->owner, HD_OP_scf_while) && use->owner->block == block) return true;
  return false;
}

static bool owns(hd_block *block, hd_value *value, unsigned depth);

/* Does the body of |loop| yield a buffer of its own as value |i|? */
static bool yields_owned(hd_op *loop, uint32_t i, unsigned depth) {
  hd_block *body = hd_op_region(loop, 1)->first;
  hd_value *next = hd_operand(body->last, i);
  if (!hd_value_op(next) && hd_value_block(next) == body) return true; /* one of its arguments */
  return owns(body, next, depth);
}

/* Is result |i| of |op| memory that its block frees: what a loop gives back that started with owned memory, or what
 * each arm of a branch has made? */
static bool owns_result(hd_op *op, uint32_t i, unsigned depth) {
  if (hd_op_is(op, HD_OP_scf_while)) return owns(op->block, hd_operand(op, i), depth) && yields_owned(op, i, depth);
  if (!hd_op_is(op, HD_OP_scf_if) && !hd_op_is(op, HD_OP_scf_index_switch)) return false;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *arm = hd_op_region(op, r)->first;
    if (!arm || i >= arm->last->operand_count || !owns(arm, hd_operand(arm->last, i), depth)) return false;
    for (uint32_t k = 0; k < arm->last->operand_count; ++k)
      if (k != i && hd_type_is(hd_operand_type(arm->last, k), HD_TYPE_MEMREF) &&
          hd_buffer_root(hd_operand(arm->last, k)) == hd_buffer_root(hd_operand(arm->last, i)))
        return false;
  }
  return true;
}

/* Is |value| memory that an op of |block| has allocated or been given? */
static bool owns(hd_block *block, hd_value *value, unsigned depth) {
  enum { MAX_DEPTH = 64 };
  if (!hd_type_is(value->type, HD_TYPE_MEMREF) || depth > MAX_DEPTH) return false;
  hd_value *root = hd_buffer_root(value);
  hd_op *op = hd_value_op(root);
  if (!op || op->block != block) return false;
  return hd_op_is(op, HD_OP_memref_alloc) || owns_result(op, root->index, depth + 1);
}

/* The op by which |buffer| is one of several values, of which only the run tells which; null when it is none. */
static hd_op *choice_of(hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    hd_op *op = use->owner, *parent = hd_op_parent(op);
    if (hd_op_is(op, HD_OP_arith_select)) return op;
    if (hd_op_is(op, HD_OP_scf_yield) && (hd_op_is(parent, HD_OP_scf_if) || hd_op_is(parent, HD_OP_scf_index_switch)) &&
        !owns_result(parent, use->index, 0))
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
  hd_for_each_use(use, buffer)
    if (hd_op_is(use->owner, HD_OP_memref_dealloc)) return true;
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

/* The arguments of the body of |loop| that it does not yield: the last use of each in the body, or its first op. */
static void free_in_body(frees *f, hd_op *loop) {
  hd_block *body = hd_op_region(loop, 1)->first;
  hd_op *condition = hd_block_terminator(hd_op_region(loop, 0)->first);
  for (uint32_t i = 0; i < body->arg_count; ++i) {
    bool escapes = false;
    hd_value *given = condition && i + 1 < condition->operand_count ? hd_operand(condition, i + 1) : NULL;
    if (!given || hd_value_op(given) || given->index >= loop->operand_count ||
        !owns(loop->block, hd_operand(loop, given->index), 0))
      continue;
    hd_op *last = hd_buffer_last_use(body, body->args[i], NULL, &escapes);
    if (escapes) continue;
    hd_vec_push(&f->pass->arena, &f->buffers, body->args[i]);
    hd_vec_push(&f->pass->arena, &f->after, last);
  }
}

static bool visit(hd_op *op, void *user) {
  frees *f = user;
  bool alloc = hd_op_is(op, HD_OP_memref_alloc), loop = hd_op_is(op, HD_OP_scf_while);
  bool gives = loop || hd_op_is(op, HD_OP_scf_if) || hd_op_is(op, HD_OP_scf_index_switch);
  for (uint32_t i = 0; (alloc || gives) && i < op->result_count; ++i)
    if (hd_type_is(hd_result_type(op, i), HD_TYPE_MEMREF) && (alloc || owns_result(op, i, 0)) &&
        !is_taken_over(hd_result(op, i)) && !free_after_last_use(f, op, hd_result(op, i)))
      return false;
  if (loop) free_in_body(f, op);
  return true;
}

bool hd_pass_buffer_deallocation(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  /* All last uses are found before the first op is inserted: insertion would make positions be counted again. */
  hd_region *body = hd_op_region(func, 0);
  frees f = {.pass = pass, .paths = body->first != body->last ? body : NULL};
  if (!hd_walk_pre(func, visit, &f)) return false;
  for (size_t i = 0; i < f.buffers.len; ++i) {
    hd_value *buffer = f.buffers.data[i];
    hd_builder b =
        f.after.data[i] ? hd_builder_after(f.after.data[i]) : hd_builder_at_start(pass->module, hd_value_block(buffer));
    b.loc = hd_value_loc(buffer);
    hd_build0(&b, HD_OP_memref_dealloc, buffer);
  }
  pass->changed |= f.buffers.len > 0;
  return !f.paths || hd_free_on_paths(pass, f.paths, f.on_paths.data, f.on_paths.len);
}
