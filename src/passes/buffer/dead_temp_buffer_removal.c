/* SPDX-License-Identifier: Apache-2.0 */
/* dead-temp-buffer-removal: temporary buffers that are written but whose values nobody uses go, with what writes them.
 *
 *   %t = memref.alloc() : memref<4xf32>              ->      (nothing)
 *   "lmhlo.negate"(%x, %t)
 *   %y = memref.load %t[%i]    %z = arith.addf %y, %w
 *   memref.store %z, %t[%i]
 *
 * An op is needed when it does something that the outside sees, or when a needed op uses its result or reads a buffer
 * that it writes. What only a buffer's own next value reads is therefore nobody's. What writes one needed buffer and
 * others keeps all of them. Loops that end, branches, fusions and launches are needed for what they hold. */
#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "base/vec.h"
#include "passes/passes.h"

typedef hd_vec(hd_op *) op_list;

typedef struct remover {
  hd_pass *pass;
  hd_op *func;
  hd_map writers; /* allocation -> op_list of what may write it */
  hd_map needed;  /* op -> itself */
  hd_map read;    /* allocation -> itself */
  op_list work, all;
} remover;

/* The allocation in this function that |value| shows; null: it comes from elsewhere. */
static hd_op *allocation_of(hd_value *value) {
  if (!hd_type_is(value->type, HD_TYPE_MEMREF)) return NULL;
  hd_op *op = hd_value_op(hd_buffer_root(value));
  return hd_op_is(op, HD_OP_memref_alloc) || hd_op_is(op, HD_OP_memref_alloca) ? op : NULL;
}

typedef enum use_kind { READS, WRITES, FREES } use_kind;

/* Ops that write their second operand and nothing else. The old value of an atomic one is read only if it is used, and
 * then the op is needed for its result. */
static bool is_store(const hd_op *op) { return hd_op_has_trait(op, HD_TRAIT(STORES)); }

/* What |op| does with operand |i|, a buffer. What is not known here may do anything, and counts as needed by itself. */
static use_kind use_of(const hd_op *op, uint32_t i) {
  if (hd_op_is(op, HD_OP_memref_dealloc)) return FREES;
  if (is_store(op)) return i == 1 ? WRITES : READS;
  return op->info->derived_from && i >= hd_buffer_input_count(op) ? WRITES : READS;
}

static bool holds_others(const hd_op *op) {
  return hd_op_is(op, HD_OP_lmhlo_fusion) ||
         (hd_op_has_trait(op, HD_TRAIT(RECURSIVE_EFFECTS)) && !hd_op_has_trait(op, HD_TRAIT(WHILE)));
}

static bool is_harmless(hd_op *op, void *user) {
  return op == user || hd_op_has_any_trait(op, HD_TRAIT(PURE) | HD_TRAIT(TERMINATOR) | HD_TRAIT(RECURSIVE_EFFECTS));
}

/* Does a buffer op do nothing but write its outputs? */
static bool only_writes(hd_op *op) {
  uint64_t graph = hd_op_info_of(op->info->derived_from)->traits;
  if (!(graph & (HD_TRAIT(PURE) | HD_TRAIT(RECURSIVE_EFFECTS))) || (graph & HD_TRAIT(SIDE_EFFECT))) return false;
  return hd_walk_pre(op, is_harmless, op);
}

/* Does the outside see what |op| does? */
static bool is_seen(remover *r, hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return hd_op_parent(op) == r->func;
  if (holds_others(op)) return false;
  if (op->info->derived_from) {
    if (!only_writes(op)) return true;
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (use_of(op, i) == WRITES && hd_type_is(hd_operand_type(op, i), HD_TYPE_MEMREF) &&
          !allocation_of(hd_operand(op, i)))
        return true;
    return false;
  }
  if (hd_op_is(op, HD_OP_memref_alloc) || hd_op_is(op, HD_OP_memref_alloca)) return false;
  if (hd_op_is(op, HD_OP_memref_dealloc)) return !allocation_of(hd_operand(op, 0));
  if (is_store(op)) return !allocation_of(hd_operand(op, 1));
  return !hd_op_is_pure(op) && !(hd_op_has_trait(op, HD_TRAIT(READS)) && !op->region_count &&
                                 !hd_op_has_any_trait(op, HD_TRAIT(WRITES) | HD_TRAIT(FREES) | HD_TRAIT(SIDE_EFFECT)));
}

static void need(remover *r, hd_op *op) {
  if (!op || op == r->func || hd_map_get(&r->needed, op)) return;
  hd_map_set(&r->pass->arena, &r->needed, op, op);
  hd_vec_push(&r->pass->arena, &r->work, op);
}

static void need_contents(remover *r, hd_op *alloc) {
  if (hd_map_get(&r->read, alloc)) return;
  hd_map_set(&r->pass->arena, &r->read, alloc, alloc);
  op_list *writers = hd_map_get(&r->writers, alloc);
  for (size_t i = 0; writers && i < writers->len; ++i) need(r, writers->data[i]);
}

static bool need_all(hd_op *op, void *user) {
  need(user, op);
  return true;
}

/* What |op| needs to do what it does. */
static void spread(remover *r, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    need(r, hd_value_op(hd_operand(op, i)));
    hd_op *alloc = allocation_of(hd_operand(op, i));
    if (alloc && (use_of(op, i) == READS && !hd_op_is(op, HD_OP_memref_dim))) need_contents(r, alloc);
    if (alloc && hd_op_is(op, HD_OP_memref_atomic_rmw) && hd_value_has_uses(hd_result(op, 0))) need_contents(r, alloc);
  }
  need(r, hd_op_parent(op));
  if (!holds_others(op)) { /* it is as a whole what it is */
    hd_walk_pre(op, need_all, r);
    return;
  }
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_for_each_block(block, hd_op_region(op, i)) need(r, block->last);
}

static bool look(hd_op *op, void *user) {
  remover *r = user;
  if (op == r->func) return true;
  hd_arena *arena = &r->pass->arena;
  hd_vec_push(arena, &r->all, op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_op *alloc = allocation_of(hd_operand(op, i));
    if (!alloc || use_of(op, i) != WRITES) continue;
    hd_map_entry *entry = hd_map_insert(arena, &r->writers, alloc, NULL);
    op_list *list = entry->value.ptr;
    if (!list) entry->value.ptr = list = hd_new(arena, op_list);
    hd_vec_push(arena, list, op);
  }
  if (is_seen(r, op)) need(r, op);
  return true;
}

static bool is_kept(remover *r, hd_op *op) {
  if (hd_op_is(op, HD_OP_memref_dealloc)) {
    hd_op *alloc = allocation_of(hd_operand(op, 0));
    return !alloc || hd_map_get(&r->needed, alloc);
  }
  return hd_map_get(&r->needed, op) != NULL;
}

static bool let_go(hd_op *op, void *user) {
  (void)user;
  hd_op_set_operands(op, NULL, 0);
  return true;
}

bool hd_pass_dead_temp_buffer_removal(hd_pass *pass, hd_op *func) {
  remover r = {.pass = pass, .func = func};
  hd_walk_pre(func, look, &r);
  while (r.work.len) spread(&r, hd_vec_pop(&r.work));
  op_list gone = {0}; /* what is in an op that goes, goes with it */
  for (size_t i = 0; i < r.all.len; ++i) {
    hd_op *op = r.all.data[i], *parent = hd_op_parent(op);
    if (!is_kept(&r, op) && (parent == func || is_kept(&r, parent))) hd_vec_push(&pass->arena, &gone, op);
  }
  for (size_t i = 0; i < gone.len; ++i) hd_walk_pre(gone.data[i], let_go, NULL);
  for (size_t i = 0; i < gone.len; ++i) hd_op_erase(gone.data[i]);
  pass->changed |= gone.len > 0;
  return true;
}
