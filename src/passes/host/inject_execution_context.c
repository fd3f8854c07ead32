/* SPDX-License-Identifier: Apache-2.0 */
/* disc-inject-execution-context: the entry gets everything from the runtime's context by RAL calls (runtime/abi.h).
 *
 *   func.func @main(%x: memref<?x8xf32>) -> memref<?xf32>     func.func @main() attributes {hd.host} {
 *     %t = memref.alloc(%n)                               ->    %x = hd.ral_call "ral_recv_input..."(0)
 *     ...                                                       %p = hd.ral_call "ral_alloc..."(bytes)
 *     memref.dealloc %t                                         %t = hd.memref %p[%n]
 *     return %r                                                 ...
 *                                                               hd.ral_call "ral_free..."(%t)
 *                                                               hd.ral_call "ral_send_output..."(0, %r)
 *
 * A buffer that is returned once is allocated as that output, so that it is written where the caller wants it. A loop
 * on the host alone asks in each step whether the run goes on, as launches do. A function that another one calls is no
 * entry: it keeps its arguments and results, and its memory comes from the context too. The context itself is silent
 * in hd.ral_call; disc-rewrite-ral-api makes it the first argument of all of them.
 *
 * Requires disc-buffer-deallocation before: what no op frees by now is freed by none. */
#include <stdio.h>

#include "analysis/buffer_deps.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "passes/host/lower_alloc.h"
#include "passes/lowering/ral_call.h"
#include "passes/passes.h"

typedef struct injector {
  hd_pass *pass;
  hd_op *func, *ret; /* the only return of an entry; null: there are several, or it is none */
  bool ok;
  hd_messages messages;
} injector;

/* The type in the name of a call that moves |value|. */
static bool code_of(injector *in, hd_value *value, const char *what, uint32_t i, char *out, size_t size) {
  if (hd_type_is(value->type, HD_TYPE_MEMREF)) return hd_memref_code(in->func, value->type, out, size);
  return hd_op_error(in->func, "disc-inject-execution-context: %s %u is no buffer: run disc-hlo-legalize-to-lhlo first",
                     what, i);
}

static void receive_arguments(injector *in) {
  hd_block *entry = hd_op_region(in->func, 0)->first;
  hd_builder b = hd_builder_at_start(in->pass->module, entry);
  b.loc = in->func->loc;
  for (uint32_t i = 0; i < entry->arg_count && in->ok; ++i) {
    char code[40], api[128];
    in->ok = code_of(in, entry->args[i], "argument", i, code, sizeof code);
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
  hd_str api = hd_hd_ral_call_api(op);
  return !hd_str_starts(api, "ral_alloc") && !hd_str_starts(api, "ral_free") && !hd_str_starts(api, "ral_retain");
}

/* A step of |loop| may ask nothing. */
static bool may_spin(hd_op *loop) {
  for (uint32_t r = 0; r < loop->region_count; ++r) {
    hd_for_each_block(block, hd_op_region(loop, r)) {
      hd_for_each_op(op, block)
        if (asks(op)) return false;
    }
  }
  return true;
}

static bool visit(hd_op *op, void *user) {
  injector *in = user;
  if (hd_op_is(op, HD_OP_memref_dealloc)) {
    hd_op *alloc = hd_value_op(hd_operand(op, 0));
    if (alloc && hd_discardable_host(alloc)) return true; /* host memory beside a device's: not the context's */
    hd_builder b = hd_builder_before(op);
    hd_build_ral_call(&b, "ral_free___pvoid_pvoid___void", NULL, (hd_value *[]){hd_operand(op, 0)}, 1);
    hd_op_erase(op);
  } else if (hd_op_is(op, HD_OP_scf_while)) {
    if (!may_spin(op)) return true;
    hd_builder body = hd_builder_at_start(in->pass->module, hd_op_region(op, 1)->first);
    body.loc = op->loc;
    hd_build_ral_call(&body, "ral_go_on___pvoid___void", NULL, NULL, 0);
  } else if (hd_op_is(op, HD_OP_memref_alloc) && !hd_discardable_host(op)) {
    int64_t output = in->ret ? hd_alloc_output_of(in->ret, hd_result(op, 0)) : -1;
    hd_lower_alloc(&in->messages, op, output, "ral_alloc___pvoid_i64_i64___pvoid");
  }
  return true;
}

static void send_results(injector *in, hd_op *ret) {
  hd_builder b = hd_builder_before(ret);
  for (uint32_t i = 0; i < ret->operand_count && in->ok; ++i) {
    hd_value *value = hd_operand(ret, i);
    char code[40], api[128];
    in->ok = code_of(in, value, "result", i, code, sizeof code);
    if (!in->ok) return;
    /* Sending takes a reference each time: one more for what is sent again, while there is one. */
    for (uint32_t k = i + 1; k < ret->operand_count; ++k)
      if (hd_operand(ret, k) == value) {
        hd_build_ral_call(&b, "ral_retain___pvoid_pvoid___void", NULL, &value, 1);
        break;
      }
    snprintf(api, sizeof api, "ral_send_output___pvoid_i64_%s___void", code);
    hd_build_ral_call(&b, api, NULL, (hd_value *[]){hd_build_int(&b, hd_i64(b.context), i), value}, 2);
  }
  hd_op_set_operands(ret, NULL, 0);
}

typedef struct search {
  hd_op *func;
  bool found;
} search;

static bool finds_call(hd_op *op, void *user) {
  search *s = user;
  s->found |= hd_op_is(op, HD_OP_func_call) && hd_symbol_resolve(op, hd_call_like_callee(op)) == s->func;
  return !s->found;
}

/* The jumps that lead back ask whether the run goes on: every loop of blocks has one. */
static void ask_on_the_way_back(hd_op *func) {
  uint32_t number = 0;
  hd_for_each_block(block, hd_op_region(func, 0)) block->id = number++;
  hd_for_each_block(block, hd_op_region(func, 0)) {
    bool back = false;
    for (uint32_t i = 0; i < block->last->successor_count; ++i) back |= block->last->successors[i]->id <= block->id;
    hd_builder b = hd_builder_before(block->last);
    if (back) hd_build_ral_call(&b, "ral_go_on___pvoid___void", NULL, NULL, 0);
  }
}

bool hd_pass_inject_execution_context(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func) || hd_discardable_host(func)) return true;
  hd_region *body = hd_op_region(func, 0);
  search s = {.func = func};
  hd_walk_pre(pass->module->op, finds_call, &s);
  hd_vec(hd_op *) returns = {0};
  hd_for_each_block(block, body)
    if (hd_op_is(block->last, HD_OP_func_return)) hd_vec_push(&pass->arena, &returns, block->last);
  injector in = {.pass = pass, .func = func, .ret = !s.found && returns.len == 1 ? returns.data[0] : NULL, .ok = true};
  hd_messages_begin(&in.messages, pass, func);
  hd_walk_post(func, visit, &in);
  hd_messages_end(&in.messages);
  if (body->first != body->last) ask_on_the_way_back(func);
  pass->changed = true;
  hd_discardable_set_host(func, true);
  if (s.found) return true;
  receive_arguments(&in);
  for (size_t i = 0; i < returns.len && in.ok; ++i) send_results(&in, returns.data[i]);
  if (!in.ok) return false;
  hd_function_like_set_function_type(func, hd_attr_type(hd_type_function(pass->context, NULL, 0, NULL, 0)));
  hd_function_like_set_arg_attrs(func, NULL);
  hd_function_like_set_res_attrs(func, NULL);
  return true;
}
