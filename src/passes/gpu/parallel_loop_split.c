/* SPDX-License-Identifier: Apache-2.0 */
/* disc-parallel-loop-split: a flat parallel loop becomes blocks of threads.
 *
 *   scf.parallel (%i) = (%c0) to (%n) step (%c1) { %blocks = arith.ceildivui %n, %c256
 *     body(%i)                                     scf.if %blocks != 0 {
 *   } {hd.threads = 256}                       ->    scf.if %small {
 *                                                      gpu.launch blocks(%bx...) in (%blocks, 1, 1)
 *                                                                 threads(%tx...) in (256, 1, 1) {
 *                                                        %i = %bx * 256 + %tx
 *                                                        scf.if %i < %n { body(%i) }
 *                                                      } {hd.index_bits = 32}
 *                                                    } else {
 *                                                      gpu.launch blocks(%bx...) in (min(%blocks, %limit), 1, 1) ... {
 *                                                        scf.for %b = %bx to %blocks step grid size {
 *                                                          %i = %b * 256 + %tx
 *                                                          scf.if %i < %n { body(%i) }
 *
 * In the first version index arithmetic is of 32 bits, which devices compute several times faster. The host sees from
 * the sizes of the run whether that is enough (index_width.h), and whether a grid covers the range; then there is one
 * bounds check, and none where the range is a multiple of the block. The second version takes what is left: its blocks
 * stride over the range. Where sizes are known there is one launch. No blocks, no launch. Blocks stride as a whole, so
 * threads of one meet at the same barriers, and one more barrier ends a step before the next writes shared memory.
 *
 * Where the body divides its counter by the block size, as coalesced loops over threads of a block do, it takes
 * the numbers of the block and the thread.
 *
 * The block size is the loop's hint; |threads| overrides it but for loops whose threads work together (barriers,
 * shuffles): the hint is part of what they compute. Shared memory of the body becomes the launch's. A loop with hd.host
 * becomes an scf.for. */
#include "codegen/emit/gpu/schedules.h"
#include "ir/address_space.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/gpu/index_width.h"
#include "passes/passes.h"

typedef struct splitter {
  hd_pass *pass;
  const hd_gpu_target *target;
  int64_t threads, grid_limit; /* threads: 0 when not given */
} splitter;

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
  return hd_op_is(op, HD_OP_memref_alloca) &&
         hd_is_in_address_space(hd_result_type(op, 0), HD_GPU_ADDRESS_SPACE_WORKGROUP);
}

/* gpu.launch over |grid| blocks of |threads|: its body, with 12 arguments (ids of blocks and threads, their sizes). */
static hd_op *build_launch(hd_builder *b, hd_value *grid, int64_t threads) {
  hd_value *one = hd_build_index(b, 1);
  hd_value *operands[6] = {grid, one, one, hd_build_index(b, threads), one, one};
  int32_t segments[11] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  hd_attr_arg attrs[] = {{HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, segments, 11)}};
  hd_op *launch = hd_build_op(b, HD_OP_gpu_launch, operands, 6, NULL, 0, attrs, 1, 1);
  hd_block *body = hd_block_create(b->module);
  hd_region_append(hd_op_region(launch, 0), body);
  for (int i = 0; i < 12; ++i) hd_block_add_arg(b->module, body, hd_type_index(b->context));
  return launch;
}

/* The end of region |region| of |guard|. */
static hd_builder inside_if(hd_builder *b, hd_op *guard, uint32_t region) {
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(guard, region)->first);
  in.loc = b->loc;
  return in;
}

typedef struct range {
  hd_value *extent, *blocks;
  int64_t threads;
  bool whole, barrier; /* whole: a multiple of the block */
} range;

/* How a version of the kernel goes over the range. |strides|: blocks of the grid come again until all of it is done.
 * |small|: index arithmetic is of 32 bits. */
typedef struct version {
  bool strides, small;
  const char *suffix;
} version;

/* What divides the counter |k| by the threads of a block has the block and the thread already. */
static void name_parts(hd_value *k, int64_t threads, hd_value *block, hd_value *thread) {
  for (hd_use *use = k->first_use, *next; use; use = next) {
    hd_op *op = use->owner;
    int64_t by;
    next = use->next;
    bool divides = hd_op_is(op, HD_OP_arith_divui), rest = hd_op_is(op, HD_OP_arith_remui);
    if ((!divides && !rest) || use->index || !hd_value_constant_int(hd_operand(op, 1), &by) || by != threads) continue;
    hd_op_replace(op, divides ? &block : &thread);
    next = k->first_use;
  }
}

/* Fills |launch| with the body of |loop|, which goes, at block * threads + thread. */
static void fill(splitter *s, hd_op *launch, hd_op *loop, const range *r, version v) {
  hd_module *module = s->pass->module;
  hd_block *body = hd_op_region(launch, 0)->first, *from = hd_op_region(loop, 0)->first;
  hd_value *block = body->args[0], *thread = body->args[3], *grid = body->args[6];
  int64_t shared = 0;
  hd_for_each_op_safe(op, from) {
    if (!is_shared(op)) continue;
    hd_value *memory = hd_block_add_arg(module, body, hd_result_type(op, 0));
    hd_op_replace(op, &memory);
    ++shared;
  }
  hd_discardable_set_workgroup_attributions(launch, hd_attr_i64(s->pass->context, shared));
  hd_builder out = hd_builder_at_end(module, body), in = out;
  out.loc = in.loc = loop->loc;
  if (v.strides) {
    hd_op *steps = hd_build_for(&out, block, r->blocks, grid, NULL, 0);
    in = hd_builder_at_end(module, hd_op_region(steps, 0)->first);
    in.loc = loop->loc;
    block = in.block->args[0];
  }
  hd_value *first = hd_build_binary(&in, HD_OP_arith_muli, block, hd_build_index(&in, r->threads));
  hd_value *id = hd_build_binary(&in, HD_OP_arith_addi, first, thread);
  name_parts(from->args[0], r->threads, block, thread);
  hd_value_replace_uses(from->args[0], id);
  hd_op_erase(from->last);
  if (r->whole) {
    hd_block_splice(from, in.block, NULL);
  } else {
    hd_op *guard = hd_build_if(&in, hd_arith_cmpi(&in, HD_ARITH_CMPI_ULT, id, r->extent), NULL, 0, false);
    hd_builder then = inside_if(&in, guard, 0);
    hd_block_splice(from, then.block, then.block->last);
    if (!hd_op_is(then.block->last, HD_OP_scf_yield)) hd_build_yield(&then, NULL, 0);
  }
  if (v.strides) {
    in = hd_builder_at_end(module, in.block);
    in.loc = loop->loc;
    if (r->barrier) hd_build_op(&in, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0);
    hd_build_yield(&in, NULL, 0);
  }
  out = hd_builder_at_end(module, body);
  out.loc = loop->loc;
  hd_build_op(&out, HD_OP_gpu_terminator, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_str name = hd_discardable_kernel_name(loop);
  const char *text = hd_arena_printf(&s->pass->arena, "%.*s%s", (int)name.len, name.data, v.suffix);
  if (name.len) hd_discardable_set_kernel_name(launch, text);
  if (v.small) hd_discardable_set_index_bits(launch, 32);
  hd_op_erase(loop);
}

static bool is_known(hd_value *condition, bool *out) {
  int64_t known = 0;
  bool is = hd_value_constant_int(condition, &known);
  *out = known != 0;
  return is;
}

/* The condition under which one launch of 32 bits does all of |loop|; null where none is enough. */
static hd_value *small_condition(splitter *s, hd_builder *b, hd_op *loop, const range *r) {
  int64_t blocks;
  bool known = hd_value_constant_int(r->blocks, &blocks), enough;
  if (known && blocks > s->grid_limit) return NULL;
  hd_value *threads = known ? hd_build_index(b, blocks * r->threads)
                            : hd_build_binary(b, HD_OP_arith_muli, r->blocks, hd_build_index(b, r->threads));
  hd_value *fits = hd_index_width_condition(b, loop, threads, &s->pass->arena);
  if (!fits || known) return fits;
  hd_value *covers = hd_arith_cmpi(b, HD_ARITH_CMPI_ULE, r->blocks, hd_build_index(b, s->grid_limit));
  return is_known(fits, &enough) ? enough ? covers : NULL : hd_build_binary(b, HD_OP_arith_andi, covers, fits);
}

static void launch_small(splitter *s, hd_builder *b, hd_op *loop, const range *r) {
  fill(s, build_launch(b, r->blocks, r->threads), loop, r, (version){.small = true, .suffix = ""});
}

static void launch_any(splitter *s, hd_builder *b, hd_op *loop, const range *r, const char *suffix) {
  hd_value *limit = hd_build_index(b, s->grid_limit), *grid = r->blocks;
  int64_t blocks;
  bool known = hd_value_constant_int(grid, &blocks), strides = !known || blocks > s->grid_limit;
  if (strides) grid = known ? limit : hd_build_binary(b, HD_OP_arith_minui, grid, limit);
  fill(s, build_launch(b, grid, r->threads), loop, r, (version){.strides = strides, .suffix = suffix});
}

/* The launches of |loop|, which has blocks; in its place at |b|. */
static void launch_by_size(splitter *s, hd_builder *b, hd_op *loop, const range *r) {
  hd_value *small = small_condition(s, b, loop, r);
  bool always;
  if (!small) {
    launch_any(s, b, loop, r, "");
    return;
  }
  if (is_known(small, &always) && always) {
    launch_small(s, b, loop, r);
    return;
  }
  hd_op *by_size = hd_build_if(b, small, NULL, 0, true),
        *again = hd_op_clone(s->pass->module, loop, &s->pass->arena, NULL);
  hd_op_insert_after(again, loop);
  hd_builder then = inside_if(b, by_size, 0), otherwise = inside_if(b, by_size, 1);
  launch_small(s, &then, loop, r);
  hd_build_yield(&then, NULL, 0);
  launch_any(s, &otherwise, again, r, "_64");
  hd_build_yield(&otherwise, NULL, 0);
}

/* The launches for a range of unknown size. */
static void launch_some(splitter *s, hd_builder *b, hd_op *loop, range *r) {
  r->blocks = hd_build_binary(b, HD_OP_arith_ceildivui, r->extent, hd_build_index(b, r->threads));
  hd_op *any = hd_build_if(b, hd_arith_cmpi(b, HD_ARITH_CMPI_NE, r->blocks, hd_build_index(b, 0)), NULL, 0, false);
  hd_builder some = inside_if(b, any, 0);
  launch_by_size(s, &some, loop, r);
  hd_build_yield(&some, NULL, 0);
}

static void keep_on_host(splitter *s, hd_op *loop) {
  hd_block *from = hd_op_region(loop, 0)->first;
  hd_builder b = hd_builder_before(loop);
  b.loc = loop->loc;
  hd_op *steps = hd_build_for(&b, hd_operand(loop, 0), hd_operand(loop, 1), hd_operand(loop, 2), NULL, 0);
  hd_block *to = hd_op_region(steps, 0)->first;
  hd_value_replace_uses(from->args[0], to->args[0]);
  hd_op_erase(from->last);
  hd_block_splice(from, to, NULL);
  hd_builder end = hd_builder_at_end(s->pass->module, to);
  end.loc = loop->loc;
  hd_build_yield(&end, NULL, 0);
  hd_op_erase(loop);
  s->pass->changed = true;
}

static bool is_no_parallel_loop(hd_op *op, void *user) { return op == user || !hd_op_is(op, HD_OP_scf_parallel); }

static bool split(splitter *s, hd_op *loop) {
  hd_block *body = hd_op_region(loop, 0)->first;
  int64_t zero, one, known;
  if (loop->result_count) return hd_op_error(loop, "has results, expected none of a loop that becomes a launch");
  if (body->arg_count != 1 || !hd_value_constant_int(hd_operand(loop, 0), &zero) || zero != 0 ||
      !hd_value_constant_int(hd_operand(loop, 2), &one) || one != 1)
    return hd_op_error(loop, "is no flat loop from 0 in steps of 1, expected disc-loop-coalescing before");
  if (hd_discardable_host(loop)) {
    keep_on_host(s, loop);
    return true;
  }
  if (!hd_walk_pre(loop, is_no_parallel_loop, loop))
    return hd_op_error(loop, "holds another parallel loop: expected one nest, which disc-loop-coalescing makes flat");
  hd_value *extent = hd_operand(loop, 1);
  needs n = {false, false};
  hd_walk_pre(loop, look, &n);
  int64_t threads = hd_attr_int_or(hd_discardable_threads_attr(loop), s->target->block_small);
  if (s->threads && !n.barrier && !n.shuffle) threads = s->threads;
  if (threads < 1 || threads > s->target->block_limit)
    return hd_op_error(loop, "has %lld threads a block, expected 1 to %lld", (long long)threads,
                       (long long)s->target->block_limit);
  range r = {extent, NULL, threads, is_multiple(extent, threads), n.barrier};
  if (n.barrier && !r.whole)
    return hd_op_error(loop, "has a barrier: expected a range that is a known multiple of the block size, %lld",
                       (long long)threads);
  hd_builder b = hd_builder_before(loop);
  b.loc = loop->loc;
  s->pass->changed = true;
  if (!hd_value_constant_int(extent, &known)) {
    launch_some(s, &b, loop, &r);
    return true;
  }
  int64_t blocks = known / threads + (known % threads > 0);
  r.blocks = hd_build_index(&b, blocks);
  if (blocks > 0)
    launch_by_size(s, &b, loop, &r);
  else
    hd_op_erase(loop);
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
      hd_for_each_block(inner, hd_op_region(op, r))
        if (!run_block(s, inner)) return false;
  }
  return true;
}

bool hd_pass_parallel_loop_split(hd_pass *pass, hd_op *func) {
  splitter s = {.pass = pass, .target = pass->target->gpu, .threads = hd_option_int(pass, "threads")};
  s.grid_limit = hd_option_given(pass, "grid-limit") ? hd_option_int(pass, "grid-limit") : s.target->grid_limit;
  if (s.grid_limit < 1 || s.grid_limit > INT32_MAX || s.threads < 0)
    return hd_op_error(func, "is to be split with a grid limit of %lld and %lld threads, expected positive numbers",
                       (long long)s.grid_limit, (long long)s.threads);
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!run_block(&s, block)) return false;
  return true;
}
