/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over an op and all ops inside it. */
#include "base/vec.h"
#include "ir/op.h"

bool hd_walk_pre(hd_op *op, hd_visit visit, void *user) {
  if (!visit(op, user)) return false;
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_for_each_block(block, &op->regions[i])
      hd_for_each_op_safe(inner, block)
        if (!hd_walk_pre(inner, visit, user)) return false;
  return true;
}

bool hd_walk_post(hd_op *op, hd_visit visit, void *user) {
  for (uint32_t i = 0; i < op->region_count; ++i)
    hd_for_each_block(block, &op->regions[i])
      hd_for_each_op_safe(inner, block)
        if (!hd_walk_post(inner, visit, user)) return false;
  return visit(op, user);
}

typedef struct op_search {
  bool (*wanted)(const hd_op *op);
  hd_arena *arena;
  hd_vec(hd_op *) found;
} op_search;

static bool search(hd_op *op, void *user) {
  op_search *s = user;
  if (!s->wanted || s->wanted(op)) hd_vec_push(s->arena, &s->found, op);
  return true;
}

static hd_op_list gather(hd_op *root, bool (*walk)(hd_op *, hd_visit, void *), bool (*wanted)(const hd_op *op),
                         hd_arena *arena) {
  op_search s = {.wanted = wanted, .arena = arena};
  walk(root, search, &s);
  return (hd_op_list){s.found.data, s.found.len};
}

hd_op_list hd_ops_where(hd_op *root, bool (*wanted)(const hd_op *op), hd_arena *arena) {
  return gather(root, hd_walk_pre, wanted, arena);
}

hd_op_list hd_ops_inner_first(hd_op *root, bool (*wanted)(const hd_op *op), hd_arena *arena) {
  return gather(root, hd_walk_post, wanted, arena);
}
