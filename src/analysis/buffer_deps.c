/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/buffer_deps.h"

#include "analysis/buffer_op.h"
#include "ir/ops/hd.h"

hd_value *hd_buffer_root(hd_value *buffer) {
  for (hd_op *op; (op = hd_value_op(buffer)) && hd_op_has_trait(op, HD_TRAIT(VIEW_LIKE));) buffer = hd_operand(op, 0);
  return buffer;
}

typedef struct walk {
  hd_op *top;
  hd_arena *arena;
  hd_accesses *out;
} walk;

static void add(walk *w, hd_value *value, bool writes, bool frees) {
  if (!hd_type_is(value->type, HD_TYPE_MEMREF)) return;
  value = hd_buffer_root(value);
  hd_op *parent = hd_block_parent_op(hd_value_block(value));
  if (parent && hd_op_is_ancestor(w->top, parent)) return;
  hd_vec_push(w->arena, w->out, ((hd_access){value, writes, frees}));
}

static bool visit(hd_op *op, void *user) {
  walk *w = user;
  bool reads = hd_op_has_trait(op, HD_TRAIT(READS)), writes = hd_op_has_trait(op, HD_TRAIT(WRITES));
  if (op->info->derived_from) {
    uint32_t first = hd_op_is(op, HD_OP_lmhlo_fusion) ? op->operand_count : hd_buffer_input_count(op);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      if (i < first) add(w, hd_operand(op, i), false, false);
      if (i >= first) add(w, hd_operand(op, i), true, false);
    }
    return true;
  }
  if (hd_op_is(op, HD_OP_memref_dim)) return true; /* a size is no content */
  bool frees = hd_op_has_trait(op, HD_TRAIT(FREES));
  if (hd_op_is(op, HD_OP_hd_ral_call) && hd_str_starts(hd_hd_ral_call_api(op), "ral_print___")) writes = false;
  bool carries = hd_op_is(op, HD_OP_scf_while); /* its regions write them as their arguments */
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (carries) add(w, hd_operand(op, i), true, false);
    if (reads || !writes) add(w, hd_operand(op, i), false, false);
    if (writes || frees) add(w, hd_operand(op, i), true, frees);
  }
  return true;
}

void hd_buffer_accesses(hd_op *op, hd_arena *arena, hd_accesses *out) {
  walk w = {op, arena, out};
  hd_walk_pre(op, visit, &w);
}

hd_op *hd_buffer_last_use(hd_block *block, hd_value *value, hd_op *last, bool *escapes) {
  hd_for_each_use(use, value) {
    hd_op *owner = use->owner, *at = hd_block_ancestor_op(block, owner);
    if (!at) continue;
    if (hd_op_has_trait(owner, HD_TRAIT(TERMINATOR))) *escapes = true;
    if (!last || hd_op_is_before(last, at)) last = at;
    bool address =
        hd_op_is(owner, HD_OP_memref_extract_aligned_pointer_as_index) || hd_op_is(owner, HD_OP_arith_index_cast);
    for (uint32_t r = 0; r < owner->result_count; ++r)
      if (address || hd_type_is(hd_result_type(owner, r), HD_TYPE_MEMREF))
        last = hd_buffer_last_use(block, hd_result(owner, r), last, escapes);
    /* An address that is stored lives as long as the words that it is stored in. */
    if (hd_op_is(owner, HD_OP_memref_store) && use->index == 0)
      last = hd_buffer_last_use(block, hd_operand(owner, 1), last, escapes);
  }
  return last;
}
