/* SPDX-License-Identifier: Apache-2.0 */
/* disc-parallel-loop-split: a flat parallel loop becomes blocks of threads.
 *
 *   scf.parallel (%i) = (%c0) to (%n) step (%c1) {       %blocks = arith.ceildivui %n, %c256
 *     body(%i)                                           scf.for %base = %c0 to %blocks step %limit {
 *   } {hd.threads = 256}                           ->      %grid = min(%blocks - %base, %limit)
 *                                                          gpu.launch blocks(%bx...) in (%grid, 1, 1) threads(%tx...)
 * in (256, 1, 1) { %i = (%base + %bx) * 256 + %tx scf.if %i < %n { body(%i) }
 *
 * The grid covers the range, so there is one bounds check; none where the range is a multiple of the block. Beyond the
 * limit of a grid the host launches again, further on: no kernel has a grid-stride loop, and barriers stay outside of
 * loops. Where the range is known to fit into a grid there is no loop on the host either. No blocks, no launch.
 *
 * The block size is the loop's hint; |threads| overrides it but for loops whose threads work together (barriers,
 * shuffles): the hint is part of what they compute. Shared memory of the body becomes the launch's. */
#include "codegen/emit/gpu/schedules.h"
#include "passes/passes.h"

typedef struct splitter {
  hd_pass *pass;
  const hd_gpu_target *target;
  int64_t threads, grid_limit; /* threads: 0 when not given */
} splitter;

static hd_value *index_op(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(b, opcode, x->type, x, y);
}

static bool is_multiple(hd_value *value, int64_t of) {
  int64_t known;
  if (hd_value_constant_int(value, &known)) return known % of == 0;
  hd_op *op = hd_value_op(value);
  return hd_op_is(op, HD_OP_arith_muli) && (is_multiple(hd_operand(op, 0), of) || is_multiple(hd_operand(op, 1), of));
}

typedef struct needs {
  bool barrier, shuffle;
} needs;

static bool look(hd_op *op, void *user) {
  needs *n = user;
  n->barrier |= hd_op_is(op, HD_OP_gpu_barrier);
  n->shuffle |= hd_op_is(op, HD_OP_gpu_shuffle);
  return true;
}

static bool is_shared(hd_op *op) {
  hd_attr space = hd_op_is(op, HD_OP_memref_alloca) ? hd_result_type(op, 0)->shaped.space : NULL;
  return hd_attr_is(space, HD_ATTR_ENUM) && space->enumerant.row == HD_ENUM_gpu_address_space &&
         hd_str_is(hd_enum_case_name(HD_ENUM_gpu_address_space, space->enumerant.value), "workgroup");
}

/* gpu.launch over |grid| blocks of |threads|: its body, with 12 arguments (ids of blocks and threads, their sizes). */
static hd_op *build_launch(hd_builder *b, hd_value *grid, int64_t threads) {
  hd_value *one = hd_build_index(b, 1);
  hd_value *operands[6] = {grid, one, one, hd_build_index(b, threads), one, one};
  int32_t segments[11] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  hd_attr_arg attrs[] = {{"operandSegmentSizes", hd_attr_i32_array(b->context, segments, 11)}};
  hd_op *launch = hd_build_op(b, HD_OP_gpu_launch, operands, 6, NULL, 0, attrs, 1, 1);
  hd_block *body = hd_block_create(b->module);
  hd_region_append(hd_op_region(launch, 0), body);
  for (int i = 0; i < 12; ++i) hd_block_add_arg(b->module, body, hd_type_index(b->context));
  return launch;
}

/* Fills |launch| with the body of |loop| at (base + block) * threads + thread. */
static void fill(splitter *s, hd_op *launch, hd_op *loop, hd_value *base, int64_t threads, bool check) {
  hd_module *module = s->pass->module;
  hd_block *body = hd_op_region(launch, 0)->first, *from = hd_op_region(loop, 0)->first;
  int64_t shared = 0;
  hd_for_each_op_safe(op, from) {
    if (!is_shared(op)) continue;
    hd_value *memory = hd_block_add_arg(module, body, hd_result_type(op, 0));
    hd_op_replace(op, &memory);
    ++shared;
  }
  hd_op_attr_set(launch, "workgroup_attributions", hd_attr_i64(s->pass->context, shared));
  hd_builder in = hd_builder_at_end(module, body);
  in.loc = loop->loc;
  hd_value *block = base ? index_op(&in, HD_OP_arith_addi, base, body->args[0]) : body->args[0];
  hd_value *first = index_op(&in, HD_OP_arith_muli, block, hd_build_index(&in, threads));
  hd_value *id = index_op(&in, HD_OP_arith_addi, first, body->args[3]);
  hd_value_replace_uses(from->args[0], id);
  hd_op_erase(from->last);
  if (check) {
    int64_t less = 0;
    hd_enum_case_value(HD_ENUM_arith_cmpi_predicate, HD_STR("ult"), &less);
    hd_attr_arg predicate = {"predicate", hd_attr_i64(in.context, less)};
    hd_value *inside = hd_build_one_(&in, HD_OP_arith_cmpi, hd_i1(in.context), (hd_value *[]){id, hd_operand(loop, 1)},
                                     2, &predicate, 1);
    hd_op *guard = hd_build_if(&in, inside, NULL, 0, false);
    hd_block *then = hd_op_region(guard, 0)->first;
    hd_block_splice(from, then, then->last);
    hd_builder end = hd_builder_at_end(module, then);
    if (!hd_op_is(then->last, HD_OP_scf_yield)) hd_build_yield(&end, NULL, 0);
  } else {
    hd_block_splice(from, body, NULL);
  }
  in = hd_builder_at_end(module, body);
  hd_build_op(&in, HD_OP_gpu_terminator, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_attr name = hd_op_attr_get(loop, "hd.kernel_name");
  if (name) hd_op_attr_set(launch, "hd.kernel_name", name);
}

static bool split(splitter *s, hd_op *loop) {
  hd_block *body = hd_op_region(loop, 0)->first;
  int64_t zero, one, known;
  if (loop->result_count) return hd_op_error(loop, "gives results, which no launch does");
  if (body->arg_count != 1 || !hd_value_constant_int(hd_operand(loop, 0), &zero) || zero != 0 ||
      !hd_value_constant_int(hd_operand(loop, 2), &one) || one != 1)
    return hd_op_error(loop, "is no flat loop from 0 in steps of 1, expected disc-loop-coalescing before");
  hd_value *extent = hd_operand(loop, 1);
  needs n = {false, false};
  hd_walk_pre(loop, look, &n);
  int64_t threads = hd_op_int_attr(loop, "hd.threads", s->target->block_small);
  if (s->threads && !n.barrier && !n.shuffle) threads = s->threads;
  if (threads < 1 || threads > s->target->block_limit)
    return hd_op_error(loop, "asks for %lld threads a block, expected 1 to %lld", (long long)threads,
                       (long long)s->target->block_limit);
  bool whole = is_multiple(extent, threads);
  if (n.barrier && !whole)
    return hd_op_error(loop, "has a barrier, and its range is not known to be a multiple of %lld, the block size",
                       (long long)threads);
  hd_builder b = hd_builder_before(loop);
  b.loc = loop->loc;
  if (hd_value_constant_int(extent, &known) && known <= s->grid_limit * threads) {
    int64_t blocks = known / threads + (known % threads > 0);
    if (blocks) fill(s, build_launch(&b, hd_build_index(&b, blocks), threads), loop, NULL, threads, !whole);
  } else {
    hd_value *blocks = index_op(&b, HD_OP_arith_ceildivui, extent, hd_build_index(&b, threads));
    hd_value *limit = hd_build_index(&b, s->grid_limit);
    hd_op *chunks = hd_build_for(&b, hd_build_index(&b, 0), blocks, limit, NULL, 0);
    hd_block *chunk = hd_op_region(chunks, 0)->first;
    hd_builder in = hd_builder_at_end(b.module, chunk);
    in.loc = b.loc;
    hd_value *base = chunk->args[0], *left = index_op(&in, HD_OP_arith_subi, blocks, base);
    hd_op *launch = build_launch(&in, index_op(&in, HD_OP_arith_minui, left, limit), threads);
    fill(s, launch, loop, base, threads, !whole);
    hd_build_yield(&in, NULL, 0);
  }
  hd_op_erase(loop);
  s->pass->changed = true;
  return true;
}

static bool run_block(splitter *s, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_scf_parallel)) {
      if (!split(s, op)) return false;
      continue;
    }
    if (hd_op_is(op, HD_OP_gpu_launch)) continue;
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) if (!run_block(s, inner)) return false;
  }
  return true;
}

bool hd_pass_parallel_loop_split(hd_pass *pass, hd_op *func) {
  hd_str name = hd_pass_string(pass, "target", "cuda");
  splitter s = {.pass = pass, .target = hd_gpu_target_find(name), .threads = hd_pass_int(pass, "threads", 0)};
  if (!s.target)
    return hd_op_error(func, "is to be compiled for '%.*s', which is no GPU target", (int)name.len, name.data);
  s.grid_limit = hd_pass_int(pass, "grid-limit", s.target->grid_limit);
  if (s.grid_limit < 1 || s.grid_limit > INT32_MAX || s.threads < 0)
    return hd_op_error(func, "is to be split with a grid limit of %lld and %lld threads, expected positive numbers",
                       (long long)s.grid_limit, (long long)s.threads);
  hd_for_each_block(block, hd_op_region(func, 0)) if (!run_block(&s, block)) return false;
  return true;
}
