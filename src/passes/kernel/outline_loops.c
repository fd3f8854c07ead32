/* SPDX-License-Identifier: Apache-2.0 */
/* outline-loops: a loop of the host whose steps have no work for several threads becomes one kernel.
 *
 *   %r:2 = scf.while (%x = %a, %t = %s) {     ->   %again = memref.alloc() : memref<i1>
 *     ...                                          scf.while : () -> () {
 *   } do {                                           hd.launch @while_0 extent(1) grain(1) args(%again, %a, ...)
 *     hd.launch @k extent(1) grain(2048) ...         %more = memref.load %again[]
 *     scf.yield %t, %x                               scf.condition(%more)
 *   }                                              } do { scf.yield }
 *
 * A launch costs more than what small kernels do, and what they hand on goes through memory. In one kernel a step is a
 * few instructions on registers (outline_body.c). The kernel returns every so many steps, since only the host looks for
 * cancellation and deadlines.
 *
 * Where extents are known only at run time, or sizes are checked in a step, the kernel runs when all are small and
 * hold, in front of the loop as it was: what it leaves in the loop's buffers is where that loop ends at once.
 *
 *   scf.if %may { ... the kernel }
 *   %r:2 = scf.while (%x = %a, %t = %s) ...
 *
 * Requires buffers that have left the loop where they can (buffer-loop-hoisting) and are not freed in it yet. Library
 * calls, buffers whose size changes, and loops in loops in loops stay with the host. Kernels that nobody launches any
 * more go. */
#include "analysis/hoist.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/kernel/outline.h"
#include "passes/passes.h"
#include "runtime/abi.h"

static hd_value *also(hd_builder *b, hd_value *all, hd_value *one) {
  return all ? hd_build_binary(b, HD_OP_arith_andi, all, one) : one;
}

/* Does the check |kind| of sizes |x| and |y| hold? Of products (HD_CHECK_PRODUCT) true for small sizes alone. */
static hd_value *check_holds(hd_builder *b, int64_t kind, hd_value *x, hd_value *y) {
  if (kind == HD_CHECK_EQUAL) return hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, x, y);
  if (kind == HD_CHECK_AT_MOST) return hd_arith_cmpi(b, HD_ARITH_CMPI_SLE, x, y);
  hd_value *all = NULL;
  for (int side = 0; side < 2; ++side) {
    const int64_t most = INT64_C(1) << HD_ADDRESS_BITS / 2; /* either way */
    hd_value *size = side ? y : x,
             *above = hd_build_binary(b, HD_OP_arith_addi, size, hd_build_int(b, size->type, most));
    all = also(b, all, hd_arith_cmpi(b, HD_ARITH_CMPI_ULE, above, hd_build_int(b, size->type, 2 * most)));
  }
  return all;
}

/* Does every check hold, and is every launch whose extent only the run tells too small for several threads? Null when
 * there are none. */
static hd_value *kernel_may_run(hd_outline *o, hd_builder *b) {
  hd_value *all = NULL;
  for (size_t i = 0; i < o->checks.len; ++i) {
    hd_value *x = hd_operand(o->checks.data[i], 1), *y = hd_operand(o->checks.data[i], 2);
    int64_t kind = HD_CHECK_EQUAL;
    hd_value_constant_int(hd_operand(o->checks.data[i], 0), &kind);
    hd_hoist(x, o->loop);
    hd_hoist(y, o->loop);
    all = also(b, all, check_holds(b, kind, x, y));
  }
  hd_map seen = {0};
  for (size_t i = 0; i < o->launches.len; ++i) {
    hd_value *extent = hd_operand(o->launches.data[i], 0), *grain = hd_operand(o->launches.data[i], 1);
    hd_value *key[2] = {extent, grain};
    bool is_new;
    hd_map_insert_bytes(&o->pass->arena, &seen, key, sizeof key, &is_new);
    if (!is_new) continue;
    hd_hoist(extent, o->loop);
    hd_hoist(grain, o->loop);
    hd_value *most = hd_build_binary(b, HD_OP_arith_addi, grain, grain);
    all = also(b, all, hd_arith_cmpi(b, HD_ARITH_CMPI_SLE, extent, most));
  }
  return all;
}

/* The launch of |o->kernel|, again until the loop is at its end. */
static void launch_until_done(hd_outline *o, hd_builder *b, hd_value *again) {
  hd_arena *arena = &o->pass->arena;
  hd_op *loop = hd_build_op(b, HD_OP_scf_while, NULL, 0, NULL, 0, NULL, 0, 2);
  hd_block *test = hd_block_create(b->module), *next = hd_block_create(b->module);
  hd_region_append(hd_op_region(loop, 0), test);
  hd_region_append(hd_op_region(loop, 1), next);
  hd_builder in = hd_builder_at_end(b->module, test), empty = hd_builder_at_end(b->module, next);
  in.loc = empty.loc = b->loc;
  hd_value **words = hd_new_array(arena, hd_value *, o->operands.len + 2);
  words[0] = words[1] = hd_build_index(&in, 1);
  for (size_t i = 0; i < o->operands.len; ++i) words[2 + i] = o->operands.data[i];
  hd_attr_arg kernel = {HD_NAME_kernel, hd_attr_symbol(b->context, hd_symbol_name(o->kernel), NULL, 0)};
  hd_build_op(&in, HD_OP_hd_launch, words, o->operands.len + 2, NULL, 0, &kernel, 1, 0);
  hd_value *more = hd_build_one_(&in, HD_OP_memref_load, hd_i1(b->context), &again, 1, NULL, 0);
  hd_build_op(&in, HD_OP_scf_condition, &more, 1, NULL, 0, NULL, 0, 0);
  hd_build_yield(&empty, NULL, 0);
}

/* |o->loop| has become a kernel: its results are what it started with. */
static void remove_loop(hd_outline *o) {
  hd_op *loop = o->loop;
  for (uint32_t i = 0; i < loop->result_count; ++i) hd_value_replace_uses(hd_result(loop, i), hd_operand(loop, i));
  hd_op_erase(loop);
}

static bool outline(hd_pass *pass, hd_op *func, hd_op *loop, hd_symbol_table *symbols) {
  hd_outline o = {.pass = pass, .func = func, .loop = loop};
  if (!hd_outline_check(&o)) return false;
  hd_builder b = hd_builder_before(loop);
  b.loc = loop->loc;
  hd_value *may = kernel_may_run(&o, &b);
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){0, 0}, 2)};
  hd_type flag = hd_type_memref(hd_i1(b.context), NULL, 0, NULL, NULL);
  hd_value *again = hd_build_one_(&b, HD_OP_memref_alloc, flag, NULL, 0, &segments, 1);
  hd_ident name = hd_symbol_table_unique(symbols, b.context, hd_str_of("while_0"));
  hd_outline_write(&o, hd_str_of(name->text), again);
  hd_symbol_table_insert(symbols, o.kernel);
  if (!may) {
    launch_until_done(&o, &b, again);
    remove_loop(&o);
    return true;
  }
  hd_builder in = hd_builder_at_end(b.module, hd_op_region(hd_build_if(&b, may, NULL, 0, false), 0)->first);
  in.loc = loop->loc;
  launch_until_done(&o, &in, again);
  hd_build_yield(&in, NULL, 0);
  return true;
}

/* The outermost loops that can, in |block| and in what it holds. */
static void outline_block(hd_pass *pass, hd_op *func, hd_block *block, hd_symbol_table *symbols) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_scf_while) && outline(pass, func, op, symbols)) {
      pass->changed = true;
      continue;
    }
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) outline_block(pass, func, inner, symbols);
  }
}

typedef struct kernel_set {
  const hd_symbol_table *symbols;
  hd_map kernels;
} kernel_set;

static void note_symbol(hd_op *op, hd_attr symbol, void *user) {
  (void)op;
  kernel_set *named = user;
  hd_op *kernel = hd_symbol_table_lookup(named->symbols, hd_attr_text(symbol));
  if (kernel) hd_map_set(named->symbols->arena, &named->kernels, kernel, kernel);
}

static bool note_symbols(hd_op *op, void *user) {
  hd_op_each_symbol(op, note_symbol, user);
  return true;
}

static void erase_unused_kernels(const hd_symbol_table *symbols, hd_block *functions) {
  kernel_set named = {.symbols = symbols};
  hd_for_each_op(func, functions)
    if (!hd_discardable_kernel(func)) hd_walk_pre(func, note_symbols, &named);
  hd_for_each_op_safe(func, functions) {
    if (hd_discardable_kernel(func) && hd_symbol_is_private(func) && !hd_map_get(&named.kernels, func))
      hd_op_erase(func);
  }
}

/* Buffers that were the steps' own. */
static void erase_unused_buffers(hd_op *func) {
  hd_for_each_block(block, hd_op_region(func, 0)) {
    hd_for_each_op_safe(op, block) {
      if (hd_op_is(op, HD_OP_memref_alloc) && !hd_value_has_uses(hd_result(op, 0))) hd_op_erase(op);
    }
  }
}

bool hd_pass_outline_loops(hd_pass *pass, hd_op *module) {
  hd_block *functions = hd_op_region(module, 0)->first;
  hd_symbol_table symbols;
  hd_symbol_table_init(&symbols, &pass->arena, module);
  hd_for_each_op(func, functions) {
    if (!hd_op_is(func, HD_OP_func_func) || hd_discardable_kernel(func)) continue;
    hd_for_each_block(block, hd_op_region(func, 0)) outline_block(pass, func, block, &symbols);
    if (pass->changed) erase_unused_buffers(func);
  }
  if (pass->changed) erase_unused_kernels(&symbols, functions);
  return true;
}
