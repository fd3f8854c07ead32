/* SPDX-License-Identifier: Apache-2.0 */
/* Dominance. In a block it is order; between blocks of a CFG region, |a| dominates |b| when every path from the entry
 * to |b| passes |a|, found by a walk from the entry that avoids |a|. Values of enclosing regions dominate what is
 * inside. */
#include "base/vec.h"
#include "ir/op.h"

static bool reaches_without(hd_block *entry, hd_block *avoided, hd_block *target, hd_arena *scratch) {
  if (entry == avoided) return false;
  hd_map seen = {0};
  hd_vec(hd_block *) work = {0};
  hd_vec_push(scratch, &work, entry);
  hd_map_set(scratch, &seen, entry, entry);
  while (work.len) {
    hd_block *block = hd_vec_pop(&work);
    if (block == target) return true;
    hd_op *last = block->last;
    for (uint32_t i = 0; last && i < last->successor_count; ++i) {
      hd_block *next = last->successors[i];
      if (next == avoided || hd_map_get(&seen, next)) continue;
      hd_map_set(scratch, &seen, next, next);
      hd_vec_push(scratch, &work, next);
    }
  }
  return false;
}

bool hd_value_dominates(hd_value *value, hd_op *user, hd_arena *scratch) {
  hd_block *home = hd_value_block(value);
  if (!home || !home->region) return false;
  /* The op in the value's own region that holds the use. */
  hd_op *at = user;
  while (at && (!at->block || at->block->region != home->region)) at = hd_op_parent(at);
  if (!at) return false;
  hd_op *owner = home->region->op;
  if (owner && hd_op_has_trait(owner, HD_TRAIT(GRAPH_REGION))) return true;
  if (at->block == home)
    return value->is_block_arg || (hd_value_op(value) != at && hd_op_is_before(hd_value_op(value), at));
  return !reaches_without(home->region->first, home, at->block, scratch);
}
