/* SPDX-License-Identifier: Apache-2.0 */
/* disc-unused-function-removal: functions that the entry does not reach go, and then the entry must be alone.
 *
 *   func.func @main() { ... }                    func.func @main() { ... }
 *   func.func private @helper() { ... }    ->
 *
 * What the entry reaches is what it, and what that reaches, names in any attribute; a gpu.module that it does not reach
 * goes too. A function that is left is an error at it, which says who names it and what inline had against it; so is an
 * entry that reaches itself. */
#include "base/vec.h"
#include "eval/eval.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/entry.h"
#include "passes/passes.h"

/* What the option `entry` names, else what the evaluator starts with; null, with an error, when it is a kernel or has
 * no body. */
hd_op *hd_require_entry(hd_pass *pass) {
  hd_op *entry = hd_eval_entry(pass->module, hd_option_string(pass, "entry"));
  bool is_function = !entry || hd_op_is(entry, HD_OP_func_func);
  if (!entry || (is_function && hd_op_region(entry, 0)->first)) return entry;
  hd_str name = hd_symbol_name(entry);
  hd_op_error(entry,
              is_function ? "'%.*s' is the entry and has no body"
                          : "'%.*s' is a kernel, expected a func.func as the entry; `heddle eval --grid` runs a kernel",
              (int)name.len, name.data);
  return NULL;
}

static bool is_removable(const hd_op *op) { return hd_op_is(op, HD_OP_func_func) || hd_op_is(op, HD_OP_gpu_module); }

typedef struct reached {
  hd_pass *pass;
  hd_map by;             /* function or module of kernels -> the op that names it */
  hd_vec(hd_op *) queue; /* those that were not looked into yet */
} reached;

static void reach(hd_op *from, hd_attr symbol, void *user) {
  reached *r = user;
  hd_op *target = hd_symbol_resolve(from, symbol);
  if (target && hd_op_is(hd_op_parent(target), HD_OP_gpu_module)) target = hd_op_parent(target);
  if (!is_removable(target) || hd_map_get(&r->by, target)) return;
  hd_map_set(&r->pass->arena, &r->by, target, from);
  hd_vec_push(&r->pass->arena, &r->queue, target);
}

static bool look_into(hd_op *op, void *user) {
  hd_op_each_symbol(op, reach, user);
  return true;
}

/* Does |func| reach itself? */
static bool is_recursive(hd_pass *pass, hd_op *func) {
  reached r = {.pass = pass};
  hd_walk_pre(func, look_into, &r);
  while (r.queue.len && !hd_map_get(&r.by, func)) hd_walk_pre(hd_vec_pop(&r.queue), look_into, &r);
  return hd_map_get(&r.by, func) != NULL;
}

/* The function that |op| is in, where that is another one than the entry. */
static hd_op *other_function(hd_op *op, hd_op *entry) {
  while (op && !hd_op_is(op, HD_OP_func_func)) op = hd_op_parent(op);
  return op == entry ? NULL : op;
}

static bool report(hd_pass *pass, hd_op *entry, hd_op *func, hd_op *by) {
  hd_region *body = hd_op_region(func, 0);
  hd_op *caller = other_function(by, entry);
  const char *reason = !body->first               ? "it has no body"
                       : is_recursive(pass, func) ? "it is recursive"
                       : body->first->next        ? "it has more than one block"
                       : caller
                           ? hd_arena_printf(&pass->arena, "'%s', which uses it, is left", hd_symbol_name(caller).data)
                       : hd_op_is(by, HD_OP_func_call) || hd_op_is(by, HD_OP_stablehlo_composite) ? "run inline first"
                       : hd_op_is(by, HD_OP_stablehlo_custom_call)
                           ? hd_arena_printf(&pass->arena, "custom call '%s' takes it, and has no compiled path",
                                             hd_stablehlo_custom_call_call_target_name(by).data)
                           : "it is used as a value";
  hd_str name = hd_symbol_name(func), main = hd_symbol_name(entry);
  hd_op_error(func, "'%.*s' is left beside the entry '%.*s': %s", (int)name.len, name.data, (int)main.len, main.data,
              reason);
  hd_note(pass->context, by->loc, "named here by '%s'", by->name->text);
  return false;
}

bool hd_pass_unused_function_removal(hd_pass *pass, hd_op *module) {
  (void)module;
  hd_op *entry = hd_require_entry(pass);
  if (!entry) return false;
  reached r = {.pass = pass};
  hd_map_set(&pass->arena, &r.by, entry, entry);
  hd_vec_push(&pass->arena, &r.queue, entry);
  while (r.queue.len) hd_walk_pre(hd_vec_pop(&r.queue), look_into, &r);
  bool ok = true;
  if (is_recursive(pass, entry)) {
    hd_str name = hd_symbol_name(entry);
    ok = hd_op_error(entry, "'%.*s' is the entry and is recursive", (int)name.len, name.data);
  }
  hd_for_each_op_safe(op, hd_module_body(pass->module)) {
    if (op == entry || !is_removable(op)) continue;
    hd_op *by = hd_map_get(&r.by, op);
    if (by && hd_op_is(op, HD_OP_gpu_module)) continue;
    if (by) {
      ok = report(pass, entry, op, by);
      continue;
    }
    hd_op_erase(op);
    pass->changed = true;
  }
  return ok;
}
