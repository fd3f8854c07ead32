/* SPDX-License-Identifier: Apache-2.0 */
/* symbol-dce: private symbols that nothing refers to are removed, and what only they referred to. */
#include "base/vec.h"
#include "passes/passes.h"

typedef struct uses {
  hd_arena *arena;
  hd_map live;           /* symbol ops that are kept */
  hd_vec(hd_op *) queue; /* kept, not looked into yet */
} uses;

static void keep(uses *u, hd_op *op) {
  if (!op || hd_map_get(&u->live, op)) return;
  hd_map_set(u->arena, &u->live, op, op);
  hd_vec_push(u->arena, &u->queue, op);
}

static void look_into(hd_op *from, hd_attr symbol, void *user) { keep(user, hd_symbol_resolve(from, symbol)); }

static bool visit(hd_op *op, void *user) {
  hd_op_each_symbol(op, look_into, user);
  return true;
}

bool hd_pass_symbol_dce(hd_pass *pass, hd_op *module) {
  uses u = {.arena = &pass->arena};
  hd_block *body = hd_module_body(pass->module);
  hd_for_each_op(op, body)
    if (!hd_op_has_trait(op, HD_TRAIT(SYMBOL)) || !hd_symbol_is_private(op)) keep(&u, op);
  while (u.queue.len) hd_walk_pre(hd_vec_pop(&u.queue), visit, &u);
  hd_for_each_op_safe(op, body) {
    if (hd_map_get(&u.live, op)) continue;
    hd_op_erase(op);
    pass->changed = true;
  }
  (void)module;
  return true;
}
