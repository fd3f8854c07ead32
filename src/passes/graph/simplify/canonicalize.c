/* SPDX-License-Identifier: Apache-2.0 */
/* canonicalize: ops fold to constants or to values that exist, dead ops go, until nothing changes.
 *
 *   %1 = stablehlo.add %c2, %c3        ->   %1 = stablehlo.constant dense<5>
 *   %2 = stablehlo.transpose %x, [0, 1] ->  %x
 *
 * What an op folds to is its row's fold hook, and the evaluator for constant operands (ir/fold.h). Each round walks the
 * program once; a round follows only one that changed something. */
#include "eval/fold.h"
#include "passes/passes.h"

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (op == pass->module->op) return true;
  if (hd_op_is_trivially_dead(op)) {
    hd_op_erase(op);
    pass->changed = true;
  } else if (!hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) && op->result_count &&
             hd_op_fold_replace(op, &pass->arena)) {
    pass->changed = true;
  }
  return true;
}

bool hd_pass_canonicalize(hd_pass *pass, hd_op *module) {
  bool any = false;
  int64_t rounds = hd_option_int(pass, "max-iterations");
  for (int64_t i = 0; i < rounds; ++i) {
    pass->changed = false;
    hd_walk_post(module, visit, pass);
    any |= pass->changed;
    if (!pass->changed) break;
  }
  pass->changed = any;
  return true;
}
