/* SPDX-License-Identifier: Apache-2.0 */
/* disc-inject-execution-context: the entry gets everything from the runtime's context by RAL calls (runtime/abi.h).
 *
 *   func.func @main(%x: memref<?x8xf32>) -> memref<?xf32>     func.func @main() attributes {hd.host} {
 *     %t = memref.alloc(%n)                               ->    %x = hd.ral_call "ral_recv_input..."(0)
 *     ...                                                       %p = hd.ral_call "ral_alloc..."(bytes), %t = hd.memref
 * %p[%n] memref.dealloc %t                                         ... return %r hd.ral_call "ral_free..."(%t)
 *                                                               hd.ral_call "ral_send_output..."(0, %r)
 *
 * A buffer that is returned once is allocated as that output, so that it is written where the caller wants it. A loop
 * on the host alone asks in each step whether the run goes on, as launches do. */
#include <stdio.h>

#include "analysis/buffer_deps.h"
#include "passes/host/lower_alloc.h"
#include "passes/kernel/ral_call.h"
#include "passes/passes.h"
#include "runtime/abi.h"

_Static_assert((int)HD_COMPILED_MAX_RANK == HD_RAL_MAX_RANK, "one limit");

typedef struct injector {
  hd_pass *pass;
  hd_op *func, *ret;
  bool ok;
} injector;

static void receive_arguments(injector *in) {
  hd_block *entry = hd_op_region(in->func, 0)->first;
  hd_builder b = hd_builder_at_start(in->pass->module, entry);
  b.loc = in->func->loc;
  for (uint32_t i = 0; i < entry->arg_count && in->ok; ++i) {
    char code[40], api[128];
    in->ok = hd_memref_code(in->func, entry->args[i]->type, code, sizeof code);
    if (!in->ok) return;
    snprintf(api, sizeof api, "ral_recv_input___pvoid_i64___%s", code);
    hd_value *index = hd_build_int(&b, hd_i64(b.context), i);
    hd_value_replace_uses(entry->args[i], hd_build_ral_call(&b, api, entry->args[i]->type, &index, 1));
  }
  while (entry->arg_count) hd_block_erase_arg(entry, entry->arg_count - 1);
}

/* Does |op| look at cancellation and the deadline? Launches, copies and libraries do, memory does not. */
static bool asks(hd_op *op) {
  if (hd_op_is(op, HD_OP_hd_launch)) return true;
  if (!hd_op_is(op, HD_OP_hd_ral_call)) return false;
  hd_str api = hd_op_string_attr(op, "api");
  return !hd_str_starts(api, "ral_alloc") && !hd_str_starts(api, "ral_free") && !hd_str_starts(api, "ral_retain");
}

/* A step of |loop| may ask nothing. */
static bool may_spin(hd_op *loop) {
  for (uint32_t r = 0; r < loop->region_count; ++r) {
    hd_for_each_block(block, hd_op_region(loop, r)) { hd_for_each_op(op, block) if (asks(op)) return false; }
  }
  return true;
}

static bool visit(hd_op *op, void *user) {
  injector *in = user;
  if (hd_op_is(op, HD_OP_memref_dealloc)) {
    hd_op *alloc = hd_value_op(hd_operand(op, 0));
    if (alloc && hd_op_attr_get(alloc, "hd.host")) return true; /* host memory beside a device's: not the context's */
    hd_builder b = hd_builder_before(op);
    hd_build_ral_call(&b, "ral_free___pvoid_pvoid___void", NULL, (hd_value *[]){hd_operand(op, 0)}, 1);
    hd_op_erase(op);
  } else if (hd_op_is(op, HD_OP_scf_while)) {
    if (!may_spin(op)) return true;
    hd_builder body = hd_builder_at_start(in->pass->module, hd_op_region(op, 1)->first);
    body.loc = op->loc;
    hd_build_ral_call(&body, "ral_go_on___pvoid___void", NULL, NULL, 0);
  } else if (hd_op_is(op, HD_OP_memref_alloc) && !hd_op_attr_get(op, "hd.host")) {
    hd_lower_alloc(in->pass, op, hd_alloc_output_of(in->ret, hd_result(op, 0)), "ral_alloc___pvoid_i64___pvoid");
  }
  return true;
}

static void send_results(injector *in) {
  hd_builder b = hd_builder_before(in->ret);
  for (uint32_t i = 0; i < in->ret->operand_count && in->ok; ++i) {
    hd_value *value = hd_operand(in->ret, i);
    char code[40], api[128];
    in->ok = hd_memref_code(in->func, value->type, code, sizeof code);
    if (!in->ok) return;
    /* Sending takes a reference each time: one more for what is sent again, while there is one. */
    for (uint32_t k = i + 1; k < in->ret->operand_count; ++k)
      if (hd_operand(in->ret, k) == value) {
        hd_build_ral_call(&b, "ral_retain___pvoid_pvoid___void", NULL, &value, 1);
        break;
      }
    snprintf(api, sizeof api, "ral_send_output___pvoid_i64_%s___void", code);
    hd_build_ral_call(&b, api, NULL, (hd_value *[]){hd_build_int(&b, hd_i64(b.context), i), value}, 2);
  }
  hd_op_set_operands(in->ret, NULL, 0);
}

bool hd_pass_inject_execution_context(hd_pass *pass, hd_op *func) {
  if (hd_op_attr_get(func, "hd.kernel") || hd_op_attr_get(func, "hd.host")) return true;
  hd_block *entry = hd_op_region(func, 0)->first;
  injector in = {.pass = pass, .func = func, .ret = entry->last, .ok = true};
  hd_walk_post(func, visit, &in);
  receive_arguments(&in);
  if (in.ok) send_results(&in);
  if (!in.ok) return false;
  hd_op_attr_set(func, "function_type", hd_attr_type(hd_type_function(pass->context, NULL, 0, NULL, 0)));
  hd_op_attr_set(func, "arg_attrs", NULL);
  hd_op_attr_set(func, "res_attrs", NULL);
  hd_op_attr_set(func, "hd.host", hd_attr_unit(pass->context));
  pass->changed = true;
  return true;
}
